//! The scheduler: long matches whose turn must be resolved although somebody did not choose.
//!
//! A match waits under the hour of its cut-off. The row goes only in the transaction that resolves the
//! turn, which writes the next one; so a process may die at any point, and several may look at once.
//!
//! A game day is a real day: a turn is resolved when its cut-off has passed, and the next one is open
//! until the next cut-off that lies ahead. A service that slept through three evenings resolves one turn
//! when it wakes, and not three: nobody could have played the other two.

use std::sync::{Mutex, PoisonError};

use monotable::model::Entity as _;
use monotable_kit::Problem;

use crate::app::App;
use crate::rules::schedule;
use crate::rules::state::Status;
use crate::table::{BtlRunReads as _, Due, DueHour};
use crate::turn;

const MINUTE_MS: i64 = 60 * 1_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
/// How far back a round looks that looks everywhere.
const WHOLE_MS: i64 = 48 * HOUR_MS;
/// How far back the first round of a process looks, and the first after a long sleep: as far as a match
/// can last.
const FIRST_MS: i64 = 30 * 24 * HOUR_MS;

/// What a round of the scheduler did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DueReport {
    /// Turns that were resolved.
    pub resolved: usize,
    /// Turns that somebody else resolved at the same moment.
    pub outrun: usize,
    /// Rows of matches that wait for nothing, or for another time, and were removed.
    pub orphans: usize,
    /// Turns that could not be resolved; they are tried again a minute later.
    pub failed: usize,
    /// How long the oldest row had been over when it was found, in seconds.
    pub lag_seconds: u64,
}

/// Where the scheduler of a process stands.
#[derive(Default)]
pub(crate) struct Schedule(Mutex<Option<Position>>);

/// Where the last round ended.
#[derive(Clone, Copy)]
struct Position {
    /// When it was.
    looked_at_ms: i64,
    /// When a round looked everywhere.
    whole_at_ms: i64,
    /// The oldest cut-off that it left behind.
    left_ms: Option<i64>,
}

/// Where a round looks.
struct Look {
    from_ms: i64,
    /// Whether it is the first, which also takes rows that were over so long ago that they expired.
    is_first: bool,
    is_whole: bool,
}

impl Schedule {
    fn position(&self) -> Option<Position> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where to look now; nowhere if somebody looked in this minute.
    fn look(&self, now: i64) -> Option<Look> {
        let awake = self.position().filter(|last| (now - last.looked_at_ms).abs() < WHOLE_MS);
        let Some(position) = awake else {
            return Some(Look { from_ms: now - FIRST_MS, is_first: true, is_whole: true });
        };
        let minute = |ms: i64| ms.div_euclid(MINUTE_MS);
        if minute(position.looked_at_ms) == minute(now) {
            return None;
        }
        // Other processes may have another idea of the time, and write behind where this one was.
        let is_whole = (now - position.whole_at_ms).abs() >= HOUR_MS;
        let from_ms = match is_whole {
            true => now - WHOLE_MS,
            false => position.left_ms.unwrap_or(position.looked_at_ms).min(now),
        };
        Some(Look { from_ms: from_ms.max(now - WHOLE_MS), is_first: false, is_whole })
    }

    fn looked(&self, look: &Look, now: i64, left_ms: Option<i64>) {
        let mut position = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let whole_at_ms = match &*position {
            Some(position) if !look.is_whole => position.whole_at_ms,
            _ => now,
        };
        *position = Some(Position { looked_at_ms: now, whole_at_ms, left_ms });
    }
}

/// What became of a row.
enum Outcome {
    Resolved,
    Outrun,
    Orphan,
}

/// Resolves every turn whose time is over, unless that was done in this minute.
///
/// # Errors
/// If the rows can't be read. A match that fails does not keep the others from their turns.
pub(crate) async fn resolve_due(app: &App) -> Result<DueReport, Problem> {
    let (now, mut report, mut left_ms) = (app.now_ms(), DueReport::default(), None);
    let Some(look) = app.backlog.schedule.look(now) else { return Ok(report) };
    for hour in schedule::hours_from(look.from_ms, now).map_err(Problem::internal)? {
        let hour = DueHour::new(hour).map_err(Problem::internal)?;
        for row in due_rows(app, &hour, now, look.is_first).await? {
            let cutoff = i64::try_from(row.cutoff_ms).unwrap_or(i64::MAX);
            let lag_seconds = u64::try_from((now - cutoff) / 1_000).unwrap_or_default();
            report.lag_seconds = report.lag_seconds.max(lag_seconds);
            match resolve_apart(app, row, cutoff).await {
                Ok(Outcome::Resolved) => report.resolved += 1,
                Ok(Outcome::Outrun) => report.outrun += 1,
                Ok(Outcome::Orphan) => report.orphans += 1,
                Err(_) => {
                    report.failed += 1;
                    left_ms = Some(left_ms.map_or(cutoff, |left: i64| left.min(cutoff)));
                }
            }
        }
    }
    app.backlog.schedule.looked(&look, now, left_ms);
    app.backlog.looked(&report);
    Ok(report)
}

