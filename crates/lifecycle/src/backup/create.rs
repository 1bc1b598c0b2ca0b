//! CreateBackup, and backups of all tables at one instant.

use std::path::PathBuf;
use std::sync::Arc;

use monotable_engine::{
    DatabaseSnapshot, DeleteTable, DeleteTableOutput, TableSnapshot, WriteRecords,
};
use serde::{Deserialize, Serialize};

use super::set::{self, Order};
use super::{
    BackupDescription, BackupKind, BackupSetSummary, BackupStatus, Manifest, RestoreJob,
    parse_definition,
};
use crate::error::{Error, Refusal, Result, table_not_found};
use crate::id::{Kind, arn};
use crate::jobs::Control;
use crate::lifecycle::{Lifecycle, Shared};
use crate::record::{self, Record};

/// The limit of unfinished backups.
const UNFINISHED_MAX: usize = 50;

/// How long backups of deleted tables are kept, as on AWS.
const SYSTEM_KEPT_MS: u64 = 35 * 24 * 60 * 60 * 1000;

/// A backup that is being written or has failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct BackupJob {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) kind: BackupKind,
    pub(crate) created_ms: u64,
    /// The table with its definition.
    pub(crate) table: JobTable,
    /// The reason why it could not be written.
    pub(crate) failure: Option<String>,
}

/// The table that is backed up.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct JobTable {
    pub(crate) name: String,
    pub(crate) arn: String,
    pub(crate) id: String,
    pub(crate) definition: String,
}

impl Record for BackupJob {
    const PREFIX: &'static str = "backup/";

    fn id(&self) -> &str {
        &self.id
    }
}

impl BackupJob {
    /// Returns a backup of a table as it is in a snapshot.
    fn new(
        id: String,
        name: &str,
        kind: BackupKind,
        snapshot: &DatabaseSnapshot,
        table: &TableSnapshot,
    ) -> Self {
        let definition = table.definition();
        let description = definition.description();
        let table = JobTable {
            name: description.table_name,
            arn: description.table_arn,
            id: description.table_id,
            definition: hex::encode(definition.to_bytes()),
        };
        let (name, created_ms) = (name.to_owned(), snapshot.moment_ms());
        Self { id, name, kind, created_ms, table, failure: None }
    }

    /// Describes the backup of one table while it is being written; a failed one counts as deleted.
    pub(super) fn description(&self) -> Result<BackupDescription> {
        let table = &self.table;
        let definition = parse_definition(&table.definition, &table.arn)?;
        let status = match self.failure {
            None => BackupStatus::Creating,
            Some(_) => BackupStatus::Deleted,
        };
        Ok(BackupDescription {
            arn: arn(&table.arn, Kind::Backup, &self.id),
            name: self.name.clone(),
            status,
            kind: self.kind,
            size_bytes: None,
            creation_ms: self.created_ms,
            expiry_ms: None,
            table: definition.description(),
            ttl_attribute: definition.ttl_attribute().map(str::to_owned),
            encryption: definition.encryption().clone(),
        })
    }
}

impl Lifecycle {
    /// Starts a backup of one table as it is at the time of this call.
    ///
    /// # Errors
    /// Fails with `TableNotFoundException`, with `TableInUseException` while the table is being
    /// created, or with `LimitExceededException`.
    pub async fn create_backup(&self, table_name: &str, name: &str) -> Result<BackupDescription> {
        let shared = self.shared();
        if shared.jobs.count(BackupJob::PREFIX) >= UNFINISHED_MAX {
            return Err(Refusal::LimitExceeded.with(format!(
                "Too many backups are being created: at most {UNFINISHED_MAX} at the same time"
            )));
        }
        let snapshot = shared.database.snapshot();
        let Some(table) = snapshot.table(table_name) else {
            return Err(shared.unusable(table_name));
        };
        let id = shared.ids.next(snapshot.moment_ms(), table.name());
        let job = BackupJob::new(id, name, BackupKind::User, &snapshot, &table);
        let started = shared.start_with(&job, Some(snapshot));
        let record = WriteRecords { changes: vec![job.change()?] };
        shared.database.submit(record).await?;
        drop(started);
        job.description()
    }

    /// Deletes a table. If it has point-in-time recovery, a backup of it is kept for 35 days, as on AWS.
    ///
    /// # Errors
    /// Fails as [`DeleteTable`] does.
    pub async fn delete_table(&self, request: DeleteTable) -> Result<DeleteTableOutput> {
        let shared = self.shared();
        let database = &shared.database;
        let snapshot = database.snapshot();
        let table = snapshot.table(&request.table_name).filter(|table| {
            shared.options.history.is_some() && table.definition().description().recovery.is_some()
        });
        let Some(table) = table else { return Ok(database.submit(request).await?) };
        let id = shared.ids.next(snapshot.moment_ms(), table.name());
        let name = format!("{}$DeletedTableBackup", table.name());
        let job = BackupJob::new(id, &name, BackupKind::System, &snapshot, &table);
        let started = shared.start_with(&job, Some(snapshot));
        database.submit(WriteRecords { changes: vec![job.change()?] }).await?;
        let deleted = database.submit(request).await;
        if deleted.is_err() {
            database.submit(WriteRecords::remove(job.key())).await?;
        }
        drop(started);
        Ok(deleted?)
    }

