//! The threads that run the jobs: a few at the same time, each job once. All jobs are stopped
//! when the owner is dropped.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::error::{Error, Result};

/// How many jobs run at the same time; the others wait.
const RUNNING_MAX: usize = 2;

/// Counts the progress of a job, and stops it.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    cancel: AtomicBool,
    /// Items done so far.
    pub(crate) items: AtomicU64,
    /// Bytes read or written so far.
    pub(crate) bytes: AtomicU64,
    /// Invalid items.
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

    /// Fails if the job must stop. Jobs call it between any two steps.
    pub(crate) fn check(&self) -> Result<()> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Returns whether the job was cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    /// Cancels the job.
    pub(crate) fn cancel(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }

    /// Counts progress.
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

    /// Queues a job, unless one of this name is queued already or all are being stopped.
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
            // Without a new thread, the job is run by another thread later, or at the next
            // opening.
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

    /// Returns the control of a running or waiting job.
    pub(crate) fn control(&self, name: &str) -> Option<Arc<Control>> {
        self.lock().known.get(name).cloned()
    }

    /// Returns the controls of all running and waiting jobs.
    pub(crate) fn controls(&self) -> Vec<Arc<Control>> {
        self.lock().known.values().cloned().collect()
    }

    /// Returns the number of running and waiting jobs whose names begin with a prefix.
    pub(crate) fn count(&self, prefix: &str) -> usize {
        self.lock().known.keys().filter(|name| name.starts_with(prefix)).count()
    }

    /// Waits until all jobs have ended.
    pub(crate) fn wait(&self) {
        let mut state = self.lock();
        while state.threads > 0 {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Accepts no more jobs, stops the running ones, and waits for them.
    pub(crate) fn stop(&self) {
        let mut state = self.lock();
        state.is_stopping = true;
        state.waiting.clear();
        state.known.values().for_each(|control| control.stop());
        drop(state);
        self.wait();
    }
}

/// Removes a job from the list when it ends, also after a panic.
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
