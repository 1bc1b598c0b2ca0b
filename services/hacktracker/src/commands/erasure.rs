//! The end of an account, and what is known of a user.
//!
//! One transaction blocks the account, removes its names, and takes it out of every team, or the team
//! with it. Behind that the roster slots become ghosts again, one by one; a ticket sees to it that this
//! comes to its end. The rows themselves go a month later.

use monotable::model::Store;
use monotable::model::time::Timestamp;
use monotable_kit::{Call, Problem, Reply};
use serde_json::{Value, json};

use super::links::{close, unlinking};
use super::scope::{all, overtaken};
use super::teams::{GRACE, mark_deleted};
use super::{purge, users};
use crate::app::App;
use crate::entities::{
    Audit, Liveness, Membership, MembershipStatus, Player, Team, TeamKey, TeamType, User,
};
use crate::ids::{AuditId, UserId};
use crate::patterns::{HackTracker, HackTrackerReads as _};
use crate::{policy, show};

/// Rows that the first transaction writes at most; the rest is left to what comes behind it.
const ROWS_MAX: usize = 90;

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
    let (mut rows, mut in_the_way) = (3, Vec::new());
    for (team, membership) in teams_of(app, &user_id).await? {
        match team.filter(|team| team.owner_id == user_id && team.is_active()) {
            Some(team) if has_others(app, &team).await? => in_the_way.push(team.team_id),
            Some(team) => erased = erased.edit(&team, |team| mark_deleted(team, now, None)),
            None if rows < ROWS_MAX => {
                erased =
                    erased.edit(&membership, |member| member.status = MembershipStatus::Removed);
            }
            None => {}
        }
        rows += 1;
    }
    if !in_the_way.is_empty() {
        let text = "Others are in teams that you own; make somebody else the owner first.";
        return Err(Problem::conflict("OWNS_TEAMS", text).with("teamIds", json!(in_the_way)));
    }
    let reply = call.commit(&app.db, erased, |_| Reply::no_content(), overtaken).await?;
    // The rest is promised. What can't be done of it now is done by whoever keeps promises.
    while let Ok(Some(rest)) = rest_of(&app.db, &user_id).await {
        if rest.await.is_err() {
            break;
        }
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

/// The memberships of a user that count, with their teams.
async fn teams_of(app: &App, user_id: &UserId) -> Result<Vec<(Option<Team>, Membership)>, Problem> {
    let memberships = users::memberships_of(app, user_id).await?;
    let keys: Vec<TeamKey> =
        memberships.iter().map(|membership| TeamKey::new(membership.team_id.clone())).collect();
    let teams = app.db.teams_by_key(&keys).consistent().await?;
    Ok(teams.into_iter().zip(memberships).collect())
}

/// Whether a team has members besides its owner. Whoever becomes one changes the team's row, so that
/// the transaction that deletes it fails then.
async fn has_others(app: &App, team: &Team) -> Result<bool, Problem> {
    if team.kind() == TeamType::Personal {
        return Ok(false);
    }
    let members = all(app.db.members(&team.team_id)).await?;
    Ok(members.iter().any(|member| member.is_active() && member.user_id != team.owner_id))
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
        let team = db.team(&membership.team_id).consistent().await?;
        return Ok(Some(leaving(db, team, membership)?));
    }
    for link in all(db.career(user_id).consistent()).await? {
        if link.periods.iter().all(|period| period.to.is_some()) {
            continue;
        }
        let player = db.player(&link.team_id, &link.player_id).consistent().await?;
        return match player.filter(|player| player.user_id.as_ref() == Some(user_id)) {
            Some(player) => unnaming(db, &player).await,
            None => Ok(Some(db.transact().edit(&link, |link| close(link, db.now())))),
        };
    }
    // Links that older programs made have no history.
    for player in all(db.players_of(user_id)).await? {
        let player = db.player(&player.team_id, &player.player_id).consistent().await?;
        if let Some(player) = player.filter(|player| player.user_id.as_ref() == Some(user_id)) {
            return unnaming(db, &player).await;
        }
    }
    Ok(None)
}

/// Takes the user out of a team; of one that went with the user, it is written down and the purge is
/// promised.
fn leaving(
    db: &Store<HackTracker>,
    team: Option<Team>,
    membership: &Membership,
) -> Result<Rest, Problem> {
    let left =
        db.transact().edit(membership, |membership| membership.status = MembershipStatus::Removed);
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

/// Makes a slot a ghost that does not tell whose it was: only a first name that a manager had given
/// before stays.
async fn unnaming(db: &Store<HackTracker>, player: &Player) -> Result<Option<Rest>, Problem> {
    let rename = |player: &mut Player| {
        if player.named_by_manager != Some(true) {
            player.first_name = "Former player".to_owned();
        }
        player.last_name = None;
    };
    let team = db.team(&player.team_id).consistent().await?;
    unlinking(db, db.transact(), team.as_ref(), player, rename).await.map(Some)
}

/// `GET /users/{userId}/export`: everything that is kept of a user.
pub(crate) async fn export(app: &App, call: &Call) -> Result<Reply, Problem> {
    let user_id = policy::caller_themself(call)?;
    let user = app.db.user(&user_id).consistent().await?.filter(User::is_active);
    let user = user.ok_or_else(users::not_found)?;
    let memberships = all(app.db.memberships(&user_id).consistent()).await?;
    let links = all(app.db.career(&user_id).consistent()).await?;
    let (mut players, mut at_bats) = (Vec::new(), Vec::new());
    for link in &links {
        let player = app.db.player(&link.team_id, &link.player_id).await?;
        let own = player.filter(|player| player.user_id.as_ref() == Some(&user_id));
        players.extend(own.as_ref().map(show::player));
        let batted = all(app.db.at_bats_of(&link.player_id)).await?;
        let own = batted.iter().filter(|at_bat| link.covers(at_bat.created_at));
        at_bats.extend(own.map(show::at_bat));
    }
    let shown: Vec<Value> = memberships.iter().map(show::membership).collect();
    let links: Vec<Value> = links.iter().map(show::player_link).collect();
    Ok(Reply::ok(&json!({
        "user": show::user(&user),
        "memberships": shown,
        "playerLinks": links,
        "players": players,
        "atBats": at_bats,
    })))
}
