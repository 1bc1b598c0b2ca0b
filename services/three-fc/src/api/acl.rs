//! Grants: what users may do in a league.

pub(crate) mod get;
pub(crate) mod invite;
pub(crate) mod list;
pub(crate) mod put;
pub(crate) mod revoke;

use crate::api::prelude::*;

/// A grant.
#[derive(View)]
#[view(of = Acl, list = "grants")]
pub(crate) struct GrantView {
    league_id: LeagueId,
    user_id: UserId,
    role: Role,
    granted_by_user_id: UserId,
    #[view(stamps)]
    stamps: Stamps,
}

/// Returns the grant that an id or an e-mail address means. Older programs wrote grants under addresses.
pub(crate) async fn find(
    app: &App,
    league_id: &LeagueId,
    user_id: &UserId,
) -> Result<Option<Acl>, Problem> {
    if let Some(grant) = app.db.grant(league_id, user_id).await? {
        return Ok(Some(grant));
    }
    let other = match address(user_id) {
        Some(email) => app.db.user_by_email(&email).await?.map(|user| user.user_id),
        None => app.db.user(user_id).await?.and_then(|user| UserId::new(user.email?).ok()),
    };
    match other {
        Some(other) => Ok(app.db.grant(league_id, &other).await?),
        None => Ok(None),
    }
}

/// Returns the e-mail address that a request names instead of an id.
fn address(user_id: &UserId) -> Option<String> {
    user_id.as_str().contains('@').then(|| user_id.as_str().to_lowercase())
}

/// Returns the number of admins of a league. Those of older programs are counted.
pub(crate) async fn admins(db: &Store<ThreeFc>, league: &League) -> Result<u32, Problem> {
    if let Some(count) = league.admin_count {
        return Ok(count);
    }
    let grants = db.grants(&league.league_id).consistent().all().await?;
    let count = grants.iter().filter(|grant| grant.role == Role::Admin).count();
    u32::try_from(count).map_err(|_| Problem::internal("more admins than can be counted"))
}

/// Returns the admins of a league after one role becomes another. A league keeps one.
///
/// # Errors
/// Returns 409 for the last admin.
pub(crate) fn admins_after(
    admins: u32,
    before: Option<Role>,
    after: Option<Role>,
) -> Result<u32, Problem> {
    let is_admin = |role| role == Some(Role::Admin);
    match (is_admin(before), is_admin(after)) {
        (false, true) => Ok(admins + 1),
        (true, false) if admins < 2 => Err(Refusal::LastAdmin.into()),
        (true, false) => Ok(admins - 1),
        (true, true) | (false, false) => Ok(admins),
    }
}
