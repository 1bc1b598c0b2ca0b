//! `POST /v1/players/{playerId}/anonymise`: removes what identifies a player.

use super::{OfLeague, PlayerView, authorize, stored};
use crate::api::avatars;
use crate::api::prelude::*;

/// Gives a player a nickname that identifies nobody, and removes the avatar. Goals and line-ups keep the player.
#[operation(
    POST "/v1/players/{playerId}/anonymise", once, if_match, refuses(refusal::ADMINISTERING, NotFound)
)]
async fn anonymise_player(
    app: &App,
    call: &Call<PlayerPath, (), OfLeague>,
) -> Answer<Json<PlayerView>> {
    let player = stored(app, &call.path.player_id).await?;
    let granted = authorize(app, call, &player, &call.query, Action::Administer).await?;
    call.check_version(player.stamps.version)?;
    let mut bytes = [0; 2];
    app.randomness.fill(&mut bytes);
    let nickname = format!("Player {}", u16::from_le_bytes(bytes));
    let picture = avatars::key(&player);
    let entity = format!("PLAYER#{}", player.player_id);
    let league_id = &granted.league.league_id;
    let entry = audit::of_league(app, call, league_id, "anonymisePlayer", entity)?;
    let mut tx = call.transact(&app.db).or_retry();
    let player = tx.add(edit(&player, |player| {
        (player.nickname, player.avatar, player.avatar_key) = (nickname, None, None);
    }));
    tx.add(create(entry));
    tx.afterwards(avatars::forget(app, picture))
        .respond(move |done| Json(PlayerView::of(&done[player])))
        .await
}
