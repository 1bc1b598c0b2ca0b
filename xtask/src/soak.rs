//! `cargo xtask soak`: the test code of `cargo xtask test` with the figures of GUARANTEES.md.
//!
//! Tests read their figures from environment variables and take small ones of their own when the
//! variables are not set, so nothing is tested here that CI does not test at a smaller scale. A
//! variable that is already set keeps its value, for a soak of another length.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::builder::PossibleValuesParser;

use crate::steps::{self, Step};
use crate::workspace::{self, Workspace};
use crate::{clients, fuzz};

/// A way of looking for faults, and how far a soak goes with it.
struct Technique {
    name: &'static str,
    heading: &'static str,
    /// The variable that tells the tests their figure.
    variable: &'static str,
    figure: u64,
    /// Tests with this in their names belong to the technique.
    filter: &'static str,
}

const TECHNIQUES: [Technique; 11] = [
    Technique {
        name: "oracle",
        heading: "operations on the engine and on the oracle",
        variable: "MONOTABLE_ORACLE_OPS",
        figure: 1_000_000,
        filter: "oracle::",
    },
    Technique {
        name: "crash",
        heading: "kills of a writing process, with a journal of what was acknowledged",
        variable: "MONOTABLE_CRASH_CYCLES",
        figure: 300,
        filter: "crash::",
    },
    Technique {
        name: "faults",
        heading: "runs of which the Nth I/O call fails",
        variable: "MONOTABLE_FAULT_RUNS",
        figure: 21_000,
        filter: "io_faults::",
    },
    Technique {
        name: "backup-faults",
        heading: "backups, restores, exports and imports that are killed or fail at the Nth I/O call",
        variable: "MONOTABLE_BACKUP_FAULTS",
        figure: 1_200,
        filter: "backup_faults::",
    },
    Technique {
        name: "history",
        heading: "random times of random histories, restored and compared with a model",
        variable: "MONOTABLE_HISTORY_PAIRS",
        figure: 10_000,
        filter: "history::any_time",
    },
    Technique {
        name: "damage",
        heading: "changed bytes in the files of a database, each checked and opened",
        variable: "MONOTABLE_DAMAGE_FLIPS",
        figure: 262_144,
        filter: "damage::",
    },
    Technique {
        name: "crash-images",
        heading: "images of files as a power failure leaves them, each checked and opened",
        variable: "MONOTABLE_CRASH_IMAGES",
        figure: 50_000,
        filter: "crash_images::",
    },
    Technique {
        name: "server-kills",
        heading: "kills of a server under clients that know what was acknowledged",
        variable: "MONOTABLE_KILL_CYCLES",
        figure: 300,
        filter: "server_kills::",
    },
    Technique {
        name: "linearizable",
        heading: "operations over HTTP whose history has to be linearizable",
        variable: "MONOTABLE_LINEARIZABLE_OPERATIONS",
        figure: 200_000,
        filter: "linearizable::",
    },
    Technique {
        name: "serializable",
        heading: "transactions over HTTP whose history has to be strictly serializable",
        variable: "MONOTABLE_SERIALIZABLE_TRANSACTIONS",
        figure: 100_000,
        filter: "serializable::",
    },
    Technique {
        name: "money",
        heading: "histories of payments, with lost calls, lost events and dying processes",
        variable: "MONOTABLE_HISTORIES",
        figure: 10_000,
        filter: "money::histories::",
    },
];

const FUZZ: &str = "fuzz";
/// Executions of all fuzz targets together.
const FUZZ_VARIABLE: &str = "MONOTABLE_FUZZ_RUNS";
const FUZZ_RUNS: u64 = 50_000_000;

const SCENARIOS: &str = "dynamodb-local";
/// Tests with this in their names are acceptance scenarios of a service.
const SCENARIOS_FILTER: &str = "scenarios::";

const ADVICE: &str = "the output above names the seed or the input that repeats the failure.";

/// Returns the names that `--only` takes.
pub(crate) fn technique_names() -> PossibleValuesParser {
    let names = TECHNIQUES.iter().map(|technique| technique.name);
    PossibleValuesParser::new(names.chain([FUZZ, SCENARIOS]))
}

/// Runs rounds of all techniques, or of those named, until the minutes are over.
pub(crate) fn run(workspace: &Workspace, minutes: u64, only: &[String]) -> Result<()> {
    let started = Instant::now();
    let mut round = 1;
    loop {
        println!("\nsoak, round {round}, {} minutes so far", started.elapsed().as_secs() / 60);
        steps::run(techniques(workspace, only)?)?;
        if started.elapsed() >= Duration::from_secs(minutes * 60) {
            return Ok(());
        }
        round += 1;
    }
}

