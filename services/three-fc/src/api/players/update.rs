//! `PATCH /v1/players/{playerId}`: changes the profile of a player.

use super::{OfLeague, PlayerView, profile};
use crate::api::prelude::*;

/// What changes of a player.
#[derive(Debug, Body)]
#[body(not_empty, applies_to = Player, read_only_of = PlayerView)]
pub(crate) struct PlayerChanges {
    #[body(length = 1..=30, check = checks::name, example = "Ada")]
    nickname: Option<String>,
    /// An emoji or another short text. Without a value it is removed.
    #[body(length = 1..=200, example = "🦊")]
    avatar: Patch<String>,
}

/// Changes the profile of a player: your own, or one that nobody has claimed as a scorekeeper of its league.
#[operation(
    PATCH "/v1/players/{playerId}", once, if_match,
    refuses(refusal::VIEWING, NotFound, NotClaimOwner)
)]
async fn update_player(
    app: &App,
    call: &Call<PlayerPath, PlayerChanges, OfLeague>,
) -> Answer<Json<PlayerView>> {
    let (player, viewing) = profile(app, call, &call.path.player_id, &call.query).await?;
    let mut tx = call.transact(&app.db).or_retry();
    let player = tx.add(edit(&player, |player| call.body.apply(player)));
    tx.after(|_| app.pages.clear())
        .respond(move |done| Json(PlayerView::to(&done[player], &viewing)))
        .await
}
