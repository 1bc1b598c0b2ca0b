//! The committer: takes jobs in batches, commits them together, and sends all results.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::chore::{Chore, Progress};
use super::pending::{Pending, pending};
use super::stage::Stage;
use super::view::Shared;
use crate::error::{Error, Result};
use crate::options::Durability;

/// How many jobs may wait; a caller beyond that waits before it can add its job.
const QUEUE_JOBS_MAX: usize = 4096;
/// How many jobs share one commit: enough to make the sync cheap, few enough to keep it short.
const BATCH_JOBS_MAX: usize = 512;

/// Runs in the committer thread; returns what to call when the outcome is durable.
type Job = Box<dyn for<'a> FnOnce(&mut Stage<'a>) -> Answer + Send>;
type Answer = Box<dyn FnOnce(Result<()>) + Send>;

/// The one writer.
pub(crate) struct Committer {
    shared: Arc<Shared>,
    mode: Mode,
}

enum Mode {
    /// The caller commits, one at a time.
    Inline(Mutex<VecDeque<Chore>>),
    /// A thread commits for everybody.
    Thread { jobs: Option<SyncSender<Job>>, thread: Option<JoinHandle<()>> },
}

impl Committer {
    /// Creates a committer for a store in memory.
    pub(crate) fn inline(shared: Arc<Shared>) -> Self {
        Self { shared, mode: Mode::Inline(Mutex::default()) }
    }

    /// Creates a committer thread for a store on disk, which continues unfinished chores.
    pub(crate) fn thread(shared: Arc<Shared>) -> Result<Self> {
        let chores = Chore::unfinished(&*shared.view().snapshot)?;
        let (jobs, queue) = sync_channel(QUEUE_JOBS_MAX);
        let worker = Worker { shared: Arc::clone(&shared), queue, chores: chores.into() };
        let thread = std::thread::Builder::new()
            .name("monotable-commit".to_owned())
            .spawn(move || worker.run())
            .map_err(|error| Error::Open(format!("the committer can't start: {error}")))?;
        Ok(Self { shared, mode: Mode::Thread { jobs: Some(jobs), thread: Some(thread) } })
    }

    /// Runs a write and waits for it.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl for<'a> FnOnce(&mut Stage<'a>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        match &self.mode {
            Mode::Inline(chores) => self.run_inline(lock(chores), work),
            Mode::Thread { .. } => self.submit(work).wait(),
        }
    }

    /// Queues a write; the result comes when it is durable.
    pub(crate) fn submit<T: Send + 'static>(
        &self,
        work: impl for<'a> FnOnce(&mut Stage<'a>) -> Result<T> + Send + 'static,
    ) -> Pending<T> {
        match &self.mode {
            Mode::Inline(chores) => Pending::ready(self.run_inline(lock(chores), work)),
            Mode::Thread { jobs, .. } => {
                let (filler, pending) = pending();
                let job: Job = Box::new(move |stage| {
                    let outcome = work(stage);
                    Box::new(move |commit| filler.fill(commit.and(outcome)))
                });
                if let Some(jobs) = jobs {
                    // If the thread is gone the job is dropped, and its filler reports that.
                    let _ = jobs.send(job);
                }
                pending
            }
        }
    }

    fn run_inline<T>(
        &self,
        mut chores: MutexGuard<'_, VecDeque<Chore>>,
        work: impl for<'a> FnOnce(&mut Stage<'a>) -> Result<T>,
    ) -> Result<T> {
        let mut stage = Stage::new(&self.shared);
        let outcome = work(&mut stage)?;
        self.shared.meters.count_batch(1);
        chores.extend(commit(&self.shared, stage)?);
        while let Some(chore) = chores.front() {
            if step(&self.shared, chore)? == Progress::Done {
                chores.pop_front();
            }
        }
        Ok(outcome)
    }
}

