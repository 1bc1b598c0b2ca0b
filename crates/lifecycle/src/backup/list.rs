//! DescribeBackup, ListBackups and DeleteBackup.

use std::path::{Path, PathBuf};

use super::{
    BackupDescription, BackupJob, BackupKind, BackupStatus, Manifest, RestoreJob, TableEntry,
    parse_definition,
};
use crate::error::{Error, Refusal, Result};
use crate::id::{Kind, arn, parse_arn};
use crate::lifecycle::{Lifecycle, Shared};
use crate::record;

/// A filter of backups by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackupFilter {
    /// Backups of this kind.
    Of(BackupKind),
    /// All backups.
    All,
}

/// The parameters of ListBackups.
#[derive(Clone, Debug)]
pub struct ListBackups {
    /// Backups of this table only, by name or ARN.
    pub table_name: Option<String>,
    /// The size of the page.
    pub limit: usize,
    /// Not older than this, in milliseconds since the epoch.
    pub from_ms: Option<u64>,
    /// Older than this.
    pub until_ms: Option<u64>,
    /// Only backups after this one.
    pub after_arn: Option<String>,
    /// The kinds of backups.
    pub filter: BackupFilter,
}

/// A page of backups.
#[derive(Clone, Debug)]
pub struct BackupPage {
    /// The backups, oldest first.
    pub backups: Vec<BackupDescription>,
    /// The ARN of the last backup, if there are more; `None` on the last page.
    pub last_arn: Option<String>,
}

/// A set of files with backups of all tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupSetSummary {
    /// Its identifier, also the name of its directory.
    pub id: String,
    /// Its directory.
    pub directory: PathBuf,
    /// Its name.
    pub name: String,
    /// Its origin.
    pub kind: BackupKind,
    /// The time of its snapshot, in milliseconds since the epoch.
    pub created_ms: u64,
    /// Its tables with their items and digests.
    pub tables: Vec<SetTable>,
    /// The number of files besides those of the tables.
    pub attached_files: usize,
    /// Bytes of its files.
    pub bytes: u64,
}

/// A table in a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetTable {
    /// Its name.
    pub name: String,
    /// The number of its items.
    pub items: u64,
    /// The sum of their sizes by AWS's rule.
    pub size_bytes: u64,
    /// XXH3-128 of all items in order.
    pub digest: String,
}

impl BackupSetSummary {
    /// Describes a set in the directory of its store.
    pub(super) fn new(root: &Path, manifest: &Manifest) -> Self {
        Self::of(&root.join(&manifest.id), manifest)
    }

    /// Describes the set in a directory.
    pub(super) fn of(directory: &Path, manifest: &Manifest) -> Self {
        let table = |entry: &TableEntry| SetTable {
            name: entry.name.clone(),
            items: entry.items,
            size_bytes: entry.size_bytes,
            digest: entry.digest.clone(),
        };
        let attached = manifest.attachments.iter().map(|file| file.bytes);
        Self {
            id: manifest.id.clone(),
            directory: directory.to_owned(),
            name: manifest.name.clone(),
            kind: manifest.kind,
            created_ms: manifest.created_ms,
            tables: manifest.tables.iter().map(table).collect(),
            attached_files: manifest.attachments.len(),
            bytes: manifest.files.iter().map(|file| file.bytes).chain(attached).sum(),
        }
    }
}

/// Returns the error for a missing backup.
pub(super) fn backup_not_found(arn: &str) -> Error {
    Refusal::BackupNotFound.with(format!("Backup not found: {arn}"))
}

pub(super) fn describe_entry(manifest: &Manifest, entry: &TableEntry) -> Result<BackupDescription> {
    let definition = parse_definition(&entry.definition, &entry.arn)?;
    let mut table = definition.description();
    (table.item_count, table.table_size_bytes) = (entry.items, entry.size_bytes);
    Ok(BackupDescription {
        arn: arn(&entry.arn, Kind::Backup, &manifest.id),
        name: manifest.name.clone(),
        status: BackupStatus::Available,
        kind: manifest.kind,
        size_bytes: Some(entry.size_bytes),
        creation_ms: manifest.created_ms,
        expiry_ms: manifest.expires_ms,
        table,
        ttl_attribute: definition.ttl_attribute().map(str::to_owned),
        encryption: definition.encryption().clone(),
    })
}

