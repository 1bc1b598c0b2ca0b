//! The end of an account.
//!
//! One transaction blocks the account, removes its names, and takes it out of every team, or the team
//! with it. Behind that the roster slots become ghosts again, one by one; a ticket sees to it that this
//! comes to its end. The rows themselves go a month later.

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Store};
use monotable_kit::{Call, Problem, Reply};
use serde_json::json;

use super::counts::{alone, count_members, outcounted};
use super::links::{close, unlinking};
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
const GUARDED_MAX: usize = 45;
/// What a player is called whose name was the user's.
const FORMER_PLAYER: &str = "Former player";
/// Answers to requests that are forgotten at once.
const RECORDS_MAX: usize = 90;

/// `DELETE /users/{userId}`.
pub(crate) async fn delete(app: &App, call: &Call) -> Result<Reply, Problem> {
    let user_id = policy::caller_themself(call)?;
    let user = app.db.user(&user_id).consistent().await?.ok_or_else(users::not_found)?;
    if !user.is_active() {
        return Err(policy::account_deleted());
    }
    call.check_version(user.ver)?;
    let now = app.db.now();
    let mut erased = app
        .db
        .transact()
        .edit(&user, |user| forget(user, now))
        .create(&purge::erasure_of(&user_id, now)?)
        .create(&purge::of_user(&user_id, now + GRACE)?);
    let (owned, mut in_the_way) = (owned_by(app, &user_id).await?, Vec::new());
    let mut guarded = 0;
    for team in &owned {
        erased = erased.edit(team, |team| mark_deleted(team, now, None));
        if team.kind() == TeamType::Personal {
            continue;
        }
        let (transaction, is_alone);
        if guarded < GUARDED_MAX {
            (erased, is_alone) = alone(&app.db, erased, team).await?;
        } else {
            (transaction, is_alone) = alone(&app.db, app.db.transact(), team).await?;
            drop(transaction);
        }
        guarded += 1;
        if !is_alone {
            in_the_way.push(&team.team_id);
        }
    }
    if !in_the_way.is_empty() {
        let text = "Others are in teams that you own; make somebody else the owner first.";
        return Err(Problem::conflict("OWNS_TEAMS", text).with("teamIds", json!(in_the_way)));
    }
    let teams = users::memberships_of(app, &user_id).await?;
    let reply = call.commit(&app.db, erased, |_| Reply::no_content(), outcounted).await?;
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

type Rest = monotable::model::Transact<HackTracker>;

/// The next transaction of those that take a deleted user out of everything; `None` when there is
/// nothing left to do.
pub(crate) async fn rest_of(
    db: &Store<HackTracker>,
    user_id: &UserId,
) -> Result<Option<Rest>, Problem> {
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
            return unnaming(db, &player).await.map(Some);
        }
    }
    forgetting(db, user_id).await
}

/// What is to be done about a slot that was the user's: it is a ghost, and tells no name of theirs.
async fn of_slot(
    db: &Store<HackTracker>,
    link: &PlayerLink,
    player: Option<Player>,
) -> Result<Option<Rest>, Problem> {
    let is_open = link.periods.iter().any(|period| period.to.is_none());
    let last = link.periods.last().and_then(|period| period.to);
    Ok(match player {
        Some(player) if player.user_id.as_ref() == Some(&link.user_id) => {
            Some(unnaming(db, &player).await?)
        }
        _ if is_open => Some(db.transact().edit(link, |link| close(link, db.now()))),
        Some(player) if player.named_by.as_ref() == Some(&link.user_id) => {
            Some(db.transact().edit(&player, rename))
        }
        // Nobody had the slot since, and nobody gave it another name.
        Some(player) if player.user_id.is_none() && player.last_unlinked_at == last => {
            let mut renamed = player.clone();
            rename(&mut renamed);
            let keeps = player.named_by_manager == Some(true) || renamed == player;
            (!keeps).then(|| db.transact().edit(&player, rename))
        }
        _ => None,
    })
}

/// Forgets what requests of the user were answered, as far as the answers tell anything.
async fn forgetting(db: &Store<HackTracker>, user_id: &UserId) -> Result<Option<Rest>, Problem> {
    let records = all(db.request_records(user_id).skip_unreadable()).await?;
    let telling = records.iter().filter(|record| record.tells());
    let (mut rest, mut count) = (db.transact(), 0);
    for record in telling.take(RECORDS_MAX) {
        rest = rest.delete_by_key(&record.key());
        count += 1;
    }
    Ok((count > 0).then_some(rest))
}

/// Takes the user out of a team; of one that went with the user, it is written down and the purge is
/// promised.
async fn leaving(db: &Store<HackTracker>, membership: &Membership) -> Result<Rest, Problem> {
    let team = db.team(&membership.team_id).consistent().await?;
    let left =
        db.transact().edit(membership, |membership| membership.status = MembershipStatus::Removed);
    let left = count_members(db, left, &membership.team_id, -1).await?;
    let owned = team.filter(|team| team.owner_id == membership.user_id && !team.is_active());
    let Some(team) = owned else { return Ok(left) };
    let (Some(at), Some(purge_after)) = (team.deleted_at, team.purge_after) else {
        return Ok(left);
    };
    // A team that its owner had deleted before has both already.
    if team.recovery_token.is_some() {
        return Ok(left);
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
    let entry = entry.was("status", "active").is("status", "deleted");
    Ok(left.create(&entry).create(&purge::of_team(&team.team_id, purge_after)?))
}

/// Makes a slot a ghost that does not tell whose it was.
async fn unnaming(db: &Store<HackTracker>, player: &Player) -> Result<Rest, Problem> {
    let team = db.team(&player.team_id).consistent().await?;
    unlinking(db, db.transact(), team.as_ref(), player, rename).await
}

/// Removes the names of a slot: only a first name that a manager had given before stays.
fn rename(player: &mut Player) {
    if player.named_by_manager != Some(true) {
        player.first_name = FORMER_PLAYER.to_owned();
    }
    (player.last_name, player.named_by) = (None, None);
}
