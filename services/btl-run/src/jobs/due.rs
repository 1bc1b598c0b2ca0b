//! The scheduler: resolves turns of long matches at their cut-off, even if players have not chosen.
//!
//! The row of a cut-off is removed only in the transaction that resolves the turn, which writes the
//! next one; so a process may die at any point, and several may run concurrently.
//!
//! A game day is a real day: a turn is resolved when its cut-off has passed, and the next one is
//! open until the next future cut-off. A service that was stopped for three evenings resolves one
//! turn when it starts, and not three: nobody could have played the other two.

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
/// How far back a complete round searches.
const WHOLE_MS: i64 = 48 * HOUR_MS;
/// How far back the first round of a process searches, and the first after a long pause: as far as
/// a match can last.
const FIRST_MS: i64 = 30 * 24 * HOUR_MS;

/// The result of a round of the scheduler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DueReport {
    /// Turns that were resolved.
    pub resolved: usize,
    /// The number of turns that another caller resolved at the same moment.
    pub resolved_by_others: usize,
    /// Rows of matches that wait for nothing, or for another time, and were removed.
    pub orphans: usize,
    /// Turns that could not be resolved; they are retried a minute later.
    pub failed: usize,
    /// How long the oldest row had been due when it was found, in seconds.
    pub lag_seconds: u64,
}

/// The position of a process's scheduler.
#[derive(Default)]
pub(crate) struct Schedule(Mutex<Option<Position>>);

/// The end of the last round.
#[derive(Clone, Copy)]
struct Position {
    /// The time of the last round.
    looked_at_ms: i64,
    /// The time of the last complete round.
    whole_at_ms: i64,
    /// The oldest cut-off that it has not handled.
    left_ms: Option<i64>,
}

/// The range of a round.
struct Round {
    from_ms: i64,
    /// Whether it is the first round, which also reads rows that expired long ago.
    is_first: bool,
    is_whole: bool,
}

impl Schedule {
    fn position(&self) -> Option<Position> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns what to read now; `None` if a round ran within this minute.
    fn next_round(&self, now: i64) -> Option<Round> {
        let awake = self.position().filter(|last| (now - last.looked_at_ms).abs() < WHOLE_MS);
        let Some(position) = awake else {
            return Some(Round { from_ms: now - FIRST_MS, is_first: true, is_whole: true });
        };
        let minute = |ms: i64| ms.div_euclid(MINUTE_MS);
        if minute(position.looked_at_ms) == minute(now) {
            return None;
        }
        // Other processes may have other clocks, and write before the position of this one.
        let is_whole = (now - position.whole_at_ms).abs() >= HOUR_MS;
        let from_ms = if is_whole {
            now - WHOLE_MS
        } else {
            position.left_ms.unwrap_or(position.looked_at_ms).min(now)
        };
        Some(Round { from_ms: from_ms.max(now - WHOLE_MS), is_first: false, is_whole })
    }

    fn finish_round(&self, round: &Round, now: i64, left_ms: Option<i64>) {
        let mut position = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let whole_at_ms = match &*position {
            Some(position) if !round.is_whole => position.whole_at_ms,
            _ => now,
        };
        *position = Some(Position { looked_at_ms: now, whole_at_ms, left_ms });
    }
}

/// The result of a row.
enum Outcome {
    Resolved,
    ResolvedByOthers,
    Orphan,
}

/// Resolves every due turn, unless that was done in this minute.
///
/// # Errors
/// Fails if the rows can't be read. A match that fails does not block the others.
pub(crate) async fn resolve_due(app: &App) -> Result<DueReport, Problem> {
    let (now, mut report, mut left_ms) = (app.now_ms(), DueReport::default(), None);
    let Some(round) = app.backlog.schedule.next_round(now) else { return Ok(report) };
    for hour in schedule::hours_from(round.from_ms, now).map_err(Problem::internal)? {
        let hour = DueHour::new(hour).map_err(Problem::internal)?;
        for row in due_rows(app, &hour, now, round.is_first).await? {
            let cutoff = i64::try_from(row.cutoff_ms).unwrap_or(i64::MAX);
            let lag_seconds = u64::try_from((now - cutoff) / 1_000).unwrap_or_default();
            report.lag_seconds = report.lag_seconds.max(lag_seconds);
            match resolve_apart(app, row, cutoff).await {
                Ok(Outcome::Resolved) => report.resolved += 1,
                Ok(Outcome::ResolvedByOthers) => report.resolved_by_others += 1,
                Ok(Outcome::Orphan) => report.orphans += 1,
                Err(_) => {
                    report.failed += 1;
                    left_ms = Some(left_ms.map_or(cutoff, |left: i64| left.min(cutoff)));
                }
            }
        }
    }
    app.backlog.schedule.finish_round(&round, now, left_ms);
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

/// Resolves a row separately from all others: a panic because of a damaged match affects only that
/// match.
async fn resolve_apart(app: &App, row: Due, cutoff: i64) -> Result<Outcome, Problem> {
    let app = app.clone();
    let resolving = tokio::spawn(async move { resolve_row(&app, &row, cutoff).await });
    resolving.await.map_err(Problem::internal)?
}

/// Resolves the turn of a row, or removes the row if it has none.
async fn resolve_row(app: &App, row: &Due, cutoff: i64) -> Result<Outcome, Problem> {
    if !is_waiting(app, row, cutoff).await? {
        // Cut-offs of a match only increase, and the state was read after the row: it never waits
        // for this time again.
        app.db.delete_by_key(&row.key()).await?;
        return Ok(Outcome::Orphan);
    }
    if turn::resolve_due(app, &row.match_id).await? {
        return Ok(Outcome::Resolved);
    }
    if is_waiting(app, row, cutoff).await? {
        Err(Problem::internal("a match waits for its time, and collects no actions"))
    } else {
        Ok(Outcome::ResolvedByOthers)
    }
}

/// Returns whether the match waits for exactly this time.
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
        schedule.next_round(now).map(|round| (now - round.from_ms) / MINUTE_MS)
    }

    /// Runs a round without rows, or with one that it cannot handle.
    fn round(schedule: &Schedule, now: i64, left_ms: Option<i64>) {
        let round = schedule.next_round(now).unwrap();
        schedule.finish_round(&round, now, left_ms);
    }

    #[test]
    fn a_round_continues_after_the_last_one_and_reads_everything_once_an_hour() {
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
