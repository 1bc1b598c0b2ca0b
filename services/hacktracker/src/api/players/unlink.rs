//! `DELETE /teams/{teamId}/players/{playerId}/link`: makes a player a ghost again.

use monotable::model::create;
use monotable_kit::{Answer, Call, Json, operation};

use super::{PlayerPath, PlayerView, player_of};
use crate::api::{audit, links};
use crate::app::App;
use crate::policy::{self, Action};
use crate::refusal::{self, Refusal};

/// Makes a player a ghost again, by a manager or by the user. The career of the user keeps the past.
#[operation(
    DELETE "/teams/{teamId}/players/{playerId}/link", once, if_match,
    refuses(refusal::MANAGING, PlayerNotFound)
)]
pub(crate) async fn unlink_player(app: &App, call: &Call<PlayerPath>) -> Answer<Json<PlayerView>> {
    let team_id = &call.path.team_id;
    let granted = policy::member(app, call, team_id).await?;
    let player = player_of(app, &call.path).await?;
    let is_own = player.user_id.as_ref() == Some(granted.user_id());
    granted.allow(if is_own { Action::UnlinkSelf } else { Action::ManageRoster })?;
    call.check_version(player.stamps.version)?;
    let Some(user_id) = &player.user_id else { return Ok(Json(PlayerView::of(&player)).into()) };
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(team_id));
    let team = Some(&granted.team);
    let unlinked = links::unlink_player(&app.db, &mut tx, team, &player, user_id, |_| {}).await?;
    let entity = format!("PLAYER#{}", player.player_id);
    tx.add(create(audit::entry(app, call, team_id, "unlinkPlayer", entity)?));
    call.commit(tx)
        .refuse(active, Refusal::TeamDeleted)
        .or_retry()
        .respond(move |done| Json(PlayerView::of(&done[unlinked])))
        .await
}
