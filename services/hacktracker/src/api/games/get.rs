//! `GET /games/{gameId}`: returns a game.

use super::GameView;
use crate::api::prelude::*;

/// Returns a game.
#[operation(GET "/games/{gameId}", refuses(refusal::VIEWING_GAME))]
async fn get_game(app: &App, call: &Call<GamePath>) -> Answer<Json<GameView>> {
    let (game, _) = scope::game(app, call, &call.path.game_id, Action::View).await?;
    Ok(Json(GameView::of(&game)).into())
}
