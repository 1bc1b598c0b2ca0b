//! `POST /teams/{teamId}/restore`: restores a deleted team.

use monotable_kit::jobs::{JobId, JobKind, JobTicketKey};

use super::{GRACE, TeamView};
use crate::api::prelude::*;
use crate::api::users;
use crate::jobs::purge;

/// The permission of a caller who is not the owner to restore a team.
#[derive(Debug, Body)]
pub(crate) struct Recovery {
    /// Required for all callers except the owner.
    #[body(length = 1..=100)]
    recovery_token: Option<String>,
}

/// Restores a deleted team with all its data. The owner needs no token; an active team is returned
/// to the owner unchanged.
#[operation(
    POST "/teams/{teamId}/restore", once, if_match, refuses(TeamNotFound, TeamDeleted)
)]
async fn restore_team(
    app: &App,
    call: &Call<TeamPath, Option<Recovery>>,
) -> Answer<Json<TeamView>> {
    let team_id = &call.path.team_id;
    let user = users::current(app, call).await?;
    let team = app.db.team(team_id).consistent().await?.ok_or(Refusal::TeamNotFound)?;
    let owner = app.db.membership(&team.owner_id, team_id).await?;
    // A team whose owner was purged can't be restored.
    let owner = owner.filter(Membership::is_active).ok_or(Refusal::TeamNotFound)?;
    let is_owner = user.user_id == owner.user_id;
    if team.is_active() && is_owner {
        return Ok(Json(TeamView::of_member(&team, &owner)).into());
    }
    let recovery_token = call.body.as_ref().and_then(|body| body.recovery_token.as_deref());
    let ends_at = team.purge_after.or(team.deleted_at.map(|at| at + GRACE));
    let is_over = ends_at.is_none_or(|end| end <= app.db.now());
    if team.is_active() || is_over || !(is_owner || has_token(&team, recovery_token)) {
        return Err(Refusal::TeamNotFound.into());
    }
    call.check_version(team.stamps.version)?;
    let entry = audit::entry(app, call, team_id, "restoreTeam", format!("TEAM#{team_id}"))?;
    let mut tx = call.transact(&app.db).or_retry();
    let restored = edit(&team, |team| {
        (team.status, team.deleted_at) = (None, None);
        (team.purge_after, team.recovery_token) = (None, None);
    });
    let restored = tx.require(restored, Refusal::TeamDeleted);
    tx.add(create(entry.was("status", "deleted").is("status", "active")));
    tx.add(delete_by_key(&purge_key(team_id)?));
    tx.add(edit(&owner, |_| {}));
    tx.respond(move |done| Json(TeamView::of(&done[restored]))).await
}

/// Returns whether a token restores a team.
fn has_token(team: &Team, token: Option<&str>) -> bool {
    match (token.and_then(Secret::parse), &team.recovery_token) {
        (Some(secret), Some(stored)) => secret.has_hash(stored),
        _ => false,
    }
}

fn purge_key(team_id: &TeamId) -> Result<JobTicketKey, Problem> {
    let kind = JobKind::new(purge::TEAM).map_err(|error| Problem::internal(error.to_string()))?;
    let id = JobId::new(team_id.as_str());
    Ok(JobTicketKey::new(kind, id.map_err(|error| Problem::internal(error.to_string()))?))
}
