//! A whole run: find the server, create and fill the table, measure, clean up.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use crate::drive::{Goal, Job, Shared, drive};
use crate::numbers::Numbers;
use crate::options::TableEnd;
use crate::random;
use crate::report::{Fill, Report};
use crate::table::{self, Presence};
use crate::tally::Tally;
use crate::{Client, Endpoint, Error, Operation, Options, Progress, Result};

/// How often the progress callback is called.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// The progress callback; with `Break` the run ends early and cleans up.
type Watcher<'a> = dyn FnMut(Progress<'_>) -> ControlFlow<()> + 'a;

/// Measures an endpoint.
pub fn run(options: &Options, watcher: &mut Watcher<'_>) -> Result<Report> {
    options.check()?;
    let endpoint = Endpoint::parse(&options.endpoint, options.authority.as_deref())?;
    let seed = options.seed.unwrap_or_else(|| random::fresh() >> 32);
    let own_name = || format!("monotable-bench-{:012x}", random::fresh() >> 16);
    let table = options.table.clone().unwrap_or_else(own_name);
    let client = Client::new(endpoint.clone(), options.credentials.clone());
    Run { options, endpoint, client, table, seed }.run(watcher)
}

struct Run<'a> {
    options: &'a Options,
    endpoint: Endpoint,
    client: Client,
    table: String,
    seed: u64,
}

impl Run<'_> {
    fn run(mut self, watcher: &mut Watcher<'_>) -> Result<Report> {
        let presence = table::find(&mut self.client, &self.table)?;
        let result = self.prepare_and_measure(presence, watcher);
        // A run deletes only the table that it has created.
        if presence == Presence::Exists || self.options.table_end == TableEnd::Keep {
            return result;
        }
        let _ = watcher(Progress::Deleting { table: &self.table });
        match (result, table::delete(&mut self.client, &self.table)) {
            (Ok(mut report), Err(error)) => {
                report.notes.push(format!("table {} was not deleted: {error}", self.table));
                Ok(report)
            }
            (result, _) => result,
        }
    }

    fn prepare_and_measure(
        &mut self,
        presence: Presence,
        watcher: &mut Watcher<'_>,
    ) -> Result<Report> {
        let fill = match presence {
            Presence::Missing => {
                told(watcher(Progress::Creating { table: &self.table }))?;
                table::create(&mut self.client, &self.table)?;
                Some(self.fill(watcher)?)
            }
            Presence::Exists => {
                // Its last item exists only if an earlier run has written as many items.
                let last = self.options.items - 1;
                table::probe(&mut self.client, Operation::Get, &self.table, last)?;
                None
            }
        };
        let mut figures = Vec::new();
        for operation in self.options.operations.iter().copied() {
            let mut numbers = self.numbers(operation, self.options.threads);
            let number = numbers.next().unwrap_or_default();
            table::probe(&mut self.client, operation, &self.table, number)?;
            let tally = self.measure(operation, watcher)?;
            figures.push(tally.figure(operation, self.options.seconds));
        }
        Ok(Report {
            endpoint: self.endpoint.to_string(),
            table: self.table.clone(),
            seed: self.seed,
            items: self.options.items,
            connections: self.options.connections,
            threads: self.threads(),
            seconds: self.options.seconds,
            signed: self.options.credentials.keys.is_some(),
            fill,
            figures,
            notes: Vec::new(),
        })
    }

    /// No thread is without a connection.
    fn threads(&self) -> usize {
        self.options.threads.min(self.options.connections)
    }

    fn numbers(&self, operation: Operation, thread: usize) -> Numbers {
        Numbers::of(operation, self.options.items, self.seed, thread)
    }

    fn fill(&self, watcher: &mut Watcher<'_>) -> Result<Fill> {
        let items = self.options.items;
        let start = Instant::now();
        self.drive(
            self.job(Operation::Batch, Goal::Fill),
            |thread| Numbers::fill(items, thread, self.threads()),
            |batches| {
                let written = (batches * Operation::Batch.items()).min(items);
                watcher(Progress::Filling { items: written, items_total: items })
            },
        )?;
        Ok(Fill { items, seconds: start.elapsed().as_secs_f64() })
    }

    fn measure(&self, operation: Operation, watcher: &mut Watcher<'_>) -> Result<Tally> {
        let warm_up = Duration::from_secs_f64(self.options.warm_up_seconds);
        let measured = Duration::from_secs_f64(self.options.seconds);
        let seconds_total = (warm_up + measured).as_secs_f64();
        let start = Instant::now();
        self.drive(
            self.job(operation, Goal::Measure { warm_up, measured }),
            |thread| self.numbers(operation, thread),
            |requests| {
                let seconds = start.elapsed().as_secs_f64().min(seconds_total);
                watcher(Progress::Measuring { operation, requests, seconds, seconds_total })
            },
        )
    }

    fn job(&self, operation: Operation, goal: Goal) -> Job<'_> {
        let credentials = &self.options.credentials;
        Job { endpoint: &self.endpoint, credentials, table: &self.table, operation, goal }
    }

    /// Runs a job on all threads, and reports the number of responses in the meantime.
    fn drive(
        &self,
        job: Job<'_>,
        numbers: impl Fn(usize) -> Numbers,
        mut progress: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Tally> {
        let shared = Shared::default();
        let watching = thread::current();
        let (threads, connections) = (self.threads(), self.options.connections);
        thread::scope(|scope| {
            let mut workers = Vec::new();
            for thread in 0..threads {
                // What can't be divided evenly goes to the first threads.
                let share = connections / threads + usize::from(thread < connections % threads);
                let numbers = numbers(thread);
                let (job, shared, watching) = (&job, &shared, &watching);
                workers.push(scope.spawn(move || {
                    let result = drive(job, share, numbers, shared);
                    if result.is_err() {
                        shared.stop.store(true, Ordering::Relaxed);
                    }
                    watching.unpark();
                    result
                }));
            }
            while workers.iter().any(|worker| !worker.is_finished()) {
                thread::park_timeout(PROGRESS_EVERY);
                if progress(shared.answered.load(Ordering::Relaxed)).is_break() {
                    shared.stop.store(true, Ordering::Relaxed);
                }
            }
            let mut sum = Tally::new()?;
            let mut failure = None;
            for worker in workers {
                match worker.join() {
                    Ok(Ok(tally)) => sum.add(tally)?,
                    // The error of a thread that was stopped because of another one is less
                    // informative.
                    Ok(Err(Error::Interrupted)) => {
                        failure = failure.or(Some(Error::Interrupted));
                    }
                    Ok(Err(error)) => failure = Some(error),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            failure.map_or(Ok(sum), Err)
        })
    }
}

fn told(answer: ControlFlow<()>) -> Result<()> {
    match answer {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Error::Interrupted),
    }
}
