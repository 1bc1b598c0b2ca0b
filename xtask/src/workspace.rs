//! Where the project is, and how its programs are run: every command is printed before it starts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The checkout that `cargo xtask` was called in.
pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// Finds the checkout: the folder above this package, whose path cargo provides.
    pub(crate) fn find() -> Result<Self> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR")
            .context("call this through cargo, as `cargo xtask …`, so that it finds the project")?;
        let root = Path::new(&package)
            .parent()
            .context("the folder xtask has no folder above it")?
            .to_owned();
        Ok(Self { root })
    }

    /// Returns a path inside the checkout.
    pub(crate) fn path(&self, relative: impl AsRef<Path>) -> PathBuf {
        self.root.join(relative)
    }

    /// Returns where a package that is a workspace of its own builds: below the shared target directory if
    /// the user has set one, and otherwise in a folder of its own, which git ignores.
    pub(crate) fn target_directory(&self, package: &str) -> PathBuf {
        match std::env::var_os("CARGO_TARGET_DIR") {
            Some(shared) => self.root.join(shared).join(package),
            None => self.root.join(package).join("target"),
        }
    }

    /// Returns a cargo command in the root of the checkout.
    pub(crate) fn cargo<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = self.command(cargo);
        command.args(arguments);
        command
    }

    /// Any other program in the root of the checkout.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }
}

/// Prints a command and runs it; an exit code other than zero is an error.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    print(command);
    let status = command
        .status()
        .with_context(|| format!("`{}` could not be started", program_name(command)))?;
    if !status.success() {
        bail!("`{}` ended with {status}", line(command));
    }
    Ok(())
}

/// Prints a command as one would type it.
pub(crate) fn print(command: &Command) {
    let variables = command.get_envs().filter_map(|(name, value)| {
        let value = value?;
        Some(format!("{}={} ", name.to_string_lossy(), quoted(value)))
    });
    println!("$ {}{}", variables.collect::<String>(), line(command));
}

/// Returns the program and its arguments.
fn line(command: &Command) -> String {
    let mut line = program_name(command);
    for argument in command.get_args() {
        line.push(' ');
        line.push_str(&quoted(argument));
    }
    line
}

/// Returns the program without its folder: nobody types the path of the toolchain.
fn program_name(command: &Command) -> String {
    let program = Path::new(command.get_program());
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    if word.contains(' ') { format!("'{word}'") } else { word.into_owned() }
}
