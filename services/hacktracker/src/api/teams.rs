//! Teams: created with their owner and the owner's player, renamed, deleted and restored.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod restore;
pub(crate) mod transfer;
pub(crate) mod update;

use std::time::Duration;

use crate::api::prelude::*;

/// How long a deleted team or account can be restored.
pub(crate) const GRACE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The words for what a team is for.
const TYPES: &[&str] = &["MANAGED", "PERSONAL"];

/// A team, with the caller's role where the caller is a member.
#[derive(View)]
#[view(of = Team, list = "teams")]
pub(crate) struct TeamView {
    team_id: TeamId,
    #[view(example = "Seattle Sluggers")]
    name: String,
    #[view(example = "Fridays")]
    description: Option<String>,
    owner_id: UserId,
    #[view(name = "team_type", from = kind())]
    team_type: TeamType,
    #[view(from = liveness())]
    status: Liveness,
    deleted_at: Option<Timestamp>,
    /// When the team is purged.
    purge_after: Option<Timestamp>,
    #[view(absent, example = "owner")]
    role: Option<Role>,
    #[view(absent)]
    joined_at: Option<Timestamp>,
    #[view(stamps)]
    stamps: Stamps,
}

impl TeamView {
    /// Shows a team to one of its members.
    pub(crate) fn of_member(team: &Team, member: &Membership) -> Self {
        Self { role: Some(member.role), joined_at: Some(member.joined_at), ..Self::of(team) }
    }
}

impl Team {
    fn liveness(&self) -> Liveness {
        self.status.unwrap_or(Liveness::Active)
    }
}

/// Marks a team as deleted. Its games, players and at-bats stay until it is purged.
pub(crate) fn mark_deleted(team: &mut Team, now: Timestamp, recovery_token: Option<String>) {
    team.status = Some(Liveness::Deleted);
    team.deleted_at = Some(now);
    team.purge_after = Some(now + GRACE);
    team.recovery_token = recovery_token;
}

/// Creates an active membership.
pub(crate) fn membership(
    app: &App,
    user_id: &UserId,
    team_id: &TeamId,
    role: Role,
    invited_by: Option<UserId>,
) -> Membership {
    Membership {
        user_id: user_id.clone(),
        team_id: team_id.clone(),
        role,
        status: MembershipStatus::Active,
        joined_at: app.db.now(),
        invited_by,
        stamps: Stamps::default(),
    }
}

/// Creates a user's first link to a player: all plate appearances of the slot since its last user
/// count.
pub(crate) fn link(user_id: &UserId, team: &Team, player: &Player) -> PlayerLink {
    PlayerLink {
        user_id: user_id.clone(),
        player_id: player.player_id.clone(),
        team_id: team.team_id.clone(),
        team_name: team.name.clone(),
        team_type: Some(team.kind()),
        periods: vec![Period { from: player.last_unlinked_at, to: None }],
        stamps: Stamps::default(),
    }
}
