//! Filling a new table in bulk, for restores and imports. The table exists from the start, but
//! can't be read or written before the job that fills it is done.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use monotable_types::Item;

use super::create_table::CreateTable;
use super::records::RecordChange;
use crate::commit::{Committer, Pending, Shared, Stage};
use crate::error::{Error, Result};
use crate::layout::row_key::{BASE_AREA, TableId, area_prefix};
use crate::op::streams::StreamOrigin;
use crate::stored::StoredItem;
use crate::table::{RestoreSource, Table, TableDescription, TableLoad};
use crate::validate;
use crate::write::{After, Change, ChangeRequest};

/// Creates a table that a job will fill.
#[derive(Clone, Debug)]
pub struct BeginLoad {
    /// The table.
    pub table: CreateTable,
    /// The name of the job.
    pub job: String,
    /// The source, if it is a restore.
    pub source: Option<RestoreSource>,
    /// The record that the job writes in the same commit.
    pub record: RecordChange,
}

impl BeginLoad {
    pub(crate) fn validate(&self) -> Result<()> {
        self.table.validate()?;
        self.record.validate()
    }

    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<TableDescription> {
        self.table.check_name(stage)?;
        let mut table = self.table.build(stage)?;
        table.load = Some(TableLoad { job: self.job, in_progress: true, source: self.source });
        let description = table.describe(table.status());
        stage.save_table(table);
        self.record.stage(stage);
        Ok(description)
    }
}

/// Ends the filling of a table.
#[derive(Clone, Debug)]
pub struct EndLoad {
    /// The table's name.
    pub table_name: String,
    /// The name of the job that fills it.
    pub job: String,
    /// Whether the table is complete and can be used; otherwise it is removed.
    pub is_whole: bool,
    /// The record that the job writes in the same commit.
    pub record: RecordChange,
}

impl EndLoad {
    pub(crate) fn validate(&self) -> Result<()> {
        self.record.validate()
    }

    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<()> {
        let found = stage.catalog().find(&self.table_name).cloned();
        let table = found.filter(|table| is_filled_by(table, &self.job));
        match (table, self.is_whole) {
            (Some(table), true) => {
                let mut table = Table::clone(&table);
                if let Some(load) = &mut table.load {
                    load.in_progress = false;
                }
                // Before this moment the table was never whole.
                if let Some(recovery) = &mut table.recovery {
                    recovery.enabled_ms = stage.now_ms;
                }
                stage.save_table(table);
            }
            (Some(table), false) => stage.forget_table(&table),
            (None, true) => return Err(not_loading(&self.table_name)),
            // It was removed before.
            (None, false) => {}
        }
        self.record.stage(stage);
        Ok(())
    }
}

fn is_filled_by(table: &Table, job: &str) -> bool {
    table.load.as_ref().is_some_and(|load| load.in_progress && load.job == job)
}

fn not_loading(table_name: &str) -> Error {
    Error::ResourceNotFound(format!("Table {table_name} is not being filled by this job"))
}

/// An item for a table that is being filled.
#[derive(Clone, Debug)]
pub struct LoadRow {
    row_key: Bytes,
    /// `None` removes the item.
    stored: Option<StoredItem>,
}

impl LoadRow {
    /// Returns the size of the item in bytes, for callers that bound their batches.
    pub fn size_bytes(&self) -> usize {
        self.stored.as_ref().map_or(0, StoredItem::size_bytes)
    }
}

/// Fills a table with items.
#[derive(Clone)]
pub struct Loader {
    pub(crate) committer: Arc<Committer>,
    pub(crate) table: Arc<Table>,
    pub(crate) job: Arc<str>,
}

impl Loader {
    pub(crate) fn new(
        shared: &Shared,
        committer: &Arc<Committer>,
        table_name: &str,
        job: &str,
    ) -> Result<Self> {
        let newest = shared.newest();
        let table = newest.catalog.find(table_name).filter(|table| is_filled_by(table, job));
        let table = Arc::clone(table.ok_or_else(|| not_loading(table_name))?);
        Ok(Self { committer: Arc::clone(committer), table, job: job.into() })
    }

    /// Checks an item as PutItem does.
    ///
    /// # Errors
    /// Returns [`Error::Validation`] with DynamoDB's text if it can't be an item of the table.
    pub fn check(&self, item: &Item) -> Result<LoadRow> {
        let size_bytes = validate::item(item)?;
        let row_key = validate::item_key(&self.table, item)?;
        validate::index_keys(&self.table, item)?;
        Ok(LoadRow { row_key: row_key.into(), stored: Some(StoredItem::encode(item, size_bytes)) })
    }

    /// Checks an item in its stored form, as a [`TableRow`](crate::TableRow) returned it. Its
    /// attributes need not fit the indexes: items that are older than an index and do not fit are
    /// left out of it.
    ///
    /// # Errors
    /// Returns [`Error::Corrupted`] if it is not an item, [`Error::Validation`] if it can't be an
    /// item of the table.
    pub fn check_stored(&self, bytes: Bytes) -> Result<LoadRow> {
        let stored = StoredItem::new(bytes)?;
        let item = stored.decode()?;
        let row_key = validate::item_key(&self.table, &item)?;
        Ok(LoadRow { row_key: row_key.into(), stored: Some(stored) })
    }

    /// Removes the item at the position of a [`TableRow`](crate::TableRow), if there is one.
    pub fn removal(&self, position: &[u8]) -> LoadRow {
        let row_key = [&area_prefix(self.table.id, BASE_AREA)[..], position].concat();
        LoadRow { row_key: row_key.into(), stored: None }
    }

    /// Writes items, which replace those with the same keys. Of two with one key, the later one
    /// stays. Other writers wait meanwhile, so pass a few hundred items at most.
    pub fn put(&self, rows: impl IntoIterator<Item = LoadRow>) -> Pending<()> {
        let rows: BTreeMap<Bytes, Option<StoredItem>> =
            rows.into_iter().map(|row| (row.row_key, row.stored)).collect();
        let (table, job) = (self.table.id, Arc::clone(&self.job));
        self.committer.submit(move |stage| put(stage, table, &job, rows))
    }
}

fn put(
    stage: &mut Stage<'_>,
    table: TableId,
    job: &str,
    rows: BTreeMap<Bytes, Option<StoredItem>>,
) -> Result<()> {
    let table = stage.catalog().by_id(table).filter(|table| is_filled_by(table, job)).cloned();
    let table = table.ok_or_else(Error::table_not_found)?;
    let mut changes = Vec::with_capacity(rows.len());
    for (row_key, stored) in &rows {
        let before = stage.get(row_key)?.map(StoredItem::new).transpose()?;
        let request = ChangeRequest {
            row_key: row_key.clone(),
            before: before.as_ref(),
            after: stored.as_ref().map(|stored| After { stored, item: None }),
            origin: StreamOrigin::Request,
            keys_may_change: true,
        };
        changes.push(Change::plan(stage, &table, request)?.0);
    }
    changes.into_iter().for_each(|change| change.stage(&table, stage));
    Ok(())
}
