//! Processes that share the requests to a world while its backend has faults. One that has died is replaced.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use monotable::ManualClock;
use monotable_host::RunningService;
use tokio::sync::Mutex as AsyncMutex;

use super::{Setting, Subject, World};
use crate::faulty::{FaultCounts, FaultMode, FaultPlan, Faulty};

/// Processes at the same time.
const PROCESSES: usize = 2;
/// Longer than a lease of a job or lock that a process held when it died.
const LEASE_MS: u64 = 2 * 60 * 1000;

/// The faults of a history, and the processes that have them.
#[derive(Clone)]
pub struct Faults {
    plan: FaultPlan,
    workers: Arc<Mutex<Vec<Worker>>>,
}

/// A process that does background work.
#[derive(Clone)]
struct Worker {
    running: Arc<dyn RunningService>,
    clock: Arc<ManualClock>,
}

impl Faults {
    /// Makes faults that have not begun.
    pub fn new(seed: u64) -> Self {
        Self { plan: FaultPlan::new(seed), workers: Arc::default() }
    }

    /// Begins.
    pub fn begin(&self) {
        self.plan.set(FaultMode::Random);
    }

    /// Ends, and lets the leases of dead processes end.
    pub fn end(&self) {
        self.plan.set(FaultMode::None);
        if let Some(worker) = self.workers().last() {
            worker.clock.advance_ms(LEASE_MS);
        }
    }

    /// Returns what has happened so far.
    pub fn counts(&self) -> FaultCounts {
        self.plan.counts()
    }

    /// Does the background work of all processes once. What fails is tried again later.
    pub async fn work(&self) {
        for Worker { running, .. } in self.workers() {
            let _ = running.refresh().await;
            let _ = running.work().await;
        }
    }

    fn workers(&self) -> Vec<Worker> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The processes of one world.
pub(super) struct Fleet<S: Subject> {
    faults: Faults,
    processes: [AsyncMutex<Option<Process<S>>>; PROCESSES],
    requests: AtomicUsize,
}

struct Process<S: Subject> {
    backend: Faulty,
    world: Arc<World<S>>,
}

impl<S: Subject> Fleet<S> {
    pub(super) fn new(faults: Faults) -> Self {
        Self { faults, processes: Default::default(), requests: AtomicUsize::new(0) }
    }

    /// Returns the process that responds to the next request to this world.
    pub(super) async fn next(&self, world: &World<S>) -> Arc<World<S>> {
        let number = self.requests.fetch_add(1, Ordering::Relaxed) % PROCESSES;
        let mut process = self.processes[number].lock().await;
        match &*process {
            Some(living) if !living.backend.has_died() => Arc::clone(&living.world),
            _ => {
                let started = Box::pin(self.start(world)).await;
                let world = Arc::clone(&started.world);
                *process = Some(started);
                world
            }
        }
    }

    async fn start(&self, world: &World<S>) -> Process<S> {
        let backend = S::backend(&world.database, &world.clock).await;
        let backend = self.faults.plan.process(backend);
        let setting = Setting { faults: None, ..world.setting().clone() };
        let blobs = Arc::new(setting.blobs.clone());
        let started = world.process(setting, Arc::new(backend.clone()), blobs).await;
        let (running, clock) = (Arc::clone(&started.running), Arc::clone(&started.clock));
        let mut workers = self.faults.workers.lock().unwrap_or_else(PoisonError::into_inner);
        // The last ones live, or have just died.
        if workers.len() == 2 * PROCESSES {
            workers.remove(0);
        }
        workers.push(Worker { running, clock });
        drop(workers);
        Process { backend, world: Arc::new(started) }
    }
}
