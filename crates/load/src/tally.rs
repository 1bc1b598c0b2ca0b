//! The counters of a thread that drives connections, and their sum.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;

use crate::report::{ErrorCount, Figure};
use crate::{Operation, Result};

/// Longer than any request may take.
const LATENCY_NANOSECONDS_MAX: u64 = 600_000_000_000;
const SIGNIFICANT_DIGITS: u8 = 3;

/// Counts and times.
pub(crate) struct Tally {
    requests: u64,
    latencies: Histogram<u64>,
    errors: BTreeMap<String, (u64, String)>,
    /// Connections that were opened again.
    pub(crate) reconnects: u64,
    /// How long the threads existed, and for how much of that they had nothing to do.
    pub(crate) time: Duration,
    pub(crate) time_waiting: Duration,
}

impl Tally {
    pub(crate) fn new() -> Result<Self> {
        let latencies = Histogram::new_with_bounds(1, LATENCY_NANOSECONDS_MAX, SIGNIFICANT_DIGITS)
            .map_err(std::io::Error::other)?;
        Ok(Self {
            requests: 0,
            latencies,
            errors: BTreeMap::new(),
            reconnects: 0,
            time: Duration::ZERO,
            time_waiting: Duration::ZERO,
        })
    }

    /// Counts a successful request.
    pub(crate) fn count_request(&mut self) {
        self.requests += 1;
    }

    /// Keeps how long a request took.
    pub(crate) fn record(&mut self, latency: Duration) {
        let nanoseconds = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        self.latencies.saturating_record(nanoseconds.max(1));
    }

    /// Counts a request that failed; of each code the first message is kept.
    pub(crate) fn count_error(&mut self, code: String, message: String) {
        self.errors.entry(code).or_insert((0, message)).0 += 1;
    }

    /// Returns how many requests failed.
    pub(crate) fn errors(&self) -> u64 {
        self.errors.values().map(|(count, _)| count).sum()
    }

    /// Returns the error that came most often.
    pub(crate) fn commonest_error(&self) -> Option<String> {
        let (code, (_, message)) = self.errors.iter().max_by_key(|(_, (count, _))| *count)?;
        Some(format!("{code}: {message}"))
    }

    /// Adds what another thread has counted.
    pub(crate) fn add(&mut self, other: Self) -> Result<()> {
        self.requests += other.requests;
        self.latencies.add(&other.latencies).map_err(std::io::Error::other)?;
        for (code, (count, message)) in other.errors {
            self.errors.entry(code).or_insert((0, message)).0 += count;
        }
        self.reconnects += other.reconnects;
        self.time += other.time;
        self.time_waiting += other.time_waiting;
        Ok(())
    }

    /// Returns the result of an operation that was measured for this long.
    pub(crate) fn figure(self, operation: Operation, seconds: f64) -> Figure {
        let microseconds = |nanoseconds: u64| nanoseconds as f64 / 1_000.0;
        let busy = 1.0 - self.time_waiting.as_secs_f64() / self.time.as_secs_f64().max(1e-9);
        Figure {
            operation,
            requests: self.requests,
            requests_per_second: self.requests as f64 / seconds,
            p50_us: microseconds(self.latencies.value_at_quantile(0.5)),
            p99_us: microseconds(self.latencies.value_at_quantile(0.99)),
            max_us: microseconds(self.latencies.max()),
            errors: (self.errors.into_iter())
                .map(|(code, (count, message))| ErrorCount { code, count, message })
                .collect(),
            reconnects: self.reconnects,
            generator_busy: busy,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_add_up() {
        let tally = |microseconds, code: &str| {
            let mut tally = Tally::new().unwrap();
            tally.count_request();
            tally.record(Duration::from_micros(microseconds));
            tally.count_error(code.to_owned(), format!("after {microseconds}"));
            tally.time = Duration::from_secs(1);
            tally.time_waiting = Duration::from_millis(250);
            tally
        };
        let mut sum = tally(100, "A");
        sum.add(tally(200, "A")).unwrap();
        sum.add(tally(300, "B")).unwrap();
        assert_eq!(sum.errors(), 3);
        assert_eq!(sum.commonest_error().unwrap(), "A: after 100");
        let figure = sum.figure(Operation::Get, 1.5);
        assert_eq!((figure.requests, figure.requests_per_second), (3, 2.0));
        assert_eq!(figure.p50_us.round(), 200.0);
        assert_eq!(figure.max_us.round(), 300.0);
        assert_eq!(figure.errors[0].count, 2);
        assert_eq!(figure.generator_busy, 0.75);
    }
}
