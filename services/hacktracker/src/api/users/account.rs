//! The caller's account and the teams of a user.
//!
//! There is no request for signing up. A caller with a token and without an account gets one with
//! the first request that needs one: a write, or the request for the user's context.

use monotable_kit::Principal;

use crate::api::prelude::*;

/// Teams that a user can be in.
const TEAMS_MAX: usize = 50;

/// Returns the caller's account, and creates it if it does not exist.
///
/// # Errors
///
/// Returns 401 if the account was deleted, or if it does not exist and the token lacks the e-mail
/// address for a new one.
pub(crate) async fn current(app: &App, call: &Request) -> Result<User, Problem> {
    let user_id = policy::caller(call)?;
    let account = match app.db.user(&user_id).consistent().await? {
        Some(user) => user,
        None => sign_up(app, call.principal()?, user_id).await?,
    };
    if account.is_active() { Ok(account) } else { Err(policy::account_deleted()) }
}

/// Creates an account, or returns the one that another request has created in the meantime.
async fn sign_up(app: &App, principal: &Principal, user_id: UserId) -> Result<User, Problem> {
    let text = "A new account needs an e-mail address: sign in with a token that has the claim \
                `email`, or send X-User-Email where X-User-Id is accepted.";
    let address = principal.email.as_deref().ok_or_else(|| Problem::unauthenticated(text))?;
    let email = names::email(address).map_err(|_| {
        let text = "The `email` that you are signed in with is not a valid e-mail address.";
        Problem::unauthenticated(text)
    })?;
    let first_name: String = email.split('@').next().unwrap_or_default().chars().take(50).collect();
    let user = User {
        user_id: user_id.clone(),
        first_name,
        email,
        last_name: "User".to_owned(),
        phone_number: None,
        status: None,
        deleted_at: None,
        purge_after: None,
        list_shard: app.lists.of(&user_id),
        stamps: Stamps::default(),
    };
    match app.db.create(&user).await {
        Err(Error::Exists { .. }) => {
            let user = app.db.user(&user_id).consistent().await?;
            user.ok_or_else(|| Refusal::UserNotFound.into())
        }
        made => Ok(made?),
    }
}

/// Returns the active teams that a user is in, each with the user's membership.
pub(crate) async fn teams_of(
    app: &App,
    user_id: &UserId,
) -> Result<Vec<(Team, Membership)>, Problem> {
    let memberships = memberships_of(app, user_id).await?;
    let keys: Vec<TeamKey> =
        memberships.iter().map(|membership| TeamKey::new(membership.team_id.clone())).collect();
    let teams = app.db.teams_by_key(&keys).consistent().await?;
    let pairs = teams.into_iter().zip(memberships);
    let active = pairs.filter_map(|(team, membership)| Some((team?, membership)));
    Ok(active.filter(|(team, _)| team.is_active()).collect())
}

/// Returns the active memberships of a user.
pub(crate) async fn memberships_of(
    app: &App,
    user_id: &UserId,
) -> Result<Vec<Membership>, Problem> {
    let mut memberships = app.db.memberships(user_id).consistent().all().await?;
    memberships.retain(Membership::is_active);
    Ok(memberships)
}

/// Adds the requirements for joining a team to a transaction: see [`change_teams`].
///
/// # Errors
/// Returns 409 `LIMIT_REACHED` if the user is in too many teams.
pub(crate) async fn join(app: &App, tx: &mut Change<'_>, user: &User) -> Result<(), Problem> {
    // Comes first, so that a team which is joined during the count fails the transaction.
    change_teams(app, tx, user).await?;
    if teams_of(app, &user.user_id).await?.len() >= TEAMS_MAX {
        let text = format!("A user can be in {TEAMS_MAX} teams.");
        return Err(Refusal::LimitReached.text(text).with("limit", TEAMS_MAX));
    }
    Ok(())
}

/// Adds the requirements for joining a team or becoming an owner to a transaction: the account is
/// active and unchanged, and of two such transactions at once one is run again.
pub(crate) async fn change_teams(
    app: &App,
    tx: &mut Change<'_>,
    user: &User,
) -> Result<(), Problem> {
    let joins = app.db.user_joins(&user.user_id).await?;
    tx.add(check(&user.key(), policy::is_active_and_unchanged(user)));
    match joins {
        Some(joins) => tx.expect(edit(&joins, |joins| joins.joins += 1)),
        None => {
            let user_id = user.user_id.clone();
            tx.expect(create(UserJoins { user_id, joins: 1, stamps: Versioned::default() }))
        }
    };
    Ok(())
}

/// Makes the transaction fail if the user joins a team in the meantime, or becomes an owner,
/// because that changes a row which must be read before the teams are. See [`change_teams`].
pub(crate) fn end_joins(tx: &mut Change<'_>, user_id: &UserId, joins: Option<&UserJoins>) {
    match joins {
        Some(joins) => tx.expect(delete(joins)),
        None => tx.expect(check_absent(&UserJoinsKey::new(user_id.clone()))),
    };
}
