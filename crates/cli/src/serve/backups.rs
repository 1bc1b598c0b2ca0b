//! `monotable serve`: backups, drills, and the directories of exports and imports.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use monotable_engine::Database;
use monotable_lifecycle::{Attached, KeptHistory, Lifecycle, LifecycleOptions, Schedule};
use monotable_wire::ItemLines;

use crate::duration;
use crate::services::{BLOB_DIRECTORY, BlobSource};

/// The default folder of backups in the data directory.
pub(crate) const BACKUP_DIRECTORY: &str = "backups";
/// The shortest interval of backups.
const EVERY_MIN: Duration = Duration::from_secs(60);

#[derive(Args)]
#[command(next_help_heading = "Backups")]
pub(crate) struct BackupArguments {
    /// Store backups in this directory, best on another disk [default: the folder backups in the
    /// data directory]
    #[arg(long, value_name = "DIR")]
    backup_to: Option<PathBuf>,
    /// Back up all tables and the services' files this often, such as 24h
    #[arg(long, value_name = "TIME", requires = "backup_to", value_parser = interval)]
    backup_every: Option<Duration>,
    /// Keep this many of the backups of --backup-every
    #[arg(long, value_name = "NUMBER", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    backup_keep: u32,
    /// Restore the newest of these backups this often into a temporary directory in --backup-to,
    /// compare it with what was backed up, and show the result at /ready, in /metrics and on the
    /// start page
    #[arg(long, value_name = "TIME", requires = "backup_every", value_parser = interval)]
    drill_every: Option<Duration>,
    /// Keep the log of commits this long, so that `monotable restore --log --at` can restore any
    /// time within it
    #[arg(long, value_name = "TIME", requires = "backup_every", value_parser = interval)]
    keep_log: Option<Duration>,
    /// Keep at most this much of the log, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 10_000)]
    keep_log_mb: u64,
    /// Let exports and imports use the subdirectories of this directory as buckets
    #[arg(long, value_name = "DIR")]
    buckets: Option<PathBuf>,
}

impl BackupArguments {
    /// Refuses directories that do not exist.
    pub(crate) fn check(&self) -> Result<()> {
        if let (Some(keep), Some(every)) = (self.keep_log, self.backup_every)
            && keep > every * self.backup_keep
        {
            bail!(
                "--keep-log {} needs a backup that is as old; --backup-keep {} of --backup-every {} are too few",
                duration::text(keep),
                self.backup_keep,
                duration::text(every)
            );
        }
        match &self.buckets {
            Some(directory) if !directory.is_dir() => {
                bail!("--buckets {} is not a directory; create it first", directory.display())
            }
            _ => Ok(()),
        }
    }

    /// Returns the first flag that needs a database of this server.
    pub(crate) fn flag_for_database(&self) -> Option<&'static str> {
        let to = self.backup_to.as_ref().map(|_| "--backup-to");
        to.or(self.buckets.as_ref().map(|_| "--buckets"))
    }

    /// Returns the schedule of automatic backups.
    pub(crate) fn schedule(&self, data: Option<&Path>) -> Option<Schedule> {
        Some(Schedule {
            backup_every: self.backup_every?,
            keep: self.backup_keep as usize,
            drill_every: self.drill_every,
            history: self.history(data),
        })
    }

    /// Returns whether the database keeps its log.
    pub(crate) fn keeps_log(&self) -> bool {
        self.keep_log.is_some()
    }

    fn history(&self, data: Option<&Path>) -> Option<KeptHistory> {
        Some(KeptHistory {
            directory: data?.to_owned(),
            keep: self.keep_log?,
            bytes_max: self.keep_log_mb * 1_000_000,
        })
    }

    /// Opens backups, exports and imports of a database.
    pub(crate) fn open(
        &self,
        database: Database,
        data: Option<&Path>,
        blobs: &BlobSource,
    ) -> Result<Lifecycle> {
        let attached = blobs.directory().map(|directory| Attached {
            name: BLOB_DIRECTORY.to_owned(),
            directory: directory.to_owned(),
        });
        let options = LifecycleOptions {
            backups: self.backup_to.clone().or_else(|| Some(data?.join(BACKUP_DIRECTORY))),
            history: data.filter(|_| self.keeps_log()).map(Path::to_owned),
            buckets: self.buckets.clone(),
            attached: attached.into_iter().collect(),
            codec: Arc::new(ItemLines),
        };
        Lifecycle::open(database, options).context("backups can't be used")
    }

    /// Returns the line of the banner.
    pub(crate) fn banner(&self) -> Option<(&'static str, String)> {
        let (every, to) = (self.backup_every?, self.backup_to.as_ref()?);
        let text = format!("every {} in {}", duration::text(every), to.display());
        Some(("backups", text))
    }
}

fn interval(text: &str) -> Result<Duration, String> {
    match duration::parse(text)? {
        time if time < EVERY_MIN => Err("give a minute at least, such as 24h".to_owned()),
        time => Ok(time),
    }
}
