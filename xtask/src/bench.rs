//! Starts the benchmark programs.

mod build;
mod cost;
mod endpoint;
mod http;
mod model;
mod server;
mod slice;
mod table;

use anyhow::Result;
use clap::ValueEnum;

pub(crate) use build::wrap as wrap_compiler;

use crate::workspace::Workspace;

/// The benchmarks there are.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Suite {
    /// The engine, compared with the bare store below it.
    Engine,
    /// dynoxide embedded, doing the same work; a workspace of its own, built on the first call.
    Dynoxide,
    /// The cost of typed models compared with code written by hand: in the same process, over HTTP and
    /// at compile time.
    Model,
    /// The cost of a service, compared with the engine's own requests for the same rows; with
    /// `--backend dynamodb`, requests and units of its operations.
    Services,
    /// The cost of backups for concurrent writes, and the duration of backups, restores, exports and imports.
    Recovery,
    /// The duration of builds: of the command from a clean checkout, and of a check after a change.
    Build,
    /// The server through HTTP, compared with other servers that implement DynamoDB's protocol.
    Endpoint,
}

/// Builds a benchmark for release and runs it with the arguments given.
pub(crate) fn run(workspace: &Workspace, suite: Suite, arguments: &[String]) -> Result<()> {
    let program: &[&str] = match suite {
        Suite::Engine => &["--package", "monotable-bench", "--bin", "engine-bench"],
        Suite::Services => &["--package", "monotable-bench", "--bin", "service-bench"],
        Suite::Recovery => &[
            "--package",
            "monotable-bench",
            "--bin",
            "recovery-bench",
            "--no-default-features",
            "--features",
            "recovery",
        ],
        Suite::Dynoxide => &["--manifest-path", "benches/dynoxide/Cargo.toml"],
        Suite::Build => return build::run(workspace, arguments),
        Suite::Model => return model::run(workspace, arguments),
        Suite::Endpoint => return endpoint::run(workspace, arguments),
    };
    // The command is left unprinted: with `--json` the output is for a program to read.
    let mut command = workspace.cargo(["run", "--release", "--quiet"]);
    command.args(program).arg("--").args(arguments);
    let status = command.status()?;
    anyhow::ensure!(status.success(), "the benchmark ended with {status}");
    Ok(())
}
