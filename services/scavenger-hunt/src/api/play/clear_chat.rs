//! `POST /api/clear-chat`: clears the talk with the character.

use super::state;
use crate::api::prelude::*;
use crate::api::routes;

/// Messages that one transaction clears.
const CLEARED_MAX: usize = 90;

/// How many messages were cleared.
#[derive(View)]
pub(crate) struct ClearedView {
    #[view(example = 4)]
    cleared: usize,
}

/// Clears your own messages with the character of the place where the team is going. Those of teammates stay.
#[operation(POST "/api/clear-chat", refuses(refusal::PLAYING, GameEnded))]
pub(crate) async fn clear_chat(app: &App, call: &Call) -> Answer<Json<ClearedView>> {
    let playing = policy::player(app, call).await?;
    playing.require_not_over()?;
    let route = routes::route(app, playing.team_id()).await?;
    let now = Some(app.db.now().epoch_seconds());
    let mut cleared = 0;
    if let Some(current) = route.current() {
        let messages = state::messages(app, &playing.user.id, &current.level_id).await?;
        let own = messages.iter().filter(|message| message.role != Speaker::System);
        let own: Vec<&Message> = own.collect();
        for part in own.chunks(CLEARED_MAX) {
            let mut tx = call.transact(&app.db).or_retry();
            for message in part {
                tx.add(edit(*message, |message| message.stamps.expires = now));
            }
            tx.reply(|_| Reply::no_content()).await?;
            cleared += part.len();
        }
    }
    Ok(Json(ClearedView { cleared }).into())
}
