//! Whose a roster slot is: making it somebody's, making it a ghost again, and the history of both, which
//! outlives the slot and the team.

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Handle, Store, Transact, create, edit};
use monotable_kit::{Problem, Reply, Request};
use serde::Deserialize;

use super::players::{player_of, shown};
use super::scope::all;
use super::{teams, users};
use crate::app::App;
use crate::audit;
use crate::entities::{Membership, Period, Player, PlayerLink, Team, membership};
use crate::ids::{TeamId, UserId};
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action};

/// Makes a ghost a user's in a transaction. What it did since its last user counts for the new one.
pub(crate) async fn link_player(
    db: &Store<HackTracker>,
    tx: &mut Transact<HackTracker>,
    team: &Team,
    player: &Player,
    user_id: &UserId,
) -> Result<Handle<Player>, Problem> {
    let now = db.now();
    let linked = tx.add(edit(player, |player| {
        player.user_id = Some(user_id.clone());
        player.is_ghost = false;
        player.linked_at = Some(now);
    }));
    match db.player_link(user_id, &player.player_id).consistent().await? {
        Some(history) => tx.add(edit(&history, |history| {
            history.periods.push(Period { from: player.last_unlinked_at, to: None });
        })),
        None => tx.add(create(teams::link(user_id, team, player))),
    };
    Ok(linked)
}

/// Makes the slot of a user a ghost again in a transaction, and changes it further. A link that older
/// programs made without a history gets one.
pub(crate) async fn unlink_player(
    db: &Store<HackTracker>,
    tx: &mut Transact<HackTracker>,
    team: Option<&Team>,
    player: &Player,
    user_id: &UserId,
    change: impl FnOnce(&mut Player),
) -> Result<Handle<Player>, Problem> {
    let now = db.now();
    let unlinked = tx.add(edit(player, |player| {
        (player.user_id, player.is_ghost, player.linked_at) = (None, true, None);
        player.last_unlinked_at = Some(now);
        change(player);
    }));
    let history = db.player_link(user_id, &player.player_id).consistent().await?;
    match (history, team) {
        (Some(history), _) => {
            tx.add(edit(&history, |history| close(history, now)));
        }
        (None, Some(team)) => {
            let mut history = teams::link(user_id, team, player);
            close(&mut history, now);
            tx.add(create(history));
        }
        (None, None) => {}
    }
    Ok(unlinked)
}

/// Ends the period that is open.
pub(crate) fn close(history: &mut PlayerLink, now: Timestamp) {
    for period in history.periods.iter_mut().filter(|period| period.to.is_none()) {
        period.to = Some(now);
    }
}

/// The slot of a user in a team: there is one at most.
pub(crate) async fn slot_of(
    app: &App,
    team_id: &TeamId,
    user_id: &UserId,
) -> Result<Option<Player>, Problem> {
    let roster = all(app.db.roster(team_id).consistent()).await?;
    Ok(roster.into_iter().find(|player| player.user_id.as_ref() == Some(user_id)))
}

/// 409 for a slot that is somebody's, or somebody who has one.
pub(crate) fn already_linked(player: &Player) -> Problem {
    let text = "A player has one user, and a user one player: unlink the one that is linked first.";
    Problem::conflict("PLAYER_ALREADY_LINKED", text).with("playerId", player.player_id.as_str())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claimant {
    user_id: UserId,
}

/// `POST /teams/{teamId}/players/{playerId}/link`: a ghost becomes a member's.
pub(crate) async fn link(app: &App, call: &Request) -> Result<Reply, Problem> {
    let Claimant { user_id } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let team = policy::authorize(app, call, &team_id, Action::ManageRoster).await?.team;
    let player = player_of(app, call, &team_id).await?;
    call.check_version(player.stamps.version)?;
    if player.user_id.is_some() {
        return Err(already_linked(&player));
    }
    let member = app.db.membership(&user_id, &team_id).await?.filter(Membership::is_active);
    let member = member.ok_or_else(users::not_found)?;
    if let Some(slot) = slot_of(app, &team_id, &user_id).await? {
        return Err(already_linked(&slot));
    }
    // The membership is changed, so that of two links of one user at once one is tried again.
    let is_unchanged = member.unchanged().and(membership::status().eq(member.status));
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    tx.add(Membership::update(&member.key()).when(is_unchanged));
    let linked = link_player(&app.db, &mut tx, &team, &player, &user_id).await?;
    let entity = format!("PLAYER#{}", player.player_id);
    let entry = audit::entry(app, call, &team_id, "linkPlayer", entity)?;
    tx.add(create(entry.is("userId", user_id.as_str())));
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(move |done| shown(&done[linked]))
        .await
}

/// `DELETE /teams/{teamId}/players/{playerId}/link`: by a manager, or by the user.
pub(crate) async fn unlink(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::member(app, call, &team_id).await?;
    let player = player_of(app, call, &team_id).await?;
    let is_own = player.user_id.as_ref() == Some(granted.user_id());
    granted.allow(if is_own { Action::UnlinkSelf } else { Action::ManageRoster })?;
    call.check_version(player.stamps.version)?;
    let Some(user_id) = &player.user_id else { return Ok(shown(&player)) };
    let mut tx = app.db.transact();
    let active = tx.add(policy::check_active(&team_id));
    let team = Some(&granted.team);
    let unlinked = unlink_player(&app.db, &mut tx, team, &player, user_id, |_| {}).await?;
    let entity = format!("PLAYER#{}", player.player_id);
    tx.add(create(audit::entry(app, call, &team_id, "unlinkPlayer", entity)?));
    call.commit(tx)
        .refuse(active, policy::team_deleted())
        .or_retry()
        .reply(move |done| shown(&done[unlinked]))
        .await
}
