//! Accounts: made when somebody comes for the first time, seen and changed by the user alone.
//!
//! There is no request that signs somebody up. Whoever has a token and no account gets one with the
//! first call that needs one: a write, or the question for the user's context.

use std::collections::BTreeSet;

use monotable::model::{
    Entity as _, Error, Handle, Transact, check, check_absent, create, delete, edit,
};
use monotable_kit::{Patch, Principal, Problem, Reply, Request};
use serde::Deserialize;
use serde_json::json;

use super::everything::Everything;
use super::fields::{Fields, set};
use super::scope::all;
use crate::app::App;
use crate::entities::{Membership, Stamps, Team, TeamKey, TeamType, User, UserJoins, UserJoinsKey};
use crate::ids::UserId;
use crate::patterns::{HackTracker, HackTrackerReads as _, Versioned};
use crate::{names, policy, show};

/// Teams that a user can be in.
const TEAMS_MAX: usize = 50;

/// The caller's account, made if there is none.
///
/// # Errors
/// 401 if the account was deleted, or if there is none and the token does not tell the address that a
/// new one needs.
pub(crate) async fn current(app: &App, call: &Request) -> Result<User, Problem> {
    let user_id = policy::caller(call)?;
    let known = match app.db.user(&user_id).consistent().await? {
        Some(user) => user,
        None => sign_up(app, call.principal()?, user_id).await?,
    };
    match known.is_active() {
        true => Ok(known),
        false => Err(policy::account_deleted()),
    }
}

/// Makes an account. That somebody else made it meanwhile is as good.
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
            app.db.user(&user_id).consistent().await?.ok_or_else(not_found)
        }
        made => Ok(made?),
    }
}

/// `GET /users/context`: what the user has, for the first screen.
pub(crate) async fn context(app: &App, call: &Request) -> Result<Reply, Problem> {
    let user = current(app, call).await?;
    let teams = teams_of(app, &user.user_id).await?;
    let has = |kind| teams.iter().any(|(team, _)| team.kind() == kind);
    let listed = teams.iter().map(|(team, membership)| show::team_of(team, membership));
    Ok(Reply::ok(&json!({
        "userId": user.user_id,
        "has_personal_context": has(TeamType::Personal),
        "has_managed_context": has(TeamType::Managed),
        "teams": listed.collect::<Vec<_>>(),
        "count": teams.len(),
    })))
}

/// The teams that a user is in, with what the user is there.
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

/// The memberships of a user that count.
pub(crate) async fn memberships_of(
    app: &App,
    user_id: &UserId,
) -> Result<Vec<Membership>, Problem> {
    let mut memberships = all(app.db.memberships(user_id).consistent()).await?;
    memberships.retain(Membership::is_active);
    Ok(memberships)
}

/// Adds to a transaction that brings a user into a team what it needs: see [`change_teams`].
///
/// # Errors
/// 409 `LIMIT_REACHED` if the user is in too many teams.
pub(crate) async fn join(
    app: &App,
    tx: &mut Transact<HackTracker>,
    user: &User,
) -> Result<Handle<UserJoins>, Problem> {
    // First, so that a team which comes while they are counted fails the transaction.
    let joined = change_teams(app, tx, user).await?;
    if teams_of(app, &user.user_id).await?.len() >= TEAMS_MAX {
        let text = format!("A user can be in {TEAMS_MAX} teams.");
        return Err(Problem::conflict("LIMIT_REACHED", text).with("limit", TEAMS_MAX));
    }
    Ok(joined)
}

