//! The end of an account.
//!
//! One transaction blocks the account, removes its names, and takes it out of every team, or the team
//! with it. Behind that the roster slots become ghosts again, one by one; a ticket sees to it that this
//! comes to its end. The rows themselves go a month later.

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Store, Transact, create, delete_by_key, edit};
use monotable_kit::{Problem, Reply, Request};
use serde_json::json;

use super::counts::{count_members, end_counts, has_other_members};
use super::links::{close, unlink_player};
use super::scope::all;
use super::teams::{GRACE, mark_deleted};
use super::{purge, users};
use crate::app::App;
use crate::entities::{
    Audit, Liveness, Membership, MembershipStatus, Player, PlayerLink, Team, TeamType, User,
};
use crate::ids::{AuditId, UserId};
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::{announce, policy};

/// Teams whose members the transaction holds as they are; of further ones there is no room for it, and
/// that nobody else is in them was so when it was asked.
const GUARDED_MAX: usize = 44;
/// What a player is called whose name was the user's.
const FORMER_PLAYER: &str = "Former player";
/// Answers to requests that are forgotten at once.
const RECORDS_MAX: usize = 90;

/// `DELETE /users/{userId}`.
pub(crate) async fn delete(app: &App, call: &Request) -> Result<Reply, Problem> {
    let user_id = policy::caller_themself(call)?;
    let user = app.db.user(&user_id).consistent().await?.ok_or_else(users::not_found)?;
    if !user.is_active() {
        return Err(policy::account_deleted());
    }
    call.check_version(user.stamps.version)?;
    let now = app.db.now();
    let mut tx = app.db.transact();
    tx.add(edit(&user, |user| forget(user, now)));
    tx.add(create(purge::erasure_of(&user_id, now)?));
    tx.add(create(purge::of_user(&user_id, now + GRACE)?));
    let joins = app.db.user_joins(&user_id).await?;
    let joins = users::end_joins(&mut tx, &user_id, joins.as_ref());
    let (owned, mut in_the_way) = (owned_by(app, &user_id).await?, Vec::new());
    let (mut deleted, mut guarded) = (Vec::new(), Vec::new());
    for team in &owned {
        deleted.push(tx.add(edit(team, |team| mark_deleted(team, now, None))));
        if team.kind() == TeamType::Personal {
            continue;
        }
        let counts = app.db.team_counts(&team.team_id).await?;
        if has_other_members(&app.db, team, counts.as_ref()).await? {
            in_the_way.push(&team.team_id);
        } else if guarded.len() < GUARDED_MAX {
            guarded.push(end_counts(&mut tx, &team.team_id, counts.as_ref()));
        }
    }
    if !in_the_way.is_empty() {
        let text = "Others are in teams that you own; make somebody else the owner first.";
        return Err(Problem::conflict("OWNS_TEAMS", text).with("teamIds", json!(in_the_way)));
    }
    let teams = users::memberships_of(app, &user_id).await?;
    let mut commit = call.commit(tx).retry(joins);
    for team in deleted {
        commit = commit.refuse(team, policy::team_deleted());
    }
    for counts in guarded {
        commit = commit.retry(counts);
    }
    let reply = commit.or_retry().reply(|_| Reply::no_content()).await?;
    // The rest is promised. What can't be done of it now is done by whoever keeps promises.
    while let Ok(Some(rest)) = rest_of(&app.db, &user_id).await {
        if rest.await.is_err() {
            break;
        }
    }
    for membership in teams {
        announce::ask_again(app, &membership.team_id).await;
    }
    Ok(reply)
}

/// Blocks the account and removes what tells who it was. The address is kept until the purge, which
/// looks for invitations to it.
fn forget(user: &mut User, now: Timestamp) {
    user.status = Some(Liveness::Deleted);
    (user.deleted_at, user.purge_after) = (Some(now), Some(now + GRACE));
    user.first_name.clear();
    user.last_name.clear();
    user.phone_number = None;
}

/// The teams that a user owns and that are there.
async fn owned_by(app: &App, user_id: &UserId) -> Result<Vec<Team>, Problem> {
    let teams = users::teams_of(app, user_id).await?.into_iter().map(|(team, _)| team);
    Ok(teams.filter(|team| team.owner_id == *user_id).collect())
}

