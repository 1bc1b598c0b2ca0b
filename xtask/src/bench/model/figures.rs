//! The duration of operations through a model, compared with the same operations written by hand.

use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde::Deserialize;
use serde_json::Value;

use crate::bench::table::{aligned, grouped};

/// Slices that differ by more than this factor say that something else was measured too.
const STEADY_SPREAD_MAX: f64 = 2.0;
/// Whose time is compared with that of the other contender.
const MODEL: &str = "model";

/// What a benchmark program prints with `--json`, as far as it is of interest here.
#[derive(Deserialize)]
pub(super) struct Report {
    figures: Vec<Figure>,
}

#[derive(Clone, Deserialize)]
struct Figure {
    mode: String,
    items: u64,
    workload: String,
    callers: usize,
    contender: String,
    per_second: f64,
    p50_us: f64,
    p99_us: f64,
    slices_per_second: Vec<f64>,
    slices_p50_us: Vec<f64>,
}

impl Figure {
    fn is_steady(&self) -> bool {
        let rates = || self.slices_per_second.iter().copied();
        rates().fold(0.0, f64::max) <= rates().fold(f64::INFINITY, f64::min) * STEADY_SPREAD_MAX
    }

    /// Returns how much more time this one takes than another. Slices of both took turns, so that neighbours
    /// met the same mood of the machine: the ratio is the middle one of theirs.
    fn times(&self, other: &Self) -> f64 {
        let neighbours = self.slices_p50_us.iter().zip(&other.slices_p50_us);
        let mut ratios: Vec<f64> = neighbours.map(|(ours, theirs)| ours / theirs).collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
    }

    fn work(&self) -> (&str, u64, &str, usize) {
        (&self.mode, self.items, &self.workload, self.callers)
    }
}

impl Report {
    pub(super) fn read(json: &Value) -> Result<Self> {
        Self::deserialize(json).context("the benchmark printed other figures")
    }

    /// Returns every operation of the model with the one by hand.
    fn pairs(&self) -> impl Iterator<Item = (&Figure, &Figure)> {
        let is_model = |figure: &&Figure| figure.contender == MODEL;
        self.figures.iter().filter(is_model).filter_map(move |model| {
            let others = self.figures.iter().filter(move |figure| !is_model(figure));
            others
                .into_iter()
                .find(|other| other.work() == model.work())
                .map(|other| (model, other))
        })
    }

    /// Returns one row for each operation, and below it which ones take more than `times_max` of the time.
    pub(super) fn render(&self, times_max: f64) -> String {
        let header = ["operation", "mode", "items", "callers", "model p50 µs", "p99 µs"];
        let header = header.into_iter().chain(["by hand p50 µs", "p99 µs", "p50 ×", "mean ×"]);
        let mut rows = vec![header.map(str::to_owned).collect::<Vec<String>>()];
        let mut slow = Vec::new();
        for (model, by_hand) in self.pairs() {
            let doubt = if model.is_steady() && by_hand.is_steady() { "" } else { "~" };
            let times = model.times(by_hand);
            rows.push(vec![
                model.workload.clone(),
                model.mode.clone(),
                grouped(model.items as f64),
                model.callers.to_string(),
                micros(model.p50_us),
                micros(model.p99_us),
                micros(by_hand.p50_us),
                micros(by_hand.p99_us),
                format!("{doubt}{times:.2}"),
                format!("{doubt}{:.2}", by_hand.per_second / model.per_second),
            ]);
            // The table has two digits, so nobody sees a third one.
            if (times * 100.0).round() > times_max * 100.0 {
                slow.push(format!("{} {} {}", model.mode, model.workload, model.callers));
            }
        }
        let mut text = aligned(&rows);
        let (all, reached) = (rows.len() - 1, rows.len() - 1 - slow.len());
        let _ = write!(text, "\ntarget: p50 at most {times_max} ×, reached by {reached} of {all}");
        if !slow.is_empty() {
            let _ = write!(text, "; not by {}", slow.join(", "));
        }
        let unsteady = rows.iter().filter(|row| row[8].starts_with('~')).count();
        if unsteady > 0 {
            let _ = write!(text, "\n~ {unsteady} of {all}: slices differ by more than 2 ×");
        }
        text.push('\n');
        text
    }
}

fn micros(microseconds: f64) -> String {
    if microseconds < 100.0 { format!("{microseconds:.1}") } else { grouped(microseconds) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn figure(contender: &str, workload: &str, p50_us: f64, slices: [f64; 3]) -> Value {
        let slices_p50_us = [p50_us * 3.0, p50_us, p50_us / 2.0];
        json!({
            "mode": "memory", "items": 10_000, "workload": workload, "callers": 1,
            "contender": contender, "operations": 7, "per_second": slices[1], "p50_us": p50_us,
            "p99_us": 1234.0, "p999_us": 2000.0, "longest_us": 3000.0, "slices_per_second": slices,
            "slices_p50_us": slices_p50_us,
        })
    }

    #[test]
    fn operations_stand_beside_those_by_hand() {
        let report = Report::read(&json!({ "machine": {}, "figures": [
            figure("model", "get", 11.0, [90.0, 80.0, 90.0]),
            figure("by hand", "get", 10.0, [100.0, 100.0, 100.0]),
            figure("model", "put", 17.0, [50.0, 50.0, 120.0]),
            figure("by hand", "put", 10.0, [100.0, 100.0, 100.0]),
        ]}))
        .unwrap();
        let text = report.render(1.15);
        let lines: Vec<&str> = text.lines().collect();
        let cells = |line: &str| line.split('|').map(str::trim).collect::<Vec<_>>().join(" ");
        assert_eq!(cells(lines[2]).trim(), "get memory 10,000 1 11.0 1,234 10.0 1,234 1.10 1.25");
        assert_eq!(cells(lines[3]).trim(), "put memory 10,000 1 17.0 1,234 10.0 1,234 ~1.70 ~2.00");
        assert_eq!(
            lines[5..],
            [
                "target: p50 at most 1.15 ×, reached by 1 of 2; not by memory put 1",
                "~ 1 of 2: slices differ by more than 2 ×"
            ]
        );
    }
}
