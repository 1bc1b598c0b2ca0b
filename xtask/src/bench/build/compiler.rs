//! A wrapper of the compiler: each call appends a line with its duration.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::Write as _;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::bench::cost::{Cost, measured};

/// Names the file that the lines are added to. Who finds it set is the wrapper.
pub(super) const LOG_VARIABLE: &str = "MONOTABLE_BENCH_BUILD_LOG";

/// What a package cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CrateCost {
    /// The name of the package.
    pub(super) package: String,
    #[serde(flatten)]
    pub(super) cost: Cost,
}

/// Does what cargo asks of the compiler if this program was started as its wrapper.
pub(crate) fn wrap() -> Option<ExitCode> {
    let log = std::env::var_os(LOG_VARIABLE)?;
    Some(match wrapped(log) {
        Ok(()) => ExitCode::SUCCESS,
        // The compiler has said what is wrong.
        Err(_) => ExitCode::FAILURE,
    })
}

fn wrapped(log: OsString) -> Result<()> {
    let mut arguments = std::env::args_os().skip(1);
    let compiler = arguments.next().context("cargo names the compiler")?;
    let cost = measured(Command::new(compiler).args(arguments))?;
    // Cargo also asks the compiler about itself; that is for no package.
    let Ok(package) = std::env::var("CARGO_PKG_NAME") else { return Ok(()) };
    let mut line = serde_json::to_string(&CrateCost { package, cost })?;
    line.push('\n');
    // One write to the end of a file is atomic, even with concurrent writers.
    File::options().create(true).append(true).open(log)?.write_all(line.as_bytes())?;
    Ok(())
}

/// Adds up the lines of each package: it may have a library, a program and a build script. The most
/// expensive package comes first.
pub(super) fn read_log(text: &str) -> Result<Vec<CrateCost>> {
    let mut packages: HashMap<String, Cost> = HashMap::new();
    for line in text.lines() {
        let line: CrateCost = serde_json::from_str(line).context("the log is damaged")?;
        let sum = packages.entry(line.package).or_default();
        sum.wall_seconds += line.cost.wall_seconds;
        sum.processor_seconds += line.cost.processor_seconds;
    }
    let mut packages: Vec<_> =
        packages.into_iter().map(|(package, cost)| CrateCost { package, cost }).collect();
    packages.sort_by(|one, other| {
        let by_cost = other.cost.processor_seconds.total_cmp(&one.cost.processor_seconds);
        by_cost.then_with(|| one.package.cmp(&other.package))
    });
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calls_for_a_package_are_added_up_and_the_most_expensive_comes_first() {
        let log = "{\"package\":\"small\",\"wall_seconds\":1.0,\"processor_seconds\":0.5}\n\
                   {\"package\":\"large\",\"wall_seconds\":2.0,\"processor_seconds\":3.0}\n\
                   {\"package\":\"large\",\"wall_seconds\":0.5,\"processor_seconds\":0.25}\n\
                   {\"package\":\"also-small\",\"wall_seconds\":1.0,\"processor_seconds\":0.5}\n";
        let packages = read_log(log).unwrap();
        let names: Vec<&str> = packages.iter().map(|package| &*package.package).collect();
        assert_eq!(names, ["large", "also-small", "small"]);
        assert_eq!(packages[0].cost, Cost { wall_seconds: 2.5, processor_seconds: 3.25 });
    }

    #[test]
    fn a_damaged_log_is_no_result() {
        assert!(read_log("{\"package\":\"small\"").is_err());
    }
}
