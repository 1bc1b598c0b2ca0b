//! The background work of the services, on a thread for each: jobs that were left, messages to send.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Result, anyhow};
use tokio::runtime::Runtime;

use super::hosted::{BoxFuture, Running};
use super::{OpenService, Services};

/// When something is done.
#[derive(Clone, Copy)]
pub(super) struct Rhythm {
    /// How long a thread rests between two rounds.
    pub(super) pause: Duration,
    /// The first round that sweeps: not all at once after a start.
    pub(super) first_sweep: u64,
    /// Rounds from one sweep to the next.
    pub(super) sweep_rounds: u64,
}

/// A round every second, and a sweep every day.
const RHYTHM: Rhythm =
    Rhythm { pause: Duration::from_secs(1), first_sweep: 10 * 60, sweep_rounds: 24 * 60 * 60 };

/// The threads. Each ends with the round that it is in when this is dropped.
pub(crate) struct Worker {
    stops: Vec<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl Worker {
    /// Starts the threads, with what is to be done once before everything else.
    pub(crate) fn start(services: &Services, backfills: bool) -> Result<Self> {
        Self::start_in(RHYTHM, services, backfills)
    }

    pub(super) fn start_in(rhythm: Rhythm, services: &Services, backfills: bool) -> Result<Self> {
        let mut worker = Self { stops: Vec::new(), threads: Vec::new() };
        for OpenService { name, running, .. } in &*services.open {
            let (stop, stopped) = channel();
            let (name, running) = (*name, Arc::clone(running));
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            let thread = std::thread::Builder::new().name(format!("monotable-{name}"));
            let rounds = move || {
                if backfills {
                    backfill(&runtime, name, &*running);
                }
                keep_working(&runtime, name, &*running, &stopped, rhythm);
            };
            worker.threads.push(thread.spawn(rounds)?);
            worker.stops.push(stop);
        }
        Ok(worker)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.stops.clear();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

fn backfill(runtime: &Runtime, name: &str, service: &dyn Running) {
    match done(runtime, service.backfill()) {
        Ok(report) => println!("Backfilled {name}: {report}"),
        Err(error) => eprintln!("the backfill of {name} stopped: {error:#}"),
    }
}

/// Does the work of a service until the other end of the channel is dropped.
fn keep_working(
    runtime: &Runtime,
    name: &str,
    service: &dyn Running,
    stopped: &Receiver<()>,
    rhythm: Rhythm,
) {
    let mut round = 0;
    loop {
        work(runtime, name, service, round % rhythm.sweep_rounds == rhythm.first_sweep);
        if stopped.recv_timeout(rhythm.pause) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        round += 1;
    }
}

/// One round of work. What fails is tried again in another one, and does not keep the rest from being
/// done.
fn work(runtime: &Runtime, name: &str, service: &dyn Running, sweeps: bool) {
    let swept = sweeps.then(|| done(runtime, service.sweep()));
    for result in [Some(done(runtime, service.work())), swept].into_iter().flatten() {
        if let Err(error) = result {
            eprintln!("{name}'s background work: {error:#}");
        }
    }
}

/// Waits for something; a panic on the way is an error like others.
fn done<T>(runtime: &Runtime, promise: BoxFuture<'_, T>) -> Result<T> {
    let result = catch_unwind(AssertUnwindSafe(|| runtime.block_on(promise)));
    result.unwrap_or_else(|_| Err(anyhow!("it panicked; standard error says where")))
}
