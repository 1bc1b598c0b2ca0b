//! The metrics of services. Counting takes no lock and allocates nothing.

use std::sync::{Arc, Mutex, PoisonError};

use monotable_metrics::{Kind, Page};

pub use self::commits::CommitCounts;
pub(crate) use self::commits::is_condition_failure;
pub use self::number::{Counter, Level};
pub(crate) use self::route::RouteMetrics;

mod commits;
mod number;
mod route;

/// The metrics of all services of a process. Clones are handles to the same ones.
#[derive(Clone, Default)]
pub struct MetricsRegistry(Arc<Mutex<Vec<Arc<Metrics>>>>);

impl MetricsRegistry {
    /// Adds the metrics of a service.
    pub(crate) fn add(&self, service: &'static str) -> Arc<Metrics> {
        let metrics = Arc::new(Metrics::new(service));
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&metrics));
        metrics
    }

    /// Writes the metrics of all services.
    pub fn write(&self, page: &mut Page) {
        for metrics in &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            metrics.write(page);
        }
    }
}

/// The metrics of one service.
pub struct Metrics {
    service: &'static str,
    routes: Mutex<Vec<Arc<RouteMetrics>>>,
    values: Mutex<Vec<Measured>>,
}

/// A metric that does not depend on requests.
struct Measured {
    name: &'static str,
    help: &'static str,
    source: Source,
}

enum Source {
    Counter(Counter),
    Level(Level),
    Gauge(Box<dyn Fn() -> f64 + Send + Sync>),
}

impl Metrics {
    /// Creates the metrics of a service, whose name is a label of all of them.
    pub fn new(service: &'static str) -> Self {
        Self { service, routes: Mutex::default(), values: Mutex::default() }
    }

    /// Adds a counter, under a name such as `monotable_outbox_sent_total`.
    pub fn counter(&self, name: &'static str, help: &'static str) -> Counter {
        let counter = Counter::default();
        self.count(name, help, &counter);
        counter
    }

    /// Adds a counter that is counted elsewhere.
    pub fn count(&self, name: &'static str, help: &'static str, counter: &Counter) {
        self.add(Measured { name, help, source: Source::Counter(counter.clone()) });
    }

    /// Adds a level that is set elsewhere.
    pub fn level(&self, name: &'static str, help: &'static str, level: &Level) {
        self.add(Measured { name, help, source: Source::Level(level.clone()) });
    }

    /// Adds a value that is computed whenever metrics are read, such as the length of a queue.
    pub fn gauge(
        &self,
        name: &'static str,
        help: &'static str,
        value: impl Fn() -> f64 + Send + Sync + 'static,
    ) {
        self.add(Measured { name, help, source: Source::Gauge(Box::new(value)) });
    }

    fn add(&self, measured: Measured) {
        self.values.lock().unwrap_or_else(PoisonError::into_inner).push(measured);
    }

    /// Adds the counters of a route.
    pub(crate) fn route(&self, method: &str, route: &'static str) -> Arc<RouteMetrics> {
        let metrics = Arc::new(RouteMetrics::new(self.service, method, route));
        self.routes.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&metrics));
        metrics
    }

    /// Writes all metrics.
    pub fn write(&self, page: &mut Page) {
        for route in &*self.routes.lock().unwrap_or_else(PoisonError::into_inner) {
            route.write(page);
        }
        let labels = [("service", self.service)];
        for measured in &*self.values.lock().unwrap_or_else(PoisonError::into_inner) {
            let Measured { name, help, source } = measured;
            match source {
                Source::Counter(counter) => {
                    page.metric(name, Kind::Counter, help).value(&labels, counter.value());
                }
                Source::Level(level) => {
                    page.metric(name, Kind::Gauge, help).value(&labels, level.value());
                }
                Source::Gauge(value) => {
                    page.metric(name, Kind::Gauge, help).value(&labels, value());
                }
            }
        }
    }

    /// Returns all metrics in Prometheus's text format.
    pub fn text(&self) -> String {
        let mut page = Page::default();
        self.write(&mut page);
        page.finish()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::expect;

    use super::*;

    #[test]
    fn requests_are_told_by_route_and_status() {
        let metrics = Metrics::new("shop");
        let route = metrics.route("GET", "/carts/{cartId}");
        route.count(200, Duration::from_micros(100));
        route.count(200, Duration::from_micros(101));
        route.count(503, Duration::from_secs(60));
        route.count(418, Duration::ZERO);
        route.commits.failed(true);
        route.commits.failed(false);
        metrics.route("GET", "/carts").commits.failed(false);
        metrics.counter("shop_mails_total", "Mails.").add(2);
        metrics.gauge("shop_queue", "Waiting.", || 1.5);
        let text = metrics.text();
        let told: Vec<&str> = text.lines().filter(|line| !line.contains("_bucket")).collect();
        expect![[r##"
            # HELP monotable_service_requests_total Requests to services, by route and status.
            # TYPE monotable_service_requests_total counter
            monotable_service_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="200"} 2
            monotable_service_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="503"} 1
            monotable_service_requests_total{service="shop",method="GET",route="/carts/{cartId}",status="other"} 1
            # HELP monotable_service_request_duration_seconds Time from the head of a request to the head of its response, by route.
            # TYPE monotable_service_request_duration_seconds histogram
            monotable_service_request_duration_seconds_sum{service="shop",method="GET",route="/carts/{cartId}"} 60.000201
            monotable_service_request_duration_seconds_count{service="shop",method="GET",route="/carts/{cartId}"} 4
            monotable_service_request_duration_seconds_sum{service="shop",method="GET",route="/carts"} 0
            monotable_service_request_duration_seconds_count{service="shop",method="GET",route="/carts"} 0
            # HELP monotable_service_condition_failures_total Commits rejected by a condition, version conflicts included.
            # TYPE monotable_service_condition_failures_total counter
            monotable_service_condition_failures_total{service="shop",method="GET",route="/carts/{cartId}"} 2
            monotable_service_condition_failures_total{service="shop",method="GET",route="/carts"} 1
            # HELP monotable_service_version_conflicts_total Commits rejected by a version conflict, including those that a retry completed.
            # TYPE monotable_service_version_conflicts_total counter
            monotable_service_version_conflicts_total{service="shop",method="GET",route="/carts/{cartId}"} 1
            # HELP shop_mails_total Mails.
            # TYPE shop_mails_total counter
            shop_mails_total{service="shop"} 2
            # HELP shop_queue Waiting.
            # TYPE shop_queue gauge
            shop_queue{service="shop"} 1.5"##]].assert_eq(&told.join("\n"));
        let buckets = ["le=\"0.0001\"} 2", "le=\"0.00025\"} 3", "le=\"10\"} 3", "le=\"+Inf\"} 4"];
        for bucket in buckets {
            assert!(text.contains(bucket), "{bucket} in {text}");
        }
    }

    #[test]
    fn services_share_a_page() {
        let registry = MetricsRegistry::default();
        for service in ["one", "two"] {
            registry.add(service).counter("jobs_total", "Jobs.").add(3);
        }
        let mut page = Page::default();
        registry.write(&mut page);
        expect![[r##"
            # HELP jobs_total Jobs.
            # TYPE jobs_total counter
            jobs_total{service="one"} 3
            jobs_total{service="two"} 3
        "##]]
        .assert_eq(&page.finish());
    }
}
