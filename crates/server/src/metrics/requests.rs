//! The figures of requests.

use monotable_wire::Operation;

use super::Metrics;
use super::text::{Page, Unit};

pub(super) fn write(page: &mut Page, metrics: &Metrics) {
    let name = "monotable_request_duration_seconds";
    page.describe(name, "histogram", "How long requests took, by operation.");
    for &operation in Operation::ALL {
        let latency = metrics.latency(operation);
        if latency.count() > 0 {
            page.histogram(name, &[("operation", operation.name())], &latency, Unit::Micros);
        }
    }
    let name = "monotable_request_failures_total";
    page.describe(name, "counter", "Requests that failed, by operation and AWS's error code.");
    for ((operation, code), count) in metrics.failures() {
        page.sample(name, &[("operation", operation.name()), ("code", code)], count);
    }
    let name = "monotable_requests_refused_total";
    page.describe(name, "counter", "Requests that could not be read or named no operation.");
    page.sample(name, &[], metrics.refused());
}
