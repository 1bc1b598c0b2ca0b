//! `monotable backup`: all tables and files of a database at one instant, while no server is using it.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use monotable_lifecycle::{Attached, BackupSetSummary};

use crate::database::{DatabaseArguments, Directories};
use crate::progress;
use crate::services::BLOB_DIRECTORY;

const AFTER_HELP: &str = "\
A running server makes backups itself: see `--backup-every` of `monotable serve`. An interrupted backup leaves no partial backup behind; run the command again. `monotable check DIR` verifies a backup.";

/// The arguments of `monotable backup`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(flatten)]
    database: DatabaseArguments,
    /// The directory of the backups of this database, each in a directory of its own
    #[arg(long, value_name = "DIR")]
    to: PathBuf,
    /// The name of the backup in lists
    #[arg(long, value_name = "NAME", default_value = "manual", value_parser = name)]
    name: String,
    /// Delete the oldest backups of all tables in --to, so that this many are left
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// The directory of the services' files, if it is not the folder blobs in --data
    #[arg(long, value_name = "DIR")]
    blobs: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let blobs = match &arguments.blobs {
        Some(directory) if !directory.is_dir() => {
            bail!("{} is not a directory", directory.display())
        }
        Some(directory) => directory.clone(),
        None => arguments.database.directory().join(BLOB_DIRECTORY),
    };
    let attached = vec![Attached { name: BLOB_DIRECTORY.to_owned(), directory: blobs }];
    let lifecycle = arguments.database.open_lifecycle(Directories {
        backups: Some(arguments.to.clone()),
        attached,
        ..Directories::default()
    })?;
    let made = progress::watch("backup", "wrote and verified", |control| {
        lifecycle.back_up_all(&arguments.name, control)
    })?;
    print(&made);
    if let Some(keep) = arguments.keep {
        for directory in lifecycle.keep_newest(keep as usize)? {
            println!("removed {}", directory.display());
        }
    }
    Ok(())
}

/// Prints the contents of a backup.
pub(crate) fn print(set: &BackupSetSummary) {
    for table in &set.tables {
        println!("{}: {} items, digest {}", table.name, table.items, table.digest);
    }
    println!(
        "{}: {} tables, {} files, {:.1} MB",
        set.directory.display(),
        set.tables.len(),
        set.attached_files,
        set.bytes as f64 / 1e6
    );
}

/// AWS's rule for names of backups.
fn name(text: &str) -> Result<String, String> {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
    if (3..=255).contains(&text.len()) && text.bytes().all(is_known) {
        Ok(text.to_owned())
    } else {
        Err("a name has 3 to 255 letters, digits, '_', '.' and '-'".to_owned())
    }
}
