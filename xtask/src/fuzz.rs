//! `cargo xtask fuzz` and the fuzzing of `test` and `soak`: libFuzzer on the stable toolchain.
//!
//! cargo-fuzz wants nightly for its sanitizers. Safe Rust needs none: the coverage counters that
//! guide libFuzzer come from LLVM's own pass, which stable rustc runs if asked by [`COVERAGE`].

mod execution;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::tools;
use crate::workspace::{self, Workspace};
use execution::{Execution, Progress};

/// The folder of the fuzz package, and the package's name for its target directory.
const PACKAGE: &str = "fuzz";

/// Flags under which rustc counts edges and traces comparisons for libFuzzer.
const COVERAGE: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "--cfg=fuzzing",
];

/// Executions of each target in `cargo xtask test`: a few seconds, and the same on every machine.
const SMOKE_RUNS: u64 = 300_000;
/// The default number of executions of each target in `cargo xtask fuzz`.
const DEFAULT_RUNS: u64 = 1_000_000;

/// The longest input. A byte can be a whole word of an expression, so this is beyond AWS's limit of
/// 4 KB, and longer inputs only take longer: at 4096 bytes the rate falls to a quarter.
const INPUT_BYTES_MAX: usize = 512;

/// When to stop fuzzing a target.
#[derive(Clone, Copy)]
pub(crate) enum Budget {
    Runs(u64),
    Seconds(u64),
}

impl Budget {
    /// Returns the budget that the command line asks for.
    pub(crate) fn new(seconds: Option<u64>, runs: Option<u64>) -> Self {
        match seconds {
            Some(seconds) => Self::Seconds(seconds),
            None => Self::Runs(runs.unwrap_or(DEFAULT_RUNS)),
        }
    }

    fn argument(self) -> String {
        match self {
            Self::Runs(runs) => format!("-runs={runs}"),
            Self::Seconds(seconds) => format!("-max_total_time={seconds}"),
        }
    }
}

/// The fuzz targets, built.
struct Programs<'a> {
    workspace: &'a Workspace,
    folder: PathBuf,
}

/// Prints the names of the targets.
pub(crate) fn list(workspace: &Workspace) -> Result<()> {
    for target in target_names(workspace)? {
        println!("{target}");
    }
    Ok(())
}

/// Fuzzes one target or all, starting from what earlier calls left in the corpus.
pub(crate) fn run(workspace: &Workspace, target: Option<&str>, budget: Budget) -> Result<()> {
    let targets = match target {
        Some(target) => vec![checked(workspace, target)?],
        None => target_names(workspace)?,
    };
    let programs = Programs::build(workspace)?;
    for target in targets {
        let execution = programs.explore(&target, budget)?;
        println!("{target}: {execution}");
    }
    Ok(())
}

/// Runs a target once on a file.
pub(crate) fn reproduce(workspace: &Workspace, target: &str, input: &Path) -> Result<()> {
    let target = checked(workspace, target)?;
    let input = std::path::absolute(input)?;
    ensure!(input.is_file(), "there is no file {}", input.display());
    let programs = Programs::build(workspace)?;
    workspace::run(programs.command(&target).arg(input))
}

/// Returns the fuzzing of `cargo xtask test`: fixed executions from the seeds with a fixed seed of chance,
/// so that a change fails for its own faults only.
pub(crate) fn smoke(workspace: &Workspace) -> Result<String> {
    if !tools::cpp_compiler_is_there(workspace) {
        let mut changed_seeds = cargo(workspace, "test")?;
        workspace::run(changed_seeds.args(["--lib", "--no-default-features"]))?;
        return Ok("no C++ compiler for libFuzzer (install g++ or clang): seeds only".to_owned());
    }
    let mut clippy = cargo(workspace, "clippy")?;
    workspace::run(with_coverage(&mut clippy).args(["--all-targets", "--", "--deny", "warnings"]))?;
    let programs = Programs::build(workspace)?;
    let mut runs = 0;
    let targets = target_names(workspace)?;
    for target in &targets {
        let mut command = programs.command(target);
        command.args([&Budget::Runs(SMOKE_RUNS).argument(), "-seed=1"]);
        command.arg(format!("-seed_inputs={}", paths(&programs.write_seeds(target)?)?));
        let execution = execution::run(workspace, target, command, Progress::Quiet)?;
        println!("{target}: {execution}");
        runs += execution.runs;
    }
    Ok(format!("{runs} executions of {} targets", targets.len()))
}

