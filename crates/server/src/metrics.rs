//! Metrics of the server: counted by each worker for itself, added up when they are read.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use monotable_engine::Histogram;
use monotable_metrics::{Page, Unit};
use monotable_wire::{Failure, Operation};

use crate::worker::{Shared, Storage};

mod connections;
mod disk;
mod requests;
mod storage;

/// Writes the metrics of connections and, if there is a database, of requests to it and of itself.
pub(crate) fn write(page: &mut Page, shared: &Shared) {
    connections::write(page, &shared.metrics, shared.config.limits.connections_max);
    if let Some(Storage { database, .. }) = &shared.storage {
        requests::write(page, &shared.metrics);
        storage::write(page, &database.statistics());
        storage::write_scrubbed(page, &database.scrubbed());
        disk::write(page, database);
    }
}

/// Converts a histogram to the form of the page.
fn in_unit(histogram: &Histogram, unit: Unit) -> monotable_metrics::Histogram<'_> {
    let Histogram { bounds, counts, sum } = histogram;
    monotable_metrics::Histogram { bounds, counts, sum: *sum, unit }
}

/// Upper bounds of the latency buckets in microseconds.
const LATENCY_BOUNDS_MICROS: [u64; 14] = [
    50, 100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 102_400, 409_600,
    1_638_400,
];

/// The metrics of all workers.
pub(crate) struct Metrics(Vec<WorkerMetrics>);

/// The metrics of one worker; only that worker writes them.
pub(crate) struct WorkerMetrics {
    operations: Vec<OperationMetrics>,
    failures: Mutex<BTreeMap<(Operation, &'static str), u64>>,
    refused: AtomicU64,
    connections_open: AtomicU64,
    connections_total: AtomicU64,
}

#[derive(Default)]
struct OperationMetrics {
    /// One count per bucket, and one for values above all bounds.
    latency: [AtomicU64; LATENCY_BOUNDS_MICROS.len() + 1],
    latency_micros_sum: AtomicU64,
    throttled: AtomicU64,
}

impl Metrics {
    pub(crate) fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| WorkerMetrics::new()).collect())
    }

    pub(crate) fn worker(&self, index: usize) -> &WorkerMetrics {
        &self.0[index]
    }

    /// Returns the latencies of an operation in microseconds.
    fn latency(&self, operation: Operation) -> Histogram {
        let mut counts = vec![0; LATENCY_BOUNDS_MICROS.len() + 1];
        let mut sum = 0;
        for worker in &self.0 {
            let figures = &worker.operations[operation.index()];
            for (total, count) in counts.iter_mut().zip(&figures.latency) {
                *total += count.load(Ordering::Relaxed);
            }
            sum += figures.latency_micros_sum.load(Ordering::Relaxed);
        }
        Histogram { bounds: &LATENCY_BOUNDS_MICROS, counts, sum }
    }

    /// Returns how often each operation failed with each code.
    fn failures(&self) -> BTreeMap<(Operation, &'static str), u64> {
        let mut total = BTreeMap::new();
        for worker in &self.0 {
            for (key, count) in &*worker.failures.lock().unwrap_or_else(PoisonError::into_inner) {
                *total.entry(*key).or_default() += count;
            }
        }
        total
    }

    /// Returns how many requests for an operation were throttled.
    fn throttled(&self, operation: Operation) -> u64 {
        self.sum(|worker| &worker.operations[operation.index()].throttled)
    }

    /// Returns the requests that named no operation or could not be read.
    fn refused(&self) -> u64 {
        self.sum(|worker| &worker.refused)
    }

    fn sum(&self, figure: impl Fn(&WorkerMetrics) -> &AtomicU64) -> u64 {
        self.0.iter().map(|worker| figure(worker).load(Ordering::Relaxed)).sum()
    }
}

impl WorkerMetrics {
    fn new() -> Self {
        Self {
            operations: Operation::ALL.iter().map(|_| OperationMetrics::default()).collect(),
            failures: Mutex::default(),
            refused: AtomicU64::new(0),
            connections_open: AtomicU64::new(0),
            connections_total: AtomicU64::new(0),
        }
    }

    /// Counts a request that got a response.
    pub(crate) fn count(&self, operation: Operation, took: Duration, failure: Option<&Failure>) {
        let figures = &self.operations[operation.index()];
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let bucket = LATENCY_BOUNDS_MICROS.partition_point(|bound| *bound < micros);
        figures.latency[bucket].fetch_add(1, Ordering::Relaxed);
        figures.latency_micros_sum.fetch_add(micros, Ordering::Relaxed);
        if let Some(failure) = failure {
            let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
            *failures.entry((operation, failure.code())).or_default() += 1;
            figures.throttled.fetch_add(u64::from(failure.is_throttled()), Ordering::Relaxed);
        }
    }

    /// Counts a new connection.
    pub(crate) fn count_connection(&self) {
        self.connections_open.fetch_add(1, Ordering::Relaxed);
        self.connections_total.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts a closed connection.
    pub(crate) fn count_connection_end(&self) {
        self.connections_open.fetch_sub(1, Ordering::Relaxed);
    }

    /// Counts a request that could not be read or names no operation.
    pub(crate) fn count_refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }
}
