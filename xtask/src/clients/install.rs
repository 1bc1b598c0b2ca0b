//! The clients themselves, in the versions that the checkout pins, installed where git ignores them.
//!
//! An installation holds until the file that pins it changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::tools;
use crate::workspace::{self, Workspace};

/// The folder of the suites.
pub(crate) const SOURCES: &str = "clients";

/// A copy of the pinning file, written into a finished installation.
const STAMP: &str = "installed-from";

/// The installed clients.
pub(crate) struct Installed {
    environment: PathBuf,
}

impl Installed {
    /// Installs what is missing or out of date.
    pub(crate) fn prepare(workspace: &Workspace) -> Result<Self> {
        let environment = workspace.path(tools::FOLDER).join("python");
        let installed = Self { environment };
        let requirements = workspace.path(SOURCES).join("requirements.txt");
        once(&requirements, &installed.environment, || installed.install_python(workspace))?;
        node(workspace)?;
        Ok(installed)
    }

    /// Returns the interpreter that sees the installed packages.
    pub(crate) fn python(&self) -> PathBuf {
        self.environment.join("bin").join("python")
    }

    fn install_python(&self, workspace: &Workspace) -> Result<()> {
        let mut environment = workspace.command("python3");
        environment.args(["-m", "venv", "--clear"]).arg(&self.environment);
        run(&mut environment, "Python 3 with its module venv")?;
        let mut packages = workspace.command(self.python());
        packages.args(["-m", "pip", "install", "--quiet", "--requirement"]);
        packages.arg(format!("{SOURCES}/requirements.txt"));
        run(&mut packages, "a package index that pip can reach")
    }
}

/// Installs the packages of Node that are missing or out of date.
pub(crate) fn node(workspace: &Workspace) -> Result<()> {
    let lock = workspace.path(SOURCES).join("package-lock.json");
    // Node looks for packages only in the folder of the files that import them and above it.
    let modules = workspace.path(SOURCES).join("node_modules");
    once(&lock, &modules, || {
        let mut npm = workspace.command("npm");
        npm.args(["ci", "--no-audit", "--no-fund"]).current_dir(workspace.path(SOURCES));
        run(&mut npm, "Node with npm, version 20 or newer")
    })
}

/// Runs a command of the installation; `needs` is what a machine lacks when it fails.
fn run(command: &mut Command, needs: &str) -> Result<()> {
    workspace::run(command).with_context(|| format!("the clients need {needs}"))
}

/// Installs into a folder unless it was installed from the same file before.
fn once(pins: &Path, folder: &Path, install: impl FnOnce() -> Result<()>) -> Result<()> {
    let wanted = fs::read(pins).with_context(|| format!("{} is missing", pins.display()))?;
    let stamp = folder.join(STAMP);
    if fs::read(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    install()?;
    fs::write(&stamp, wanted).with_context(|| format!("{} could not be written", stamp.display()))
}
