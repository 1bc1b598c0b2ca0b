//! `monotable copy`: tables from one store to another, such as from a directory to DynamoDB.
//!
//! A table is created at the destination, filled page by page, and read again: both ends must have
//! the same rows. A file records the progress, so that an interrupted copy can continue.

mod digest;
mod pace;
pub(crate) mod place;
pub(crate) mod state;
pub(crate) mod table;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use monotable_types::TableName;

use self::place::{OpenPlace, Place};
use self::state::State;
use self::table::TableCopy;
use crate::services;

/// The default file of the progress.
const STATE_DEFAULT: &str = "monotable-copy.json";

const AFTER_HELP: &str = "\
Stop the servers that write to the source first: changes during a copy can be missing in it. An interrupted copy continues if the command is repeated.

Addresses need a program with the feature `cloud`, which reads credentials from the same sources as AWS's tools.";

/// The arguments of `monotable copy`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The source of the tables: the directory of a database, or the address of a DynamoDB endpoint
    #[arg(long, value_name = "DIR|URL", value_parser = place::parse)]
    from: Place,
    /// The destination, a directory or an address. Missing tables are created; existing ones must
    /// be empty
    #[arg(long, value_name = "DIR|URL", value_parser = place::parse)]
    to: Place,
    /// Copy this table; can be repeated [default: the tables of --services, or all]
    #[arg(long = "table", value_name = "NAME", conflicts_with = "services")]
    tables: Vec<String>,
    /// Copy the tables of these services: all, or names separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    services: Vec<String>,
    /// The environment in the names of the services' tables
    #[arg(long, value_name = "NAME", default_value = "dev")]
    environment: String,
    /// Write at most this many write units per second: one per started KB of a row, without those
    /// of indexes
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    units: Option<u32>,
    /// The region of addresses that do not name one [default: that of the environment or the profile]
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// The file that records the progress of the copy; deleted when everything is verified
    #[arg(long, value_name = "FILE", default_value = STATE_DEFAULT)]
    state: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    if arguments.from == arguments.to {
        bail!("--from and --to are the same place");
    }
    let from = OpenPlace::source(&arguments.from, arguments.region.as_deref())?;
    let names = arguments.names(&from)?;
    if names.is_empty() {
        bail!("{} has no tables: nothing to copy", arguments.from);
    }
    let mut state = State::read(&arguments.state, &arguments.from, &arguments.to)?;
    let to = OpenPlace::target(&arguments.to, arguments.region.as_deref())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    for name in &names {
        let copy = TableCopy {
            from: from.backend(),
            to: to.backend(),
            name,
            units: arguments.units,
            mask: None,
        };
        let summary = runtime.block_on(copy.run(&mut state))?;
        println!("{summary}");
    }
    state.remove()
}

impl Arguments {
    /// Returns the tables to copy.
    fn names(&self, from: &OpenPlace) -> Result<Vec<String>> {
        if !self.services.is_empty() {
            return services::table_names(&self.services, &self.environment);
        }
        for name in &self.tables {
            if let Err(error) = TableName::try_from(name.as_str()) {
                bail!("there can't be a table {name:?}: {error}");
            }
        }
        if self.tables.is_empty() { from.tables() } else { Ok(self.tables.clone()) }
    }
}
