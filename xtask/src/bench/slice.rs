//! Short measurements by `monotable bench` as a child process, and the median of several.

use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

/// Slices that differ by more than this factor say that something else was measured too.
const STEADY_SPREAD_MAX: f64 = 2.0;

/// What every slice has in common.
pub(crate) struct Settings<'a> {
    /// The `monotable` command.
    pub(crate) program: &'a Path,
    pub(crate) table: &'a str,
    pub(crate) connections: usize,
    pub(crate) items: u64,
}

/// The part of a report of `monotable bench --json` that is of interest here.
#[derive(Deserialize)]
struct Report {
    figures: Vec<Slice>,
}

/// One figure.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Slice {
    pub(crate) requests_per_second: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) errors: Vec<ErrorCount>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ErrorCount {
    pub(crate) code: String,
    pub(crate) count: u64,
    pub(crate) message: String,
}

/// Measures one operation for a moment. The first slice on a server creates the table and fills it.
pub(crate) fn measure(
    settings: &Settings<'_>,
    url: &str,
    operation: &str,
    seconds: f64,
) -> Result<Slice> {
    let mut command = Command::new(settings.program);
    // All servers get the same requests, none of them signed.
    command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
    command.args(["bench", "--json", "--endpoint", url, "--table", settings.table]);
    command.args(["--operations", operation, "--seconds", &seconds.to_string()]);
    command.args(["--warm-up", &(seconds / 5.0).to_string()]);
    command.args(["--connections", &settings.connections.to_string()]);
    command.args(["--items", &settings.items.to_string()]);
    let output = command.output().context("`monotable bench` could not be started")?;
    if !output.status.success() {
        bail!("{url}: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let report: Report = serde_json::from_slice(&output.stdout).context("no report came")?;
    report.figures.into_iter().next().context("the report has no figure")
}

/// All slices of one contender and one operation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slices(Vec<Slice>);

impl Slices {
    pub(crate) fn push(&mut self, slice: Slice) {
        self.0.push(slice);
    }

    /// Returns the slice with the median rate.
    pub(crate) fn median(&self) -> Option<&Slice> {
        let mut slices: Vec<&Slice> = self.0.iter().collect();
        slices.sort_by(|one, other| one.requests_per_second.total_cmp(&other.requests_per_second));
        slices.get(slices.len() / 2).copied()
    }

    /// Returns whether the slices agree well enough for their median to mean something.
    pub(crate) fn is_steady(&self) -> bool {
        let rates = || self.0.iter().map(|slice| slice.requests_per_second);
        let fastest = rates().fold(0.0, f64::max);
        let slowest = rates().fold(f64::INFINITY, f64::min);
        fastest <= slowest * STEADY_SPREAD_MAX
    }

    /// Returns how many requests failed, and the first message.
    pub(crate) fn errors(&self) -> Option<String> {
        let errors = || self.0.iter().flat_map(|slice| &slice.errors);
        let count: u64 = errors().map(|error| error.count).sum();
        let ErrorCount { code, message, .. } = errors().next()?;
        Some(format!("{count} requests failed, the first with {code}: {message}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices(rates: &[f64]) -> Slices {
        let slice = |requests_per_second| Slice {
            requests_per_second,
            p50_us: 1.0,
            p99_us: 2.0,
            errors: Vec::new(),
        };
        Slices(rates.iter().copied().map(slice).collect())
    }

    #[test]
    fn the_median_slice_stands_for_all() {
        let median = |rates| slices(rates).median().map(|slice| slice.requests_per_second);
        assert_eq!(median(&[30.0, 10.0, 20.0]), Some(20.0));
        assert_eq!(median(&[30.0]), Some(30.0));
        assert_eq!(median(&[]), None);
        assert!(slices(&[10.0, 20.0]).is_steady());
        assert!(!slices(&[10.0, 21.0]).is_steady());
    }

    #[test]
    fn a_report_is_read() {
        let json = r#"{"endpoint": "x", "figures": [{"operation": "get", "requests": 3,
            "requests_per_second": 1.5, "p50_us": 1.0, "p99_us": 2.0, "max_us": 3.0,
            "errors": [{"code": "C", "count": 2, "message": "m"}], "reconnects": 0}]}"#;
        let report: Report = serde_json::from_str(json).unwrap();
        let slices = Slices(report.figures);
        assert_eq!(slices.errors().unwrap(), "2 requests failed, the first with C: m");
    }
}
