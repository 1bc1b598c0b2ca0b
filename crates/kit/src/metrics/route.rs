//! The counters of one route's requests.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use monotable_metrics::{Histogram, Kind, Labels, Page, Samples, Unit};

use super::{CommitCounts, Counter};

/// The statuses that are counted one by one, followed by the count of all others.
const STATUSES: [u16; 23] = [
    200, 201, 202, 204, 206, 301, 302, 303, 304, 400, 401, 402, 403, 404, 405, 409, 412, 413, 415,
    428, 429, 500, 503,
];

/// The upper bounds of the latency buckets, in microseconds.
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

    /// Writes the counters. A route without failed commits has no counters of failures, because
    /// most routes never commit.
    pub(super) fn write(&self, page: &mut Page) {
        let Self { service, method, route, statuses, buckets, total_us, commits } = self;
        let labels = [("service", *service), ("method", method.as_str()), ("route", *route)];
        let load = |counts: &[AtomicU64]| -> Vec<u64> {
            counts.iter().map(|count| count.load(Ordering::Relaxed)).collect()
        };

        let help = "Requests to services, by route and status.";
        let mut samples = page.metric("monotable_service_requests_total", Kind::Counter, help);
        for (position, count) in
            load(statuses).into_iter().enumerate().filter(|(_, count)| *count > 0)
        {
            let status = STATUSES.get(position).map(u16::to_string);
            let status = ("status", status.as_deref().unwrap_or("other"));
            samples.value(&[&labels[..], &[status]].concat(), count);
        }

        let help = "Time from the head of a request to the head of its response, by route.";
        let name = "monotable_service_request_duration_seconds";
        let histogram = Histogram {
            bounds: &BUCKETS_US,
            counts: &load(buckets),
            sum: total_us.load(Ordering::Relaxed),
            unit: Unit::Micros,
        };
        page.metric(name, Kind::Histogram, help).histogram(&labels, histogram);

        let help = "Commits rejected by a condition, version conflicts included.";
        let name = "monotable_service_condition_failures_total";
        write_count(page.metric(name, Kind::Counter, help), &labels, &commits.failures);
        let help =
            "Commits rejected by a version conflict, including those that a retry completed.";
        let name = "monotable_service_version_conflicts_total";
        write_count(page.metric(name, Kind::Counter, help), &labels, &commits.conflicts);
    }
}

fn write_count(mut samples: Samples<'_>, labels: &Labels<'_>, counter: &Counter) {
    if counter.value() > 0 {
        samples.value(labels, counter.value());
    }
}
