//! Puts the commit into `monotable --version`, if this is built from a git checkout.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for file in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", file]);
        // A path that does not exist would run this with every build.
        if let Some(path) = path.filter(|path| Path::new(path).exists()) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let number = env!("CARGO_PKG_VERSION");
    // A copy without history, possibly inside the repository of something else, has no commit.
    let is_ours = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let commit = git(&["log", "-1", "--abbrev=12", "--format=%h %cs"]).filter(|_| is_ours);
    let version = commit.map_or(number.to_owned(), |commit| format!("{number} ({commit})"));
    println!("cargo::rustc-env=MONOTABLE_VERSION={version}");
}

/// Returns what git prints; nothing without git, or if it refuses.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
