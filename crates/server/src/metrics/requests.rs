//! The metrics of requests.

use monotable_metrics::{Kind, Page, Unit};
use monotable_wire::Operation;

use super::{Metrics, in_unit};

pub(super) fn write(page: &mut Page, metrics: &Metrics) {
    let help = "How long requests took, by operation.";
    let mut samples = page.metric("monotable_request_duration_seconds", Kind::Histogram, help);
    for &operation in Operation::ALL {
        let latency = metrics.latency(operation);
        if latency.count() > 0 {
            let labels = [("operation", operation.name())];
            samples.histogram(&labels, in_unit(&latency, Unit::Micros));
        }
    }
    let help = "Requests that failed, by operation and AWS's error code.";
    let mut samples = page.metric("monotable_request_failures_total", Kind::Counter, help);
    for ((operation, code), count) in metrics.failures() {
        samples.value(&[("operation", operation.name()), ("code", code)], count);
    }
    let help = "Requests that were throttled, also in an action of a transaction, by operation.";
    let mut samples = page.metric("monotable_throttled_requests_total", Kind::Counter, help);
    for &operation in Operation::ALL {
        let throttled = metrics.throttled(operation);
        if throttled > 0 {
            samples.value(&[("operation", operation.name())], throttled);
        }
    }
    let help = "Requests that could not be read or named no operation.";
    page.metric("monotable_requests_refused_total", Kind::Counter, help)
        .value(&[], metrics.refused());
}
