//! `GET /api/teams/{teamId}/messages`: lists messages of a team.

use crate::api::dashboard::MessageView;
use crate::api::prelude::*;

/// Lists the talks of all players of a team with the characters, the first messages first.
#[operation(GET "/api/teams/{teamId}/messages", refuses(refusal::WATCHING, TeamNotFound))]
pub(crate) async fn list_messages(
    app: &App,
    call: &Call<TeamPath, (), Paged>,
) -> Answer<Page<MessageView>> {
    let (_, team) = policy::team(app, call, &call.path.team_id, Action::Watch).await?;
    let page = call.page().of(app.db.messages_of_team(&team.id)).await?;
    Ok(Page::of(page, MessageView::of).into())
}
