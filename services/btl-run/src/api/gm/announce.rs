//! `POST /match/{id}/gm/announce`: announces a text to all players.

use super::commit;
use crate::api::play::OutcomeView;
use crate::api::prelude::*;

/// A text for all players.
#[derive(Debug, Body)]
pub(crate) struct Announcement {
    #[body(length = 1..=280, example = "The river rises.")]
    text: String,
}

/// Announces a text to all players.
#[operation(POST "/match/{id}/gm/announce", once_required, if_match, queue = id,
    refuses(refusal::HOST_ONLY, refusal::CHANGING, NotCollecting, ContentViolation))]
pub(crate) async fn announce(
    app: &App,
    call: &Call<MatchPath, Announcement>,
) -> Answer<Json<OutcomeView>> {
    let row = hosted(app, call, &call.path.id).await?;
    let text = &call.body.text;
    moderation::check("text", text)?;
    let events = decide::announce(&row.state, text, app.now_ms())?;
    commit(app, call, row, events, None).await
}