fn techniques<'a>(workspace: &'a Workspace, only: &[String]) -> Result<Vec<Step<'a>>> {
    let is_chosen = |name: &str| only.is_empty() || only.iter().any(|chosen| chosen == name);
    let mut steps = Vec::new();
    for technique in TECHNIQUES.iter().filter(|technique| is_chosen(technique.name)) {
        let figure = figure(technique.variable, technique.figure)?;
        steps.push(Step {
            name: technique.name,
            heading: format!("{figure} {}", technique.heading),
            advice: ADVICE,
            run: Box::new(move || technique.run(workspace, figure)),
        });
    }
    if is_chosen(FUZZ) {
        let runs = figure(FUZZ_VARIABLE, FUZZ_RUNS)?;
        steps.push(Step {
            name: FUZZ,
            heading: format!("{runs} executions of the fuzz targets"),
            advice: ADVICE,
            run: Box::new(move || fuzz::soak(workspace, runs)),
        });
    }
    if is_chosen(SCENARIOS) {
        steps.push(Step {
            name: SCENARIOS,
            heading: "acceptance scenarios of services on DynamoDB Local".to_owned(),
            advice: ADVICE,
            run: Box::new(move || scenarios(workspace)),
        });
    }
    Ok(steps)
}

/// Returns what the caller has set, or the figure of GUARANTEES.md.
fn figure(variable: &str, promised: u64) -> Result<u64> {
    match std::env::var(variable) {
        Ok(text) => text.parse().with_context(|| format!("{variable} is not a number: {text}")),
        Err(_) => Ok(promised),
    }
}

impl Technique {
    fn run(&self, workspace: &Workspace, figure: u64) -> Result<String> {
        let mut command = workspace.cargo(["test", "--profile", "soak", "--workspace"]);
        command.args(["--test", "it", "--", "--nocapture", self.filter]);
        command.env(self.variable, figure.to_string());
        let passed = run_tests(&mut command, self.filter)?;
        Ok(format!("{} with {}={figure}", count(passed), self.variable))
    }
}

/// Runs tests with a filter in their names, and returns how many passed.
fn run_tests(command: &mut Command, filter: &str) -> Result<u64> {
    workspace::print(command);
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    let output = child.stdout.take().context("the tests' output is not readable")?;
    let mut passed = 0;
    for line in BufReader::new(output).split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        println!("{line}");
        passed += tests_passed(&line).unwrap_or(0);
    }
    let status = child.wait()?;
    ensure!(status.success(), "the tests ended with {status}");
    // A renamed test must not turn a soak into nothing.
    ensure!(passed > 0, "no test has `{filter}` in its name (xtask/src/soak.rs)");
    Ok(passed)
}

/// Runs the acceptance scenarios of every service with its table in DynamoDB Local.
fn scenarios(workspace: &Workspace) -> Result<String> {
    let peer = clients::Running::require(workspace)?;
    let mut passed = Vec::new();
    for service in services(workspace)? {
        let mut command = clients::cargo_tests(workspace, "rust");
        command.args(["--test", &service, SCENARIOS_FILTER]);
        command.env("MONOTABLE_SERVICES_ENDPOINT", peer.url()).env("AWS_REGION", "us-east-1");
        let tests = run_tests(&mut command, SCENARIOS_FILTER)
            .with_context(|| format!("clients/rust/tests/{service}"))?;
        passed.push(format!("{} of {service}", count(tests)));
    }
    Ok(passed.join(", "))
}

/// Returns the names of the test programs of services: that of a service in `services/three-fc` is `three_fc`.
fn services(workspace: &Workspace) -> Result<Vec<String>> {
    let folder = workspace.path("services");
    let mut names = Vec::new();
    let context = || format!("{} could not be read", folder.display());
    for entry in fs::read_dir(&folder).with_context(context)? {
        let entry = entry?;
        if entry.path().join("Cargo.toml").is_file() {
            names.push(entry.file_name().to_string_lossy().replace('-', "_"));
        }
    }
    names.sort();
    Ok(names)
}

/// Returns how many tests passed, from the line that closes each test program.
fn tests_passed(line: &str) -> Option<u64> {
    let (counts, _) = line.strip_prefix("test result: ok. ")?.split_once(" passed")?;
    counts.parse().ok()
}

fn count(tests: u64) -> String {
    match tests {
        1 => "1 test".to_owned(),
        tests => format!("{tests} tests"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passed_tests_are_counted_from_the_closing_line() {
        let line = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out";
        assert_eq!(tests_passed(line), Some(12));
        assert_eq!(tests_passed("test oracle ... ok"), None);
    }
}
