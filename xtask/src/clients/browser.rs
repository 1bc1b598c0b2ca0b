//! The pages of the server and of its services in a browser: Chromium, which tests in `clients/browser` drive
//! with playwright-core.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::install::{self, SOURCES};
use super::server::{self, Access, Server};
use super::{Runner, Suite, Tests};
use crate::tools;
use crate::workspace::{self, Workspace};

/// Where Debian's package puts the browser. The variable of the same name overrides it.
const CHROMIUM: &str = "/usr/bin/chromium";

/// The folder in [`tools::FOLDER`] for screenshots, the log of the tests, and what the server printed.
const RESULTS: &str = "browser";

const SUITE: Suite =
    Suite { folder: "browser", runner: Runner::Node, access: Access::Demo, tests: Tests::All };

/// Installs the browser and its tests, and runs them on one server.
pub(crate) fn run(workspace: &Workspace) -> Result<String> {
    install_browser(workspace)?;
    install::node(workspace)?;
    let program = server::build(workspace)?;
    let results = workspace.path(tools::FOLDER).join(RESULTS);
    if results.exists() {
        fs::remove_dir_all(&results)?;
    }
    fs::create_dir_all(&results)?;
    let mut server = Server::start(workspace, &program, SUITE.access)?;
    fs::write(results.join("greeting.txt"), server.greeting()?)?;
    let mut command = workspace.command("node");
    command.args(["--test", "--test-concurrency=1"]);
    for destination in ["stdout".as_ref(), results.join("log.txt").as_os_str()] {
        command.arg("--test-reporter=spec").arg("--test-reporter-destination").arg(destination);
    }
    command.args(SUITE.node_tests(workspace)?).current_dir(workspace.path(SOURCES));
    server.introduce_to(&mut command);
    workspace::run(command.env("MONOTABLE_BROWSER", &results))?;
    Ok(format!("screenshots and log in {}/{RESULTS}", tools::FOLDER))
}

/// Installs Debian's Chromium unless there is a browser.
fn install_browser(workspace: &Workspace) -> Result<()> {
    let chosen = std::env::var_os("CHROMIUM");
    if Path::new(chosen.as_deref().unwrap_or(CHROMIUM.as_ref())).exists() {
        return Ok(());
    }
    if let Some(path) = chosen {
        bail!("CHROMIUM is {}, which does not exist", path.display());
    }
    let context = "the browser tests need Chromium: install it as the user root with \
                   `apt-get install chromium`, or set CHROMIUM to the path of the program";
    let mut update = workspace.command("apt-get");
    workspace::run(update.args(["update", "--quiet"])).context(context)?;
    let mut install = workspace.command("apt-get");
    install.args(["install", "--quiet", "--yes", "--no-install-recommends", "chromium"]);
    workspace::run(install.env("DEBIAN_FRONTEND", "noninteractive")).context(context)
}
