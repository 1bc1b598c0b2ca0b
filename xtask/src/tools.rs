//! The programs that the tests need besides Rust itself.
//!
//! Cargo's own components are enough for all steps but one: the clients of the endpoint need Python
//! and Node, and install their packages themselves, into folders that git ignores.

use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::workspace::Workspace;

/// The folder for everything that the tests download or build outside of cargo.
pub(crate) const FOLDER: &str = ".xtask";

/// Checks that the toolchain has the parts that the other steps call, before minutes are spent.
pub(crate) fn prepare(workspace: &Workspace) -> Result<String> {
    for (component, arguments) in [
        ("cargo", ["--version"].as_slice()),
        ("rustfmt", ["fmt", "--version"].as_slice()),
        ("clippy", ["clippy", "--version"].as_slice()),
    ] {
        if !succeeds(workspace.cargo(arguments)) {
            bail!("`cargo {}` does not run: {component} is not installed", arguments.join(" "));
        }
    }
    std::fs::create_dir_all(workspace.path(FOLDER))?;
    let cpp = if cpp_compiler_is_there(workspace) {
        "with a C++ compiler"
    } else {
        "without a C++ compiler: fuzzing falls back to mutated seeds"
    };
    Ok(cpp.to_owned())
}

/// Returns whether libFuzzer can be built. Rust needs a C linker everywhere, but a C++ compiler nowhere.
pub(crate) fn cpp_compiler_is_there(workspace: &Workspace) -> bool {
    let compiler = std::env::var_os("CXX").unwrap_or_else(|| "c++".into());
    let mut command = workspace.command(compiler);
    command.arg("--version");
    succeeds(command)
}

fn succeeds(mut command: Command) -> bool {
    command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
