//! `GET /v1/games/{gameId}`: returns a game.

use super::GameView;
use crate::api::prelude::*;
use crate::legacy::games::shown;

/// Returns a game.
#[operation(GET "/v1/games/{gameId}", refuses(refusal::VIEWING))]
async fn get_game(app: &App, call: &Call<GamePath>) -> Answer<Json<GameView>> {
    let (game, _) = policy::game(app, call, &call.path.game_id, Action::View).await?;
    Ok(Json(GameView::of(&shown(app, game).await?)).into())
}
