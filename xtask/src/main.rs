//! The project's own commands, run as `cargo xtask <command>`.
//!
//! This file knows the command line and nothing else; every command has a file of its own.

mod bench;
mod clients;
mod fuzz;
mod plot;
mod soak;
mod steps;
mod test;
mod tools;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::fuzz::Budget;
use crate::workspace::Workspace;

#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about = "Monotable's own commands")]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Everything that must hold before a change is merged; CI runs this.
    Test {
        /// Run only this step; may be given several times.
        #[arg(long, value_name = "STEP", value_parser = test::step_names())]
        only: Vec<String>,
    },
    /// The same tests with the figures of GUARANTEES.md: hours, not minutes.
    Soak {
        /// Run further rounds until this many minutes have passed; at least one runs.
        #[arg(long, value_name = "N", default_value_t = 0)]
        minutes: u64,
        /// Run only this technique; may be given several times.
        #[arg(long, value_name = "TECHNIQUE", value_parser = soak::technique_names())]
        only: Vec<String>,
    },
    /// Fuzzes one target or all of them, keeping what it learns in fuzz/corpus.
    Fuzz {
        /// The target; all of them if left out. `list` prints their names.
        target: Option<String>,
        /// How long to fuzz each target.
        #[arg(long, value_name = "N", conflicts_with = "runs")]
        seconds: Option<u64>,
        /// How many executions of each target; a million by default.
        #[arg(long, value_name = "N")]
        runs: Option<u64>,
        /// Run the target once on this file, to reproduce a failure.
        #[arg(long, value_name = "FILE", requires = "target", conflicts_with_all = ["seconds", "runs"])]
        input: Option<PathBuf>,
    },
    /// Benchmarks. What follows the name goes to the benchmark: `bench engine --json`.
    #[command(disable_help_flag = true)] // `--help` is for the benchmark too.
    Bench {
        /// Which benchmark.
        suite: bench::Suite,
        /// Arguments of the benchmark itself.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Draws the tables of benches/RESULTS.md as SVG, for the README.
    Plot,
}

fn main() -> ExitCode {
    // `cargo xtask bench build` lets cargo call this program in the place of the compiler.
    if let Some(code) = bench::wrap_compiler() {
        return code;
    }
    let CommandLine { command } = CommandLine::parse();
    match run(command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\ncargo xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> anyhow::Result<()> {
    let workspace = Workspace::find()?;
    match command {
        Command::Test { only } => test::run(&workspace, &only),
        Command::Soak { minutes, only } => soak::run(&workspace, minutes, &only),
        Command::Fuzz { target: Some(target), .. } if target == "list" => fuzz::list(&workspace),
        Command::Fuzz { target: Some(target), input: Some(input), .. } => {
            fuzz::reproduce(&workspace, &target, &input)
        }
        Command::Fuzz { target, seconds, runs, .. } => {
            fuzz::run(&workspace, target.as_deref(), Budget::new(seconds, runs))
        }
        Command::Bench { suite, arguments } => bench::run(&workspace, suite, &arguments),
        Command::Plot => plot::run(&workspace),
    }
}
