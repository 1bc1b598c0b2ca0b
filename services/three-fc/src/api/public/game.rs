//! `GET /v1/public/games/{gameId}`: returns a game as everybody sees it.

use super::scoreboard::{Scoreboard, scoreboard};
use super::visible_game;
use crate::api::prelude::*;

/// Returns the score, the clock and the last goals of a game.
#[operation(GET "/v1/public/games/{gameId}", public, refuses(NotFound))]
pub(crate) async fn get_public_game(app: &App, call: &Call<GamePath>) -> Answer<Json<Scoreboard>> {
    let game = visible_game(app, &call.path.game_id).await?;
    Ok(Json(scoreboard(app, &game).await?).into())
}
