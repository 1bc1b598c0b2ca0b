//! The end of a team, the way back from it, and who owns it.

use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable::model::{create, delete_by_key, edit};
use monotable_kit::jobs::{JobId, JobKind, JobTicketKey};
use monotable_kit::{Problem, Reply, Request, Secret};
use serde::Deserialize;
use serde_json::json;

use crate::app::App;
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
pub(crate) async fn delete(app: &App, call: &Request) -> Result<Reply, Problem> {
    let team_id: TeamId = call.id("teamId")?;
    let team = policy::authorize(app, call, &team_id, Action::DeleteTeam).await?.team;
    call.check_version(team.stamps.version)?;
    let secret = Secret::generate(&*app.randomness);
    let now = app.db.now();
    let entry = audit::entry(app, call, &team_id, "deleteTeam", format!("TEAM#{team_id}"))?;
    let mut tx = app.db.transact();
    let deleted = tx.add(edit(&team, |team| mark_deleted(team, now, Some(secret.hash()))));
    tx.add(create(entry.was("status", "active").is("status", "deleted")));
    tx.add(create(purge::of_team(&team_id, now + GRACE)?));
    let reply = call
        .commit(tx)
        .refuse(deleted, policy::team_deleted())
        .or_retry()
        .reply(move |done| {
            let Team { team_id, deleted_at, purge_after, .. } = &done[deleted];
            let shown =
                json!({ "teamId": team_id, "deletedAt": deleted_at, "purgeAfter": purge_after });
            Reply::ok(&shown).secret("recoveryToken", secret.reveal())
        })
        .await?;
    announce::ask_again(app, &team_id).await;
    Ok(reply)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Recovery {
    recovery_token: Option<String>,
}

/// `POST /teams/{teamId}/restore`: by the owner, or with the token. A team that is there stays so.
pub(crate) async fn restore(app: &App, call: &Request) -> Result<Reply, Problem> {
    let Recovery { recovery_token } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let user = users::current(app, call).await?;
    let team = app.db.team(&team_id).consistent().await?.ok_or_else(team_not_found)?;
    let owner = app.db.membership(&team.owner_id, &team_id).await?;
    // Nobody brings back a team whose owner has gone for good.
    let owner = owner.filter(Membership::is_active).ok_or_else(team_not_found)?;
    let is_owner = user.user_id == owner.user_id;
    if team.is_active() && is_owner {
        return Ok(Reply::ok(&show::team_of(&team, &owner)).version(team.stamps.version));
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
    call.check_version(team.stamps.version)?;
    let entry = audit::entry(app, call, &team_id, "restoreTeam", format!("TEAM#{team_id}"))?;
    let mut tx = app.db.transact();
    let restored = tx.add(edit(&team, |team| {
        (team.status, team.deleted_at) = (None, None);
        (team.purge_after, team.recovery_token) = (None, None);
    }));
    tx.add(create(entry.was("status", "deleted").is("status", "active")));
    tx.add(delete_by_key(&purge_key(&team_id)?));
    tx.add(edit(&owner, |_| {}));
    call.commit(tx)
        .refuse(restored, policy::team_deleted())
        .or_retry()
        .reply(move |done| {
            let team = &done[restored];
            Reply::ok(&show::team(team)).version(team.stamps.version)
        })
        .await
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
pub(crate) async fn transfer(app: &App, call: &Request) -> Result<Reply, Problem> {
    let Heir { user_id } = call.read()?;
    let team_id: TeamId = call.id("teamId")?;
    let granted = policy::authorize(app, call, &team_id, Action::TransferTeam).await?;
    call.check_version(granted.team.stamps.version)?;
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
    let mut tx = app.db.transact();
    let team = tx.add(edit(&granted.team, |team| team.owner_id = user_id));
    let member = tx.add(edit(&granted.membership, |member| member.role = Role::Manager));
    tx.add(edit(&heir, |member| member.role = Role::Owner));
    let joined = users::change_teams(app, &mut tx, &account).await?;
    tx.add(create(entry));
    call.commit(tx)
        .retry(joined)
        .refuse(team, policy::team_deleted())
        .or_retry()
        .reply(move |done| {
            let team = &done[team];
            Reply::ok(&show::team_of(team, &done[member])).version(team.stamps.version)
        })
        .await
}
