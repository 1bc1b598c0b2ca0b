//! `DELETE /teams/{teamId}/players/{playerId}/link`: makes a player a ghost again.

use super::PlayerView;
use crate::api::prelude::*;

/// Makes a player a ghost again. Managers and the user can do it; past plate appearances stay in
/// the user's career.
#[operation(
    DELETE "/teams/{teamId}/players/{playerId}/link", once, if_match,
    refuses(refusal::MANAGING, PlayerNotFound)
)]
async fn unlink_player(app: &App, call: &Call<PlayerPath>) -> Answer<Json<PlayerView>> {
    let PlayerPath { team_id, player_id } = &call.path;
    let granted = policy::member(app, call, team_id).await?;
    let player = scope::player(app, team_id, player_id).await?;
    let is_own = player.user_id.as_ref() == Some(granted.user_id());
    granted.allow(if is_own { Action::UnlinkSelf } else { Action::ManageRoster })?;
    call.check_version(player.stamps.version)?;
    let Some(user_id) = &player.user_id else { return Ok(Json(PlayerView::of(&player)).into()) };
    let mut tx = scope::change(app, call, team_id);
    let team = Some(&granted.team);
    let unlinked = links::unlink_player(&app.db, &mut tx, team, &player, user_id, |_| {}).await?;
    let entity = format!("PLAYER#{player_id}");
    tx.add(create(audit::entry(app, call, team_id, "unlinkPlayer", entity)?));
    tx.respond(move |done| Json(PlayerView::of(&done[unlinked]))).await
}
