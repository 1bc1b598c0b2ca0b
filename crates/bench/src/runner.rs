//! A run: every figure from slices of all contenders in turn, because machines are never quiet.

use std::fs;
use std::time::Duration;

use crate::{
    Arguments, Contender, Figure, Figures, Machine, Mode, Result, Slice, Slicing, Workload, settle,
};

/// The calls before the first slice, which are not measured.
const WARM_UP: Duration = Duration::from_millis(100);
/// How long flushes and compactions of one contender may delay the next one's slice.
const SETTLE_MAX: Duration = Duration::from_secs(2);

/// Measures everything that the arguments select. `make` loads the contenders of a table.
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
                            slices_p50_us: slices.iter().map(|s| s.p50_us).collect(),
                            median: median(&slices).ok_or("no slice was measured")?,
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

/// Returns the slices of each contender for one figure.
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
        // The first one is the last in the next round, so that a drift of the machine affects all.
        if round % 2 == 1 {
            order.reverse();
        }
        for place in order {
            // In memory there is no background work after writes.
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

/// Returns the middle of every number by itself; of an even count the smaller one of the two.
fn median(slices: &[Slice]) -> Option<Slice> {
    let middle = slices.len().checked_sub(1)? / 2;
    let middle_of = |number: fn(&Slice) -> f64| {
        let mut numbers: Vec<f64> = slices.iter().map(number).collect();
        numbers.sort_by(f64::total_cmp);
        numbers[middle]
    };
    Some(Slice {
        operations: slices.iter().map(|slice| slice.operations).sum(),
        per_second: middle_of(|slice| slice.per_second),
        p50_us: middle_of(|slice| slice.p50_us),
        p99_us: middle_of(|slice| slice.p99_us),
        p999_us: middle_of(|slice| slice.p999_us),
        longest_us: middle_of(|slice| slice.longest_us),
    })
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
    fn the_median_is_the_middle_of_every_number() {
        let slice =
            |per_second, p50_us| Slice { operations: 2, per_second, p50_us, ..Slice::default() };
        let three = median(&[slice(3.0, 7.0), slice(1.0, 9.0), slice(2.0, 8.0)]);
        assert_eq!(three, Some(Slice { operations: 6, ..slice(2.0, 8.0) }));
        assert_eq!(median(&[slice(4.0, 1.0), slice(1.0, 1.0)]).map(|s| s.per_second), Some(1.0));
        assert_eq!(median(&[]), None);
    }
}
