//! Members of a team: their names and roles, and how they leave.

pub(crate) mod change_role;
pub(crate) mod list;
pub(crate) mod remove;

use monotable::model::time::Timestamp;
use monotable_kit::{Path, Problem, View};

use crate::app::App;
use crate::refusal::Refusal;
use crate::table::{HackTrackerReads as _, Membership, MembershipStatus, Role, TeamId, UserId};

/// The roles that a member can be given.
pub(crate) const ROLES: &[&str] = &["manager", "player", "scorekeeper"];

/// The member that a path names.
#[derive(Debug, Path)]
pub(crate) struct MemberPath {
    team_id: TeamId,
    user_id: UserId,
}

impl MemberPath {
    /// Reads the membership.
    ///
    /// # Errors
    /// 404 if the user is not in the team.
    async fn member(&self, app: &App) -> Result<Membership, Problem> {
        let member = app.db.membership(&self.user_id, &self.team_id).await?;
        member.filter(Membership::is_active).ok_or_else(|| Refusal::UserNotFound.into())
    }
}

/// A membership.
#[derive(View)]
#[view(of = Membership)]
pub(crate) struct MembershipView {
    #[view(example = "u2")]
    user_id: UserId,
    #[view(example = "t1")]
    team_id: TeamId,
    #[view(example = "player")]
    role: Role,
    #[view(example = "active")]
    status: MembershipStatus,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    joined_at: Timestamp,
    /// Null for the creator of the team.
    #[view(null, example = "u1")]
    invited_by: Option<UserId>,
    #[view(from = stamps.created, example = "2026-06-01T09:30:00.000Z")]
    created_at: Timestamp,
    #[view(from = stamps.updated, example = "2026-06-01T09:30:00.000Z")]
    updated_at: Timestamp,
    #[view(version, from = stamps.version, example = 1)]
    ver: u64,
}

/// Returns whether a member of one role may give others another role, and take it from them. Only the
/// owner makes and unmakes managers; the owner's role goes to another member by transfer only.
pub(crate) fn rules_over(own: Role, role: Role) -> bool {
    match (own, role) {
        (_, Role::Owner) => false,
        (Role::Owner, Role::Manager | Role::Player | Role::Scorekeeper) => true,
        (Role::Manager, Role::Player | Role::Scorekeeper) => true,
        (Role::Manager, Role::Manager) | (Role::Player | Role::Scorekeeper, _) => false,
    }
}
