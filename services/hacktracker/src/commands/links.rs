//! Whose a roster slot is: making it somebody's, making it a ghost again, and the history of both, which
//! outlives the slot and the team.

use monotable::model::time::Timestamp;
use monotable::model::{Condition, Entity as _, Store, Transact};
use monotable_kit::{Call, Problem, Reply};
use serde::Deserialize;

use super::players::player_of;
use super::receipt::shown;
use super::scope::{all, overtaken};
use super::{teams, users};
use crate::app::App;
use crate::entities::{Membership, Period, Player, PlayerLink, Team, membership};
use crate::ids::{TeamId, UserId};
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::policy::{self, Action};
use crate::{audit, show};

/// Adds to a transaction that a ghost becomes a user's. What it did since its last user counts for the
/// new one.
pub(crate) async fn linking(
    db: &Store<HackTracker>,
    transaction: Transact<HackTracker>,
    team: &Team,
    player: &Player,
    user_id: &UserId,
) -> Result<Transact<HackTracker>, Problem> {
    let now = db.now();
    let transaction = transaction.edit(player, |player| {
        player.user_id = Some(user_id.clone());
        player.is_ghost = false;
        player.linked_at = Some(now);
    });
    let history = db.player_link(user_id, &player.player_id).consistent().await?;
    Ok(match history {
        Some(history) => transaction.edit(&history, |history| {
            history.periods.push(Period { from: player.last_unlinked_at, to: None });
        }),
        None => transaction.create(&teams::link(db.now(), user_id, team, player)),
    })
}

/// Adds to a transaction that a user's slot becomes a ghost again, as `change` says. A link that older
/// programs made without a history gets one.
pub(crate) async fn unlinking(
    db: &Store<HackTracker>,
    transaction: Transact<HackTracker>,
    team: Option<&Team>,
    player: &Player,
    change: impl FnOnce(&mut Player),
) -> Result<Transact<HackTracker>, Problem> {
    let Some(user_id) = &player.user_id else { return Ok(transaction) };
    let now = db.now();
    let transaction = transaction.edit(player, |player| {
        (player.user_id, player.is_ghost, player.linked_at) = (None, true, None);
        player.last_unlinked_at = Some(now);
        change(player);
    });
    let history = db.player_link(user_id, &player.player_id).consistent().await?;
    Ok(match (history, team) {
        (Some(history), _) => transaction.edit(&history, |history| close(history, now)),
        (None, Some(team)) => {
            let mut history = teams::link(now, user_id, team, player);
            close(&mut history, now);
            transaction.create(&history)
        }
        (None, None) => transaction,
    })
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

/// That a membership counts and is as it was read.
fn is_unchanged(member: &Membership) -> Condition<Membership> {
    let same = match member.ver {
        0 => membership::ver().absent().or(membership::ver().eq(0)),
        version => membership::ver().eq(version),
    };
    same.and(membership::status().eq(member.status))
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
pub(crate) async fn link(app: &App, call: &Call) -> Result<Reply, Problem> {
    let Claimant { user_id } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let team = policy::authorize(app, call, &team_id, Action::ManageRoster).await?.team;
    let player = player_of(app, call, &team_id).await?;
    call.check_version(player.ver)?;
    if player.user_id.is_some() {
        return Err(already_linked(&player));
    }
    let member = app.db.membership(&user_id, &team_id).await?.filter(Membership::is_active);
    let member = member.ok_or_else(users::not_found)?;
    if let Some(slot) = slot_of(app, &team_id, &user_id).await? {
        return Err(already_linked(&slot));
    }
    // The membership is changed, so that of two links of one user at once one is tried again.
    let linked = app
        .db
        .transact()
        .check(&team.key(), policy::is_active())
        .update(Membership::update(&member.key()).when(is_unchanged(&member)));
    let linked = linking(&app.db, linked, &team, &player, &user_id).await?;
    let entity = format!("PLAYER#{}", player.player_id);
    let entry = audit::entry(app, call, &team_id, "linkPlayer", entity)?;
    let linked = linked.create(&entry.is("userId", user_id.as_str()));
    let reply = |player: &Player| Reply::ok(&show::player(player)).version(player.ver);
    call.commit(&app.db, linked, move |receipt| shown(receipt, 2, reply), overtaken).await
}

/// `DELETE /teams/{teamId}/players/{playerId}/link`: by a manager, or by the user.
pub(crate) async fn unlink(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::member(app, call, &team_id).await?;
    let player = player_of(app, call, &team_id).await?;
    let is_own = player.user_id.as_ref() == Some(granted.user_id());
    granted.allow(if is_own { Action::UnlinkSelf } else { Action::ManageRoster })?;
    call.check_version(player.ver)?;
    if player.user_id.is_none() {
        return Ok(Reply::ok(&show::player(&player)).version(player.ver));
    }
    let unlinked = app.db.transact().check(&granted.team.key(), policy::is_active());
    let unlinked = unlinking(&app.db, unlinked, Some(&granted.team), &player, |_| {}).await?;
    let entity = format!("PLAYER#{}", player.player_id);
    let unlinked = unlinked.create(&audit::entry(app, call, &team_id, "unlinkPlayer", entity)?);
    let reply = |player: &Player| Reply::ok(&show::player(player)).version(player.ver);
    call.commit(&app.db, unlinked, move |receipt| shown(receipt, 1, reply), overtaken).await
}
