//! `DELETE /v1/players/{playerId}/avatar`: removes the picture of a player.

use super::{OfLeague, PlayerView, profile, replace};
use crate::api::prelude::*;

/// Removes the picture of a player.
#[operation(
    DELETE "/v1/players/{playerId}/avatar", once, if_match,
    refuses(refusal::VIEWING, NotFound, NotClaimOwner)
)]
async fn remove_avatar(
    app: &App,
    call: &Call<PlayerPath, (), OfLeague>,
) -> Answer<Json<PlayerView>> {
    let profile = profile(app, call, &call.path.player_id, &call.query).await?;
    replace(app, call, profile, None).await
}
