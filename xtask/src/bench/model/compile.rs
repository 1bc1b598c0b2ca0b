//! What the macros cost at compile time: `cargo check` of a design compared with that of the same structs without them, and
//! of a large design after a change, with everything below them built before.

mod design;

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use anyhow::{Context as _, Result};
use serde::Serialize;

use self::design::{LARGE, Package, USUAL};
use crate::bench::cost::{Cost, measured, median};
use crate::bench::table::{aligned, grouped};
use crate::workspace::Workspace;

/// Where the packages are written; git ignores it.
const FOLDER: &str = ".xtask/model-compile";
/// How often each package is checked; the median counts.
const ROUNDS: usize = 3;
/// How much longer a check of the design may take.
const ADDED_SECONDS_MAX: f64 = 3.0;
/// How long a check of the large design may take after a change.
const CHANGED_SECONDS_MAX: f64 = 6.0;

/// What the checks took.
#[derive(Serialize)]
pub(super) struct Checks {
    entities: usize,
    patterns: usize,
    plain_lines: usize,
    plain: Cost,
    design_lines: usize,
    design: Cost,
    /// The large design after one more field in an entity.
    changed: Cost,
}

/// Writes the packages, builds what they need, and checks them in turns.
pub(super) fn measure(workspace: &Workspace) -> Result<Checks> {
    let packages =
        [Package::plain(), Package::design("design", USUAL), Package::design("large", LARGE)];
    let folder = workspace.path(FOLDER);
    write_workspace(workspace, &folder, &packages)?;
    let [plain, design, large] = &packages;
    for package in [plain, design] {
        eprintln!("building what {} needs", package.name);
        check(workspace, &folder, package)?;
    }
    let changed = changed_checks(workspace, &folder, large)?;
    let mut checks = [Vec::new(), Vec::new()];
    for round in 0..ROUNDS {
        for (package, checks) in [plain, design].into_iter().zip(&mut checks) {
            checks.push(check(workspace, &folder, package)?);
            let seconds = checks[round].wall_seconds;
            eprintln!("{}: check {} of {ROUNDS}, {seconds:.2} s", package.name, round + 1);
        }
    }
    let [plain_checks, design_checks] = checks;
    Ok(Checks {
        entities: USUAL.entities(),
        patterns: USUAL.patterns(),
        plain_lines: plain.lines(),
        plain: median(&plain_checks).context("nothing was checked")?,
        design_lines: design.lines(),
        design: median(&design_checks).context("nothing was checked")?,
        changed: median(&changed).context("nothing was checked")?,
    })
}

/// Checks a package after another field was added to an entity, as somebody who works on it does: incrementally.
fn changed_checks(workspace: &Workspace, folder: &Path, package: &Package) -> Result<Vec<Cost>> {
    let source = folder.join(package.name).join("src");
    run(workspace, folder, package, "1")?;
    let mut checks = Vec::new();
    for round in 0..ROUNDS {
        let (name, text) = package.changed(round).context("nothing to change")?;
        fs::write(source.join(name), text)?;
        checks.push(run(workspace, folder, package, "1")?);
        let seconds = checks[round].wall_seconds;
        eprintln!("{}: changed check {} of {ROUNDS}, {seconds:.2} s", package.name, round + 1);
    }
    Ok(checks)
}

fn write_workspace(workspace: &Workspace, folder: &Path, packages: &[Package]) -> Result<()> {
    let members: Vec<&str> = packages.iter().map(|package| package.name).collect();
    let manifest = format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("Cargo.toml"), manifest)?;
    // The versions of the checkout, so that nothing is looked up or downloaded.
    fs::copy(workspace.path("Cargo.lock"), folder.join("Cargo.lock"))?;
    packages.iter().try_for_each(|package| {
        package.write(&folder.join(package.name), &workspace.path("crates/monotable"))
    })
}

/// Checks one package as if it were new. Nothing is kept from the check before: what an incremental
/// one saves depends on the edit.
fn check(workspace: &Workspace, folder: &Path, package: &Package) -> Result<Cost> {
    let root = folder.join(package.name).join("src/lib.rs");
    File::options().append(true).open(root)?.set_modified(SystemTime::now())?;
    run(workspace, folder, package, "0")
}

fn run(workspace: &Workspace, folder: &Path, package: &Package, incremental: &str) -> Result<Cost> {
    let mut command: Command = workspace.cargo(["check", "--quiet", "--package", package.name]);
    command.current_dir(folder).env("CARGO_INCREMENTAL", incremental);
    command.env("CARGO_TARGET_DIR", workspace.target_directory(FOLDER));
    measured(&mut command)
        .with_context(|| format!("{} does not compile; it lies in {FOLDER}", package.name))
}

impl Checks {
    /// Both packages and the difference.
    pub(super) fn render(&self) -> String {
        let Self { entities, patterns, plain, design, .. } = *self;
        let row = |name: &str, lines: usize, check: Cost| {
            let seconds = |seconds: f64| format!("{seconds:.2}");
            let (wall, processor) = (seconds(check.wall_seconds), seconds(check.processor_seconds));
            vec![name.to_owned(), grouped(lines as f64), wall, processor]
        };
        let added = Cost {
            wall_seconds: design.wall_seconds - plain.wall_seconds,
            processor_seconds: design.processor_seconds - plain.processor_seconds,
        };
        let header = ["cargo check", "lines", "s", "processor s"].map(str::to_owned).to_vec();
        let rows = [
            header,
            row("structs with serde", self.plain_lines, plain),
            row("the design", self.design_lines, design),
            row("added", self.design_lines - self.plain_lines, added),
        ];
        let verdict = |is_reached| if is_reached { "reached" } else { "not reached" };
        let changed = self.changed.wall_seconds;
        format!(
            "{entities} entities, {patterns} access patterns, one table\n\n{}\ntarget: less than \
             {ADDED_SECONDS_MAX} s added, {}\n\n{} entities, {} access patterns, one more field in an entity: checked in \
             {changed:.2} s; target: less than {CHANGED_SECONDS_MAX} s, {}\n",
            aligned(&rows),
            verdict(added.wall_seconds < ADDED_SECONDS_MAX),
            LARGE.entities(),
            LARGE.patterns(),
            verdict(changed < CHANGED_SECONDS_MAX),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_check_stands_for_all_and_the_difference_below_both() {
        let checks = |seconds: [f64; 3]| {
            let check = |seconds| Cost { wall_seconds: seconds, processor_seconds: seconds / 2.0 };
            median(&seconds.map(check)).unwrap()
        };
        let checks = Checks {
            entities: 60,
            patterns: 120,
            plain_lines: 1_000,
            plain: checks([0.5, 9.0, 0.25]),
            design_lines: 3_000,
            design: checks([4.0, 1.0, 3.0]),
            changed: checks([6.5, 5.0, 7.0]),
        };
        let text = checks.render();
        let cells = |line: &str| line.split('|').map(str::trim).collect::<Vec<_>>().join(" ");
        let rows: Vec<String> = text.lines().skip(4).take(3).map(cells).collect();
        assert_eq!(rows[0].trim(), "structs with serde 1,000 0.50 0.25");
        assert_eq!(rows[1].trim(), "the design 3,000 3.00 1.50");
        assert_eq!(rows[2].trim(), "added 2,000 2.50 1.25");
        assert!(text.contains("less than 3 s added, reached\n"), "{text}");
        assert!(
            text.ends_with("checked in 6.50 s; target: less than 6 s, not reached\n"),
            "{text}"
        );
    }
}
