//! Who may do what: actions and the roles that may take them, and the one function that every command
//! asks before it does anything to a team.
//!
//! A team that somebody may not see is missing for them: whoever was never in it gets the answer that a
//! team gets which is deleted or was never there.

mod action;

use monotable::model::{Check, Condition, Entity as _, check};
use monotable_kit::{Principal, Problem, Refuse as _, Request};

pub use self::action::{Action, POLICY};
use crate::app::App;
use crate::refusal::Refusal;
use crate::table::{
    HackTrackerReads as _, Liveness, Membership, Role, Team, TeamId, TeamKey, User, UserId, team,
    user,
};

/// A member of a team that is there.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The team.
    pub team: Team,
    /// The caller's membership, which is active.
    pub membership: Membership,
}

impl Granted {
    /// Who asks.
    pub fn user_id(&self) -> &UserId {
        &self.membership.user_id
    }

    /// Whether the member may do this.
    ///
    /// # Errors
    /// 403 if the role or the type of the team does not allow it.
    pub fn allow(&self, action: Action) -> Result<(), Problem> {
        if !POLICY.allows(action, self.membership.role) {
            return Err(insufficient_role(action, self.membership.role));
        }
        if !action.suits(self.team.kind()) {
            return Err(Refusal::PersonalTeamRestricted.into());
        }
        Ok(())
    }
}

/// 403 for a member whose role does not allow something; it tells which ones do.
fn insufficient_role(action: Action, own: Role) -> Problem {
    let roles: Vec<&str> = POLICY.roles(action).map(Role::word).collect();
    let text = format!("You are {} in the team; it takes {}.", own.word(), roles.join(" or "));
    Refusal::InsufficientRole.text(text).with("roles", roles)
}

/// Lets a member of a team do something.
///
/// # Errors
/// 404 for whoever was never in the team and for teams that are not there, 403 for others who may not.
pub async fn authorize(
    app: &App,
    call: &Request,
    team_id: &TeamId,
    action: Action,
) -> Result<Granted, Problem> {
    let granted = member(app, call, team_id).await?;
    granted.allow(action)?;
    Ok(granted)
}

/// The caller as a member of a team.
///
/// # Errors
/// 404 for whoever was never in the team and for teams that are not there, 403 for who was in it, 401
/// for an account that was deleted.
pub async fn member(app: &App, call: &Request, team_id: &TeamId) -> Result<Granted, Problem> {
    let user_id = caller(call)?;
    let Some(membership) = app.db.membership(&user_id, team_id).await? else {
        return Err(team_not_found());
    };
    let team = app.db.team(team_id).consistent().await?;
    let team = team.filter(Team::is_active).ok_or_else(team_not_found)?;
    let account = app.db.user(&user_id).consistent().await?;
    if account.is_some_and(|account| !account.is_active()) {
        return Err(account_deleted());
    }
    if !membership.is_active() {
        return Err(Refusal::NotAMember.into());
    }
    Ok(Granted { team, membership })
}

/// Who asks.
///
/// # Errors
/// 401 if nobody is known, or by a name that can't stand in a key.
pub fn caller(call: &Request) -> Result<UserId, Problem> {
    let refused = |error| Problem::unauthenticated(format!("The token's subject: {error}."));
    UserId::new(&call.principal()?.id).map_err(refused)
}

/// Who asks, unless the account was deleted.
///
/// # Errors
/// 401 if nobody is known, or was deleted.
pub async fn present(app: &App, call: &Request) -> Result<UserId, Problem> {
    let user_id = caller(call)?;
    let account = app.db.user(&user_id).consistent().await?;
    match account.is_none_or(|account| account.is_active()) {
        true => Ok(user_id),
        false => Err(account_deleted()),
    }
}

/// The caller, who must be the user that the path names.
///
/// # Errors
/// 403 if it is another one, whether there is such a user or not.
pub fn caller_themself(call: &Request) -> Result<UserId, Problem> {
    let caller = caller(call)?;
    match call.id::<UserId>("userId")? == caller {
        true => Ok(caller),
        false => Err(Refusal::NotSelf.into()),
    }
}

/// Requires that the caller is this user.
///
/// # Errors
/// 403 if it is another one, whether there is such a user or not.
pub(crate) fn must_be_self(call: &Request, user_id: &UserId) -> Result<(), Problem> {
    if caller(call)? == *user_id { Ok(()) } else { Err(Refusal::NotSelf.into()) }
}

/// Whether the issuer of the token says that they run the platform.
pub fn is_administrator(principal: &Principal) -> bool {
    principal.has_role("admin")
}

/// Requires that a team is not deleted: every transaction that writes something of a team has this check,
/// and refuses with [`team_deleted`] if it fails.
pub fn check_active(team_id: &TeamId) -> Check<Team> {
    check(&TeamKey::new(team_id.clone()), is_active())
}

/// The condition that a team is not deleted.
pub fn is_active() -> Condition<Team> {
    !team::status().eq(Liveness::Deleted)
}

/// The condition that an account is not deleted, and in the version that was read.
pub fn is_active_and_unchanged(account: &User) -> Condition<User> {
    account.unchanged().and(!user::status().eq(Liveness::Deleted))
}

/// 409 for a team that was deleted after the caller was let in.
pub fn team_deleted() -> Problem {
    Refusal::TeamDeleted.into()
}

/// 404 for a team that is not there, or not for the caller.
pub fn team_not_found() -> Problem {
    Refusal::TeamNotFound.into()
}

/// 401 for an account that was deleted.
pub fn account_deleted() -> Problem {
    Problem::unauthenticated("The account was deleted.")
}
