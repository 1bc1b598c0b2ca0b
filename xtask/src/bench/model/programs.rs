//! The programs that measure operations, built and run. What they measure is theirs to know.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::bench::server::{self, Mode, Server};
use crate::workspace::Workspace;

/// A workspace of its own, which links AWS's SDK.
const CLIENTS: &str = "clients/rust";

/// Models on the engine in the same process.
pub(super) fn embedded(workspace: &Workspace, flags: &[String]) -> Result<Value> {
    let mut command = workspace.cargo(["run", "--release", "--quiet"]);
    command.args(["--package", "monotable-bench", "--bin", "model-bench", "--"]).args(flags);
    figures(&mut command)
}

/// Models through AWS's SDK, on our own endpoint.
pub(super) fn http(workspace: &Workspace, flags: &[String]) -> Result<Value> {
    let server = server::build(workspace)?;
    let program = build_http(workspace)?;
    let directory = server.parent().context("the server's program has no folder")?;
    let server = Server::start(&server, Mode::Memory, directory)?;
    figures(workspace.command(program).arg(server.url()).args(flags))
}

/// Builds the benchmark and returns its path from cargo's output: the name contains a hash.
fn build_http(workspace: &Workspace) -> Result<PathBuf> {
    let mut command = workspace.cargo(["build", "--release", "--locked", "--bench", "model"]);
    command.args(["--manifest-path", &format!("{CLIENTS}/Cargo.toml")]);
    command.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    command.env("CARGO_TARGET_DIR", workspace.target_directory(CLIENTS));
    let output = command.output().context("cargo could not be started")?;
    ensure!(output.status.success(), "the benchmark could not be built");
    let messages = String::from_utf8_lossy(&output.stdout);
    let executable = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
        .next_back();
    executable.context("cargo built no benchmark")
}

/// Runs a program whose output is its figures.
fn figures(command: &mut Command) -> Result<Value> {
    let output = command.stderr(Stdio::inherit()).output().context("nothing could be started")?;
    ensure!(output.status.success(), "the benchmark ended with {}", output.status);
    serde_json::from_slice(&output.stdout).context("the benchmark printed no figures")
}
