//! `monotable completions`

use std::io::Write as _;

use anyhow::Result;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

/// The arguments of `monotable completions`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let mut script = Vec::new();
    let mut command = crate::Cli::command();
    clap_complete::generate(arguments.shell, &mut command, "monotable", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(())
}
