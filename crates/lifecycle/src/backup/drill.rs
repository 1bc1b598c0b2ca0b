//! Drills: restore the newest backup to a temporary directory next to the backups, compare it,
//! and remove it.

use std::time::Duration;

use monotable_engine::{Durability, Options};
use serde::{Deserialize, Serialize};

use super::store::DRILL;
use super::whole::BackupSet;
use crate::disk;
use crate::error::{Error, Result};
use crate::jobs::Control;
use crate::lifecycle::{Lifecycle, Shared};
use crate::record::{self, Record};

/// How long the restored database may keep changes unsynced. It is deleted after the drill.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// The result of a drill.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drill {
    /// The backup that was restored.
    pub backup_id: String,
    /// The time of the backup's snapshot, in milliseconds since the epoch.
    pub backup_ms: u64,
    /// When the drill ended.
    pub end_ms: u64,
    /// Tables that were restored and compared.
    pub tables: usize,
    /// Items that were restored and compared.
    pub items: u64,
    /// The reason for a failure; `None` if the drill succeeded.
    pub failure: Option<String>,
}

/// The record of the newest drill.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LastDrill(Drill);

impl Record for LastDrill {
    const PREFIX: &'static str = "drill/";

    fn id(&self) -> &str {
        "newest"
    }
}

impl Lifecycle {
    /// Restores the newest backup of all tables into a temporary directory. Compares the number and
    /// the digest of the items of each table with those of the live tables at the time of the
    /// backup, and checks the indexes. The result is recorded, also for failed drills.
    ///
    /// # Errors
    /// Fails if there is no backup or the result can't be recorded, or with [`Error::Interrupted`].
    pub fn drill(&self, control: &Control) -> Result<Drill> {
        let shared = self.shared();
        let newest = shared.newest_set()?.ok_or_else(|| {
            Error::Io(format!("there is no backup in {}", shared.backups.root.display()))
        })?;
        let directory = shared.backups.root.join(format!("{DRILL}{}", newest.id));
        disk::remove_directory(&directory)?;
        let result = BackupSet::open(&shared.backups.root.join(&newest.id), None).and_then(|set| {
            set.verify(control)?;
            let durability = Durability::Relaxed { sync_every: SYNC_EVERY };
            let options = Options { durability, ..Options::default() };
            set.restore(&directory.join("database"), None, options, control)
        });
        let removed = disk::remove_directory(&directory);
        let failure = match result.and(removed) {
            Ok(()) => None,
            Err(Error::Interrupted) => return Err(Error::Interrupted),
            Err(error) => Some(error.to_string()),
        };
        let drill = Drill {
            backup_id: newest.id.clone(),
            backup_ms: newest.created_ms,
            end_ms: shared.database.now_ms(),
            tables: newest.tables.len(),
            items: newest.tables.iter().map(|table| table.items).sum(),
            failure,
        };
        LastDrill(drill.clone()).save(&shared.database)?;
        Ok(drill)
    }

    /// Returns the newest drill, including those of earlier processes.
    ///
    /// # Errors
    /// Fails if the record can't be read.
    pub fn last_drill(&self) -> Result<Option<Drill>> {
        self.shared().last_drill()
    }
}

impl Shared {
    pub(crate) fn last_drill(&self) -> Result<Option<Drill>> {
        let found = record::all::<LastDrill>(&self.database)?;
        Ok(found.into_iter().next().map(|LastDrill(drill)| drill))
    }
}
