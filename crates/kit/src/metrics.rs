//! What is counted, and its text in Prometheus' form. Counting takes no lock and allocates nothing.

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

pub use self::commits::CommitCounts;
pub(crate) use self::commits::is_condition_failure;
pub use self::number::{Counter, Level};
pub(crate) use self::route::RouteMetrics;

mod commits;
mod number;
mod route;

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
    Level(Level),
    Gauge(Box<dyn Fn() -> f64 + Send + Sync>),
}

impl Metrics {
    /// A number that only grows, under a name such as `monotable_outbox_sent_total`.
    pub fn counter(&self, name: &'static str, about: &'static str) -> Counter {
        let counter = Counter::default();
        self.count(name, about, &counter);
        counter
    }

    /// Tells a number that only grows, and that somebody else keeps.
    pub fn count(&self, name: &'static str, about: &'static str, counter: &Counter) {
        self.add(Measured { name, about, source: Source::Counter(counter.clone()) });
    }

    /// Tells a number that goes up and down, and that somebody else keeps.
    pub fn level(&self, name: &'static str, about: &'static str, level: &Level) {
        self.add(Measured { name, about, source: Source::Level(level.clone()) });
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
        let metrics = Arc::new(RouteMetrics::new(service, method, route));
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
        let about = "Commits rejected by a condition, version conflicts included.";
        head(&mut text, "monotable_condition_failures_total", about, "counter");
        routes.iter().for_each(|route| route.write_failures(&mut text));
        let about =
            "Commits that met a row which was changed meanwhile, also if trying again helped.";
        head(&mut text, "monotable_version_conflicts_total", about, "counter");
        routes.iter().for_each(|route| route.write_conflicts(&mut text));
        for measured in self.values.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let Measured { name, about, source } = measured;
            match source {
                Source::Counter(counter) => {
                    head(&mut text, name, about, "counter");
                    line(&mut text, format_args!("{name} {}", counter.value()));
                }
                Source::Level(level) => {
                    head(&mut text, name, about, "gauge");
                    line(&mut text, format_args!("{name} {}", level.value()));
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
    use std::time::Duration;

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
        route.commits.failed(true);
        route.commits.failed(false);
        metrics.route("shop", "GET", "/carts").commits.failed(false);
        metrics.counter("shop_mails_total", "Mails.").add(2);
        metrics.gauge("shop_queue", "Waiting.", || 1.5);
        let text = metrics.text();
        let told: Vec<&str> = text.lines().filter(|line| !line.contains("_bucket")).collect();
        expect![[r##"
            # HELP monotable_requests_total Requests by route and status.
            # TYPE monotable_requests_total counter
            monotable_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="200"} 2
            monotable_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="503"} 1
            monotable_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="other"} 1
            # HELP monotable_request_duration_seconds Time from the head of a request to the head of its answer.
            # TYPE monotable_request_duration_seconds histogram
            monotable_request_duration_seconds_sum{service="shop",method="GET",route="/carts/{cartId}"} 60.000201
            monotable_request_duration_seconds_count{service="shop",method="GET",route="/carts/{cartId}"} 4
            monotable_request_duration_seconds_sum{service="shop",method="GET",route="/carts"} 0
            monotable_request_duration_seconds_count{service="shop",method="GET",route="/carts"} 0
            # HELP monotable_condition_failures_total Commits rejected by a condition, version conflicts included.
            # TYPE monotable_condition_failures_total counter
            monotable_condition_failures_total{service="shop",method="GET",route="/carts/{cartId}"} 2
            monotable_condition_failures_total{service="shop",method="GET",route="/carts"} 1
            # HELP monotable_version_conflicts_total Commits that met a row which was changed meanwhile, also if trying again helped.
            # TYPE monotable_version_conflicts_total counter
            monotable_version_conflicts_total{service="shop",method="GET",route="/carts/{cartId}"} 1
            # HELP shop_mails_total Mails.
            # TYPE shop_mails_total counter
            shop_mails_total 2
            # HELP shop_queue Waiting.
            # TYPE shop_queue gauge
            shop_queue 1.5"##]]
        .assert_eq(&told.join("\n"));
        let buckets = ["le=\"0.0001\"} 2", "le=\"0.00025\"} 3", "le=\"10\"} 3", "le=\"+Inf\"} 4"];
        for bucket in buckets {
            assert!(text.contains(bucket), "{bucket} in {text}");
        }
    }
}
