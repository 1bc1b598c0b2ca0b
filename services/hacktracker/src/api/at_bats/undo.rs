//! `POST /games/{gameId}/atbats/undo`: deletes the last at-bat.

use super::correction::ScoredGame;
use super::{AtBatView, LastAtBat, Replayed};
use crate::api::prelude::*;
use crate::rules::count::replayed;

/// Deletes the last at-bat. If the request names another at-bat, it is refused.
// After a concurrent change the last play is not the one that the caller has seen: hence
// `no_repeat`.
#[operation(
    POST "/games/{gameId}/atbats/undo", once, queue = game_id, no_repeat,
    refuses(refusal::SCORING, AtBatNotFound, NotTheLastAtBat)
)]
async fn undo_last_at_bat(app: &App, call: &Call<GamePath, Option<LastAtBat>>) -> Answer<Replayed> {
    let scored = ScoredGame::read(app, call, &call.path.game_id).await?;
    scored.require_in_progress()?;
    let index = scored.at_bats.len().checked_sub(1).ok_or(Refusal::AtBatNotFound)?;
    if let Some(last) = &call.body {
        last.check(&scored.at_bats[index])?;
    }
    let at_bat = AtBatView::of(&replayed(&scored.game, &scored.at_bats)[index]);
    let response = move || Replayed { at_bat: at_bat.clone(), is_as_stored: false };
    scored.delete(index, response).await
}
