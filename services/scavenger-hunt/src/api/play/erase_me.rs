//! `DELETE /api/me`: erases what is kept of a player.

use crate::api::people::erase::erase_user;
use crate::api::prelude::*;

/// Erases everything that is kept of you: messages, photos and positions. You leave the hunt, and your token ends.
#[operation(DELETE "/api/me", refuses(refusal::PLAYING))]
pub(crate) async fn erase_me(app: &App, call: &Call) -> Answer<NoContent> {
    let playing = policy::player(app, call).await?;
    erase_user(app, call, &playing.game.id, &playing.user).await
}