    /// Backs up all tables at one instant, and the attached directories. Returns when everything is
    /// written and verified.
    ///
    /// # Errors
    /// Fails if the backup can't be written or verified, or with [`Error::Interrupted`]; incomplete
    /// files are removed.
    pub fn back_up_all(&self, name: &str, control: &Control) -> Result<BackupSetSummary> {
        let shared = self.shared();
        let root = &shared.backups.root;
        let now_ms = shared.database.now_ms();
        let id = shared.ids.next(now_ms, "all tables");
        let order = Order {
            id: &id,
            name,
            kind: BackupKind::Scheduled,
            expires_ms: None,
            tables: None,
            attached: &shared.options.attached,
        };
        let written = set::write(root, &order, || shared.database.snapshot(), control)
            .and_then(|_| shared.backups.open(&id));
        let verified = written.and_then(|set| {
            set.verify(control)?;
            Ok(BackupSetSummary::new(root, &set.manifest))
        });
        if verified.is_err() {
            // If this fails, the rest is removed at the next opening.
            let _ = shared.backups.abandon(&id);
            if shared.backups.has(&id) {
                let _ = shared.backups.remove(&id);
            }
        }
        verified
    }

    /// Deletes the oldest backups of all tables except this many. Returns the deleted directories.
    ///
    /// # Errors
    /// Fails if a directory can't be read or removed.
    pub fn keep_newest(&self, count: usize) -> Result<Vec<PathBuf>> {
        let shared = self.shared();
        let in_use = shared.backups_in_use()?;
        let sets = shared.all_sets()?;
        let mut removed = Vec::new();
        for set in &sets[..sets.len().saturating_sub(count)] {
            if !in_use.contains(&set.id) {
                shared.backups.remove(&set.id)?;
                removed.push(shared.backups.root.join(&set.id));
            }
        }
        Ok(removed)
    }
}

impl Shared {
    /// Returns the backups that tables are being restored from.
    fn backups_in_use(&self) -> Result<Vec<String>> {
        let restores = record::all::<RestoreJob>(&self.database)?.into_iter();
        Ok(restores.filter(|job| job.failure.is_none()).filter_map(|job| job.backup_id).collect())
    }

    /// Deletes the backups whose time is over.
    pub(crate) fn remove_expired_backups(&self) -> Result<()> {
        let (now_ms, in_use) = (self.database.now_ms(), self.backups_in_use()?);
        for manifest in self.backups.list()? {
            let is_over = manifest.expires_ms.is_some_and(|expires_ms| expires_ms <= now_ms);
            if is_over && !in_use.contains(&manifest.id) {
                self.backups.remove(&manifest.id)?;
            }
        }
        Ok(())
    }

    /// Removes the files of backups that will not be completed.
    pub(crate) fn tidy_backups(&self) -> Result<()> {
        let jobs = record::all::<BackupJob>(&self.database)?;
        self.backups.tidy(|id| jobs.iter().any(|job| job.id == id && job.failure.is_none()))
    }

    /// Returns the backups of all tables, oldest first.
    pub(crate) fn all_sets(&self) -> Result<Vec<Arc<Manifest>>> {
        let mut sets = self.backups.list()?;
        sets.retain(|set| set.kind == BackupKind::Scheduled);
        Ok(sets)
    }

    /// Returns the newest backup of all tables.
    pub(crate) fn newest_set(&self) -> Result<Option<Arc<Manifest>>> {
        Ok(self.all_sets()?.pop())
    }

    /// Returns the error for a table that can't be backed up or exported.
    pub(crate) fn unusable(&self, table_name: &str) -> Error {
        let request = monotable_engine::DescribeTable::new(table_name);
        match self.database.describe_table(request) {
            Ok(_) => Refusal::TableInUse.with(format!("Table is being created: {table_name}")),
            Err(monotable_engine::Error::ResourceNotFound(_)) => table_not_found(table_name),
            Err(error) => error.into(),
        }
    }

    /// Writes the backup of a record.
    pub(crate) fn run_backup(
        &self,
        id: &str,
        snapshot: Option<DatabaseSnapshot>,
        control: &Control,
    ) -> Result<()> {
        let Some(job) = record::find::<BackupJob>(&self.database, id)? else { return Ok(()) };
        if job.failure.is_some() {
            return Ok(());
        }
        let result = take(self, &job, snapshot, control);
        self.finish_backup(job, &result)?;
        result.map(drop)
    }

    fn finish_backup(&self, mut job: BackupJob, result: &Result<Manifest>) -> Result<()> {
        match result {
            Ok(_) => self.database.write_records(WriteRecords::remove(job.key()))?,
            // It is written again when the database is opened the next time.
            Err(Error::Interrupted) => {}
            Err(error) => {
                // If this fails, the rest is removed at the next opening.
                let _ = self.backups.abandon(&job.id);
                job.failure = Some(error.to_string());
                job.save(&self.database)?;
            }
        }
        Ok(())
    }
}

/// Takes the backup, unless it exists already.
fn take(
    shared: &Shared,
    job: &BackupJob,
    snapshot: Option<DatabaseSnapshot>,
    control: &Control,
) -> Result<Manifest> {
    if shared.backups.has(&job.id) {
        return Ok(shared.backups.open(&job.id)?.manifest);
    }
    let snapshot = snapshot.unwrap_or_else(|| shared.database.snapshot());
    // A later table with the same name is another table.
    let found = snapshot.table(&job.table.name);
    let is_same = found.is_some_and(|it| it.definition().description().table_id == job.table.id);
    if !is_same {
        return Err(table_not_found(&job.table.name));
    }
    let order = Order {
        id: &job.id,
        name: &job.name,
        kind: job.kind,
        expires_ms: (job.kind == BackupKind::System).then_some(job.created_ms + SYSTEM_KEPT_MS),
        tables: Some(std::slice::from_ref(&job.table.name)),
        attached: &[],
    };
    set::write(&shared.backups.root, &order, || snapshot, control)
}
