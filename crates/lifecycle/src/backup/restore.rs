//! RestoreTableFromBackup, and the parts that all restores share: a new table can't be used
//! before it is complete.

use std::collections::VecDeque;

use bytes::Bytes;
use monotable_engine::{
    AttributeDefinition, BeginLoad, BillingMode, CreateTable, Encryption, EndLoad, IndexDefinition,
    IndexDescription, Loader, OnDemandThroughput, Pending, ProvisionedThroughput, RecordChange,
    RestoreSource, TableDefinition, TableDescription,
};
use serde::{Deserialize, Serialize};

use super::list::backup_not_found;
use super::recovery::Commits;
use super::{BackupStatus, parse_definition};
use crate::error::{Error, Refusal, Result};
use crate::id::{Kind, parse_arn};
use crate::jobs::Control;
use crate::lifecycle::{Lifecycle, Shared};
use crate::record::{self, Record};

/// The limit of unfinished restores, as on AWS.
pub(crate) const RESTORES_MAX: usize = 50;
/// The limits of a chunk that is loaded at a time. Other writes wait during that.
const CHUNK_ITEMS_MAX: usize = 200;
const CHUNK_BYTES_MAX: usize = 256 << 10;
/// The number of chunks that are written at the same time.
const CHUNKS_UNFINISHED_MAX: usize = 4;

/// A restore that is running or has failed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct RestoreJob {
    pub(crate) id: String,
    /// The backup that it begins with; `None` for the empty table.
    pub(crate) backup_id: Option<String>,
    /// The table in the backup.
    pub(crate) source: String,
    /// The new table.
    pub(crate) target: String,
    /// The commits after the backup, for a restore to a point in time.
    #[serde(default)]
    pub(crate) commits: Option<Commits>,
    pub(crate) failure: Option<String>,
}

impl Record for RestoreJob {
    const PREFIX: &'static str = "restore/";

    fn id(&self) -> &str {
        &self.id
    }
}

/// Settings of a restored table that differ from those of the backup.
#[derive(Clone, Debug, Default)]
pub struct RestoreOverrides {
    /// Its billing mode.
    pub billing_mode: Option<BillingMode>,
    /// Its provisioned capacity.
    pub provisioned_throughput: Option<ProvisionedThroughput>,
    /// Its limits for on-demand billing.
    pub on_demand_throughput: Option<OnDemandThroughput>,
    /// The key that encrypts it.
    pub encryption: Option<Encryption>,
    /// The global indexes that it keeps; they must be those of the backup.
    pub global_indexes: Option<Vec<IndexDefinition>>,
    /// The local indexes that it keeps; they must be those of the backup.
    pub local_indexes: Option<Vec<IndexDefinition>>,
}

/// The parameters of RestoreTableFromBackup.
#[derive(Clone, Debug)]
pub struct RestoreFromBackup {
    /// The backup.
    pub backup_arn: String,
    /// The new table.
    pub target_table_name: String,
    /// Settings that differ from those of the source.
    pub overrides: RestoreOverrides,
}

impl Lifecycle {
    /// Creates a table and starts to fill it from a backup. It can be used when it is `ACTIVE`.
    ///
    /// # Errors
    /// Fails with `BackupNotFoundException`, `BackupInUseException`, `TableAlreadyExistsException`
    /// or `LimitExceededException`, or with `ValidationException` for overrides that do not fit.
    pub async fn restore_from_backup(
        &self,
        request: RestoreFromBackup,
    ) -> Result<TableDescription> {
        let shared = self.shared();
        let backup = shared.find_backup(&request.backup_arn)?;
        let not_found = || backup_not_found(&request.backup_arn);
        match backup.status {
            BackupStatus::Creating => {
                return Err(Refusal::BackupInUse
                    .with(format!("Backup is being created: {}", request.backup_arn)));
            }
            BackupStatus::Deleted => return Err(not_found()),
            BackupStatus::Available => {}
        }
        let (_, id) = parse_arn(&request.backup_arn, Kind::Backup).ok_or_else(not_found)?;
        let manifest = shared.backups.manifest(id)?.ok_or_else(not_found)?;
        let source = backup.table.table_name;
        let entry = manifest.position(&source).map(|at| &manifest.tables[at]);
        let entry = entry.ok_or_else(not_found)?;
        let definition = parse_definition(&entry.definition, &entry.arn)?;
        let table = restored_table(&definition, &request.target_table_name, request.overrides)?;
        let now_ms = shared.database.now_ms();
        let job = RestoreJob {
            id: shared.ids.next(now_ms, &request.target_table_name),
            backup_id: Some(id.to_owned()),
            source,
            target: request.target_table_name,
            commits: None,
            failure: None,
        };
        let source = RestoreSource {
            backup_arn: Some(request.backup_arn),
            table_arn: entry.arn.clone(),
            restore_ms: manifest.created_ms,
        };
        shared.begin_restore(&job, table, source).await
    }
}

