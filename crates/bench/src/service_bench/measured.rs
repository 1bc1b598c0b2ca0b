//! What was measured, and how it is shown.

use std::fmt;
use std::time::Duration;

use hdrhistogram::Histogram;
use monotable_bench::{Machine, Mode, Result};
use serde::Serialize;

/// What one slice has measured.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Slice {
    pub(crate) operations: u64,
    pub(crate) per_second: f64,
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
}

impl Slice {
    /// Returns the slice of these latencies.
    pub(crate) fn of(histogram: &Histogram<u64>, wall: Duration) -> Self {
        let quantile_us = |quantile| histogram.value_at_quantile(quantile) as f64 / 1e3;
        Self {
            operations: histogram.len(),
            per_second: histogram.len() as f64 / wall.as_secs_f64(),
            p50_us: quantile_us(0.5),
            p99_us: quantile_us(0.99),
        }
    }
}

impl fmt::Display for Slice {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{:.0}/s, p50 {:.0} µs, p99 {:.0} µs",
            self.per_second, self.p50_us, self.p99_us
        )
    }
}

/// One act of a service on one side.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figure {
    pub(crate) service: &'static str,
    pub(crate) mode: Mode,
    pub(crate) act: &'static str,
    pub(crate) side: &'static str,
    pub(crate) callers: usize,
    #[serde(flatten)]
    pub(crate) slice: Slice,
}

/// What was measured without other clients.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Alone {
    pub(crate) act: String,
    pub(crate) measured: String,
    pub(crate) target: String,
    pub(crate) is_met: bool,
}

/// Returns the slice in the middle by its 99th percentile.
pub(crate) fn median(mut slices: Vec<Slice>) -> Option<Slice> {
    slices.sort_by(|a, b| a.p99_us.total_cmp(&b.p99_us));
    let middle = slices.len() / 2;
    (!slices.is_empty()).then(|| slices.swap_remove(middle))
}

/// Prints everything as JSON.
pub(crate) fn print_json(machine: &Machine, figures: &[Figure], alone: &[Alone]) -> Result<()> {
    let all = serde_json::json!({ "machine": machine, "figures": figures, "alone": alone });
    println!("{all:#}");
    Ok(())
}

/// Service and engine side by side, with how often the percentiles of the one are those of the other.
pub(crate) fn print_table(
    machine: &Machine,
    figures: &[Figure],
    alone: &[Alone],
    times_max: f64,
) -> Result<()> {
    println!("{machine}\n");
    println!(
        "{:<8} {:<12} {:<12} {:>7} | {:>10} {:>11} {:>11} | {:>10} {:>11} {:>11} | {:>5} {:>5} service ÷ engine",
        "mode",
        "service",
        "act",
        "clients",
        "service/s",
        "p50 µs",
        "p99 µs",
        "engine/s",
        "p50 µs",
        "p99 µs",
        "p50",
        "p99"
    );
    for pair in figures.chunks(2) {
        let [service, engine] = pair else { continue };
        let Figure { service: name, mode, act, callers, .. } = service;
        let (s, e) = (&service.slice, &engine.slice);
        let (middle, times) = (s.p50_us / e.p50_us, s.p99_us / e.p99_us);
        let verdict = if times <= times_max { "" } else { "  above the target" };
        println!(
            "{mode:<8} {name:<12} {act:<12} {callers:>7} | {:>10.0} {:>11.0} {:>11.0} | {:>10.0} {:>11.0} {:>11.0} | {middle:>5.2} {times:>5.2}{verdict}",
            s.per_second, s.p50_us, s.p99_us, e.per_second, e.p50_us, e.p99_us
        );
    }
    println!(
        "\nThe target is at most {times_max} times the engine's 99th percentile for the same rows.\n"
    );
    for Alone { act, measured, target, is_met } in alone {
        let verdict = if *is_met { "" } else { ", above it" };
        println!("{act}: {measured} (target {target}{verdict})");
    }
    Ok(())
}
