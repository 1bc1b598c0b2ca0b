//! What a program took: wall clock and processors.

use std::fs;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, ensure};
use serde::{Deserialize, Serialize};

/// The kernel counts a process's time in hundredths of a second.
const TICKS_PER_SECOND: f64 = 100.0;

/// What a program took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cost {
    /// From the start to the end.
    pub(crate) wall_seconds: f64,
    /// Of all processors together, so that other work on the machine hardly counts.
    pub(crate) processor_seconds: f64,
}

/// Runs a command to its end; an exit code other than zero is an error.
pub(crate) fn measured(command: &mut Command) -> Result<Cost> {
    let (start, ticks) = (Instant::now(), children_ticks()?);
    let status = command.status().context("the command could not be started")?;
    ensure!(status.success(), "the command ended with {status}");
    Ok(Cost {
        wall_seconds: start.elapsed().as_secs_f64(),
        processor_seconds: (children_ticks()? - ticks) as f64 / TICKS_PER_SECOND,
    })
}

/// Processor time of all processes that this one has started and that have ended, and of theirs.
fn children_ticks() -> Result<u64> {
    let stat = fs::read_to_string("/proc/self/stat").context("only Linux has these figures")?;
    ticks_of_children(&stat)
}

/// Returns the user and system time of children in the text of `/proc/self/stat`. The name of the program stands
/// in parentheses and may have anything in it.
fn ticks_of_children(stat: &str) -> Result<u64> {
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    Ok(ticks.map(str::parse::<u64>).sum::<Result<u64, _>>()?)
}

/// Returns the middle one; the wall clock and the processor have a median each.
pub(crate) fn median(costs: &[Cost]) -> Option<Cost> {
    let middle = |part: fn(&Cost) -> f64| {
        let mut seconds: Vec<f64> = costs.iter().map(part).collect();
        seconds.sort_by(f64::total_cmp);
        seconds.get(seconds.len() / 2).copied()
    };
    Some(Cost {
        wall_seconds: middle(|cost| cost.wall_seconds)?,
        processor_seconds: middle(|cost| cost.processor_seconds)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_of_children_is_found_behind_any_name() {
        let stat = "4711 (a) b (c) S 1 2 3 4 5 6 7 8 9 10 11 12 130 17 20 0 1 0";
        assert_eq!(ticks_of_children(stat).unwrap(), 147);
        assert!(ticks_of_children("4711 (a) S 1 2 3 4 5 6 7 8 9 10 11 12 x 17").is_err());
    }

    #[test]
    fn both_clocks_have_a_median_of_their_own() {
        let cost = |wall_seconds, processor_seconds| Cost { wall_seconds, processor_seconds };
        let costs = [cost(0.5, 2.0), cost(9.0, 1.0), cost(0.25, 3.0)];
        assert_eq!(median(&costs), Some(cost(0.5, 2.0)));
        assert_eq!(median(&[]), None);
    }
}
