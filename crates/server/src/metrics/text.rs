//! Prometheus's text format.

use std::fmt::{Display, Write};

use monotable_engine::Histogram;

/// A page of figures in the making.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
}

/// Labels of a sample, in order.
pub(super) type Labels<'a> = [(&'a str, &'a str)];

/// What the values of a histogram stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Shown as they are.
    Count,
    /// Shown as seconds, as Prometheus wants them.
    Micros,
}

impl Unit {
    fn shown(self, value: u64) -> f64 {
        match self {
            Self::Count => value as f64,
            Self::Micros => value as f64 / 1e6,
        }
    }
}

impl Page {
    /// Says what the samples that follow are.
    pub(super) fn describe(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    pub(super) fn sample(&mut self, name: &str, labels: &Labels<'_>, value: impl Display) {
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

    pub(super) fn histogram(
        &mut self,
        name: &str,
        labels: &Labels<'_>,
        histogram: &Histogram,
        unit: Unit,
    ) {
        let bucket = format!("{name}_bucket");
        let mut below = 0;
        for (bound, count) in histogram.bounds.iter().zip(&histogram.counts) {
            below += count;
            let bound = unit.shown(*bound).to_string();
            self.sample(&bucket, &[labels, &[("le", &bound)]].concat(), below);
        }
        self.sample(&bucket, &[labels, &[("le", "+Inf")]].concat(), histogram.count());
        self.sample(&format!("{name}_sum"), labels, unit.shown(histogram.sum));
        self.sample(&format!("{name}_count"), labels, histogram.count());
    }

    pub(super) fn finish(self) -> String {
        self.text
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_escaped_and_buckets_add_up() {
        let mut page = Page::default();
        page.describe("seconds", "histogram", "How long.");
        let histogram =
            Histogram { bounds: &[1_000, 500_000], counts: vec![2, 1, 1], sum: 2_000_000 };
        page.histogram("seconds", &[("key", "a\"\\\n")], &histogram, Unit::Micros);
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
}
