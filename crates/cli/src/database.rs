//! The database of a command that works on a directory while no server does.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, Result, bail};
use clap::Args;
use monotable_engine::{Database, History, Options};
use monotable_lifecycle::{Attached, Lifecycle, LifecycleOptions, UnfinishedJobs};
use monotable_wire::ItemLines;

use crate::permissions;
use crate::serve::{BACKUP_DIRECTORY, DATA_DEFAULT, REGION_DEFAULT, region};

#[derive(Args)]
pub(crate) struct DatabaseArguments {
    /// The directory of the database; no server may be using it
    #[arg(long, value_name = "DIR", default_value = DATA_DEFAULT)]
    data: PathBuf,
    /// The region in ARNs
    #[arg(long, value_name = "NAME", default_value = REGION_DEFAULT, value_parser = region)]
    region: String,
}

/// The directories of a lifecycle.
#[derive(Default)]
pub(crate) struct Directories {
    /// The directory of backups, and of lists of items that imports refused, if not in the data
    /// directory.
    pub(crate) backups: Option<PathBuf>,
    pub(crate) buckets: Option<PathBuf>,
    pub(crate) attached: Vec<Attached>,
}

impl DatabaseArguments {
    /// Returns the directory of the database.
    pub(crate) fn directory(&self) -> &PathBuf {
        &self.data
    }

    /// Opens the database, which must exist.
    pub(crate) fn open(&self) -> Result<Database> {
        if !Database::exists(&self.data) {
            bail!("there is no database in {}; name it with --data DIR", self.data.display());
        }
        self.open_or_create()
    }

    /// Opens the database, or creates it.
    pub(crate) fn open_or_create(&self) -> Result<Database> {
        permissions::keep_new_files_private();
        let keeps_history = History::is_kept(&self.data);
        let options = Options { region: self.region.clone(), keeps_history, ..Options::default() };
        Database::open(&self.data, options).with_context(|| {
            format!("{} can't be opened; is a server using it?", self.data.display())
        })
    }

    /// Opens the database with its backups, exports and imports. Jobs of a server are left to the
    /// server.
    pub(crate) fn open_lifecycle(&self, directories: Directories) -> Result<Lifecycle> {
        let Directories { backups, buckets, attached } = directories;
        let backups = Some(backups.unwrap_or_else(|| self.data.join(BACKUP_DIRECTORY)));
        let history = History::is_kept(&self.data).then(|| self.data.clone());
        let codec = Arc::new(ItemLines);
        let options = LifecycleOptions { backups, history, buckets, attached, codec };
        Ok(Lifecycle::open_with(self.open()?, options, UnfinishedJobs::Leave)?)
    }
}
