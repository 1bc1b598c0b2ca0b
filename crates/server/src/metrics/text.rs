//! The figures in Prometheus's text format.

use std::fmt::{Display, Write};

use monotable_wire::Operation;

use super::{LATENCY_BOUNDS_MICROS, Metrics};

/// Writes one metric's help, type and samples.
pub(crate) struct Page {
    text: String,
}

impl Page {
    fn describe(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        self.text.push_str(name);
        for (index, (label, text)) in labels.iter().enumerate() {
            let opening = if index == 0 { '{' } else { ',' };
            let _ = write!(self.text, "{opening}{label}=\"{}\"", Escaped(text));
        }
        if !labels.is_empty() {
            self.text.push('}');
        }
        let _ = writeln!(self.text, " {value}");
    }
}

/// A label's value: backslashes, quotes and line feeds are escaped.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.chars().try_for_each(|character| match character {
            '\\' => formatter.write_str("\\\\"),
            '"' => formatter.write_str("\\\""),
            '\n' => formatter.write_str("\\n"),
            other => formatter.write_char(other),
        })
    }
}

/// All figures of the server.
pub(crate) fn write_metrics(metrics: &Metrics) -> String {
    let mut page = Page { text: String::new() };
    write_latencies(&mut page, metrics);
    write_failures(&mut page, metrics);
    page.text
}

fn write_latencies(page: &mut Page, metrics: &Metrics) {
    let name = "monotable_request_duration_seconds";
    page.describe(name, "histogram", "How long requests took, by operation.");
    for &operation in Operation::ALL {
        let (counts, micros_sum) = metrics.latency(operation);
        let total: u64 = counts.iter().sum();
        if total == 0 {
            continue;
        }
        let operation = operation.name();
        let mut below = 0;
        for (bound, count) in LATENCY_BOUNDS_MICROS.iter().zip(counts) {
            below += count;
            let bound = seconds(*bound).to_string();
            page.sample(
                &format!("{name}_bucket"),
                &[("operation", operation), ("le", &bound)],
                below,
            );
        }
        page.sample(&format!("{name}_bucket"), &[("operation", operation), ("le", "+Inf")], total);
        page.sample(&format!("{name}_sum"), &[("operation", operation)], seconds(micros_sum));
        page.sample(&format!("{name}_count"), &[("operation", operation)], total);
    }
}

fn write_failures(page: &mut Page, metrics: &Metrics) {
    let name = "monotable_request_failures_total";
    page.describe(name, "counter", "Requests that failed, by operation and AWS's error code.");
    for ((operation, code), count) in metrics.failures() {
        page.sample(name, &[("operation", operation.name()), ("code", code)], count);
    }
    let name = "monotable_requests_refused_total";
    page.describe(name, "counter", "Requests that could not be read or named no operation.");
    page.sample(name, &[], metrics.refused());
}

fn seconds(micros: u64) -> f64 {
    micros as f64 / 1e6
}
