//! Who may do what: actions and the roles that may take them, and the one function that every command
//! asks before it does anything to a team.
//!
//! A team that somebody may not see is missing for them: whoever was never in it gets the answer that a
//! team gets which is deleted or was never there.

use monotable::model::{Condition, Error};
use monotable_kit::{Call, Policy, Principal, Problem};

use crate::app::App;
use crate::entities::{Liveness, Membership, Role, Team, TeamType, User, team, user};
use crate::ids::{TeamId, UserId};
use crate::patterns::HackTrackerReads as _;

/// What is done to a team, as far as roles decide it.
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
    /// Give the own roster slot up.
    UnlinkSelf,
    /// Delete a team and bring it back.
    DeleteTeam,
    /// Make somebody else the owner.
    TransferTeam,
    /// Give members other roles.
    ChangeRoles,
    /// Remove members.
    RemoveMembers,
    /// Invite people, see invitations and take them back.
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

impl Action {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::View,
        Self::RenameTeam,
        Self::DescribeTeam,
        Self::ManageRoster,
        Self::UnlinkSelf,
        Self::DeleteTeam,
        Self::TransferTeam,
        Self::ChangeRoles,
        Self::RemoveMembers,
        Self::Invite,
        Self::ManageSeasons,
        Self::ManageGames,
        Self::DeleteGame,
        Self::CorrectFinal,
        Self::ManageAtBats,
    ];

    /// Whether it can be done to a team that is one person's own. Such a team has one member and one
    /// player for as long as it lives, but may have another name.
    pub fn suits(self, kind: TeamType) -> bool {
        match self {
            Self::View
            | Self::RenameTeam
            | Self::ManageSeasons
            | Self::ManageGames
            | Self::DeleteGame
            | Self::CorrectFinal
            | Self::ManageAtBats => true,
            Self::DescribeTeam
            | Self::ManageRoster
            | Self::UnlinkSelf
            | Self::DeleteTeam
            | Self::TransferTeam
            | Self::ChangeRoles
            | Self::RemoveMembers
            | Self::Invite => kind == TeamType::Managed,
        }
    }
}

/// What each role may do in its team.
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
            let text = "Your role in the team does not allow it.";
            return Err(Problem::forbidden("INSUFFICIENT_ROLE", text));
        }
        if !action.suits(self.team.kind()) {
            let text = "It can't be done to a personal team.";
            return Err(Problem::forbidden("PERSONAL_TEAM_RESTRICTED", text));
        }
        Ok(())
    }
}

/// Lets a member of a team do something.
///
/// # Errors
/// 404 for whoever was never in the team and for teams that are not there, 403 for others who may not.
pub async fn authorize(
    app: &App,
    call: &Call,
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
pub async fn member(app: &App, call: &Call, team_id: &TeamId) -> Result<Granted, Problem> {
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
        return Err(Problem::forbidden("NOT_A_MEMBER", "You are no longer in the team."));
    }
    Ok(Granted { team, membership })
}

/// Who asks.
///
/// # Errors
/// 401 if nobody is known, or by a name that can't stand in a key.
pub fn caller(call: &Call) -> Result<UserId, Problem> {
    let refused = |error| Problem::unauthenticated(format!("The token's subject: {error}."));
    UserId::new(&call.principal()?.id).map_err(refused)
}

/// The caller, who must be the user that the path names.
///
/// # Errors
/// 403 if it is another one, whether there is such a user or not.
pub fn caller_themself(call: &Call) -> Result<UserId, Problem> {
    let caller = caller(call)?;
    match call.id::<UserId>("userId")? == caller {
        true => Ok(caller),
        false => Err(not_self()),
    }
}

/// 403 for what everybody may do with their own account only.
pub fn not_self() -> Problem {
    Problem::forbidden("NOT_SELF", "Only the user can do that.")
}

/// Whether the issuer of the token says that they run the platform.
pub fn is_administrator(principal: &Principal) -> bool {
    principal.has_role("admin")
}

/// That a team is not deleted: every transaction that writes something of a team has this condition.
pub fn is_active() -> Condition<Team> {
    !team::status().eq(Liveness::Deleted)
}

/// That a team is not deleted, and in the version that was read.
pub fn is_active_still(team: &Team) -> Condition<Team> {
    let same = match team.ver {
        0 => team::ver().absent().or(team::ver().eq(0)),
        version => team::ver().eq(version),
    };
    same.and(is_active())
}

/// That an account is not deleted, and in the version that was read.
pub fn is_unchanged(account: &User) -> Condition<User> {
    let same = match account.ver {
        0 => user::ver().absent().or(user::ver().eq(0)),
        version => user::ver().eq(version),
    };
    same.and(!user::status().eq(Liveness::Deleted))
}

/// 409 if the condition [`is_active`] failed: somebody deleted the team after the caller was let in.
pub fn team_deleted(error: &Error) -> Option<Problem> {
    match error {
        Error::ConditionFailed { entity: "Team", .. } | Error::NotFound { entity: "Team" } => {
            Some(Problem::conflict("TEAM_DELETED", "The team is deleted."))
        }
        _ => None,
    }
}

/// 404 for a team that is not there, or not for the caller.
pub fn team_not_found() -> Problem {
    Problem::not_found("TEAM_NOT_FOUND", "There is no such team.")
}

/// 401 for an account that was deleted.
pub fn account_deleted() -> Problem {
    Problem::unauthenticated("The account was deleted.")
}
