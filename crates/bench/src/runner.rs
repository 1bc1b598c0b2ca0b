//! A run: every figure from slices of all contenders in turn, because machines are never quiet.

use std::fs;
use std::time::Duration;

use crate::{
    Arguments, Contender, Figure, Figures, Machine, Mode, Result, Slice, Slicing, Workload, settle,
};

/// Calls before the first slice of a figure that nobody measures.
const WARM_UP: Duration = Duration::from_millis(100);
/// How long flushes and compactions of one contender may delay the next one's slice.
const SETTLE_MAX: Duration = Duration::from_secs(2);

/// Measures everything that the arguments ask for. `make` loads the contenders of a table.
pub fn run(
    arguments: &Arguments,
    mut make: impl FnMut(Mode, u64) -> Result<Vec<Box<dyn Contender>>>,
) -> Result<Figures> {
    fs::create_dir_all(&arguments.directory)?;
    let mut figures = Vec::new();
    for &mode in &arguments.modes {
        for &items in &arguments.items {
            eprintln!("loading {items} items, {mode}");
            let mut contenders = make(mode, items)?;
            for workload in Workload::ALL {
                if !arguments.workloads.contains(&workload) {
                    continue;
                }
                for &callers in &arguments.callers {
                    let measured = measure(arguments, &mut contenders, mode, workload, callers)?;
                    for (contender, slices) in contenders.iter().zip(measured) {
                        let figure = Figure {
                            mode,
                            items,
                            workload,
                            callers,
                            contender: contender.name().to_owned(),
                            slices_per_second: slices.iter().map(|s| s.per_second).collect(),
                            median: median(slices).ok_or("no slice was measured")?,
                        };
                        tell(&figure);
                        figures.push(figure);
                    }
                }
            }
        }
    }
    Ok(Figures { machine: Machine::describe(&arguments.directory), figures })
}

/// The slices of each contender for one figure.
fn measure(
    arguments: &Arguments,
    contenders: &mut [Box<dyn Contender>],
    mode: Mode,
    workload: Workload,
    callers: usize,
) -> Result<Vec<Vec<Slice>>> {
    let (rounds, duration) = arguments.slices();
    let mut slices = vec![Vec::new(); contenders.len()];
    for contender in contenders.iter_mut() {
        contender.slice(Slicing { workload, callers, duration: WARM_UP, seed: 0 })?;
    }
    for round in 0..rounds {
        let mut order: Vec<usize> = (0..contenders.len()).collect();
        // Whoever was first is last in the next round, so that a drift of the machine hits all.
        if round % 2 == 1 {
            order.reverse();
        }
        for place in order {
            // Memory has no work of its own behind its writes.
            if workload.writes() && mode == Mode::Durable {
                settle(SETTLE_MAX);
            }
            let seed = u64::from(round) + 1;
            let slicing = Slicing { workload, callers, duration, seed };
            slices[place].push(contenders[place].slice(slicing)?);
        }
    }
    Ok(slices)
}

/// The slice in the middle by rate; of an even number the slower one of the two.
fn median(mut slices: Vec<Slice>) -> Option<Slice> {
    slices.sort_by(|a, b| a.per_second.total_cmp(&b.per_second));
    let middle = slices.len().checked_sub(1)? / 2;
    Some(slices.swap_remove(middle))
}

fn tell(figure: &Figure) {
    eprintln!(
        "{:<7} {:>9} {:<13} {:>2} callers {:<9} {:>11.0}/s   p50 {:>9.1} us   p99 {:>9.1} us",
        figure.mode,
        figure.items,
        figure.workload.name(),
        figure.callers,
        figure.contender,
        figure.median.per_second,
        figure.median.p50_us,
        figure.median.p99_us,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_slice_in_the_middle() {
        let slices = |rates: &[f64]| {
            rates.iter().map(|&per_second| Slice { per_second, ..Slice::default() }).collect()
        };
        assert_eq!(median(slices(&[3.0, 1.0, 2.0])).map(|s| s.per_second), Some(2.0));
        assert_eq!(median(slices(&[4.0, 1.0])).map(|s| s.per_second), Some(1.0));
        assert_eq!(median(Vec::new()), None);
    }
}
