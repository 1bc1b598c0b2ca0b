//! `monotable check DIR`

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use monotable_engine::{Database, DirectoryReport, Error, Unfinished};
use monotable_lifecycle::{BackupSet, ExportFolder};
use monotable_wire::ItemLines;

use crate::{backup, progress};

/// The arguments of `monotable check`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The directory of a database that no server is using, of a backup, or of an export; nothing in it is changed
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Continue when table files are damaged: name the rows in them, and check those that can still
    /// be read
    #[arg(long)]
    deep: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let directory = &arguments.directory;
    if BackupSet::is_in(directory) {
        return check_backup(directory);
    }
    if ExportFolder::is_in(directory) {
        return check_export(directory);
    }
    if !Database::exists(directory) {
        bail!("there is no database in {}: nothing to check", directory.display());
    }
    let checked = if arguments.deep {
        Database::check_directory_behind_damage(directory)
    } else {
        Database::check_directory(directory)
    };
    let report = match checked {
        Ok(report) => report,
        Err(Error::Corrupted(reason)) => bail!("Damaged: {reason}"),
        Err(error) => return Err(error.into()),
    };
    let rows = &report.rows;
    println!("tables          {:>12}", rows.tables);
    println!("items           {:>12}", rows.items);
    println!("index entries   {:>12}", rows.index_entries);
    println!("stream records  {:>12}", rows.stream_records);
    if rows.is_clean() && report.damage.is_empty() {
        println!("{}", verdict(&report));
        return Ok(());
    }
    for damage in &report.damage {
        println!("- {damage}");
    }
    for problem in &rows.problems {
        println!("- {problem}");
    }
    bail!(
        "Damaged: {} problems in {}; restore the database from a backup",
        rows.problem_count + report.damage.len() as u64,
        directory.display()
    );
}

/// Checks a whole backup.
fn check_backup(directory: &Path) -> Result<()> {
    let set = BackupSet::open(directory, None)?;
    progress::watch("check", "read", |control| set.verify(control))?;
    backup::print(&set.summary());
    println!("Whole: every checksum and digest of the backup is right.");
    Ok(())
}

/// Checks a whole export.
fn check_export(directory: &Path) -> Result<()> {
    let folder = ExportFolder::open(directory, Arc::new(ItemLines))?;
    progress::watch("check", "read", |control| {
        folder.verify(control)?;
        folder.read(control, |_| Ok::<(), monotable_lifecycle::Error>(()))
    })?;
    println!("{}: {} items", directory.display(), folder.items());
    println!("Whole: every checksum of the export is right, and every item can be read.");
    Ok(())
}

/// Returns the summary of a database without problems.
fn verdict(report: &DirectoryReport) -> String {
    const RIGHT: &str = "every checksum, index entry and count is right";
    match &report.unfinished {
        Some(Unfinished { file, at, bytes, commits }) => {
            let what = match commits {
                1 => "one unfinished commit".to_owned(),
                commits => format!("{commits} unfinished commits"),
            };
            format!(
                "Whole after recovery: {RIGHT}. Opening the database will cut off what looks like {what} \
                 ({bytes} bytes at byte {at} of {}), as left by a process or machine that stopped while writing. If something else damaged or truncated the file, acknowledged writes are lost: \
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