/// Returns the fuzzing of `cargo xtask soak`: executions in all, shared out evenly.
pub(crate) fn soak(workspace: &Workspace, runs: u64) -> Result<String> {
    let targets = target_names(workspace)?;
    let programs = Programs::build(workspace)?;
    let mut done = 0;
    for target in &targets {
        let share = runs.div_ceil(targets.len() as u64);
        let execution = programs.explore(target, Budget::Runs(share))?;
        println!("{target}: {execution}");
        done += execution.runs;
    }
    Ok(format!("{done} executions of {} targets", targets.len()))
}

impl<'a> Programs<'a> {
    fn build(workspace: &'a Workspace) -> Result<Self> {
        if !tools::cpp_compiler_is_there(workspace) {
            bail!("libFuzzer is C++ and there is no C++ compiler: install g++ or clang");
        }
        let mut build = cargo(workspace, "build")?;
        workspace::run(with_coverage(&mut build).arg("--bins"))?;
        let folder =
            workspace.target_directory(PACKAGE).join(host_triple(workspace)?).join("release");
        Ok(Self { workspace, folder })
    }

    fn command(&self, target: &str) -> Command {
        let mut command = self.workspace.command(self.folder.join(target));
        command.args(["-timeout=10", "-rss_limit_mb=1024", "-print_final_stats=1"]);
        command.arg(format!("-max_len={INPUT_BYTES_MAX}"));
        command
    }

    /// Fuzzes a target and keeps every input that reaches something new.
    fn explore(&self, target: &str, budget: Budget) -> Result<Execution> {
        let corpus = self.workspace.path("fuzz/corpus").join(target);
        std::fs::create_dir_all(&corpus)?;
        let seeds = self.write_seeds(target)?;
        let mut command = self.command(target);
        command.arg(budget.argument()).arg(corpus).arg(seeds);
        execution::run(self.workspace, target, command, Progress::Shown)
    }

    /// Lets the target write its seeds, one a file, and returns their folder.
    fn write_seeds(&self, target: &str) -> Result<PathBuf> {
        let folder = self.folder.join("seeds").join(target);
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        std::fs::create_dir_all(&folder)?;
        let mut command = self.workspace.command(self.folder.join(target));
        // Read and dropped: libFuzzer warns of every sanitizer that is not there.
        let status = command.env("MONOTABLE_FUZZ_SEEDS", &folder).output()?.status;
        ensure!(status.success(), "`{target}` could not write its seeds: {status}");
        Ok(folder)
    }
}

/// Returns a cargo command on the fuzz package. One profile, target and folder for all of them, so that
/// libFuzzer's C++ is compiled once.
fn cargo(workspace: &Workspace, subcommand: &str) -> Result<Command> {
    let mut command = workspace.cargo([subcommand, "--release"]);
    command.args(["--manifest-path", "fuzz/Cargo.toml"]);
    command.arg("--target").arg(host_triple(workspace)?);
    command.arg("--target-dir").arg(workspace.target_directory(PACKAGE));
    Ok(command)
}

fn with_coverage(command: &mut Command) -> &mut Command {
    command.env_remove("CARGO_ENCODED_RUSTFLAGS").env("RUSTFLAGS", COVERAGE.join(" "))
}

/// Returns the machine's own target. Naming it keeps the coverage flags away from build scripts.
fn host_triple(workspace: &Workspace) -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = workspace.command(rustc).arg("-vV").output().context("rustc does not run")?;
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("`rustc -vV` does not name the host")
}

/// Returns the files of a folder, as libFuzzer takes those that it is to read but not to add to.
fn paths(folder: &Path) -> Result<String> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        paths.push(entry?.path().display().to_string());
    }
    paths.sort();
    Ok(paths.join(","))
}

/// Returns the targets are the files of fuzz/targets.
fn target_names(workspace: &Workspace) -> Result<Vec<String>> {
    let folder = workspace.path("fuzz/targets");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if let (Some(name), Some("rs")) =
            (path.file_stem(), path.extension().and_then(|e| e.to_str()))
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

fn checked(workspace: &Workspace, target: &str) -> Result<String> {
    let names = target_names(workspace)?;
    if !names.iter().any(|name| name == target) {
        bail!("there is no fuzz target `{target}`, only {}", names.join(", "));
    }
    Ok(target.to_owned())
}
