//! What is promised about deleted accounts and teams: that nothing of them is left after a month.

mod team;
mod user;

use monotable::model::time::Timestamp;
use monotable::model::{Entity as _, Store};
use monotable_kit::Problem;
use monotable_kit::jobs::{JobStep, JobTicket, Jobs};

use super::erase_user;
use crate::table::{GameId, HackTracker, HackTrackerReads as _, TeamId, UserId};

/// The kind of work that takes a deleted user out of everything, at once.
const ERASURE: &str = "erase-user";
/// The kind of work that removes the rows of a user.
const USER: &str = "purge-user";
/// The kind of work that removes the rows of a team.
pub(crate) const TEAM: &str = "purge-team";
/// Rows that a step writes at most.
const ROWS_MAX: usize = 90;
/// Invitations that a step removes at most: three rows each.
const INVITES_MAX: usize = 30;

/// Promises that a user is taken out of everything.
pub(crate) fn erasure_of(user_id: &UserId, now: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(ERASURE, user_id.as_str(), user_id, now)
}

/// Promises that the rows of a user go.
pub(crate) fn of_user(user_id: &UserId, at: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(USER, user_id.as_str(), user_id, at)
}

/// Promises that the rows of a team go.
pub(crate) fn of_team(team_id: &TeamId, at: Timestamp) -> Result<JobTicket, Problem> {
    JobTicket::new(TEAM, team_id.as_str(), team_id, at)
}

/// Removes what requests were answered so long ago that nobody repeats them, and tells how many.
///
/// # Errors
/// What the table says.
pub(crate) async fn answers(db: &Store<HackTracker>) -> Result<usize, Problem> {
    let now = db.now().epoch_seconds().as_seconds();
    let mut records = db.every_request_record().skip_unreadable().stream();
    let mut removed = 0;
    while let Some(record) = records.next().await {
        let record = record?;
        if record.ttl.is_some_and(|end| end <= now) && db.delete_by_key(&record.key()).await? {
            removed += 1;
        }
    }
    Ok(removed)
}

/// Lets a worker do what the commands promise.
pub(crate) fn known_to(jobs: Jobs<HackTracker>, db: &Store<HackTracker>) -> Jobs<HackTracker> {
    let (erasing, users, teams) = (db.clone(), db.clone(), db.clone());
    jobs.kind(ERASURE, move |user_id: UserId, _: Option<()>| {
        let db = erasing.clone();
        async move {
            Ok(match erase_user::rest_of(&db, &user_id).await? {
                Some(rest) => JobStep::next(rest, ()),
                None => JobStep::done(db.transact()),
            })
        }
    })
    .kind(USER, move |user_id: UserId, _: Option<()>| {
        let db = users.clone();
        async move { user::step(&db, &user_id).await }
    })
    .kind(TEAM, move |team_id: TeamId, behind: Option<Option<GameId>>| {
        let db = teams.clone();
        async move { team::step(&db, &team_id, behind.flatten()).await }
    })
}
