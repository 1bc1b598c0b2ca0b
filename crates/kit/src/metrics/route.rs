//! What is counted of the requests of one route.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use super::{CommitCounts, Counter, line};

/// The statuses that are counted one by one; behind them is the count of all others.
const STATUSES: [u16; 23] = [
    200, 201, 202, 204, 206, 301, 302, 303, 304, 400, 401, 402, 403, 404, 405, 409, 412, 413, 415,
    428, 429, 500, 503,
];

/// The latencies up to which requests are counted, in microseconds.
const BUCKETS_US: [u64; 12] =
    [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 1_000_000, 10_000_000];

/// The requests of one route.
pub(crate) struct RouteMetrics {
    service: &'static str,
    method: String,
    route: &'static str,
    statuses: [AtomicU64; STATUSES.len() + 1],
    buckets: [AtomicU64; BUCKETS_US.len() + 1],
    total_us: AtomicU64,
    pub(crate) commits: CommitCounts,
}

impl RouteMetrics {
    pub(super) fn new(service: &'static str, method: &str, route: &'static str) -> Self {
        Self {
            service,
            method: method.to_owned(),
            route,
            statuses: Default::default(),
            buckets: Default::default(),
            total_us: AtomicU64::new(0),
            commits: CommitCounts::default(),
        }
    }

    /// Counts a request.
    pub(crate) fn count(&self, status: u16, latency: Duration) {
        let position = STATUSES.iter().position(|known| *known == status);
        self.statuses[position.unwrap_or(STATUSES.len())].fetch_add(1, Ordering::Relaxed);
        let microseconds = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS_US.partition_point(|end| *end < microseconds);
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.total_us.fetch_add(microseconds, Ordering::Relaxed);
    }

    fn labels(&self) -> String {
        let Self { service, method, route, .. } = self;
        format!("service=\"{service}\",method=\"{method}\",route=\"{route}\"")
    }

    pub(super) fn write_statuses(&self, text: &mut String) {
        let labels = self.labels();
        for (position, count) in self.statuses.iter().enumerate() {
            let count = count.load(Ordering::Relaxed);
            if count == 0 {
                continue;
            }
            let status = match STATUSES.get(position) {
                Some(status) => status.to_string(),
                None => "other".to_owned(),
            };
            line(
                text,
                format_args!("monotable_requests_total{{{labels},status=\"{status}\"}} {count}"),
            );
        }
    }

    pub(super) fn write_latencies(&self, text: &mut String) {
        let labels = self.labels();
        let name = "monotable_request_duration_seconds";
        let mut count = 0;
        for (position, bucket) in self.buckets.iter().enumerate() {
            count += bucket.load(Ordering::Relaxed);
            let end = BUCKETS_US.get(position).map(|end| (*end as f64 / 1e6).to_string());
            let end = end.as_deref().unwrap_or("+Inf");
            line(text, format_args!("{name}_bucket{{{labels},le=\"{end}\"}} {count}"));
        }
        let seconds = self.total_us.load(Ordering::Relaxed) as f64 / 1e6;
        line(text, format_args!("{name}_sum{{{labels}}} {seconds}"));
        line(text, format_args!("{name}_count{{{labels}}} {count}"));
    }

    pub(super) fn write_failures(&self, text: &mut String) {
        self.write_count(text, "monotable_condition_failures_total", &self.commits.failures);
    }

    pub(super) fn write_conflicts(&self, text: &mut String) {
        self.write_count(text, "monotable_version_conflicts_total", &self.commits.conflicts);
    }

    /// Routes where nothing was counted are not told: most never commit.
    fn write_count(&self, text: &mut String, name: &str, counter: &Counter) {
        if counter.value() > 0 {
            line(text, format_args!("{name}{{{}}} {}", self.labels(), counter.value()));
        }
    }
}
