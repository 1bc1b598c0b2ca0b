//! Backups: taken from one snapshot, listed, deleted, restored into new tables.

mod at;
mod create;
mod drill;
mod list;
mod manifest;
mod recovery;
mod restore;
mod rows;
mod set;
mod store;
mod whole;

use monotable_engine::{Encryption, TableDefinition, TableDescription};
use serde::{Deserialize, Serialize};

pub(crate) use at::MARGIN_MS;
pub(crate) use create::BackupJob;
pub use drill::Drill;
pub use list::{BackupFilter, BackupPage, BackupSetSummary, ListBackups, SetTable};
pub(crate) use manifest::{Manifest, TableEntry};
pub use recovery::{ContinuousBackups, RecoveryWindow, RestoreToPointInTime};
pub(crate) use restore::{Filling, RestoreJob};
pub use restore::{RestoreFromBackup, RestoreOverrides};
pub(crate) use set::Set;
pub(crate) use store::Store;
pub use whole::BackupSet;

use crate::error::{Error, Result};

/// Who made a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BackupKind {
    /// A request.
    User,
    /// The deletion of a table with point-in-time recovery.
    System,
    /// The schedule of the server, or the command line: all tables at one instant.
    Scheduled,
}

impl BackupKind {
    /// AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::User => "USER",
            Self::System => "SYSTEM",
            Self::Scheduled => "AWS_BACKUP",
        }
    }
}

/// The state of a backup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupStatus {
    /// Being written.
    Creating,
    /// Whole.
    Available,
    /// Deleted, or it could not be written.
    Deleted,
}

impl BackupStatus {
    /// AWS's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Creating => "CREATING",
            Self::Available => "AVAILABLE",
            Self::Deleted => "DELETED",
        }
    }
}

/// A backup of one table.
#[derive(Clone, Debug)]
pub struct BackupDescription {
    /// Its ARN.
    pub arn: String,
    /// Its name.
    pub name: String,
    /// Its state.
    pub status: BackupStatus,
    /// Who made it.
    pub kind: BackupKind,
    /// Bytes of the items; none until they are known.
    pub size_bytes: Option<u64>,
    /// When it was asked for, and once it is whole the moment that it shows, in milliseconds since the epoch.
    pub creation_ms: u64,
    /// When it will be deleted.
    pub expiry_ms: Option<u64>,
    /// The table as it was, with the counts of the backup.
    pub table: TableDescription,
    /// The attribute that held the expiry of items.
    pub ttl_attribute: Option<String>,
    /// The key that encrypted the table.
    pub encryption: Encryption,
}

/// The definition in a manifest or a record.
pub(crate) fn parse_definition(hexadecimal: &str, table_arn: &str) -> Result<TableDefinition> {
    let damaged = || Error::Damaged("the definition of a table is malformed".to_owned());
    let bytes = hex::decode(hexadecimal).map_err(|_| damaged())?;
    let mut parts = table_arn.split(':').skip(3);
    let (region, account) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    Ok(TableDefinition::parse(&bytes, region, account)?)
}
