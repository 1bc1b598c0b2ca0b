//! What a build costs: the command from a clean checkout, and `cargo check` after a change in one command
//! of a service.
//!
//! Cargo calls this program as a wrapper of the compiler, so that each crate's processor time is exact,
//! however many of them were compiled at the same time.

mod compiler;
mod report;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use serde::Serialize;

pub(crate) use self::compiler::wrap;
use self::compiler::{CrateCost, LOG_VARIABLE, read_log};
use crate::bench::cost::{Cost, measured, median};
use crate::tools;
use crate::workspace::Workspace;

/// A service, and a file with one of its commands.
const SERVICES: [(&str, &str); 5] = [
    ("monotable-hacktracker", "services/hacktracker/src/api/members/remove.rs"),
    ("monotable-btl-run", "services/btl-run/src/api/play/submit.rs"),
    ("monotable-three-fc", "services/three-fc/src/api/goals/undo.rs"),
    ("monotable-codekurukshetra", "services/codekurukshetra/src/api/members/remove.rs"),
    ("monotable-scavenger-hunt", "services/scavenger-hunt/src/api/games/adjust.rs"),
];
/// How often a changed service is checked; the median counts.
const ROUNDS: usize = 3;

/// What `cargo xtask bench build` takes.
#[derive(Parser)]
#[command(name = "cargo xtask bench build")]
struct Arguments {
    /// Print the figures as JSON.
    #[arg(long)]
    json: bool,
    /// Only the parts named: clean, check.
    #[arg(long, value_delimiter = ',', value_parser = ["clean", "check"])]
    only: Vec<String>,
}

impl Arguments {
    fn wants(&self, part: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|wanted| wanted == part)
    }
}

/// A build of the command with nothing built before.
#[derive(Debug, Serialize)]
struct CleanBuild {
    whole: Cost,
    /// The compiler's work, the most expensive package first.
    packages: Vec<CrateCost>,
    binary_bytes: u64,
}

/// `cargo check` of a service after a change in one of its commands.
#[derive(Debug, Serialize)]
struct ChangedCheck {
    package: &'static str,
    cost: Cost,
}

#[derive(Debug, Default, Serialize)]
struct Builds {
    clean: Option<CleanBuild>,
    checks: Vec<ChangedCheck>,
}

/// Measures and prints.
pub(super) fn run(workspace: &Workspace, arguments: &[String]) -> Result<()> {
    let name = "cargo xtask bench build".to_owned();
    let arguments = Arguments::parse_from([name].iter().chain(arguments));
    let folder = Folder::new(workspace.path(tools::FOLDER).join("bench-build"))?;
    let mut builds = Builds::default();
    if arguments.wants("clean") {
        builds.clean = Some(clean_build(workspace, &folder)?);
    }
    if arguments.wants("check") {
        builds.checks = changed_checks(workspace, &folder)?;
    }
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&builds)?)
    } else {
        print!("{}", report::render(&builds))
    }
    Ok(())
}

/// Builds the command for release in a target directory of its own.
fn clean_build(workspace: &Workspace, folder: &Folder) -> Result<CleanBuild> {
    let (target, log) = (folder.path("target"), folder.path("crates.jsonl"));
    let mut command = workspace.cargo(["build", "--release", "--locked"]);
    command.args(["--package", "monotable-cli", "--target-dir"]).arg(&target);
    command.env("RUSTC_WRAPPER", std::env::current_exe()?).env(LOG_VARIABLE, &log);
    let whole = measured(&mut command)?;
    let packages = read_log(&fs::read_to_string(&log)?)?;
    let binary = target.join("release").join("monotable");
    let binary_bytes = fs::metadata(&binary).context("there is no binary")?.len();
    Ok(CleanBuild { whole, packages, binary_bytes })
}

/// Checks each service after changes in one file, in a copy of the checkout.
fn changed_checks(workspace: &Workspace, folder: &Folder) -> Result<Vec<ChangedCheck>> {
    let (copy, target) = (folder.path("checkout"), folder.path("target"));
    copy_checkout(workspace, &copy)?;
    let mut checks = Vec::new();
    for (package, file) in SERVICES {
        let file = copy.join(file);
        let text = fs::read_to_string(&file)?;
        let check = || {
            let mut command = workspace.cargo(["check", "--quiet", "--locked", "--package"]);
            command.arg(package).arg("--target-dir").arg(&target).current_dir(&copy);
            measured(&mut command)
        };
        check()?;
        let mut costs = Vec::new();
        for round in 0..ROUNDS {
            fs::write(&file, changed(&text, round))?;
            costs.push(check()?);
        }
        fs::write(&file, text)?;
        checks.push(ChangedCheck { package, cost: median(&costs).context("nothing was checked")? });
    }
    Ok(checks)
}

/// Returns a source with a new function at its end, and with all of its lines moved by some.
fn changed(text: &str, round: usize) -> String {
    let moved = "\n".repeat(round + 1);
    format!("{moved}{text}\n#[expect(dead_code)]\nfn changed() -> usize {{\n    {round}\n}}\n")
}

/// Copies what git knows of the checkout, as it is in the folder.
fn copy_checkout(workspace: &Workspace, to: &Path) -> Result<()> {
    let output = workspace.command("git").args(["ls-files", "-z"]).output()?;
    ensure!(output.status.success(), "`git ls-files` ended with {}", output.status);
    let names = String::from_utf8(output.stdout)?;
    for name in names.split_terminator('\0') {
        let (from, to) = (workspace.path(name), to.join(name));
        if from.is_file() {
            fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
            fs::copy(from, to)?;
        }
    }
    Ok(())
}

/// A folder that is empty at first and gone in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(path: PathBuf) -> Result<Self> {
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left is removed by the next run.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_that_are_changed_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (_, file) in SERVICES {
            assert!(root.join(file).is_file(), "{file} does not exist");
        }
    }

    #[test]
    fn each_round_changes_a_source_differently_and_keeps_what_it_says() {
        let [first, second] = [0, 1].map(|round| changed("fn kept() {}\n", round));
        assert!(first.starts_with("\nfn kept() {}\n"), "{first}");
        assert!(second.starts_with("\n\nfn kept() {}\n"), "{second}");
        assert!(second.contains("    1\n}\n"), "{second}");
    }
}
