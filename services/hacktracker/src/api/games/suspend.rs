//! `POST /games/{gameId}/suspend`: suspends a game.

use super::change::change;
use super::{GameFields, GameView};
use crate::api::prelude::*;
use crate::rules::transitions::Transition;

/// Stops a game in the middle. Its at-bats are kept.
#[operation(
    POST "/games/{gameId}/suspend", once, if_match, queue = game_id, refuses(refusal::CHANGING_GAME)
)]
async fn suspend_game(app: &App, call: &Call<GamePath, Option<Nothing>>) -> Answer<Json<GameView>> {
    change(app, call, &call.path.game_id, &GameFields::default(), Some(Transition::Suspend)).await
}
