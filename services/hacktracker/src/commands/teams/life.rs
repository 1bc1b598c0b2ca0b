//! The end of a team, the way back from it, and who owns it.

use std::time::Duration;

use monotable::model::Entity as _;
use monotable::model::time::Timestamp;
use monotable_kit::jobs::{JobId, JobKind, JobTicketKey};
use monotable_kit::{Call, Problem, Reply, Secret};
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
use crate::commands::receipt::shown;
use crate::commands::scope::overtaken;
use crate::commands::{purge, users};
use crate::entities::{Liveness, Membership, Role, Team, User};
use crate::ids::{TeamId, UserId};
use crate::patterns::HackTrackerReads as _;
use crate::policy::{self, Action, team_not_found};
use crate::{announce, audit, show};

/// How long a deleted team or account can come back.
pub(crate) const GRACE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// Marks a team as deleted. Its games, players and at-bats are left alone until it is purged.
pub(crate) fn mark_deleted(team: &mut Team, now: Timestamp, recovery_token: Option<String>) {
    team.status = Some(Liveness::Deleted);
    team.deleted_at = Some(now);
    team.purge_after = Some(now + GRACE);
    team.recovery_token = recovery_token;
}

/// `DELETE /teams/{teamId}`. The answer has the token that brings the team back.
pub(crate) async fn delete(app: &App, call: &Call) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let team = policy::authorize(app, call, &team_id, Action::DeleteTeam).await?.team;
    call.check_version(team.ver)?;
    let secret = Secret::generate(&*app.randomness);
    let now = app.db.now();
    let entry = audit::entry(app, call, &team_id, "deleteTeam", format!("TEAM#{team_id}"))?;
    let deleted = app
        .db
        .transact()
        .edit(&team, |team| mark_deleted(team, now, Some(secret.hash())))
        .create(&entry.was("status", "active").is("status", "deleted"))
        .create(&purge::of_team(&team_id, now + GRACE)?);
    let reply = |team: &Team| {
        let (deleted_at, purge_after) = (team.deleted_at, team.purge_after);
        let team_id = &team.team_id;
        Reply::ok(&json!({ "teamId": team_id, "deletedAt": deleted_at, "purgeAfter": purge_after }))
    };
    let told =
        call.commit(&app.db, deleted, move |receipt| shown(receipt, 0, reply), overtaken).await?;
    announce::ask_again(app, &team_id).await;
    Ok(told.told_once("recoveryToken", secret.reveal()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recovery {
    recovery_token: Option<String>,
}

/// `POST /teams/{teamId}/restore`: by the owner, or with the token. A team that is there stays so.
pub(crate) async fn restore(app: &App, call: &Call) -> Result<Reply, Problem> {
    let Recovery { recovery_token } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let user = users::current(app, call).await?;
    let team = app.db.team(&team_id).consistent().await?.ok_or_else(team_not_found)?;
    let owner = app.db.membership(&team.owner_id, &team_id).await?;
    // Nobody brings back a team whose owner has gone for good.
    let owner = owner.filter(Membership::is_active).ok_or_else(team_not_found)?;
    let is_owner = user.user_id == owner.user_id;
    if team.is_active() && is_owner {
        return Ok(Reply::ok(&show::team_of(&team, &owner)).version(team.ver));
    }
    let shown_secret = recovery_token.as_deref().and_then(Secret::parse);
    let has_token = match (shown_secret, &team.recovery_token) {
        (Some(secret), Some(stored)) => secret.has_hash(stored),
        _ => false,
    };
    let ends_at = team.purge_after.or(team.deleted_at.map(|at| at + GRACE));
    let is_over = ends_at.is_none_or(|end| end <= app.db.now());
    if team.is_active() || is_over || !(is_owner || has_token) {
        return Err(team_not_found());
    }
    call.check_version(team.ver)?;
    let entry = audit::entry(app, call, &team_id, "restoreTeam", format!("TEAM#{team_id}"))?;
    let restored = app
        .db
        .transact()
        .edit(&team, |team| {
            (team.status, team.deleted_at) = (None, None);
            (team.purge_after, team.recovery_token) = (None, None);
        })
        .create(&entry.was("status", "deleted").is("status", "active"))
        .delete_by_key(&purge_key(&team_id)?)
        .edit(&owner, |_| {});
    let reply = |team: &Team| Reply::ok(&show::team(team)).version(team.ver);
    call.commit(&app.db, restored, move |receipt| shown(receipt, 0, reply), overtaken).await
}

fn purge_key(team_id: &TeamId) -> Result<JobTicketKey, Problem> {
    let kind = JobKind::new(purge::TEAM).map_err(|error| Problem::internal(error.to_string()))?;
    let id = JobId::new(team_id.as_str());
    Ok(JobTicketKey::new(kind, id.map_err(|error| Problem::internal(error.to_string()))?))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Heir {
    user_id: UserId,
}

/// `POST /teams/{teamId}/transfer`: another member becomes the owner, and the owner a manager.
pub(crate) async fn transfer(app: &App, call: &Call) -> Result<Reply, Problem> {
    let Heir { user_id } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::authorize(app, call, &team_id, Action::TransferTeam).await?;
    call.check_version(granted.team.ver)?;
    if user_id == *granted.user_id() {
        return Err(Problem::field("userId", "is the owner already"));
    }
    let heir = app.db.membership(&user_id, &team_id).await?.filter(Membership::is_active);
    let heir = heir.ok_or_else(users::not_found)?;
    let account = app.db.user(&user_id).consistent().await?.filter(User::is_active);
    let account = account.ok_or_else(users::not_found)?;
    let entry = audit::entry(app, call, &team_id, "transferTeam", format!("TEAM#{team_id}"))?
        .was("ownerId", granted.user_id().as_str())
        .is("ownerId", user_id.as_str());
    let transferred = app
        .db
        .transact()
        .edit(&granted.team, |team| team.owner_id = user_id)
        .edit(&granted.membership, |member| member.role = Role::Manager)
        .edit(&heir, |member| member.role = Role::Owner)
        .update(User::update(&account.key()).when(policy::is_unchanged(&account)))
        .create(&entry);
    let reply = |receipt: &_| {
        shown(receipt, 0, |team: &Team| {
            shown(receipt, 1, |member: &Membership| {
                Reply::ok(&show::team_of(team, member)).version(team.ver)
            })
        })
    };
    call.commit(&app.db, transferred, reply, overtaken).await
}
