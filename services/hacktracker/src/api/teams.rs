//! Teams: created with their owner and the owner's player, renamed, deleted and restored.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod restore;
pub(crate) mod transfer;
pub(crate) mod update;

use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable_kit::View;

use crate::app::App;
use crate::table::{
    Liveness, Membership, MembershipStatus, Period, Player, PlayerLink, Role, Stamps, Team, TeamId,
    TeamType, UserId,
};

/// How long a deleted team or account can come back.
pub(crate) const GRACE: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// The words for what a team is for.
const TYPES: &[&str] = &["MANAGED", "PERSONAL"];

/// A team, with the caller's role where the caller is a member.
#[derive(View)]
#[view(list = "teams")]
pub(crate) struct TeamView {
    #[view(example = "t1")]
    team_id: TeamId,
    #[view(example = "Seattle Sluggers")]
    name: String,
    #[view(example = "Fridays")]
    description: Option<String>,
    #[view(example = "u1")]
    owner_id: UserId,
    #[view(name = "team_type", example = "MANAGED")]
    team_type: TeamType,
    #[view(example = "active")]
    status: Liveness,
    deleted_at: Option<Timestamp>,
    /// When the team is removed for good.
    purge_after: Option<Timestamp>,
    #[view(example = "owner")]
    role: Option<Role>,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    joined_at: Option<Timestamp>,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    created_at: Timestamp,
    #[view(example = "2026-06-01T09:30:00.000Z")]
    updated_at: Timestamp,
    #[view(version, example = 1)]
    ver: u64,
}

impl TeamView {
    /// Shows a team to a caller who need not be a member.
    pub(crate) fn of(team: &Team) -> Self {
        Self {
            team_id: team.team_id.clone(),
            name: team.name.clone(),
            description: team.description.clone(),
            owner_id: team.owner_id.clone(),
            team_type: team.kind(),
            status: team.status.unwrap_or(Liveness::Active),
            deleted_at: team.deleted_at,
            purge_after: team.purge_after,
            role: None,
            joined_at: None,
            created_at: team.stamps.created,
            updated_at: team.stamps.updated,
            ver: team.stamps.version,
        }
    }

    /// Shows a team to one of its members.
    pub(crate) fn of_member(team: &Team, member: &Membership) -> Self {
        Self { role: Some(member.role), joined_at: Some(member.joined_at), ..Self::of(team) }
    }
}

/// Marks a team as deleted. Its games, players and at-bats are left alone until it is purged.
pub(crate) fn mark_deleted(team: &mut Team, now: Timestamp, recovery_token: Option<String>) {
    team.status = Some(Liveness::Deleted);
    team.deleted_at = Some(now);
    team.purge_after = Some(now + GRACE);
    team.recovery_token = recovery_token;
}

/// Makes an active membership.
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

/// Makes a user's first link to a player: what the slot did since its last user, or ever, counts.
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
