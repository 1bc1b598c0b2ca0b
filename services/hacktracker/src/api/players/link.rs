//! `POST /teams/{teamId}/players/{playerId}/link`: links a ghost to a member of the team.

use super::PlayerView;
use crate::api::links::{already_linked, slot_of};
use crate::api::prelude::*;

/// The user of a player.
#[derive(Debug, Body)]
pub(crate) struct Claimant {
    /// A member of the team.
    user_id: UserId,
}

/// Links a ghost to a member. Its plate appearances count for the member's career.
#[operation(
    POST "/teams/{teamId}/players/{playerId}/link", once, if_match,
    refuses(refusal::MANAGING, PlayerNotFound, UserNotFound, PlayerAlreadyLinked)
)]
async fn link_player(app: &App, call: &Call<PlayerPath, Claimant>) -> Answer<Json<PlayerView>> {
    let (team_id, user_id) = (&call.path.team_id, &call.body.user_id);
    let team = policy::authorize(app, call, team_id, Action::ManageRoster).await?.team;
    let player = scope::player(app, team_id, &call.path.player_id).await?;
    call.check_version(player.stamps.version)?;
    if player.user_id.is_some() {
        return Err(already_linked(&player));
    }
    let member = app.db.membership(user_id, team_id).await?.filter(Membership::is_active);
    let member = member.ok_or(Refusal::UserNotFound)?;
    if let Some(slot) = slot_of(app, team_id, user_id).await? {
        return Err(already_linked(&slot));
    }
    // The membership is changed, so that one of two concurrent links of a user is retried.
    let is_unchanged = member.unchanged().and(membership::status().eq(member.status));
    let mut tx = scope::change(app, call, team_id);
    tx.add(Membership::update(&member.key()).when(is_unchanged));
    let linked = links::link_player(&app.db, &mut tx, &team, &player, user_id).await?;
    let entity = format!("PLAYER#{}", player.player_id);
    let entry = audit::entry(app, call, team_id, "linkPlayer", entity)?;
    tx.add(create(entry.is("userId", user_id.as_str())));
    tx.respond(move |done| Json(PlayerView::of(&done[linked]))).await
}
