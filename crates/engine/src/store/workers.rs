//! The background threads: one writes sealed rows to table files, one merges table files.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::failure::{describe, panicked};
use super::history::Retired;
use super::tables::Tables;
use super::{Compaction, StoreError};
use crate::error::Error;

/// The number of memtables that may wait to be flushed before commits wait.
const SEALED_MAX: usize = 3;
/// The number of runs of tables that may wait to be merged before commits wait.
const UNMERGED_RUNS_MAX: usize = 20;

/// The threads, and their work.
pub(super) struct Workers {
    shared: Arc<Shared>,
    threads: Vec<JoinHandle<()>>,
}

struct Shared {
    tables: Arc<Tables>,
    retired: Retired,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The segments of the log whose rows are sealed in memory, from the oldest to the newest: each is
    /// removed when its rows are in registered tables.
    sealed: VecDeque<PathBuf>,
    unmerged_runs: usize,
    /// The number of merges.
    merges: u64,
    is_merge_due: bool,
    full_merge: FullMerge,
    /// Whether tables can't be merged, because one of them is damaged.
    cannot_merge: bool,
    is_stopping: bool,
    /// Why a thread has stopped.
    failure: Option<String>,
}

/// A merge of all tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum FullMerge {
    #[default]
    None,
    Due,
    Running,
    Done,
}

