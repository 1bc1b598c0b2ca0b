//! `POST /games/{gameId}/start`: starts a game.

use super::change::change;
use super::{GameFields, GameView};
use crate::api::prelude::*;
use crate::rules::transitions::Transition;

/// Starts a game, or continues one that was suspended.
#[operation(
    POST "/games/{gameId}/start", once, if_match, queue = game_id, refuses(refusal::CHANGING_GAME)
)]
async fn start_game(app: &App, call: &Call<GamePath, Option<Nothing>>) -> Answer<Json<GameView>> {
    change(app, call, &call.path.game_id, &GameFields::default(), Some(Transition::Start)).await
}