async fn due_rows(
    app: &App,
    hour: &DueHour,
    now: i64,
    is_first: bool,
) -> Result<Vec<Due>, Problem> {
    let rows = app.db.due(hour, u64::try_from(now).unwrap_or_default()).skip_unreadable();
    let mut stream = if is_first { rows.including_expired() } else { rows }.stream();
    let mut rows = Vec::new();
    while let Some(row) = stream.next().await {
        rows.push(row?);
    }
    Ok(rows)
}

/// Resolves a row apart from all others: what a damaged match does to the program, it does to itself.
async fn resolve_apart(app: &App, row: Due, cutoff: i64) -> Result<Outcome, Problem> {
    let app = app.clone();
    let resolving = tokio::spawn(async move { resolve_row(&app, &row, cutoff).await });
    resolving.await.map_err(Problem::internal)?
}

/// Resolves the turn that a row stands for, or removes the row if it stands for none.
async fn resolve_row(app: &App, row: &Due, cutoff: i64) -> Result<Outcome, Problem> {
    if !is_waiting(app, row, cutoff).await? {
        // Cut-offs of a match only grow, and the state was read behind the row: it never waits for
        // this time again.
        app.db.delete_by_key(&row.key()).await?;
        return Ok(Outcome::Orphan);
    }
    if turn::resolve_due(app, &row.match_id).await? {
        return Ok(Outcome::Resolved);
    }
    match is_waiting(app, row, cutoff).await? {
        true => Err(Problem::internal("a match waits for its time, and collects no actions")),
        false => Ok(Outcome::Outrun),
    }
}

/// Whether the match waits for this very time.
async fn is_waiting(app: &App, row: &Due, cutoff: i64) -> Result<bool, Problem> {
    let found = app.find_match(&row.match_id).await?;
    Ok(found.is_some_and(|found| {
        found.state.status == Status::Active && found.state.day_cutoff_at == Some(cutoff)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;

    fn from_of(schedule: &Schedule, now: i64) -> Option<i64> {
        schedule.look(now).map(|look| (now - look.from_ms) / MINUTE_MS)
    }

    /// A round without rows, or one that leaves a row behind.
    fn round(schedule: &Schedule, now: i64, left_ms: Option<i64>) {
        let look = schedule.look(now).unwrap();
        schedule.looked(&look, now, left_ms);
    }

    #[test]
    fn a_round_looks_where_the_last_one_ended_and_everywhere_once_an_hour() {
        let schedule = Schedule::default();
        assert_eq!(from_of(&schedule, NOW), Some(30 * 24 * 60));
        round(&schedule, NOW, None);
        assert_eq!(from_of(&schedule, NOW + MINUTE_MS - 1), None);
        assert_eq!(from_of(&schedule, NOW + MINUTE_MS), Some(1));
        round(&schedule, NOW + MINUTE_MS, Some(NOW - 5 * MINUTE_MS));
        assert_eq!(from_of(&schedule, NOW + 2 * MINUTE_MS), Some(7));
        round(&schedule, NOW + 2 * MINUTE_MS, None);
        assert_eq!(from_of(&schedule, NOW + HOUR_MS), Some(48 * 60));
        round(&schedule, NOW + HOUR_MS, None);
        assert_eq!(from_of(&schedule, NOW + HOUR_MS + MINUTE_MS), Some(1));
    }

    #[test]
    fn a_clock_that_goes_back_is_followed() {
        let schedule = Schedule::default();
        round(&schedule, NOW, None);
        assert_eq!(from_of(&schedule, NOW - 10 * MINUTE_MS), Some(0));
        assert_eq!(from_of(&schedule, NOW - HOUR_MS), Some(48 * 60));
    }
}
