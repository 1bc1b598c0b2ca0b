//! One slice of a measurement: some threads call a subject for a short time.

use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use crate::sample::Random;
use crate::workload::Draw;
use crate::{Result, Subject, Table, Workload};

/// How a slice is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slicing {
    /// What every call does.
    pub workload: Workload,
    /// How many threads call at the same time.
    pub callers: usize,
    /// For how long.
    pub duration: Duration,
    /// Which random numbers are drawn.
    pub seed: u64,
}

/// What a slice has measured. Only the time inside calls counts, not the time to build requests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Slice {
    /// The number of completed calls.
    pub operations: u64,
    /// Completed calls per second, all callers together.
    pub per_second: f64,
    /// Half of the calls were faster.
    pub p50_us: f64,
    /// 99 % of the calls were faster.
    pub p99_us: f64,
    /// 99.9 % of the calls were faster.
    pub p999_us: f64,
    /// The slowest call.
    pub longest_us: f64,
}

/// What one caller has measured.
struct Tally {
    histogram: Histogram<u64>,
    /// Time inside calls.
    busy: Duration,
    start: Instant,
    end: Instant,
}

/// Runs one slice.
pub fn run_slice<S: Subject>(subject: &S, table: &Table, slicing: Slicing) -> Result<Slice> {
    let barrier = Barrier::new(slicing.callers);
    let tallies = thread::scope(|scope| {
        let callers: Vec<_> = (0..slicing.callers)
            .map(|caller| {
                let barrier = &barrier;
                scope.spawn(move || {
                    let random = Random::new(slicing.seed << 10 | caller as u64);
                    let histogram = new_histogram();
                    barrier.wait();
                    Tally::start(histogram?).call(subject, table, slicing, random)
                })
            })
            .collect();
        callers
            .into_iter()
            .map(|caller| caller.join().map_err(|_| "a caller panicked")?)
            .collect::<Result<Vec<Tally>>>()
    })?;
    summarize(&tallies)
}

/// Makes a histogram of two significant digits, which is small: each of 64 callers has one.
fn new_histogram() -> Result<Histogram<u64>> {
    Ok(Histogram::new(2)?)
}

impl Tally {
    fn start(histogram: Histogram<u64>) -> Self {
        let now = Instant::now();
        Self { histogram, busy: Duration::ZERO, start: now, end: now }
    }

    fn call<S: Subject>(
        mut self,
        subject: &S,
        table: &Table,
        slicing: Slicing,
        mut random: Random,
    ) -> Result<Self> {
        let Slicing { workload, .. } = slicing;
        let deadline = self.start + slicing.duration;
        loop {
            let number = match workload.draw() {
                Draw::Loaded { items_each } => random.below(table.items() / items_each),
                Draw::New { items } => match table.take(items) {
                    Some(first) => first,
                    None => return Ok(self),
                },
            };
            let request = subject.prepare(workload, number);
            let start = Instant::now();
            let items = subject.perform(workload, request)?;
            let busy = start.elapsed();
            if items != workload.items() {
                let name = workload.name();
                return Err(format!("{name} of {number} gave {items} items").into());
            }
            self.histogram.record(u64::try_from(busy.as_nanos())?)?;
            self.busy += busy;
            self.end = start + busy;
            if self.end >= deadline {
                return Ok(self);
            }
        }
    }
}

fn summarize(tallies: &[Tally]) -> Result<Slice> {
    let mut all = new_histogram()?;
    let (mut busy_seconds, mut total_seconds) = (0.0, 0.0);
    for tally in tallies {
        all.add(&tally.histogram)?;
        busy_seconds += tally.busy.as_secs_f64();
        total_seconds += (tally.end - tally.start).as_secs_f64();
    }
    let start = tallies.iter().map(|tally| tally.start).min();
    let end = tallies.iter().map(|tally| tally.end).max();
    let wall_seconds = start.zip(end).map_or(0.0, |(start, end)| (end - start).as_secs_f64());
    // Callers spend the rest of their time on building requests, which is not the subject's.
    let wall_inside_seconds = wall_seconds * busy_seconds / total_seconds;
    let quantile_us = |quantile| all.value_at_quantile(quantile) as f64 / 1e3;
    Ok(Slice {
        operations: all.len(),
        per_second: if all.is_empty() { 0.0 } else { all.len() as f64 / wall_inside_seconds },
        p50_us: quantile_us(0.5),
        p99_us: quantile_us(0.99),
        p999_us: quantile_us(0.999),
        longest_us: all.max() as f64 / 1e3,
    })
}
