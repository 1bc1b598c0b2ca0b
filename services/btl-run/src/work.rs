//! Work in the background: turns whose time has come, stories that are not told yet, ended matches
//! that are to be forgotten in time, and people who want to be.
//!
//! All of it is promised by rows, so that it does not matter which process does it, or how often one
//! begins: whatever is done again changes nothing.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use monotable::model::Error;
use monotable_kit::{BoxFuture, Counter, Level, Metrics, Problem};

use crate::app::App;
use crate::change::task;
use crate::commands::due::{self, DueReport, Schedule};
use crate::commands::{archive, erase, narrate};
use crate::table::{BtlRunReads as _, Task, TaskKind};

/// How long work that failed waits at first; twice as long after each further failure.
const WAIT_MIN_MS: i64 = 1_000;
/// How long it waits at most.
const WAIT_MAX_MS: i64 = 15 * 60 * 1_000;

/// What a round of work did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// What became of matches whose turn had to be resolved.
    pub due: DueReport,
    /// Turns whose story was told.
    pub narrated: usize,
    /// What became of ended matches.
    pub archived: TasksReport,
    /// What became of people who want to be forgotten.
    pub erased: TasksReport,
}

/// What became of promised work of a kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TasksReport {
    /// Work that is done.
    pub done: usize,
    /// Work that failed and will be tried again.
    pub failed: usize,
    /// Work that is not over, is somebody else's right now, or waits after a failure.
    pub waiting: usize,
}

/// What became of one task in one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// It is over.
    Done,
    /// There is more to do, later.
    Waits,
}

/// What a process remembers of its rounds.
#[derive(Default)]
pub(crate) struct Backlog {
    pub(crate) schedule: Schedule,
    failures: Mutex<BTreeMap<(&'static str, String), Failures>>,
    resolved: Counter,
    unresolved: Counter,
    overdue: Level,
    lag_seconds: Level,
    done: Counter,
    failed: Counter,
    waiting: Level,
    unreadable: Counter,
}

/// How often work failed in a row, and when it is tried again.
#[derive(Clone, Copy, Default)]
struct Failures {
    count: u32,
    again_at_ms: i64,
}

impl App {
    /// Does what is due. Request it every second: turns are looked for once a minute, as the clock shows
    /// it, and everything else each time.
    ///
    /// # Errors
    /// If what is promised can't be read. What fails by itself is counted, and tried again later.
    pub fn work(&self) -> BoxFuture<'_, Work> {
        Box::pin(async move {
            let due = due::resolve_due(self).await;
            let narrated = narrate::narrate_due(self).await;
            let archived = self.tasks(task::ARCHIVE).await;
            let erased = self.tasks(task::ERASE).await;
            if let (Ok(archived), Ok(erased)) = (&archived, &erased) {
                let left = archived.waiting + archived.failed + erased.waiting + erased.failed;
                self.backlog.waiting.set(left as u64);
            }
            Ok(Work { due: due?, narrated: narrated?, archived: archived?, erased: erased? })
        })
    }

    /// Does all tasks of a kind, each for one turn.
    async fn tasks(&self, kind: &'static str) -> Result<TasksReport, Problem> {
        let mut report = TasksReport::default();
        let name = TaskKind::new(kind).map_err(|error| Problem::internal(error.to_string()))?;
        let mut tasks = self.db.tasks(&name).skip_unreadable().stream();
        while let Some(task) = tasks.next().await {
            let task = task?;
            let id = (kind, task.task_id.as_str().to_owned());
            if self.backlog.is_waiting(&id, self.now_ms()) {
                report.waiting += 1;
                continue;
            }
            match self.turn(kind, task).await {
                Ok(Turn::Done) => report.done += 1,
                Ok(Turn::Waits) => report.waiting += 1,
                // Somebody else changed what it is about, or does it too.
                Err(problem) if problem.is_version_conflict() => report.waiting += 1,
                Err(_) => {
                    report.failed += 1;
                    self.backlog.put_off(id, self.now_ms());
                    continue;
                }
            }
            self.backlog.forgive(&id);
        }
        self.backlog.done.add(report.done as u64);
        self.backlog.failed.add(report.failed as u64);
        Ok(report)
    }

    async fn turn(&self, kind: &str, task: Task) -> Result<Turn, Problem> {
        match kind {
            task::ARCHIVE => archive::run(self, task).await,
            _ => erase::run(self, task).await,
        }
    }
}

impl Backlog {
    /// Notes what a round of the scheduler found.
    pub(crate) fn looked(&self, report: &DueReport) {
        self.resolved.add(report.resolved as u64);
        self.unresolved.add(report.failed as u64);
        self.overdue.set(report.failed as u64);
        self.lag_seconds.set(report.lag_seconds);
    }

    /// Tells what was done and what is left.
    pub(crate) fn measure(&self, metrics: &Metrics) {
        let about = "Turns of long matches that were resolved because their time was over.";
        metrics.count("monotable_due_resolved_total", about, &self.resolved);
        let about =
            "Turns that could not be resolved when their time was over; each is tried again.";
        metrics.count("monotable_due_failed_total", about, &self.unresolved);
        let about = "Turns that were still open after the last round although their time was over.";
        metrics.level("monotable_due_overdue", about, &self.overdue);
        let about = "How long the oldest turn that the last round found had been over, in seconds.";
        metrics.level("monotable_due_lag_seconds", about, &self.lag_seconds);
        let about = "Archives and erasures that are done.";
        metrics.count("monotable_tasks_done_total", about, &self.done);
        let about = "Archives and erasures that failed; each is tried again later.";
        metrics.count("monotable_tasks_failed_total", about, &self.failed);
        let about = "Archives and erasures that were left after the last round.";
        metrics.level("monotable_tasks_waiting", about, &self.waiting);
        let about = "Times something was met that can't be read, and the rest went on without it.";
        metrics.count("monotable_tasks_unreadable_total", about, &self.unreadable);
    }

    /// Notes that something could not be read.
    pub(crate) fn unreadable(&self) {
        self.unreadable.add(1);
    }

    /// The row, if it can be read: one that can't be must not stop work on the others.
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

    fn is_waiting(&self, id: &(&'static str, String), now: i64) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.get(id).is_some_and(|failures| now < failures.again_at_ms)
    }

    fn put_off(&self, id: (&'static str, String), now: i64) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        let failures = failures.entry(id).or_default();
        let wait = WAIT_MIN_MS.saturating_mul(1 << failures.count.min(20)).min(WAIT_MAX_MS);
        failures.count = failures.count.saturating_add(1);
        failures.again_at_ms = now + wait;
    }

    fn forgive(&self, id: &(&'static str, String)) {
        self.failures.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
    }
}
