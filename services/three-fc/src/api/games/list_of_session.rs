//! `GET /v1/sessions/{sessionId}/games`: lists the games of a match day.

use super::{GameListView, of_session, position};
use crate::api::prelude::*;

/// Lists the games of a match day, the earliest first.
#[operation(GET "/v1/sessions/{sessionId}/games", refuses(refusal::VIEWING))]
async fn list_session_games(
    app: &App,
    call: &Call<SessionPath, (), Paged>,
) -> Answer<SortedPage<GameListView>> {
    let session_id = &call.path.session_id;
    policy::session(app, call, session_id, Action::View).await?;
    let rows = &of_session(app, session_id).await?[..];
    let list = SortedList { scope: format!("games of {session_id}"), rows, position };
    Ok(list.page(&app.bookmarks, app.db.now(), call, GameListView::of)?.into())
}
