//! The remaining work after an account was deleted, one transaction after the other.
//!
//! The user leaves every team, the roster slots become ghosts again, and sessions and recorded
//! responses are removed. The rows of the account are deleted a month later: see [`purge`].

use monotable::model::{Entity as _, Store, Transact, create, delete_by_key, edit};
use monotable_kit::jobs::JobStep;
use monotable_kit::{Problem, Request, SignInStore as _};

use super::purge;
use crate::api::links::{close, unlink_player};
use crate::table::{
    Audit, AuditId, HackTracker, HackTrackerReads as _, Membership, MembershipStatus, Player,
    PlayerLink, TeamCounts, UserId,
};

/// The new name of a player that had the user's name.
const FORMER_PLAYER: &str = "Former player";
/// Recorded responses that one transaction removes.
const RECORDS_MAX: usize = 90;

/// Performs the next transaction that removes a deleted user.
pub(super) async fn step(
    db: Store<HackTracker>,
    user_id: UserId,
    _: Option<()>,
) -> Result<JobStep<HackTracker, ()>, Problem> {
    Ok(match rest_of(&db, &user_id).await? {
        Some(rest) => JobStep::next(rest, ()),
        None => JobStep::done(db.transact()),
    })
}

/// Returns the next transaction that removes a deleted user from everything; `None` when nothing is
/// left to do.
pub(crate) async fn rest_of(
    db: &Store<HackTracker>,
    user_id: &UserId,
) -> Result<Option<Transact<HackTracker>>, Problem> {
    let memberships = db.memberships(user_id).consistent().all().await?;
    if let Some(membership) = memberships.iter().find(|membership| membership.is_active()) {
        return leaving(db, membership).await.map(Some);
    }
    for link in db.career(user_id).consistent().all().await? {
        let player = db.player(&link.team_id, &link.player_id).consistent().await?;
        if let Some(rest) = of_slot(db, &link, player).await? {
            return Ok(Some(rest));
        }
    }
    // Links that older programs created have no history.
    for player in db.players_of(user_id).all().await? {
        let player = db.player(&player.team_id, &player.player_id).consistent().await?;
        if let Some(player) = player.filter(|player| player.user_id.as_ref() == Some(user_id)) {
            return unnaming(db, &player, user_id).await.map(Some);
        }
    }
    forgetting(db, user_id).await
}

/// Returns the change of a slot that was linked to the user: it becomes a ghost without the user's
/// names.
async fn of_slot(
    db: &Store<HackTracker>,
    link: &PlayerLink,
    player: Option<Player>,
) -> Result<Option<Transact<HackTracker>>, Problem> {
    let is_open = link.periods.iter().any(|period| period.to.is_none());
    let last = link.periods.last().and_then(|period| period.to);
    Ok(match player {
        Some(player) if player.user_id.as_ref() == Some(&link.user_id) => {
            Some(unnaming(db, &player, &link.user_id).await?)
        }
        _ if is_open => Some(db.transact().with(edit(link, |link| close(link, db.now())))),
        Some(player) if player.named_by.as_ref() == Some(&link.user_id) => {
            Some(db.transact().with(edit(&player, rename)))
        }
        // Since then the slot was neither linked nor renamed.
        Some(player) if player.user_id.is_none() && player.last_unlinked_at == last => {
            let mut renamed = player.clone();
            rename(&mut renamed);
            let keeps = player.named_by_manager == Some(true) || renamed == player;
            (!keeps).then(|| db.transact().with(edit(&player, rename)))
        }
        _ => None,
    })
}

/// Deletes the user's sign-in data, and the recorded responses to the user's requests, which may
/// contain personal data.
async fn forgetting(
    db: &Store<HackTracker>,
    user_id: &UserId,
) -> Result<Option<Transact<HackTracker>>, Problem> {
    db.forget(user_id.as_str()).await?;
    let records = db.request_records(user_id).skip_unreadable().all().await?;
    let telling = records.iter().filter(|record| record.tells());
    let (mut tx, mut count) = (db.transact(), 0);
    for record in telling.take(RECORDS_MAX) {
        tx.add(delete_by_key(&record.key()));
        count += 1;
    }
    Ok((count > 0).then_some(tx))
}

/// Removes the user from a team; if the team was deleted with the user, records that and schedules
/// the purge.
async fn leaving(
    db: &Store<HackTracker>,
    membership: &Membership,
) -> Result<Transact<HackTracker>, Problem> {
    let team = db.team(&membership.team_id).consistent().await?;
    let mut tx = db.transact();
    tx.add(edit(membership, |membership| membership.status = MembershipStatus::Removed));
    match db.team_counts(&membership.team_id).await? {
        Some(counts) => _ = tx.add(TeamCounts::update(&counts.key()).add_members(-1)),
        None => _ = tx.add(create(TeamCounts::uncounted(membership.team_id.clone()))),
    }
    let owned = team.filter(|team| team.owner_id == membership.user_id && !team.is_active());
    let Some(team) = owned else { return Ok(tx) };
    let (Some(at), Some(purge_after)) = (team.deleted_at, team.purge_after) else {
        return Ok(tx);
    };
    // A team that its owner had deleted before has both already.
    if team.recovery_token.is_some() {
        return Ok(tx);
    }
    let id = AuditId::new(team.team_id.as_str());
    let id = id.map_err(|error| Problem::internal(error.to_string()))?;
    let (team_id, actor) = (team.team_id.clone(), membership.user_id.clone());
    let entity = format!("TEAM#{team_id}");
    let entry = Audit::of(team_id, at, id, actor, &Request::default(), "deleteUser", entity);
    tx.add(create(entry.was("status", "active").is("status", "deleted")));
    tx.add(create(purge::of_team(&team.team_id, purge_after)?));
    Ok(tx)
}

/// Makes a slot a ghost without a trace of its user.
async fn unnaming(
    db: &Store<HackTracker>,
    player: &Player,
    user_id: &UserId,
) -> Result<Transact<HackTracker>, Problem> {
    let team = db.team(&player.team_id).consistent().await?;
    let mut tx = db.transact();
    unlink_player(db, &mut tx, team.as_ref(), player, user_id, rename).await?;
    Ok(tx)
}

/// Removes the names of a slot, except a first name that a manager had given before.
fn rename(player: &mut Player) {
    if player.named_by_manager != Some(true) {
        player.first_name = FORMER_PLAYER.to_owned();
    }
    (player.last_name, player.named_by) = (None, None);
}
