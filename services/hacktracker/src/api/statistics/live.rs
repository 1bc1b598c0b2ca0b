//! `GET /games/{gameId}/live`: returns how a game stands.

use crate::api::announce::{Standing, standing};
use crate::api::prelude::*;

/// Returns how a game stands: inning, outs, the batter and the next ones.
#[operation(GET "/games/{gameId}/live", refuses(refusal::VIEWING_GAME))]
async fn get_live(app: &App, call: &Call<GamePath>) -> Answer<Json<Standing>> {
    let (game, _) = scope::game(app, call, &call.path.game_id, Action::View).await?;
    let at_bats = logbook::at_bats(app, &game).await?;
    Ok(Json(standing(&game, &at_bats)).into())
}
