//! Metrics in Prometheus's text format.
//!
//! The server and every service write their samples onto one [`Page`]. A metric that several of them write
//! is described once, with all its samples below the description, as the format requires.

mod samples;

use std::collections::HashMap;
use std::fmt::{Display, Write};

pub use samples::{Sample, samples};

/// The media type of a page.
pub const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// A page of metrics that is being written.
#[derive(Debug, Default)]
pub struct Page {
    metrics: Vec<Metric>,
    /// The position of each metric by its name.
    positions: HashMap<&'static str, usize>,
}

/// The text of one metric: its description and its samples.
#[derive(Debug)]
struct Metric {
    name: &'static str,
    kind: Kind,
    text: String,
}

/// What the values of a metric mean to Prometheus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number that only grows.
    Counter,
    /// A number that goes up and down.
    Gauge,
    /// Counts of values in buckets.
    Histogram,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// Labels of a sample, in order.
pub type Labels<'a> = [(&'a str, &'a str)];

/// Counts of values in buckets.
#[derive(Clone, Copy, Debug)]
pub struct Histogram<'a> {
    /// The largest value of each bucket but the last, which has no bound.
    pub bounds: &'a [u64],
    /// How many values each bucket has; one bucket more than there are bounds.
    pub counts: &'a [u64],
    /// The sum of all values.
    pub sum: u64,
    /// The unit of the values.
    pub unit: Unit,
}

/// The unit of a histogram's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Numbers, which are written as they are.
    Count,
    /// Microseconds, which are written as seconds.
    Micros,
}

impl Unit {
    fn written(self, value: u64) -> f64 {
        match self {
            Self::Count => value as f64,
            Self::Micros => value as f64 / 1e6,
        }
    }
}

impl Page {
    /// Returns a metric to write samples of. The first call describes it.
    pub fn metric(&mut self, name: &'static str, kind: Kind, help: &str) -> Samples<'_> {
        let Self { metrics, positions } = self;
        let position = *positions.entry(name).or_insert_with(|| {
            let text = format!("# HELP {name} {help}\n# TYPE {name} {}\n", kind.name());
            metrics.push(Metric { name, kind, text });
            metrics.len() - 1
        });
        let metric = &mut metrics[position];
        debug_assert_eq!(metric.kind, kind, "{name} is described in two ways");
        Samples { name: metric.name, text: &mut metric.text }
    }

    /// Returns the samples that were written so far.
    pub fn samples(&self) -> impl Iterator<Item = Sample<'_>> {
        self.metrics.iter().flat_map(|metric| samples(&metric.text))
    }

    /// Returns the text, metrics in the order of their first descriptions.
    pub fn finish(self) -> String {
        self.metrics.into_iter().map(|metric| metric.text).collect()
    }
}

/// Writes the samples of one metric.
#[derive(Debug)]
pub struct Samples<'a> {
    name: &'static str,
    text: &'a mut String,
}

impl Samples<'_> {
    /// Writes the value of a counter or a gauge.
    pub fn value(&mut self, labels: &Labels<'_>, value: impl Display) {
        self.line("", labels, value);
    }

    /// Writes a histogram.
    pub fn histogram(&mut self, labels: &Labels<'_>, histogram: Histogram<'_>) {
        let Histogram { bounds, counts, sum, unit } = histogram;
        let mut count = 0;
        for (position, in_bucket) in counts.iter().enumerate() {
            count += in_bucket;
            let bound = bounds.get(position).map(|bound| unit.written(*bound).to_string());
            let bound = bound.as_deref().unwrap_or("+Inf");
            self.line("_bucket", &[labels, &[("le", bound)]].concat(), count);
        }
        self.line("_sum", labels, unit.written(sum));
        self.line("_count", labels, count);
    }

    fn line(&mut self, suffix: &str, labels: &Labels<'_>, value: impl Display) {
        let Self { name, text } = self;
        text.push_str(name);
        text.push_str(suffix);
        for (position, (label, value)) in labels.iter().enumerate() {
            let opening = if position == 0 { '{' } else { ',' };
            let _ = write!(text, "{opening}{label}=\"{}\"", Escaped(value));
        }
        if !labels.is_empty() {
            text.push('}');
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, " {value}");
    }
}

/// The value of a label, with backslashes, quotes and line feeds escaped.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_and_buckets_add_up() {
        let mut page = Page::default();
        let histogram = Histogram {
            bounds: &[1_000, 500_000],
            counts: &[2, 1, 1],
            sum: 2_000_000,
            unit: Unit::Micros,
        };
        page.metric("seconds", Kind::Histogram, "How long.")
            .histogram(&[("key", "a\"\\\n")], histogram);
        assert_eq!(
            page.finish(),
            "# HELP seconds How long.\n# TYPE seconds histogram\n\
             seconds_bucket{key=\"a\\\"\\\\\\n\",le=\"0.001\"} 2\n\
             seconds_bucket{key=\"a\\\"\\\\\\n\",le=\"0.5\"} 3\n\
             seconds_bucket{key=\"a\\\"\\\\\\n\",le=\"+Inf\"} 4\n\
             seconds_sum{key=\"a\\\"\\\\\\n\"} 2\n\
             seconds_count{key=\"a\\\"\\\\\\n\"} 4\n"
        );
    }

    #[test]
    fn a_metric_is_described_once_and_its_samples_stay_together() {
        let mut page = Page::default();
        for service in ["one", "two"] {
            let labels = [("service", service)];
            page.metric("jobs_total", Kind::Counter, "Jobs.").value(&labels, 1);
            page.metric("queue", Kind::Gauge, "Waiting.").value(&labels, 0.5);
        }
        page.metric("up", Kind::Gauge, "Whether it runs.").value(&[], 1);
        assert_eq!(
            page.finish(),
            "# HELP jobs_total Jobs.\n# TYPE jobs_total counter\n\
             jobs_total{service=\"one\"} 1\njobs_total{service=\"two\"} 1\n\
             # HELP queue Waiting.\n# TYPE queue gauge\n\
             queue{service=\"one\"} 0.5\nqueue{service=\"two\"} 0.5\n\
             # HELP up Whether it runs.\n# TYPE up gauge\nup 1\n"
        );
    }
}
