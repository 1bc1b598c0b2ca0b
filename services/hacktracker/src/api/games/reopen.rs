//! `POST /games/{gameId}/reopen`: reopens a final game.

use super::change::change;
use super::{GameFields, GameView};
use crate::api::prelude::*;
use crate::rules::transitions::Transition;

/// Continues a final game. Owners and managers only.
#[operation(
    POST "/games/{gameId}/reopen", once, if_match, queue = game_id, refuses(refusal::CHANGING_GAME)
)]
async fn reopen_game(app: &App, call: &Call<GamePath, Option<Nothing>>) -> Answer<Json<GameView>> {
    change(app, call, &call.path.game_id, &GameFields::default(), Some(Transition::Reopen)).await
}