/// Adds to a transaction what each must have that brings a user into a team or makes the user an owner:
/// the account is there and unchanged, and of two such transactions at once one is tried again, for which
/// the commit must `retry` the operation that is returned.
pub(crate) async fn change_teams(
    app: &App,
    tx: &mut Transact<HackTracker>,
    user: &User,
) -> Result<Handle<UserJoins>, Problem> {
    let joins = app.db.user_joins(&user.user_id).await?;
    tx.add(check(&user.key(), policy::is_active_and_unchanged(user)));
    Ok(match joins {
        Some(joins) => tx.add(edit(&joins, |joins| joins.joins += 1)),
        None => {
            let user_id = user.user_id.clone();
            tx.add(create(UserJoins { user_id, joins: 1, stamps: Versioned::default() }))
        }
    })
}

/// Ends in a transaction what [`change_teams`] follows. It fails if the user joins a team meanwhile, or
/// becomes an owner: that changes the row, which must be read before the teams are.
pub(crate) fn end_joins(
    tx: &mut Transact<HackTracker>,
    user_id: &UserId,
    joins: Option<&UserJoins>,
) -> Handle<()> {
    match joins {
        Some(joins) => tx.add(delete(joins)),
        None => tx.add(check_absent(&UserJoinsKey::new(user_id.clone()))),
    }
}

/// `GET /users/{userId}`: everything for the user, the names for those who share a team.
pub(crate) async fn get(app: &App, call: &Request) -> Result<Reply, Problem> {
    let (caller, user_id) = (policy::present(app, call).await?, call.id::<UserId>("userId")?);
    let user = app.db.user(&user_id).consistent().await?.filter(User::is_active);
    let user = user.ok_or_else(not_found)?;
    if caller == user_id || policy::is_administrator(call.principal()?) {
        return Ok(Reply::ok(&show::user(&user)).version(user.stamps.version));
    }
    match share_a_team(app, &caller, &user_id).await? {
        true => Ok(Reply::ok(&show::name_of(&user))),
        false => Err(not_found()),
    }
}

async fn share_a_team(app: &App, one: &UserId, other: &UserId) -> Result<bool, Problem> {
    let theirs = memberships_of(app, other).await?;
    let theirs: BTreeSet<_> = theirs.iter().map(|membership| &membership.team_id).collect();
    let teams = teams_of(app, one).await?;
    Ok(teams.iter().any(|(team, _)| theirs.contains(&team.team_id)))
}

/// `GET /users`: all of them, for administrators.
pub(crate) async fn list(app: &App, call: &Request) -> Result<Reply, Problem> {
    policy::present(app, call).await?;
    if !policy::is_administrator(call.principal()?) {
        let text = "Only administrators of the platform see all users.";
        return Err(Problem::forbidden("INSUFFICIENT_ROLE", text));
    }
    Everything { name: "users", list: "all users", show: |user: &User| Some(show::user(user)) }
        .page(app, call)
        .await
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Changes {
    first_name: Option<String>,
    last_name: Option<String>,
    #[serde(default)]
    phone_number: Patch<String>,
}

/// `PUT /users/{userId}`.
pub(crate) async fn update(app: &App, call: &Request) -> Result<Reply, Problem> {
    policy::caller_themself(call)?;
    let Changes { first_name, last_name, phone_number } = call.read()?;
    let mut fields = Fields::default();
    let first_name = fields.read("firstName", first_name, names::person);
    let last_name = fields.read("lastName", last_name, names::person);
    let phone_number = fields.read_patch("phoneNumber", phone_number, names::phone);
    fields.check()?;
    let user = current(app, call).await?;
    call.check_version(user.stamps.version)?;
    let mut tx = app.db.transact();
    let changed = tx.add(edit(&user, |user| {
        set(&mut user.first_name, first_name);
        set(&mut user.last_name, last_name);
        phone_number.apply(&mut user.phone_number);
    }));
    call.commit(tx)
        .reply(move |done| {
            let user = &done[changed];
            Reply::ok(&show::user(user)).version(user.stamps.version)
        })
        .await
}

/// 404 for a user who is not there, or not for the caller.
pub(crate) fn not_found() -> Problem {
    Problem::not_found("USER_NOT_FOUND", "There is no such user.")
}
