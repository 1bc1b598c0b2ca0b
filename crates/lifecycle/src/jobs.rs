//! The threads that do the jobs: a few at a time, each job once, and all of them told to stop when the owner goes.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};

/// How many jobs run at the same time; the others wait.
const RUNNING_MAX: usize = 2;

/// Counts what a job has done so far, and stops it.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    cancel: AtomicBool,
    /// Items done so far.
    pub(crate) items: AtomicU64,
    /// Bytes read or written so far.
    pub(crate) bytes: AtomicU64,
    /// Items that were wrong.
    pub(crate) errors: AtomicU64,
}

impl Control {
    /// Returns how many items the job has read or written.
    pub fn items_done(&self) -> u64 {
        self.items.load(Ordering::Relaxed)
    }

    /// Returns how many bytes the job has read or written.
    pub fn bytes_done(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Stops the job at its next step.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the job goes on. It asks between any two steps.
    pub(crate) fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Whether somebody has cancelled it.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Cancels the job.
    pub(crate) fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Counts what is done.
    pub(crate) fn count(&self, items: u64, bytes: u64) {
        self.items.fetch_add(items, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }
}

type Task = Box<dyn FnOnce(&Control) + Send>;

/// The jobs that run or wait, by name.
#[derive(Default)]
pub(crate) struct Jobs {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    known: BTreeMap<String, Arc<Control>>,
    waiting: VecDeque<(String, Arc<Control>, Task)>,
    threads: usize,
    is_stopping: bool,
}

impl Jobs {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues a job, unless one of this name is there already or all are about to stop.
    pub(crate) fn start(
        self: &Arc<Self>,
        name: &str,
        task: impl FnOnce(&Control) + Send + 'static,
    ) {
        let mut state = self.lock();
        if state.is_stopping || state.known.contains_key(name) {
            return;
        }
        let control = Arc::new(Control::default());
        state.known.insert(name.to_owned(), Arc::clone(&control));
        state.waiting.push_back((name.to_owned(), control, Box::new(task)));
        if state.threads < RUNNING_MAX {
            let jobs = Arc::clone(self);
            let thread = std::thread::Builder::new().name("monotable-job".to_owned());
            // Without a thread the job waits for one that runs, or for the next opening.
            if thread.spawn(move || jobs.work()).is_ok() {
                state.threads += 1;
            }
        }
    }

    fn work(&self) {
        while let Some((name, control, task)) = self.next() {
            let finished = Finished { jobs: self, name };
            task(&control);
            drop(finished);
        }
    }

    fn next(&self) -> Option<(String, Arc<Control>, Task)> {
        let mut state = self.lock();
        let task = state.waiting.pop_front();
        if task.is_none() {
            state.threads -= 1;
            self.changed.notify_all();
        }
        task
    }

    /// The control of a job that runs or waits.
    pub(crate) fn control(&self, name: &str) -> Option<Arc<Control>> {
        self.lock().known.get(name).cloned()
    }

    /// The controls of all jobs that run or wait.
    pub(crate) fn controls(&self) -> Vec<Arc<Control>> {
        self.lock().known.values().cloned().collect()
    }

    /// How many jobs run or wait whose names begin so.
    pub(crate) fn count(&self, prefix: &str) -> usize {
        self.lock().known.keys().filter(|name| name.starts_with(prefix)).count()
    }

    /// Waits until no job runs or waits.
    pub(crate) fn wait(&self) {
        let mut state = self.lock();
        while state.threads > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes no more jobs, tells those that run to stop, and waits for them.
    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.is_stopping = true;
        state.waiting.clear();
        state.known.values().for_each(|control| control.stop());
        drop(state);
        self.wait();
    }
}

/// Forgets a job when it ends, also by a panic.
struct Finished<'a> {
    jobs: &'a Jobs,
    name: String,
}

impl Drop for Finished<'_> {
    fn drop(&mut self) {
        let mut state = self.jobs.lock();
        state.known.remove(&self.name);
        if std::thread::panicking() {
            state.threads -= 1;
        }
        self.jobs.changed.notify_all();
    }
}