impl Shared {
    /// Returns the backup with an ARN, complete or unfinished.
    pub(super) fn find_backup(&self, arn: &str) -> Result<BackupDescription> {
        let not_found = || backup_not_found(arn);
        let (table_arn, id) = parse_arn(arn, Kind::Backup).ok_or_else(not_found)?;
        if let Some(manifest) = self.backups.manifest(id)? {
            let entry = manifest.tables.iter().find(|table| table.arn == table_arn);
            return describe_entry(&manifest, entry.ok_or_else(not_found)?);
        }
        let job = record::find::<BackupJob>(&self.database, id)?;
        let description = job.map(|job| job.description()).transpose()?;
        description.filter(|found| found.arn == arn).ok_or_else(not_found)
    }
}

impl Lifecycle {
    /// Describes a backup.
    ///
    /// # Errors
    /// Fails with `BackupNotFoundException`.
    pub fn describe_backup(&self, arn: &str) -> Result<BackupDescription> {
        self.shared().find_backup(arn)
    }

    /// Lists backups, oldest first.
    ///
    /// # Errors
    /// Fails if the directory of the backups can't be read.
    pub fn list_backups(&self, request: &ListBackups) -> Result<BackupPage> {
        let shared = self.shared();
        let mut found = Vec::new();
        for manifest in shared.backups.list()? {
            for entry in &manifest.tables {
                found.push(describe_entry(&manifest, entry)?);
            }
        }
        for job in record::all::<BackupJob>(&shared.database)? {
            let known = |it: &BackupDescription| found.iter().all(|other| other.arn != it.arn);
            let description = job.description()?;
            if description.status == BackupStatus::Creating && known(&description) {
                found.push(description);
            }
        }
        let name = request.table_name.as_deref();
        let name = name.map(|name| monotable_engine::table_name_of_arn(name).unwrap_or(name));
        found.retain(|backup| {
            let of_kind = match request.filter {
                BackupFilter::All => true,
                BackupFilter::Of(kind) => backup.kind == kind,
            };
            of_kind
                && name.is_none_or(|name| backup.table.table_name == name)
                && request.from_ms.is_none_or(|from_ms| backup.creation_ms >= from_ms)
                && request.until_ms.is_none_or(|until_ms| backup.creation_ms < until_ms)
        });
        let place = |backup: &BackupDescription| order(&backup.arn);
        found.sort_by_key(place);
        if let Some(after) = &request.after_arn {
            let after = order(after);
            found.retain(|backup| order(&backup.arn) > after);
        }
        let has_more = found.len() > request.limit;
        found.truncate(request.limit);
        let last_arn = found.last().filter(|_| has_more).map(|backup| backup.arn.clone());
        Ok(BackupPage { backups: found, last_arn })
    }

    /// Lists the sets of files, oldest first.
    ///
    /// # Errors
    /// Fails if the directory of the backups can't be read.
    pub fn backup_sets(&self) -> Result<Vec<BackupSetSummary>> {
        let shared = self.shared();
        let manifests = shared.backups.list()?;
        let root = &shared.backups.root;
        Ok(manifests.iter().map(|manifest| BackupSetSummary::new(root, manifest)).collect())
    }

    /// Deletes a backup.
    ///
    /// # Errors
    /// Fails with `BackupNotFoundException`, or with `BackupInUseException` while it is created or
    /// restored.
    pub async fn delete_backup(&self, arn: &str) -> Result<BackupDescription> {
        let shared = self.shared();
        let description = shared.find_backup(arn)?;
        let (_, id) = parse_arn(arn, Kind::Backup).ok_or_else(|| backup_not_found(arn))?;
        match description.status {
            BackupStatus::Creating => {
                return Err(in_use(arn, "it is being created"));
            }
            BackupStatus::Deleted => return Err(backup_not_found(arn)),
            BackupStatus::Available => {}
        }
        let restores = record::all::<RestoreJob>(&shared.database)?;
        if restores.iter().any(|job| job.backup_id.as_deref() == Some(id) && job.failure.is_none())
        {
            return Err(in_use(arn, "a table is being restored from it"));
        }
        if description.kind == BackupKind::Scheduled {
            return Err(Refusal::Validation.with(format!(
                "The backup {arn} belongs to a scheduled backup of all tables, which deletes its oldest ones itself"
            )));
        }
        shared.backups.remove(id)?;
        Ok(BackupDescription { status: BackupStatus::Deleted, ..description })
    }
}

fn in_use(arn: &str, why: &str) -> Error {
    Refusal::BackupInUse.with(format!("Backup {arn} is in use: {why}"))
}

/// Returns the sort order of an ARN: by time, and within a set by table.
fn order(arn: &str) -> (String, String) {
    match parse_arn(arn, Kind::Backup) {
        Some((table, id)) => (id.to_owned(), table.to_owned()),
        None => (String::new(), arn.to_owned()),
    }
}
