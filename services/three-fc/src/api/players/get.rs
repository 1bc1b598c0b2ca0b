//! `GET /v1/players/{playerId}`: returns a player.

use super::{PlayerView, stored};
use crate::api::avatars::Viewing;
use crate::api::prelude::*;

/// Returns a player.
#[operation(GET "/v1/players/{playerId}", refuses(NotFound))]
async fn get_player(app: &App, call: &Call<PlayerPath>) -> Answer<Json<PlayerView>> {
    let user_id = policy::caller(call)?;
    let player = stored(app, &call.path.player_id).await?;
    Ok(Json(PlayerView::to(&player, &Viewing::of(app, Some(user_id)))).into())
}
