//! The endpoint, used by the clients that people have: AWS's SDKs and command line, the libraries
//! and programs built on them, and the code of real design documents (`clients/` in the checkout).
//!
//! Every suite gets a server of its own, with an empty database. What the suites check is theirs to
//! know.

pub(crate) mod browser;
mod install;
mod peer;
mod server;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use self::install::{Installed, SOURCES};
use self::peer::Peer;
pub(crate) use self::peer::Running;
use self::server::{Access, Server};
use crate::workspace::{self, Workspace};

/// A folder of tests, what runs it, and whom its server answers.
struct Suite {
    folder: &'static str,
    runner: Runner,
    access: Access,
    tests: Tests,
}

/// Which tests of a folder are run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tests {
    All,
    /// Those of single items.
    Items,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Runner {
    Pytest,
    Node,
    Cargo,
}

const SUITES: [Suite; 12] = [
    Suite { folder: "python", runner: Runner::Pytest, access: Access::Signed, tests: Tests::All },
    Suite { folder: "node", runner: Runner::Node, access: Access::Signed, tests: Tests::All },
    Suite { folder: "rust", runner: Runner::Cargo, access: Access::Signed, tests: Tests::All },
    Suite {
        folder: "python",
        runner: Runner::Pytest,
        access: Access::Secured,
        tests: Tests::Items,
    },
    Suite { folder: "node", runner: Runner::Node, access: Access::Secured, tests: Tests::Items },
    Suite { folder: "rust", runner: Runner::Cargo, access: Access::Secured, tests: Tests::Items },
    Suite { folder: "seeds", runner: Runner::Pytest, access: Access::Open, tests: Tests::All },
    Suite { folder: "seeds", runner: Runner::Node, access: Access::Open, tests: Tests::All },
    Suite { folder: "programs", runner: Runner::Pytest, access: Access::Open, tests: Tests::All },
    Suite { folder: "programs", runner: Runner::Node, access: Access::Open, tests: Tests::All },
    Suite {
        folder: "services",
        runner: Runner::Pytest,
        access: Access::Claimed,
        tests: Tests::All,
    },
    Suite { folder: "services", runner: Runner::Node, access: Access::Claimed, tests: Tests::All },
];

/// Installs the clients, builds the server and runs every suite; failures are reported at the end, so
/// that one run shows all of them.
pub(crate) fn run(workspace: &Workspace) -> Result<String> {
    let installed = Installed::prepare(workspace)?;
    let program = server::build(workspace)?;
    let mut failed = Vec::new();
    for suite in &SUITES {
        let server = Server::start(workspace, &program, suite.access)?;
        let mut command = suite.command(workspace, &installed)?;
        server.introduce_to(&mut command);
        let peer = suite.peer(workspace)?;
        if let Some(peer) = &peer {
            peer.introduce_to(&mut command);
        }
        if let Err(error) = workspace::run(&mut command) {
            println!("{error:#}");
            failed.push(format!("{} ({:?}, {:?})", suite.folder, suite.runner, suite.access));
        }
    }
    if !failed.is_empty() {
        bail!("{} of {} suites failed: {}", failed.len(), SUITES.len(), failed.join(", "));
    }
    Ok(format!("{} suites", SUITES.len()))
}

/// Returns the tests of a Rust package in the folder of the clients.
pub(crate) fn cargo_tests(workspace: &Workspace, folder: &str) -> Command {
    let mut command = workspace.cargo(["test", "--quiet", "--locked"]);
    command.args(["--manifest-path", &format!("{folder}/Cargo.toml")]);
    command.env("CARGO_TARGET_DIR", workspace.target_directory(&format!("{SOURCES}/{folder}")));
    command.current_dir(workspace.path(SOURCES));
    command
}

impl Suite {
    /// Returns the other implementation, for the suite that compares with one.
    fn peer(&self, workspace: &Workspace) -> Result<Option<Peer>> {
        match (self.runner, self.tests) {
            (Runner::Cargo, Tests::All) => Peer::start(workspace).map(Some),
            (Runner::Pytest | Runner::Node, _) | (_, Tests::Items) => Ok(None),
        }
    }

    fn command(&self, workspace: &Workspace, installed: &Installed) -> Result<Command> {
        let mut command = match self.runner {
            Runner::Pytest => {
                let mut command = workspace.command(installed.python());
                command.args(["-m", "pytest", "--quiet"]);
                command.arg(match self.tests {
                    Tests::All => self.folder.to_owned(),
                    Tests::Items => format!("{}/test_items.py", self.folder),
                });
                command
            }
            Runner::Node => {
                let mut command = workspace.command("node");
                // The snippets in TypeScript run as they are; Node 20 cannot strip types itself.
                command.args(["--import", "tsx", "--test", "--test-reporter=spec"]);
                command.args(self.node_tests(workspace)?);
                command
            }
            Runner::Cargo => {
                let mut command = cargo_tests(workspace, self.folder);
                if self.tests == Tests::Items {
                    command.args(["--test", "it", "items::"]);
                }
                command
            }
        };
        command.current_dir(workspace.path(SOURCES));
        Ok(command)
    }

    /// Returns the test files, by name: what Node does with a folder differs from version to version.
    fn node_tests(&self, workspace: &Workspace) -> Result<Vec<PathBuf>> {
        let root = workspace.path(SOURCES);
        let mut folders = vec![root.join(self.folder)];
        let mut tests = Vec::new();
        while let Some(folder) = folders.pop() {
            let context = || format!("{} could not be read", folder.display());
            for entry in folder.read_dir().with_context(context)? {
                let path = entry?.path();
                let name = path.to_string_lossy();
                if path.is_dir() {
                    folders.push(path);
                } else if self.tests == Tests::Items && !name.ends_with("/items.test.js") {
                    continue;
                } else if name.ends_with(".test.js") || name.ends_with(".test.ts") {
                    tests.push(path.strip_prefix(&root)?.to_owned());
                }
            }
        }
        tests.sort();
        Ok(tests)
    }
}
