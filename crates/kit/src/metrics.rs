//! What is counted, and its text in Prometheus' form. Counting takes no lock and allocates nothing.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The statuses that are counted one by one; behind them is the count of all others.
const STATUSES: [u16; 22] = [
    200, 201, 202, 204, 206, 301, 302, 303, 304, 400, 401, 402, 403, 404, 405, 409, 412, 413, 415,
    429, 500, 503,
];

/// The latencies up to which requests are counted, in microseconds.
const BUCKETS_US: [u64; 12] =
    [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 1_000_000, 10_000_000];

/// Everything that is counted in a process.
#[derive(Default)]
pub struct Metrics {
    routes: Mutex<Vec<Arc<RouteMetrics>>>,
    values: Mutex<Vec<Measured>>,
}

/// A number that only grows, or one that is asked for.
struct Measured {
    name: &'static str,
    about: &'static str,
    source: Source,
}

enum Source {
    Counter(Counter),
    Gauge(Box<dyn Fn() -> f64 + Send + Sync>),
}

/// A number that only grows.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// Adds to it.
    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// What it is.
    pub fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The requests of one route.
pub(crate) struct RouteMetrics {
    service: &'static str,
    method: String,
    route: &'static str,
    statuses: [AtomicU64; STATUSES.len() + 1],
    buckets: [AtomicU64; BUCKETS_US.len() + 1],
    total_us: AtomicU64,
}

impl RouteMetrics {
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

    fn write_statuses(&self, text: &mut String) {
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

    fn write_latencies(&self, text: &mut String) {
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
}

impl Metrics {
    /// A number that only grows, under a name such as `monotable_outbox_sent_total`.
    pub fn counter(&self, name: &'static str, about: &'static str) -> Counter {
        let counter = Counter::default();
        self.add(Measured { name, about, source: Source::Counter(counter.clone()) });
        counter
    }

    /// A number that is asked for whenever the metrics are, such as the length of a queue.
    pub fn gauge(
        &self,
        name: &'static str,
        about: &'static str,
        value: impl Fn() -> f64 + Send + Sync + 'static,
    ) {
        self.add(Measured { name, about, source: Source::Gauge(Box::new(value)) });
    }

    fn add(&self, measured: Measured) {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).push(measured);
    }

    /// The counts of a route, to be kept where its requests are answered.
    pub(crate) fn route(
        &self,
        service: &'static str,
        method: &str,
        route: &'static str,
    ) -> Arc<RouteMetrics> {
        let metrics = Arc::new(RouteMetrics {
            service,
            method: method.to_owned(),
            route,
            statuses: Default::default(),
            buckets: Default::default(),
            total_us: AtomicU64::new(0),
        });
        self.routes.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&metrics));
        metrics
    }

    /// Everything in the text form that Prometheus reads.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let routes = self.routes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        head(&mut text, "monotable_requests_total", "Requests by route and status.", "counter");
        routes.iter().for_each(|route| route.write_statuses(&mut text));
        let about = "Time from the head of a request to the head of its answer.";
        head(&mut text, "monotable_request_duration_seconds", about, "histogram");
        routes.iter().for_each(|route| route.write_latencies(&mut text));
        for measured in self.values.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let Measured { name, about, source } = measured;
            match source {
                Source::Counter(counter) => {
                    head(&mut text, name, about, "counter");
                    line(&mut text, format_args!("{name} {}", counter.value()));
                }
                Source::Gauge(value) => {
                    head(&mut text, name, about, "gauge");
                    line(&mut text, format_args!("{name} {}", value()));
                }
            }
        }
        text
    }
}

fn head(text: &mut String, name: &str, about: &str, sort: &str) {
    line(text, format_args!("# HELP {name} {about}"));
    line(text, format_args!("# TYPE {name} {sort}"));
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a text does not fail.
    let _ = writeln!(text, "{arguments}");
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn requests_are_told_by_route_and_status() {
        let metrics = Metrics::default();
        let route = metrics.route("shop", "GET", "/carts/{cartId}");
        route.count(200, Duration::from_micros(100));
        route.count(200, Duration::from_micros(101));
        route.count(503, Duration::from_secs(60));
        route.count(418, Duration::ZERO);
        metrics.counter("shop_mails_total", "Mails.").add(2);
        metrics.gauge("shop_queue", "Waiting.", || 1.5);
        let text = metrics.text();
        let told: Vec<&str> = text.lines().filter(|line| !line.contains("_bucket")).collect();
        expect![[r#"
            # HELP monotable_requests_total Requests by route and status.
            # TYPE monotable_requests_total counter
            monotable_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="200"} 2
            monotable_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="503"} 1
            monotable_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="other"} 1
            # HELP monotable_request_duration_seconds Time from the head of a request to the head of its answer.
            # TYPE monotable_request_duration_seconds histogram
            monotable_request_duration_seconds_sum{service="shop",method="GET",route="/carts/{cartId}"} 60.000201
            monotable_request_duration_seconds_count{service="shop",method="GET",route="/carts/{cartId}"} 4
            # HELP shop_mails_total Mails.
            # TYPE shop_mails_total counter
            shop_mails_total 2
            # HELP shop_queue Waiting.
            # TYPE shop_queue gauge
            shop_queue 1.5"#]]
        .assert_eq(&told.join("\n"));
        let buckets = ["le=\"0.0001\"} 2", "le=\"0.00025\"} 3", "le=\"10\"} 3", "le=\"+Inf\"} 4"];
        for bucket in buckets {
            assert!(text.contains(bucket), "{bucket} in {text}");
        }
    }
}
