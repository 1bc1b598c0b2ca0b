//! `GET /games/{gameId}/live`: the situation of a game.

use crate::api::announce::{Standing, standing};
use crate::api::prelude::*;

/// Returns the situation of a game: inning, outs, the batter and the next ones.
#[operation(GET "/games/{gameId}/live", refuses(refusal::VIEWING_GAME))]
async fn get_live(app: &App, call: &Call<GamePath>) -> Answer<Json<Standing>> {
    let (game, _) = scope::game(app, call, &call.path.game_id, Action::View).await?;
    let at_bats = logbook::at_bats(app, &game).await?;
    Ok(Json(standing(&game, &at_bats)).into())
}