impl Drop for Committer {
    fn drop(&mut self) {
        if let Mode::Thread { jobs, thread } = &mut self.mode {
            // Closing the queue lets the thread finish what it has and stop.
            drop(jobs.take());
            if let Some(thread) = thread.take() {
                let _ = thread.join();
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a stage durable, then visible. Returns the chores that it queued.
fn commit(shared: &Shared, stage: Stage<'_>) -> Result<Vec<Chore>> {
    // Also for a batch that changes nothing: it may have read the rows of a failed commit.
    shared.check_poison()?;
    if stage.is_empty() {
        return Ok(Vec::new());
    }
    let staged = stage.finish();
    let started = shared.syncs_every_commit().then(Instant::now);
    let mut is_visible = false;
    let publish = &mut |rows| {
        shared.publish(rows, &staged.catalog);
        is_visible = true;
    };
    if let Err(error) = shared.store.commit(staged.writes, publish) {
        let error = Error::from(error);
        shared.poison(&error);
        // A commit that others can read has succeeded; only the next ones fail.
        if !is_visible {
            return Err(error);
        }
    }
    if let Some(started) = started {
        shared.meters.count_sync(started.elapsed());
    }
    for (table, counts) in staged.counts {
        table.counts.replace(counts);
    }
    shared.remember_for_lag();
    Ok(staged.chores)
}

fn step(shared: &Shared, chore: &Chore) -> Result<Progress> {
    let mut stage = Stage::new(shared);
    let progress = chore.step(&mut stage)?;
    commit(shared, stage)?;
    Ok(progress)
}

/// The committer thread.
struct Worker {
    shared: Arc<Shared>,
    queue: Receiver<Job>,
    chores: VecDeque<Chore>,
}

/// What the queue contained.
enum Received {
    Job(Job),
    Nothing,
    Closed,
}

impl Worker {
    fn run(mut self) {
        let mut unsynced_since: Option<Instant> = None;
        loop {
            match self.receive(unsynced_since) {
                Received::Job(first) => {
                    self.run_batch(first);
                    if self.sync_every().is_some() {
                        unsynced_since.get_or_insert_with(Instant::now);
                    }
                }
                Received::Nothing => {}
                Received::Closed => break,
            }
            self.step_chore();
            self.sync_if_due(&mut unsynced_since);
        }
        if let Err(error) = self.shared.store.sync() {
            self.shared.poison(&error.into());
        }
    }

    fn sync_every(&self) -> Option<Duration> {
        match self.shared.options.durability {
            Durability::Full => None,
            Durability::Relaxed { sync_every } => Some(sync_every),
        }
    }

    /// Waits for a job, but not if a chore is pending, and not longer than until the next sync.
    fn receive(&self, unsynced_since: Option<Instant>) -> Received {
        if !self.chores.is_empty() {
            return match self.queue.try_recv() {
                Ok(job) => Received::Job(job),
                Err(TryRecvError::Empty) => Received::Nothing,
                Err(TryRecvError::Disconnected) => Received::Closed,
            };
        }
        match (unsynced_since, self.sync_every()) {
            (Some(since), Some(sync_every)) => {
                match self.queue.recv_timeout(sync_every.saturating_sub(since.elapsed())) {
                    Ok(job) => Received::Job(job),
                    Err(RecvTimeoutError::Timeout) => Received::Nothing,
                    Err(RecvTimeoutError::Disconnected) => Received::Closed,
                }
            }
            _ => self.queue.recv().map_or(Received::Closed, Received::Job),
        }
    }

    fn run_batch(&mut self, first: Job) {
        let mut stage = Stage::new(&self.shared);
        let mut answers = vec![first(&mut stage)];
        while answers.len() < BATCH_JOBS_MAX {
            match self.queue.try_recv() {
                Ok(job) => answers.push(job(&mut stage)),
                Err(_) => break,
            }
        }
        self.shared.meters.count_batch(answers.len());
        let result = commit(&self.shared, stage).map(|chores| self.chores.extend(chores));
        for answer in answers {
            answer(result.clone());
        }
    }

    fn step_chore(&mut self) {
        if let Some(chore) = self.chores.front() {
            match step(&self.shared, chore) {
                Ok(Progress::More) => {}
                Ok(Progress::Done) => drop(self.chores.pop_front()),
                // The chore's row stays, so the next process continues it.
                Err(_) => self.chores.clear(),
            }
        }
    }

    fn sync_if_due(&self, unsynced_since: &mut Option<Instant>) {
        if let (Some(since), Some(sync_every)) = (*unsynced_since, self.sync_every())
            && since.elapsed() >= sync_every
        {
            let started = Instant::now();
            match self.shared.store.sync() {
                Ok(()) => self.shared.meters.count_sync(started.elapsed()),
                Err(error) => self.shared.poison(&error.into()),
            }
            *unsynced_since = None;
        }
    }
}
