//! `PUT /v1/leagues/{leagueId}/acl/{userId}`: gives a user a role.

use super::{GrantView, address, admins, admins_after, find};
use crate::api::prelude::*;

/// The role of a user.
#[derive(Debug, Body)]
pub(crate) struct NewRole {
    #[body(example = "scorekeeper")]
    role: Role,
}

/// Gives a user a role in a league. An e-mail address names a user who has signed in before.
#[operation(
    PUT "/v1/leagues/{leagueId}/acl/{userId}", once, if_match,
    refuses(refusal::ADMINISTERING, NotFound, LastAdmin)
)]
pub(crate) async fn put_grant(
    app: &App,
    call: &Call<GrantPath, NewRole>,
) -> Answer<Json<GrantView>> {
    let granted = policy::league(app, call, &call.path.league_id, Action::Administer).await?;
    let (user_id, account) = account(app, &call.path.user_id).await?;
    give(app, call, granted, user_id, account, call.body.role).await
}

/// Gives a user a role in a league that the caller administers. The account is that of a user who has signed in
/// before.
///
/// # Errors
/// Returns 409 for the last admin, or 412 if the precondition names another version.
pub(super) async fn give(
    app: &App,
    call: &Request,
    granted: Granted,
    user_id: UserId,
    account: Option<User>,
    role: Role,
) -> Answer<Json<GrantView>> {
    let league_id = &granted.league.league_id;
    let before = find(app, league_id, &user_id).await?;
    call.check_version(before.as_ref().map_or(0, |grant| grant.stamps.version))?;
    let had = before.as_ref().map(|grant| grant.role);
    let count = admins_after(admins(&app.db, &granted.league).await?, had, Some(role))?;
    let entity = format!("ACL#USER#{user_id}");
    let mut entry =
        audit::of_league(app, call, league_id, "putGrant", entity)?.is("role", role.word());
    if let Some(had) = had {
        entry = entry.was("role", had.word());
    }
    let mut tx = call.transact(&app.db).or_retry();
    match account {
        Some(user) => {
            tx.require(check(&user.key(), user::deleted_at().absent()), Refusal::NotFound);
        }
        None => _ = tx.expect(check_absent(&UserKey::new(user_id.clone()))),
    }
    // Every change of roles changes the league or finds it as it was read.
    tx.add(edit(&granted.league, |league| league.admin_count = Some(count)));
    tx.add(create(entry));
    let grant = match before {
        Some(before) => tx.add(edit(&before, |grant| {
            (grant.role, grant.granted_by_user_id) = (role, granted.user_id.clone());
        })),
        None => tx.add(create(Acl {
            league_id: league_id.clone(),
            user_id,
            role,
            granted_by_user_id: granted.user_id.clone(),
            stamps: Stamps::default(),
        })),
    };
    tx.respond(move |done| Json(GrantView::of(&done[grant]))).await
}

/// Returns the id of a user, and the account of one who has signed in before.
///
/// # Errors
/// Returns 404 if the account was deleted, or if no account has the address.
async fn account(app: &App, user_id: &UserId) -> Result<(UserId, Option<User>), Problem> {
    let account = match address(user_id) {
        Some(email) => Some(of_address(app, &email).await?),
        None => app.db.user(user_id).await?,
    };
    if account.as_ref().is_some_and(|user| user.deleted_at.is_some()) {
        return Err(Refusal::NotFound.text("The account was deleted."));
    }
    let user_id = account.as_ref().map_or(user_id, |user| &user.user_id);
    Ok((user_id.clone(), account))
}

/// Returns the account with an e-mail address.
///
/// # Errors
/// Returns 404 if it does not exist.
pub(super) async fn of_address(app: &App, email: &str) -> Result<User, Problem> {
    let account = app.db.user_by_email(email).await?;
    account.ok_or_else(|| Refusal::NotFound.text("No user with this address has signed in yet."))
}
