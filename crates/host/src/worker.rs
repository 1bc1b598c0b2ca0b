//! The background work of the services, on a thread for each: a service whose work fails or takes
//! long does not disturb the others. Where several processes share the tables, another thread for
//! each publishes the changes of the other processes.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use tokio::runtime::Runtime;

use crate::error::{BoxError, Error, with_causes};
use crate::service::{BoxFuture, RunningService};
use crate::services::{NamedService, Services};

/// The schedule of background work.
#[derive(Clone, Copy)]
pub(crate) struct Rhythm {
    /// The pause between two rounds.
    pub(crate) pause: Duration,
    /// The first round that sweeps: services don't all sweep right after a start.
    pub(crate) first_sweep: u64,
    /// Rounds from one sweep to the next.
    pub(crate) sweep_rounds: u64,
}

/// A round every second, and a sweep every day.
const RHYTHM: Rhythm =
    Rhythm { pause: Duration::from_secs(1), first_sweep: 10 * 60, sweep_rounds: 24 * 60 * 60 };

/// Whether rows of older programs are brought up to date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backfill {
    /// Once, before other background work.
    AtStart,
    /// Not at all.
    Never,
}

/// The threads that do the background work. When it is dropped, each ends after the round that it is in.
pub struct Worker {
    stops: Vec<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl Worker {
    /// Starts a thread for each service.
    ///
    /// # Errors
    /// Returns [`Error::Thread`] if the operating system starts no more threads.
    pub fn start(services: &Services, backfill: Backfill) -> Result<Self, Error> {
        Self::start_in(RHYTHM, services, backfill)
    }

    pub(crate) fn start_in(
        rhythm: Rhythm,
        services: &Services,
        backfill: Backfill,
    ) -> Result<Self, Error> {
        let mut worker = Self { stops: Vec::new(), threads: Vec::new() };
        for service in &*services.open {
            let (stop, stopped) = channel();
            let thread = start_thread(rhythm, service, backfill, stopped)
                .map_err(|source| Error::Thread { service: service.name, source })?;
            worker.threads.push(thread);
            worker.stops.push(stop);
            if services.are_tables_shared {
                let (stop, stopped) = channel();
                let thread = start_refreshing(rhythm, service, stopped)
                    .map_err(|source| Error::Thread { service: service.name, source })?;
                worker.threads.push(thread);
                worker.stops.push(stop);
            }
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

fn start_thread(
    rhythm: Rhythm,
    service: &NamedService,
    backfill: Backfill,
    stopped: Receiver<()>,
) -> io::Result<JoinHandle<()>> {
    let (name, running) = (service.name, Arc::clone(&service.running));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name(format!("monotable-{name}")).spawn(move || {
        if backfill == Backfill::AtStart {
            run_backfill(&runtime, name, &*running);
        }
        keep_working(&runtime, name, &*running, &stopped, rhythm);
    })
}

/// Starts the thread that publishes the changes of other processes. Other background work may take
/// too long for that.
fn start_refreshing(
    rhythm: Rhythm,
    service: &NamedService,
    stopped: Receiver<()>,
) -> io::Result<JoinHandle<()>> {
    let (name, running) = (service.name, Arc::clone(&service.running));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name(format!("monotable-{name}-live")).spawn(move || {
        loop {
            if let Err(error) = wait_for(&runtime, running.refresh()) {
                log::error!("{name}'s followers: {}", with_causes(&error));
            }
            if stopped.recv_timeout(rhythm.pause) != Err(RecvTimeoutError::Timeout) {
                return;
            }
        }
    })
}

fn run_backfill(runtime: &Runtime, name: &str, service: &dyn RunningService) {
    match wait_for(runtime, service.backfill()) {
        Ok(report) => println!("Backfilled {name}: {report}"),
        Err(error) => log::error!("the backfill of {name} stopped: {}", with_causes(&error)),
    }
}

/// Runs the background work of a service until the other end of the channel is dropped.
fn keep_working(
    runtime: &Runtime,
    name: &str,
    service: &dyn RunningService,
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

/// Runs one round of work. Failed parts are retried in another round, and do not prevent the other
/// parts.
fn work(runtime: &Runtime, name: &str, service: &dyn RunningService, sweeps: bool) {
    let swept = sweeps.then(|| wait_for(runtime, service.sweep()));
    for result in [Some(wait_for(runtime, service.work())), swept].into_iter().flatten() {
        if let Err(error) = result {
            log::error!("{name}'s background work: {}", with_causes(&error));
        }
    }
}

/// Waits for a future; a panic becomes an error.
fn wait_for<T>(runtime: &Runtime, future: BoxFuture<'_, T>) -> Result<T, BoxError> {
    let result = catch_unwind(AssertUnwindSafe(|| runtime.block_on(future)));
    result.unwrap_or_else(|_| Err("it panicked; see standard error".into()))
}
