//! `monotable check DIR`

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use monotable_engine::{Database, Options};

/// What `monotable check` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The directory of a database that no server is using
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let directory = &arguments.directory;
    // Opening would create one.
    if !Database::exists(directory) {
        bail!("there is no database in {}: nothing to check", directory.display());
    }
    let database = Database::open(directory, Options::default())?;
    let report = database.check()?;
    println!("tables          {:>12}", report.tables);
    println!("items           {:>12}", report.items);
    println!("index entries   {:>12}", report.index_entries);
    println!("stream records  {:>12}", report.stream_records);
    if report.is_clean() {
        println!("Whole: every checksum, index entry and count is right.");
        return Ok(());
    }
    for problem in &report.problems {
        println!("- {problem}");
    }
    bail!("{} problems in {}", report.problem_count, directory.display());
}
