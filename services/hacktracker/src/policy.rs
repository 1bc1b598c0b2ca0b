//! Permissions: actions and the roles that may perform them, and the function that every operation
//! calls before it does anything to a team.
//!
//! A team that a caller may not see is reported as missing: callers who were never in it get the
//! same response as for a deleted team or one that never existed.

use monotable::model::{Check, Condition, Entity as _, check};
use monotable_kit::{Policy, Principal, Problem, Refuse as _, Request, Words as _};

use crate::app::App;
use crate::refusal::Refusal;
use crate::table::{
    HackTrackerReads as _, Liveness, Membership, Role, Team, TeamId, TeamKey, TeamType, User,
    UserId, team, user,
};

/// The actions on a team that depend on roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// See the team, its roster, games, at-bats and statistics.
    View,
    /// Rename a team.
    RenameTeam,
    /// Describe a team.
    DescribeTeam,
    /// Add, change, link and remove players.
    ManageRoster,
    /// Give up one's own roster slot.
    UnlinkSelf,
    /// Delete and restore a team.
    DeleteTeam,
    /// Transfer the ownership.
    TransferTeam,
    /// Give members other roles.
    ChangeRoles,
    /// Remove members.
    RemoveMembers,
    /// Invite people, list invitations and revoke them.
    Invite,
    /// Begin seasons.
    ManageSeasons,
    /// Create, change, start and finish games.
    ManageGames,
    /// Delete a game that is not final.
    DeleteGame,
    /// Delete, reopen or correct a final game.
    CorrectFinal,
    /// Record and change at-bats.
    ManageAtBats,
}

/// The actions of each role in its team.
pub const POLICY: Policy<Action, Role> = {
    use Role::{Manager, Owner, Player, Scorekeeper};
    Policy::new(&[
        (Action::View, &[Owner, Manager, Scorekeeper, Player]),
        (Action::RenameTeam, &[Owner, Manager]),
        (Action::DescribeTeam, &[Owner, Manager]),
        (Action::ManageRoster, &[Owner, Manager]),
        (Action::UnlinkSelf, &[Owner, Manager, Scorekeeper, Player]),
        (Action::DeleteTeam, &[Owner]),
        (Action::TransferTeam, &[Owner]),
        (Action::ChangeRoles, &[Owner]),
        (Action::RemoveMembers, &[Owner, Manager]),
        (Action::Invite, &[Owner, Manager]),
        (Action::ManageSeasons, &[Owner, Manager]),
        (Action::ManageGames, &[Owner, Manager, Scorekeeper]),
        (Action::DeleteGame, &[Owner, Manager, Scorekeeper]),
        (Action::CorrectFinal, &[Owner, Manager]),
        (Action::ManageAtBats, &[Owner, Manager, Scorekeeper]),
    ])
};

/// The actions on a personal team, which always has one member and one player, but may be renamed.
const PERSONAL: [Action; 7] = [
    Action::View,
    Action::RenameTeam,
    Action::ManageSeasons,
    Action::ManageGames,
    Action::DeleteGame,
    Action::CorrectFinal,
    Action::ManageAtBats,
];

/// A member of an existing team.
#[derive(Clone, Debug)]
pub struct Granted {
    /// The team.
    pub team: Team,
    /// The caller's membership, which is active.
    pub membership: Membership,
}

impl Granted {
    /// Returns the caller.
    pub fn user_id(&self) -> &UserId {
        &self.membership.user_id
    }

    /// Checks that the member may perform an action.
    ///
    /// # Errors
    /// Returns 403 if the role or the type of the team does not allow it.
    pub fn allow(&self, action: Action) -> Result<(), Problem> {
        if !POLICY.allows(action, self.membership.role) {
            return Err(insufficient_role(action, self.membership.role));
        }
        if self.team.kind() == TeamType::Personal && !PERSONAL.contains(&action) {
            return Err(Refusal::PersonalTeamRestricted.into());
        }
        Ok(())
    }
}

/// Creates the 403 for an action that the member's role does not allow, with the roles that do.
fn insufficient_role(action: Action, own: Role) -> Problem {
    let roles: Vec<&str> = POLICY.roles(action).map(|role| role.word()).collect();
    let text =
        format!("Your role in the team is {}; this requires {}.", own.word(), roles.join(" or "));
    Refusal::InsufficientRole.text(text).with("roles", roles)
}

