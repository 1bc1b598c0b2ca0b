//! `GET /api/games/{gameId}`: shows a game.

use super::{GameView, shown};
use crate::api::prelude::*;

/// Shows a game with its clock and its settings.
#[operation(GET "/api/games/{gameId}", refuses(refusal::WATCHING))]
pub(crate) async fn get_game(app: &App, call: &Call<GamePath>) -> Answer<Json<GameView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Watch).await?;
    Ok(Json(shown(app, &game).await?).into())
}
