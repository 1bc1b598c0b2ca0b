//! `monotable check DIR`

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use monotable_engine::{Database, DirectoryReport, Error, Unfinished};

/// What `monotable check` takes.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The directory of a database that no server is using; nothing in it is changed
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let directory = &arguments.directory;
    if !Database::exists(directory) {
        bail!("there is no database in {}: nothing to check", directory.display());
    }
    let report = match Database::check_directory(directory) {
        Ok(report) => report,
        Err(Error::Corrupted(reason)) => bail!("Damaged: {reason}"),
        Err(error) => return Err(error.into()),
    };
    let rows = &report.rows;
    println!("tables          {:>12}", rows.tables);
    println!("items           {:>12}", rows.items);
    println!("index entries   {:>12}", rows.index_entries);
    println!("stream records  {:>12}", rows.stream_records);
    if rows.is_clean() {
        println!("{}", verdict(&report));
        return Ok(());
    }
    for problem in &rows.problems {
        println!("- {problem}");
    }
    bail!(
        "Damaged: {} problems in {}; restore the database from a backup",
        rows.problem_count,
        directory.display()
    );
}

/// What to think of a database that has no problem.
fn verdict(report: &DirectoryReport) -> String {
    const RIGHT: &str = "every checksum, index entry and count is right";
    match &report.unfinished {
        Some(Unfinished { file, at, bytes, batches }) => {
            let what = match batches {
                1 => "one unfinished batch".to_owned(),
                batches => format!("{batches} unfinished batches"),
            };
            format!(
                "Whole after recovery: {RIGHT}. Opening the database will cut off what looks like {what} \
                 ({bytes} bytes at byte {at} of {}), as a process or a machine leaves it that stops while \
                 it is writing. If something else damaged or cut the file, acknowledged writes are lost: \
                 restore the database from a backup.",
                file.display()
            )
        }
        None if report.was_closed => format!("Whole: {RIGHT}."),
        None => {
            format!("Whole: {RIGHT}. It was not closed cleanly, but nothing has to be recovered.")
        }
    }
}
