//! Members of a team: their names and roles, and how they leave.

pub(crate) mod change_role;
pub(crate) mod list;
pub(crate) mod remove;

use crate::api::prelude::*;

/// The roles that a member can be given.
pub(crate) const ROLES: &[&str] = &["manager", "player", "scorekeeper"];

impl MemberPath {
    /// Reads the membership.
    ///
    /// # Errors
    /// Returns 404 if the user is not in the team.
    async fn member(&self, app: &App) -> Result<Membership, Problem> {
        let member = app.db.membership(&self.user_id, &self.team_id).await?;
        member.filter(Membership::is_active).ok_or_else(|| Refusal::UserNotFound.into())
    }
}

/// A membership.
#[derive(View)]
#[view(of = Membership)]
pub(crate) struct MembershipView {
    user_id: UserId,
    team_id: TeamId,
    role: Role,
    status: MembershipStatus,
    joined_at: Timestamp,
    /// Null for the creator of the team.
    #[view(null, example = "u1")]
    invited_by: Option<UserId>,
    #[view(stamps)]
    stamps: Stamps,
}

/// Returns whether a member of one role may grant and revoke another role. Only the owner grants
/// and revokes the role of manager; ownership can only be transferred.
pub(crate) fn rules_over(own: Role, role: Role) -> bool {
    match (own, role) {
        (_, Role::Owner) => false,
        (Role::Owner, Role::Manager | Role::Player | Role::Scorekeeper) => true,
        (Role::Manager, Role::Player | Role::Scorekeeper) => true,
        (Role::Manager, Role::Manager) | (Role::Player | Role::Scorekeeper, _) => false,
    }
}