/// The next transaction of those that take a deleted user out of everything; `None` when there is
/// nothing left to do.
pub(crate) async fn rest_of(
    db: &Store<HackTracker>,
    user_id: &UserId,
) -> Result<Option<Transact<HackTracker>>, Problem> {
    let memberships = all(db.memberships(user_id).consistent()).await?;
    if let Some(membership) = memberships.iter().find(|membership| membership.is_active()) {
        return leaving(db, membership).await.map(Some);
    }
    for link in all(db.career(user_id).consistent()).await? {
        let player = db.player(&link.team_id, &link.player_id).consistent().await?;
        if let Some(rest) = of_slot(db, &link, player).await? {
            return Ok(Some(rest));
        }
    }
    // Links that older programs made have no history.
    for player in all(db.players_of(user_id)).await? {
        let player = db.player(&player.team_id, &player.player_id).consistent().await?;
        if let Some(player) = player.filter(|player| player.user_id.as_ref() == Some(user_id)) {
            return unnaming(db, &player, user_id).await.map(Some);
        }
    }
    forgetting(db, user_id).await
}

/// What is to be done about a slot that was the user's: it is a ghost, and tells no name of theirs.
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
        // Nobody had the slot since, and nobody gave it another name.
        Some(player) if player.user_id.is_none() && player.last_unlinked_at == last => {
            let mut renamed = player.clone();
            rename(&mut renamed);
            let keeps = player.named_by_manager == Some(true) || renamed == player;
            (!keeps).then(|| db.transact().with(edit(&player, rename)))
        }
        _ => None,
    })
}

/// Forgets what requests of the user were answered, as far as the answers tell anything.
async fn forgetting(
    db: &Store<HackTracker>,
    user_id: &UserId,
) -> Result<Option<Transact<HackTracker>>, Problem> {
    let records = all(db.request_records(user_id).skip_unreadable()).await?;
    let telling = records.iter().filter(|record| record.tells());
    let (mut tx, mut count) = (db.transact(), 0);
    for record in telling.take(RECORDS_MAX) {
        tx.add(delete_by_key(&record.key()));
        count += 1;
    }
    Ok((count > 0).then_some(tx))
}

/// Takes the user out of a team; of one that went with the user, it is written down and the purge is
/// promised.
async fn leaving(
    db: &Store<HackTracker>,
    membership: &Membership,
) -> Result<Transact<HackTracker>, Problem> {
    let team = db.team(&membership.team_id).consistent().await?;
    let mut tx = db.transact();
    tx.add(edit(membership, |membership| membership.status = MembershipStatus::Removed));
    count_members(db, &mut tx, &membership.team_id, -1).await?;
    let owned = team.filter(|team| team.owner_id == membership.user_id && !team.is_active());
    let Some(team) = owned else { return Ok(tx) };
    let (Some(at), Some(purge_after)) = (team.deleted_at, team.purge_after) else {
        return Ok(tx);
    };
    // A team that its owner had deleted before has both already.
    if team.recovery_token.is_some() {
        return Ok(tx);
    }
    let entry = Audit {
        audit_id: AuditId::new(team.team_id.as_str())
            .map_err(|error| Problem::internal(error.to_string()))?,
        entity: format!("TEAM#{}", team.team_id),
        team_id: team.team_id.clone(),
        at,
        actor: membership.user_id.clone(),
        action: "deleteUser".to_owned(),
        before: Default::default(),
        after: Default::default(),
        request_id: None,
    };
    tx.add(create(entry.was("status", "active").is("status", "deleted")));
    tx.add(create(purge::of_team(&team.team_id, purge_after)?));
    Ok(tx)
}

/// Makes a slot a ghost that does not tell whose it was.
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

/// Removes the names of a slot: only a first name that a manager had given before stays.
fn rename(player: &mut Player) {
    if player.named_by_manager != Some(true) {
        player.first_name = FORMER_PLAYER.to_owned();
    }
    (player.last_name, player.named_by) = (None, None);
}
