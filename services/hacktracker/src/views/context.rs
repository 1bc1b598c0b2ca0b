//! What a user has to do with teams, so that a client knows which of its halves to show.

use serde::Serialize;

use crate::entities::{Membership, Role, Team, TeamType};
use crate::ids::TeamId;

/// What a user has to do with teams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Context {
    /// Whether one of the teams is for the user's own statistics.
    pub has_personal_context: bool,
    /// Whether one of them has a roster.
    pub has_managed_context: bool,
    /// The teams, by name.
    pub teams: Vec<TeamContext>,
}

/// What a user is in a team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamContext {
    /// The team.
    pub team_id: TeamId,
    /// Its name.
    pub name: String,
    /// What it is for.
    #[serde(rename = "team_type")]
    pub team_type: TeamType,
    /// What the user is there.
    pub role: Role,
}

/// What a user has to do with teams: those that are there, in which the membership counts.
pub fn context(memberships: &[(Membership, Team)]) -> Context {
    let counting =
        memberships.iter().filter(|(membership, team)| membership.is_active() && team.is_active());
    let mut teams: Vec<TeamContext> = counting
        .map(|(membership, team)| TeamContext {
            team_id: team.team_id.clone(),
            name: team.name.clone(),
            team_type: team.kind(),
            role: membership.role,
        })
        .collect();
    teams.sort_by(|one, other| (&one.name, &one.team_id).cmp(&(&other.name, &other.team_id)));
    let has = |kind| teams.iter().any(|team| team.team_type == kind);
    Context {
        has_personal_context: has(TeamType::Personal),
        has_managed_context: has(TeamType::Managed),
        teams,
    }
}
