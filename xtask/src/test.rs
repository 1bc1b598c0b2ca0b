//! `cargo xtask test`: everything that must hold before a change is merged, cheapest first.

use anyhow::Result;
use clap::builder::PossibleValuesParser;

use crate::steps::{self, Step};
use crate::workspace::{self, Workspace};
use crate::{clients, fuzz, tools};

/// A step of the command, before it is bound to a checkout.
struct Definition {
    name: &'static str,
    heading: &'static str,
    advice: &'static str,
    run: fn(&Workspace) -> Result<String>,
}

const STEPS: [Definition; 10] = [
    Definition {
        name: "tools",
        heading: "the programs that the tests call are there",
        advice: "install the missing part, for example with `rustup component add rustfmt clippy`.",
        run: tools::prepare,
    },
    Definition {
        name: "format",
        heading: "rustfmt would change nothing",
        advice: "run `cargo fmt --all`, with `--manifest-path` for fuzz and clients/rust.",
        run: format,
    },
    Definition {
        name: "structure",
        heading: "crates depend in one direction, files are short, manifests are complete",
        advice: "each failed test above says which rule is broken and where it is written down \
                 (xtask/tests/it).",
        run: structure,
    },
    Definition {
        name: "lint",
        heading: "clippy has nothing to say, in any target",
        advice: "fix the warnings above; `#[expect(lint, reason = \"…\")]` where one is wrong.",
        run: lint,
    },
    Definition {
        name: "tests",
        heading: "unit, property and integration tests, examples and benchmarks compiled",
        advice: "run the failed test alone with `cargo test -p <package> <name>`; random tests \
                 print the seed that repeats them.",
        run: tests,
    },
    Definition {
        name: "doctests",
        heading: "the examples in the documentation run",
        advice: "run them alone with `cargo test --doc -p <package>`.",
        run: doctests,
    },
    Definition {
        name: "docs",
        heading: "the documentation builds without warnings",
        advice: "fix the warnings above, most often links to items that were renamed or private.",
        run: docs,
    },
    Definition {
        name: "fuzz",
        heading: "every fuzz target holds for a short, fixed run",
        advice: "reproduce it with the command above; once fixed, add the input to the target's \
                 seeds (fuzz/src/<target>.rs).",
        run: fuzz::smoke,
    },
    Definition {
        name: "clients",
        heading: "AWS's SDKs, and programs built on them, work with the server",
        advice: "start `monotable serve --memory` and run the failed suite as clients/README.md \
                 says.",
        run: clients::run,
    },
    Definition {
        name: "browser",
        heading: "the pages work in a browser, with and without JavaScript",
        advice: "look at the screenshots and the log in .xtask/browser; clients/README.md has the \
                 commands for one test.",
        run: clients::browser::run,
    },
];

/// Returns the names that `--only` takes.
pub(crate) fn step_names() -> PossibleValuesParser {
    PossibleValuesParser::new(STEPS.map(|step| step.name))
}

/// Runs all steps, or those named.
pub(crate) fn run(workspace: &Workspace, only: &[String]) -> Result<()> {
    let chosen = STEPS
        .iter()
        .filter(|step| only.is_empty() || only.iter().any(|name| name == step.name))
        .map(|step| Step {
            name: step.name,
            heading: step.heading.to_owned(),
            advice: step.advice,
            run: Box::new(|| (step.run)(workspace)),
        })
        .collect();
    steps::run(chosen)
}

fn format(workspace: &Workspace) -> Result<String> {
    workspace::run(&mut workspace.cargo(["fmt", "--all", "--check"]))?;
    for manifest in ["fuzz/Cargo.toml", "clients/rust/Cargo.toml"] {
        workspace::run(&mut workspace.cargo(["fmt", "--manifest-path", manifest, "--check"]))?;
    }
    Ok(String::new())
}

fn structure(workspace: &Workspace) -> Result<String> {
    workspace::run(&mut workspace.cargo(["test", "--quiet", "--package", "xtask"]))?;
    Ok(String::new())
}

fn lint(workspace: &Workspace) -> Result<String> {
    let mut command = workspace.cargo(["clippy", "--workspace", "--all-targets", "--all-features"]);
    workspace::run(command.args(["--", "--deny", "warnings"]))?;
    // All features at once do not show what is missing without them.
    let mut command = workspace.cargo(["clippy", "--package", "monotable-cli", "--bins"]);
    workspace::run(command.args(["--no-default-features", "--", "--deny", "warnings"]))?;
    Ok(String::new())
}

fn tests(workspace: &Workspace) -> Result<String> {
    // The command is tested with everything that it can contain.
    let features = ["--features", "monotable-cli/cloud"];
    workspace::run(workspace.cargo(["test", "--workspace", "--all-targets"]).args(features))?;
    Ok(String::new())
}

/// `--all-targets` leaves these out.
fn doctests(workspace: &Workspace) -> Result<String> {
    workspace::run(&mut workspace.cargo(["test", "--workspace", "--doc"]))?;
    Ok(String::new())
}

fn docs(workspace: &Workspace) -> Result<String> {
    let mut command = workspace.cargo(["doc", "--workspace", "--no-deps", "--all-features"]);
    workspace::run(command.env("RUSTDOCFLAGS", "--deny warnings"))?;
    Ok(String::new())
}
