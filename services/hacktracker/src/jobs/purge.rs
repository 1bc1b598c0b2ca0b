//! The final deletion of accounts and teams: a month after the deletion no data is left, and of an
//! account nothing personal is left at once.

pub(super) mod team;
pub(super) mod user;

use monotable::model::time::Timestamp;
use monotable_kit::Problem;
use monotable_kit::jobs::JobTicket;

use crate::table::{TeamId, UserId};

/// The kind of job that removes a deleted user from everything, at once.
pub(super) const ERASURE: &str = "erase-user";
/// The kind of job that removes the rows of a user.
pub(super) const USER: &str = "purge-user";
/// The kind of job that removes the rows of a team.
pub(crate) const TEAM: &str = "purge-team";
/// The maximum number of rows that a step writes.
const ROWS_MAX: usize = 90;
/// The maximum number of invitations that a step removes: three rows each.
const INVITES_MAX: usize = 30;

/// Schedules the removal of a user from everything.
pub(crate) fn erasure_of(user_id: &UserId, now: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(ERASURE, user_id.as_str(), user_id, now)
}

/// Schedules the deletion of a user's rows.
pub(crate) fn of_user(user_id: &UserId, at: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(USER, user_id.as_str(), user_id, at)
}

/// Schedules the deletion of a team's rows.
pub(crate) fn of_team(team_id: &TeamId, at: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(TEAM, team_id.as_str(), team_id, at)
}