/// Authorizes a member of a team for an action.
///
/// # Errors
///
/// Returns 404 for callers who were never in the team and for teams that do not exist, 403 for
/// other callers without permission.
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

/// Returns the caller as a member of a team.
///
/// # Errors
///
/// Returns 404 for callers who were never in the team and for teams that do not exist, 403 for
/// former members, 401 for an account that was deleted.
pub async fn member(app: &App, call: &Request, team_id: &TeamId) -> Result<Granted, Problem> {
    let user_id = caller(call)?;
    let membership = app.db.membership(&user_id, team_id).await?;
    let membership = membership.ok_or(Refusal::TeamNotFound)?;
    let team = app.db.team(team_id).consistent().await?;
    let team = team.filter(Team::is_active).ok_or(Refusal::TeamNotFound)?;
    present(app, call).await?;
    if !membership.is_active() {
        return Err(Refusal::NotAMember.into());
    }
    Ok(Granted { team, membership })
}

/// Returns the caller.
///
/// # Errors
///
/// Returns 401 if the caller is unknown, or has an id that is not valid in a key.
pub fn caller(call: &Request) -> Result<UserId, Problem> {
    let refused = |error| Problem::unauthenticated(format!("The token's subject: {error}."));
    UserId::new(&call.principal()?.id).map_err(refused)
}

/// Returns the caller, unless the account was deleted.
///
/// # Errors
///
/// Returns 401 if the caller is unknown, or was deleted.
pub async fn present(app: &App, call: &Request) -> Result<UserId, Problem> {
    let user_id = caller(call)?;
    let account = app.db.user(&user_id).consistent().await?;
    if account.is_none_or(|account| account.is_active()) {
        Ok(user_id)
    } else {
        Err(account_deleted())
    }
}

/// Checks that the caller is this user.
///
/// # Errors
/// Returns 403 if it is another one, whether that user exists or not.
pub(crate) fn must_be_self(call: &Request, user_id: &UserId) -> Result<(), Problem> {
    if caller(call)? == *user_id { Ok(()) } else { Err(Refusal::NotSelf.into()) }
}

/// Returns whether the token has the role of an administrator of the platform.
pub fn is_administrator(principal: &Principal) -> bool {
    principal.has_role("admin")
}

/// Returns the check that a team is not deleted: every transaction that writes something of a team
/// has it, and refuses with [`Refusal::TeamDeleted`] if it fails.
pub fn check_active(team_id: &TeamId) -> Check<Team> {
    check(&TeamKey::new(team_id.clone()), is_active())
}

/// Returns the condition that a team is not deleted.
pub fn is_active() -> Condition<Team> {
    !team::status().eq(Liveness::Deleted)
}

/// Returns the condition that an account is active and has the version that was read.
pub fn is_active_and_unchanged(account: &User) -> Condition<User> {
    account.unchanged().and(!user::status().eq(Liveness::Deleted))
}

/// Creates the 401 for an account that was deleted.
pub fn account_deleted() -> Problem {
    Problem::unauthenticated("The account was deleted.")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn roles_have_the_permissions_of_the_table() {
        let roles = [Role::Owner, Role::Manager, Role::Scorekeeper, Role::Player];
        expect![[r#"
            | | Owner | Manager | Scorekeeper | Player |
            |---|---|---|---|---|
            | View | yes | yes | yes | yes |
            | RenameTeam | yes | yes | | |
            | DescribeTeam | yes | yes | | |
            | ManageRoster | yes | yes | | |
            | UnlinkSelf | yes | yes | yes | yes |
            | DeleteTeam | yes | | | |
            | TransferTeam | yes | | | |
            | ChangeRoles | yes | | | |
            | RemoveMembers | yes | yes | | |
            | Invite | yes | yes | | |
            | ManageSeasons | yes | yes | | |
            | ManageGames | yes | yes | yes | |
            | DeleteGame | yes | yes | yes | |
            | CorrectFinal | yes | yes | | |
            | ManageAtBats | yes | yes | yes | |
        "#]]
        .assert_eq(&POLICY.document(&POLICY.actions().collect::<Vec<_>>(), &roles));
    }

    #[test]
    fn a_personal_team_takes_games_and_another_name() {
        expect![
            "[View, RenameTeam, ManageSeasons, ManageGames, DeleteGame, CorrectFinal, ManageAtBats]"
        ]
        .assert_eq(&format!("{PERSONAL:?}"));
    }
}
