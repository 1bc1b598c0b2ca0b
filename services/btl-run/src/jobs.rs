//! Background work: due turns, pending stories, ended matches to remove, and users to erase.
//!
//! All of it is scheduled by rows, so it does not matter which process does it, or how often one
//! starts: repeated work has no further effect.

pub(crate) mod archive;
pub mod budget;
pub mod due;
pub(crate) mod erase;
pub mod narrate;
mod results;

use monotable::model::Error;
use monotable_kit::jobs::{JobsReport, Rounds};
use monotable_kit::{BoxFuture, Problem};

use self::due::{DueReport, Schedule};
use crate::app::App;
use crate::change::{new_task, task};
use crate::table::{BtlRunReads as _, Task};

/// The result of a round of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// The result of resolving due turns.
    pub due: DueReport,
    /// The number of turns whose story was written.
    pub narrated: usize,
    /// The result of archiving ended matches.
    pub archived: JobsReport,
    /// The result of erasing users.
    pub erased: JobsReport,
}

/// The state that a process keeps between rounds.
#[derive(Default)]
pub(crate) struct Backlog {
    pub(crate) schedule: Schedule,
    rounds: Rounds,
    pub(crate) counts: WorkCounts,
}

monotable_kit::measures! {
    /// The results of work since the process started, and what was left of it in the last round.
    pub(crate) struct WorkCounts {
        /// Turns of long matches that were resolved because their time was over.
        resolved: Counter = "monotable_due_resolved_total",
        /// Turns that could not be resolved when their time was over; each is tried again.
        unresolved: Counter = "monotable_due_failed_total",
        /// Turns that were still open after the last round although their time was over.
        overdue: Level = "monotable_due_overdue",
        /// How long the oldest turn that the last round found had been over, in seconds.
        lag_seconds: Level = "monotable_due_lag_seconds",
        /// Archives and erasures that are done.
        done: Counter = "monotable_tasks_done_total",
        /// Archives and erasures that failed; each is tried again later.
        failed: Counter = "monotable_tasks_failed_total",
        /// Archives and erasures that were left after the last round.
        waiting: Level = "monotable_tasks_waiting",
        /// Times something was met that can't be read, and the rest went on without it.
        unreadable: Counter = "monotable_tasks_unreadable_total",
    }
}

impl App {
    /// Does the work that is due. Call it every second: due turns are searched for once a minute of
    /// the clock, and everything else each time.
    ///
    /// # Errors
    /// Fails if the scheduled work can't be read. Individual failures are counted, and retried
    /// later.
    pub fn work(&self) -> BoxFuture<'_, Work> {
        Box::pin(async move {
            let due = due::resolve_due(self).await;
            let narrated = narrate::narrate_due(self).await;
            let archived = self.tasks(task::ARCHIVE).await;
            let erased = self.tasks(task::ERASE).await;
            if let (Ok(archived), Ok(erased)) = (&archived, &erased) {
                let left = archived.waiting + archived.failed + erased.waiting + erased.failed;
                self.backlog.counts.waiting.set(left as u64);
            }
            Ok(Work { due: due?, narrated: narrated?, archived: archived?, erased: erased? })
        })
    }

    /// Runs all tasks of a kind, each for one turn.
    async fn tasks(&self, kind: &'static str) -> Result<JobsReport, Problem> {
        let mut report = JobsReport::default();
        let tasks = self.db.tasks(&new_task(kind, kind, 0)?.kind).skip_unreadable();
        let name = |task: &Task| format!("{kind}#{}", task.task_id);
        let turn = |task: Task| async move {
            match kind {
                task::ARCHIVE => archive::run(self, task).await,
                _ => erase::run(self, task).await,
            }
        };
        self.backlog.rounds.run(&self.db, tasks, name, turn, &mut report).await?;
        self.backlog.counts.done.add(report.done as u64);
        self.backlog.counts.failed.add(report.failed as u64);
        Ok(report)
    }
}

impl Backlog {
    /// Records the result of a round of the scheduler.
    pub(crate) fn looked(&self, report: &DueReport) {
        self.counts.resolved.add(report.resolved as u64);
        self.counts.unresolved.add(report.failed as u64);
        self.counts.overdue.set(report.failed as u64);
        self.counts.lag_seconds.set(report.lag_seconds);
    }

    /// Records that something could not be read.
    pub(crate) fn unreadable(&self) {
        self.counts.unreadable.add(1);
    }

    /// Returns the row, if it can be read: an unreadable one must not stop work on the others.
    pub(crate) fn readable<E>(&self, row: Result<E, Error>) -> Result<Option<E>, Problem> {
        match row {
            Ok(row) => Ok(Some(row)),
            Err(Error::Decode { .. } | Error::Key { .. }) => {
                self.unreadable();
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }
}
