//! `GET /teams/{teamId}/players/{playerId}`: returns a player.

use monotable_kit::{Answer, Call, Json, operation};

use super::{PlayerPath, PlayerView, player_of};
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal;

/// Returns a player.
#[operation(GET "/teams/{teamId}/players/{playerId}", refuses(refusal::VIEWING_PLAYER))]
pub(crate) async fn get_player(app: &App, call: &Call<PlayerPath>) -> Answer<Json<PlayerView>> {
    policy::authorize(app, call, &call.path.team_id, Action::View).await?;
    Ok(Json(PlayerView::of(&player_of(app, &call.path).await?)).into())
}
