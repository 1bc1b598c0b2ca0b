//! `GET /teams/{teamId}/players/{playerId}`: returns a player.

use super::PlayerView;
use crate::api::prelude::*;

/// Returns a player.
#[operation(GET "/teams/{teamId}/players/{playerId}", refuses(refusal::VIEWING_PLAYER))]
async fn get_player(app: &App, call: &Call<PlayerPath>) -> Answer<Json<PlayerView>> {
    let PlayerPath { team_id, player_id } = &call.path;
    policy::authorize(app, call, team_id, Action::View).await?;
    Ok(Json(PlayerView::of(&scope::player(app, team_id, player_id).await?)).into())
}
