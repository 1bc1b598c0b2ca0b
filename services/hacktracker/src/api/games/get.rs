//! `GET /games/{gameId}`: returns a game.

use monotable_kit::{Answer, Call, Json, operation};

use super::GameView;
use crate::api::{GamePath, scope};
use crate::app::App;
use crate::policy::Action;
use crate::refusal;

/// Returns a game.
#[operation(GET "/games/{gameId}", refuses(refusal::VIEWING_GAME))]
pub(crate) async fn get_game(app: &App, call: &Call<GamePath>) -> Answer<Json<GameView>> {
    let (game, _) = scope::authorized_game(app, call, &call.path.game_id, Action::View).await?;
    Ok(Json(GameView::of(&game)).into())
}