impl Shared {
    /// Creates the table of a restore and starts the job.
    pub(crate) async fn begin_restore<R: Record>(
        &self,
        job: &R,
        table: CreateTable,
        source: RestoreSource,
    ) -> Result<TableDescription> {
        if self.jobs.count(RestoreJob::PREFIX) >= RESTORES_MAX {
            return Err(Refusal::LimitExceeded.with(format!(
                "Too many tables are being restored: at most {RESTORES_MAX} at the same time"
            )));
        }
        let name = table.table_name.clone();
        let begin =
            BeginLoad { table, job: job.key(), source: Some(source), record: job.change()? };
        let started = self.start_with(job, None);
        let result = self.database.submit(begin).await;
        drop(started);
        match result {
            Err(monotable_engine::Error::ResourceInUse(_)) => {
                Err(Refusal::TableAlreadyExists.with(format!("Table already exists: {name}")))
            }
            result => Ok(result?),
        }
    }

    /// Fills the table of a restore from the beginning; existing items are replaced.
    pub(crate) fn run_restore(&self, id: &str, control: &Control) -> Result<()> {
        let Some(mut job) = record::find::<RestoreJob>(&self.database, id)? else { return Ok(()) };
        if job.failure.is_some() {
            return Ok(());
        }
        let result = self.fill_restored(&job, control);
        let failure = match &result {
            Ok(()) => None,
            Err(Error::Interrupted) => return result,
            Err(error) => Some(error.to_string()),
        };
        let record = match failure {
            None => RecordChange { key: job.key(), value: None },
            Some(failure) => {
                job.failure = Some(failure);
                job.change()?
            }
        };
        let is_whole = result.is_ok();
        let (table_name, key) = (job.target.clone(), job.key());
        self.database.end_load(EndLoad { table_name, job: key, is_whole, record })?;
        result
    }

    fn fill_restored(&self, job: &RestoreJob, control: &Control) -> Result<()> {
        let mut filling = Filling::new(self.database.loader(&job.target, &job.key())?);
        if let Some(backup_id) = &job.backup_id {
            let set = self.backups.open(backup_id)?;
            let at = set.manifest.position(&job.source);
            let lacks_table =
                || Error::Damaged(format!("it does not contain the table {}", job.source));
            let mut rows = set.rows(at.ok_or_else(lacks_table)?);
            while let Some(stored) = rows.next()? {
                control.check()?;
                control.count(1, stored.len() as u64);
                filling.put_stored(stored)?;
            }
        }
        if let Some(commits) = &job.commits {
            self.apply_commits(commits, &mut filling, control)?;
        }
        filling.finish()
    }
}

/// Passes items to a loader in chunks, a few of them at the same time.
pub(crate) struct Filling {
    loader: Loader,
    chunk: Vec<monotable_engine::LoadRow>,
    chunk_bytes: usize,
    unfinished: VecDeque<Pending<()>>,
}

impl Filling {
    pub(crate) fn new(loader: Loader) -> Self {
        Self { loader, chunk: Vec::new(), chunk_bytes: 0, unfinished: VecDeque::new() }
    }

    pub(crate) fn loader(&self) -> &Loader {
        &self.loader
    }

    /// Adds an item in its stored form.
    pub(crate) fn put_stored(&mut self, stored: Bytes) -> Result<()> {
        let row = self.loader.check_stored(stored)?;
        self.put(row)
    }

    /// Adds a change of the log: an item in its stored form, or the removal of the item at a
    /// position.
    pub(crate) fn put_change(&mut self, position: &[u8], stored: Option<Bytes>) -> Result<()> {
        match stored {
            Some(stored) => self.put_stored(stored),
            None => self.put(self.loader.removal(position)),
        }
    }

