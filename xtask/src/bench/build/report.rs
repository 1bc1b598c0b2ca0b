//! Compares the figures of builds with their targets.

use super::{Builds, ChangedCheck, CleanBuild};
use crate::bench::table::aligned;

/// The packages of the services and of the command that hosts them.
const SERVICES_AND_COMMAND: [&str; 3] =
    ["monotable-hacktracker", "monotable-btl-run", "monotable-cli"];
/// The services that came later: each has a budget of its own.
const LATER_SERVICES: [&str; 3] =
    ["monotable-three-fc", "monotable-codekurukshetra", "monotable-scavenger-hunt"];
/// Packages that are listed by name.
const LISTED: usize = 15;
const BYTES_PER_MEGABYTE: f64 = 1_000_000.0;

/// A figure, and what it must not exceed.
struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    most: f64,
}

impl Figure {
    fn new(name: impl Into<String>, value: f64, unit: &'static str, most: f64) -> Self {
        Self { name: name.into(), value, unit, most }
    }

    fn row(&self) -> Vec<String> {
        let Self { name, value, unit, most } = self;
        let verdict = if value <= most { "reached" } else { "not reached" };
        vec![name.clone(), format!("{value:.1} {unit}"), format!("{most} {unit}"), verdict.into()]
    }
}

/// Returns a table of the figures with their targets, and a table of the cost of each package.
pub(super) fn render(builds: &Builds) -> String {
    let mut figures: Vec<Figure> = builds.clean.iter().flat_map(clean_figures).collect();
    figures.extend(builds.checks.iter().map(check_figure));
    let header = ["figure", "measured", "target, at most", ""].map(str::to_owned).to_vec();
    let rows: Vec<_> = [header].into_iter().chain(figures.iter().map(Figure::row)).collect();
    let mut text = aligned(&rows);
    if let Some(clean) = &builds.clean {
        text.push('\n');
        text += &packages(clean);
    }
    text
}

fn clean_figures(clean: &CleanBuild) -> Vec<Figure> {
    let hosted: f64 = clean
        .packages
        .iter()
        .filter(|package| SERVICES_AND_COMMAND.contains(&&*package.package))
        .map(|package| package.cost.processor_seconds)
        .sum();
    let mut figures = vec![
        Figure::new("clean build", clean.whole.wall_seconds / 60.0, "min", 5.0),
        Figure::new("clean build, processors", clean.whole.processor_seconds / 60.0, "min", 8.5),
        Figure::new("of it services and command", hosted, "s", 120.0),
        Figure::new("binary", clean.binary_bytes as f64 / BYTES_PER_MEGABYTE, "MB", 40.0),
    ];
    let is_later = |name: &str| LATER_SERVICES.contains(&name);
    for package in clean.packages.iter().filter(|package| is_later(&package.package)) {
        let name = format!("of it {}", package.package);
        figures.push(Figure::new(name, package.cost.processor_seconds, "s", 30.0));
    }
    figures
}

fn check_figure(check: &ChangedCheck) -> Figure {
    let name = format!("check of {} after a change in one command", check.package);
    Figure::new(name, check.cost.wall_seconds, "s", 5.0)
}

/// Returns the packages that cost most, and all others together.
fn packages(clean: &CleanBuild) -> String {
    let (listed, others) = clean.packages.split_at(clean.packages.len().min(LISTED));
    let mut rows = vec![vec!["package".to_owned(), "processor s".to_owned()]];
    for package in listed {
        let seconds = package.cost.processor_seconds;
        rows.push(vec![package.package.clone(), format!("{seconds:.1}")]);
    }
    let rest: f64 = others.iter().map(|package| package.cost.processor_seconds).sum();
    rows.push(vec![format!("{} others", others.len()), format!("{rest:.1}")]);
    aligned(&rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::build::compiler::CrateCost;
    use crate::bench::cost::Cost;

    fn cost(seconds: f64) -> Cost {
        Cost { wall_seconds: seconds, processor_seconds: seconds }
    }

    fn package(name: &str, seconds: f64) -> CrateCost {
        CrateCost { package: name.to_owned(), cost: cost(seconds) }
    }

    #[test]
    fn figures_stand_beside_their_targets_and_packages_below() {
        let mut packages = vec![
            package("monotable-btl-run", 70.0),
            package("monotable-hacktracker", 40.0),
            package("monotable-three-fc", 31.0),
            package("monotable-cli", 10.5),
        ];
        packages.extend((0..20).map(|number| package(&format!("other-{number}"), 0.5)));
        let clean = CleanBuild { whole: cost(300.0), packages, binary_bytes: 163_000_000 };
        let checks = vec![ChangedCheck { package: "monotable-btl-run", cost: cost(2.25) }];
        let text = render(&Builds { clean: Some(clean), checks });
        let cells = |line: &str| {
            let cells = line.split('|').map(str::trim).collect::<Vec<_>>();
            cells.join(" ").trim().to_owned()
        };
        let lines: Vec<String> = text.lines().map(cells).collect();
        assert_eq!(
            lines[2..8],
            [
                "clean build 5.0 min 5 min reached",
                "clean build, processors 5.0 min 8.5 min reached",
                "of it services and command 120.5 s 120 s not reached",
                "binary 163.0 MB 40 MB not reached",
                "of it monotable-three-fc 31.0 s 30 s not reached",
                "check of monotable-btl-run after a change in one command 2.2 s 5 s reached",
            ]
        );
        assert_eq!(lines[11], "monotable-btl-run 70.0");
        assert_eq!(lines.last().unwrap(), "9 others 4.5");
    }
}
