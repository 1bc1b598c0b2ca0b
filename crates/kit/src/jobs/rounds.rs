//! Rounds of work: every row that schedules work gets a turn.

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use monotable::model::time::Timestamp;
use monotable::model::{RowSet, Rows, Store, Table};

use super::JobsReport;
use crate::problem::Problem;

/// The pause after the first failure; it doubles after each further one.
const WAIT_MIN: Duration = Duration::from_secs(1);
/// The longest pause.
const WAIT_MAX: Duration = Duration::from_secs(15 * 60);

/// The result of one turn of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobTurn {
    /// The work is done, and its row was deleted.
    Done,
    /// There is more to do, later.
    Waits,
    /// It failed, and its row contains when to retry.
    Failed,
    /// This process does not know this kind of work.
    Unknown,
}

/// Gives every row a turn. Tickets store their failures themselves; of other rows, this remembers
/// which ones failed, and retries them after a pause that grows.
#[derive(Debug, Default)]
pub struct Rounds {
    failures: Mutex<BTreeMap<String, Failures>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Failures {
    count: u32,
    again_at: Timestamp,
}

impl Rounds {
    /// Gives each row a turn, and adds its result to a report. The name of a row is unique among
    /// those of the rounds. A turn that ends with a version conflict lost to another worker, and
    /// waits.
    ///
    /// # Errors
    /// Fails if the rows can't be read. Failed turns are counted.
    pub async fn run<T, S, F>(
        &self,
        db: &Store<T>,
        rows: Rows<S>,
        name: impl Fn(&S) -> String,
        turn: impl Fn(S) -> F,
        report: &mut JobsReport,
    ) -> Result<(), Problem>
    where
        T: Table,
        S: RowSet,
        F: Future<Output = Result<JobTurn, Problem>>,
    {
        let mut rows = rows.stream();
        while let Some(row) = rows.next().await {
            let row = row?;
            let name = name(&row);
            if self.is_put_off(&name, db.now()) {
                report.waiting += 1;
                continue;
            }
            let turn = match turn(row).await {
                Err(problem) if problem.is_version_conflict() => Ok(JobTurn::Waits),
                turn => turn,
            };
            match turn {
                Ok(JobTurn::Done) => report.done += 1,
                Ok(JobTurn::Waits) => report.waiting += 1,
                Ok(JobTurn::Unknown) => report.unknown += 1,
                Ok(JobTurn::Failed) | Err(_) => report.failed += 1,
            }
            self.note(name, turn.is_err(), db.now());
        }
        Ok(())
    }

    fn is_put_off(&self, name: &str, now: Timestamp) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.get(name).is_some_and(|failures| now < failures.again_at)
    }

    fn note(&self, name: String, has_failed: bool, now: Timestamp) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if !has_failed {
            failures.remove(&name);
            return;
        }
        let failures = failures.entry(name).or_default();
        failures.count = failures.count.saturating_add(1);
        failures.again_at = now + pause(failures.count);
    }
}

/// Returns the pause after this number of failures in a row.
pub(super) fn pause(failures: u32) -> Duration {
    WAIT_MIN.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1))).min(WAIT_MAX)
}