    /// Adds an item.
    pub(crate) fn put(&mut self, row: monotable_engine::LoadRow) -> Result<()> {
        self.chunk_bytes += row.size_bytes();
        self.chunk.push(row);
        if self.chunk.len() >= CHUNK_ITEMS_MAX || self.chunk_bytes >= CHUNK_BYTES_MAX {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<()> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        self.chunk_bytes = 0;
        self.unfinished.push_back(self.loader.put(self.chunk.drain(..)));
        if self.unfinished.len() >= CHUNKS_UNFINISHED_MAX
            && let Some(oldest) = self.unfinished.pop_front()
        {
            oldest.wait()?;
        }
        Ok(())
    }

    /// Waits until all items are stored.
    pub(crate) fn finish(mut self) -> Result<()> {
        self.flush()?;
        for pending in self.unfinished {
            pending.wait()?;
        }
        Ok(())
    }
}

/// Returns the definition of a restored table. As on AWS it has the keys, indexes and capacity of
/// the backup, but not its stream, expiry, tags, policy and protection.
pub(crate) fn restored_table(
    definition: &TableDefinition,
    target: &str,
    overrides: RestoreOverrides,
) -> Result<CreateTable> {
    let source = definition.description();
    let billing_mode = overrides.billing_mode.unwrap_or(source.billing_mode);
    let is_provisioned = billing_mode == BillingMode::Provisioned;
    let throughput = overrides.provisioned_throughput;
    let throughput = match source.billing_mode {
        BillingMode::Provisioned if is_provisioned => {
            Some(throughput.unwrap_or(source.provisioned_throughput))
        }
        _ => throughput,
    };
    let on_demand = overrides.on_demand_throughput.unwrap_or(source.on_demand_throughput);
    let keep = |indexes: &[IndexDescription], chosen, what| {
        kept_indexes(indexes, chosen, what, is_provisioned)
    };
    let global = keep(&source.global_secondary_indexes, overrides.global_indexes, "global")?;
    let local = keep(&source.local_secondary_indexes, overrides.local_indexes, "local")?;
    let indexed = global.iter().chain(&local).flat_map(|index| &index.key_schema);
    let used: Vec<&str> =
        source.key_schema.iter().chain(indexed).map(|key| key.attribute_name.as_str()).collect();
    let is_used = |attribute: &&AttributeDefinition| used.contains(&attribute.name.as_str());
    let definitions = source.attribute_definitions.iter().filter(is_used).cloned().collect();
    Ok(CreateTable {
        table_name: target.to_owned(),
        attribute_definitions: definitions,
        key_schema: source.key_schema,
        global_secondary_indexes: Some(global).filter(|indexes| !indexes.is_empty()),
        local_secondary_indexes: Some(local).filter(|indexes| !indexes.is_empty()),
        billing_mode: Some(billing_mode),
        provisioned_throughput: throughput,
        on_demand_throughput: Some(on_demand)
            .filter(|limits| !is_provisioned && *limits != OnDemandThroughput::default()),
        encryption: overrides.encryption.unwrap_or_else(|| definition.encryption().clone()),
        table_class: Some(source.table_class),
        ..CreateTable::default()
    })
}

/// Returns the indexes of the new table: all of them, or the chosen ones.
fn kept_indexes(
    indexes: &[IndexDescription],
    chosen: Option<Vec<IndexDefinition>>,
    what: &str,
    is_provisioned: bool,
) -> Result<Vec<IndexDefinition>> {
    let known = |index: &IndexDescription| IndexDefinition {
        index_name: index.index_name.clone(),
        key_schema: index.key_schema.clone(),
        projection: index.projection.clone(),
        provisioned_throughput: Some(index.provisioned_throughput)
            .filter(|units| is_provisioned && *units != ProvisionedThroughput::default()),
        on_demand_throughput: Some(index.on_demand_throughput)
            .filter(|limits| !is_provisioned && *limits != OnDemandThroughput::default()),
        warm_throughput: None,
    };
    let Some(chosen) = chosen else {
        return Ok(indexes.iter().map(known).collect());
    };
    for index in &chosen {
        let same = indexes.iter().find(|known| known.index_name == index.index_name);
        let is_same = same.is_some_and(|known| {
            known.key_schema == index.key_schema && known.projection == index.projection
        });
        if !is_same {
            return Err(Refusal::Validation.with(format!(
                "One or more parameter values were invalid: The {what} secondary index {} differs from those of the \
                 source: indexes can be left out, but not changed or added",
                index.index_name
            )));
        }
    }
    let with_capacity = |index: IndexDefinition| {
        let source = indexes.iter().find(|known| known.index_name == index.index_name);
        let known = source.map(known);
        IndexDefinition {
            provisioned_throughput: index
                .provisioned_throughput
                .or(known.as_ref().and_then(|known| known.provisioned_throughput)),
            on_demand_throughput: index
                .on_demand_throughput
                .or(known.and_then(|known| known.on_demand_throughput)),
            ..index
        }
    };
    Ok(chosen.into_iter().map(with_capacity).collect())
}