impl Workers {
    /// Starts the threads. Rows that recovery has sealed, from these segments, are flushed at once.
    pub(super) fn start(
        tables: &Arc<Tables>,
        sealed: impl IntoIterator<Item = PathBuf>,
        retired: Retired,
    ) -> Result<Self, Error> {
        let state = State {
            sealed: sealed.into_iter().collect(),
            unmerged_runs: tables.unmerged_runs(),
            is_merge_due: true,
            ..State::default()
        };
        let shared = Arc::new(Shared {
            tables: Arc::clone(tables),
            retired,
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let mut workers = Self { shared, threads: Vec::new() };
        workers.spawn("monotable-flush", Shared::flush)?;
        workers.spawn("monotable-merge", Shared::merge)?;
        Ok(workers)
    }

    fn spawn(&mut self, name: &str, work: fn(&Shared)) -> Result<(), Error> {
        let shared = Arc::clone(&self.shared);
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || work(&shared))
            .map_err(|error| Error::Open(format!("a thread of the store can't start: {error}")))?;
        self.threads.push(thread);
        Ok(())
    }

    /// Adds rows that have just been sealed, with their segment.
    pub(super) fn add_sealed(&self, segment: PathBuf) {
        self.shared.state().sealed.push_back(segment);
        self.shared.changed.notify_all();
    }

    /// Requests a merge of all tables.
    pub(super) fn merge_all(&self) {
        self.shared.state().full_merge = FullMerge::Due;
        self.shared.changed.notify_all();
    }

    /// Returns whether a merge of all tables was requested and is not done.
    pub(super) fn is_merging_all(&self) -> bool {
        matches!(self.shared.state().full_merge, FullMerge::Due | FullMerge::Running)
    }

    /// Returns whether a merge of all tables is done, and resets that.
    pub(super) fn has_merged_all(&self) -> bool {
        let mut state = self.shared.state();
        let is_done = state.full_merge == FullMerge::Done;
        if is_done {
            state.full_merge = FullMerge::None;
        }
        is_done
    }

    /// Waits until a commit may add rows.
    pub(super) fn wait_for_room(&self) -> Result<(), StoreError> {
        self.wait_while(|state| {
            let is_merge_behind = state.unmerged_runs >= UNMERGED_RUNS_MAX && !state.cannot_merge;
            state.sealed.len() >= SEALED_MAX || is_merge_behind
        })
    }

    /// Returns how far tables are merged.
    pub(super) fn compaction(&self) -> Compaction {
        let state = self.shared.state();
        Compaction {
            merges: state.merges,
            unmerged_runs: state.unmerged_runs as u64,
            unmerged_runs_max: UNMERGED_RUNS_MAX as u64,
        }
    }

    /// Waits until all sealed rows are in table files.
    pub(super) fn wait_for_flush(&self) -> Result<(), StoreError> {
        self.wait_while(|state| !state.sealed.is_empty())
    }

    fn wait_while(&self, must_wait: impl Fn(&State) -> bool) -> Result<(), StoreError> {
        let mut state = self.shared.state();
        loop {
            if let Some(failure) = &state.failure {
                return Err(StoreError::Write(failure.clone()));
            }
            if !must_wait(&state) {
                return Ok(());
            }
            state = self.shared.wait(state);
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.shared.state().is_stopping = true;
        self.shared.changed.notify_all();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for work; returns `None` when the threads have to stop.
    fn next<T>(&self, take: impl Fn(&mut State) -> Option<T>) -> Option<T> {
        let mut state = self.state();
        loop {
            if state.is_stopping || state.failure.is_some() {
                return None;
            }
            if let Some(task) = take(&mut state) {
                return Some(task);
            }
            state = self.wait(state);
        }
    }

    fn fail(&self, reason: String) {
        self.state().failure.get_or_insert(reason);
        self.changed.notify_all();
    }

    fn flush(&self) {
        while let Some(count) = self.next(|state| Some(state.sealed.len()).filter(|n| *n > 0)) {
            // Rows that are sealed meanwhile may be flushed too; their segments are removed in the
            // next turn.
            if let Err(reason) = contain(|| self.tables.flush()) {
                return self.fail(format!("table files can't be written: {reason}"));
            }
            for _ in 0..count {
                let Some(segment) = self.state().sealed.front().cloned() else {
                    break;
                };
                if let Err(error) = self.retired.retire(&segment) {
                    return self.fail(error.to_string());
                }
                self.state().sealed.pop_front();
            }
            let unmerged_runs = self.tables.unmerged_runs();
            let mut state = self.state();
            (state.unmerged_runs, state.is_merge_due) = (unmerged_runs, true);
            drop(state);
            self.changed.notify_all();
        }
    }

    /// Merges all tables if that was requested, otherwise where it is due. Returns whether it did.
    fn merge_once(&self) -> Result<bool, lsm_tree::Error> {
        if self.state().full_merge != FullMerge::Running {
            return self.tables.compact();
        }
        self.tables.merge_all()?;
        self.state().full_merge = FullMerge::Done;
        Ok(true)
    }

    fn merge(&self) {
        while let Some(()) = self.next(State::take_merge) {
            match catch_unwind(AssertUnwindSafe(|| self.merge_once())) {
                Ok(Ok(has_changed)) => {
                    let unmerged_runs = self.tables.unmerged_runs();
                    let mut state = self.state();
                    state.unmerged_runs = unmerged_runs;
                    state.merges += u64::from(has_changed);
                    state.is_merge_due |= has_changed;
                }
                Ok(Err(error @ lsm_tree::Error::Io(_))) => {
                    let reason = describe(&error);
                    return self.fail(format!("table files can't be merged: {reason}"));
                }
                // Writes continue with more tables to read; the scrub names the damaged one.
                Ok(Err(_)) | Err(_) => {
                    self.state().cannot_merge = true;
                    self.changed.notify_all();
                    return;
                }
            }
            self.changed.notify_all();
        }
    }
}

impl State {
    /// Takes the pending merge, if any.
    fn take_merge(&mut self) -> Option<()> {
        let is_full = self.full_merge == FullMerge::Due;
        if is_full {
            self.full_merge = FullMerge::Running;
        }
        (std::mem::take(&mut self.is_merge_due) || is_full).then_some(())
    }
}

/// Runs an operation of the tree on its files, and returns the reason if it fails.
fn contain<T>(work: impl FnOnce() -> Result<T, lsm_tree::Error>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result.map_err(|error| describe(&error)),
        Err(_) => Err(panicked()),
    }
}
