//! `monotable restore`: a new database from a backup.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args;
use monotable_engine::{Database, History, Options};
use monotable_lifecycle::BackupSet;

use crate::moment::Moment;
use crate::serve::{REGION_DEFAULT, region};
use crate::{backup, permissions, progress};

const AFTER_HELP: &str = "\
The directory appears when everything has been restored and compared with the backup. An interrupted restore continues if the command is repeated. The folder blobs in the new directory contains the services' files.";

/// The arguments of `monotable restore`.
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// A backup, or a directory with backups, of which the newest is used
    #[arg(long, value_name = "DIR")]
    from: PathBuf,
    /// Use the newest backup that is not later than this time: 2026-11-19T03:00:00Z, or seconds
    /// since 1970. With --log everything is restored as it was at exactly this time
    #[arg(long, value_name = "TIME")]
    at: Option<Moment>,
    /// The directory of the database that was backed up, if its server kept its log (--keep-log):
    /// commits between the backup and --at are restored, too
    #[arg(long, value_name = "DIR", requires = "at")]
    log: Option<PathBuf>,
    /// The directory of the new database, which must be empty or not exist
    #[arg(long, value_name = "DIR")]
    into: PathBuf,
    /// Restore this table only; can be repeated
    #[arg(long = "table", value_name = "NAME")]
    tables: Vec<String>,
    /// The region in the new database's ARNs
    #[arg(long, value_name = "NAME", default_value = REGION_DEFAULT, value_parser = region)]
    region: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    permissions::keep_new_files_private();
    if Database::exists(&arguments.from) {
        bail!("{} is a database, not a backup", arguments.from.display());
    }
    let set = BackupSet::open(&arguments.from, arguments.at.map(|Moment(ms)| ms))?;
    backup::print(&set.summary());
    let tables = (!arguments.tables.is_empty()).then_some(&arguments.tables[..]);
    let options = Options { region: arguments.region.clone(), ..Options::default() };
    let history = arguments.log.as_ref().map(History::open).transpose()?;
    progress::watch("restore", "restored", |control| match (&history, arguments.at) {
        (Some(history), Some(Moment(at_ms))) => {
            set.restore_at(history, at_ms, &arguments.into, tables, options, control)
        }
        _ => set.restore(&arguments.into, tables, options, control),
    })
    .map_err(|error| anyhow!("{error}"))?;
    println!(
        "Restored into {}: every item, index entry and file is right.",
        arguments.into.display()
    );
    Ok(())
}
