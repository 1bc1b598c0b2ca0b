//! Filling a new table in bulk, for restores and imports. The table is there from the start, but nobody can read
//! it or write to it before the job that fills it is done.

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

/// Creates a table that a job is going to fill.
#[derive(Clone, Debug)]
pub struct BeginLoad {
    /// The table.
    pub table: CreateTable,
    /// The name of the job.
    pub job: String,
    /// What is restored, if it is a restore.
    pub source: Option<RestoreSource>,
    /// What the job records about itself in the same moment.
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
    /// Whether the table is whole and can be used; otherwise it is removed.
    pub is_whole: bool,
    /// What the job records about itself in the same moment.
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

/// An item on its way into a table that is being filled.
#[derive(Clone, Debug)]
pub struct LoadRow {
    row_key: Bytes,
    /// None removes the item.
    stored: Option<StoredItem>,
}

impl LoadRow {
    /// The bytes of the item, for those that bound how much they send at a time.
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
    /// [`Error::Validation`] with DynamoDB's text if it can't be an item of the table.
    pub fn check(&self, item: &Item) -> Result<LoadRow> {
        let size_bytes = validate::item(item)?;
        let row_key = validate::item_key(&self.table, item)?;
        validate::index_keys(&self.table, item)?;
        Ok(LoadRow { row_key: row_key.into(), stored: Some(StoredItem::encode(item, size_bytes)) })
    }

    /// Checks an item in its stored form, as a [`TableRow`](crate::TableRow) returned it. Its attributes need not fit the indexes:
    /// items that were there before an index are left out of it if they do not.
    ///
    /// # Errors
    /// [`Error::Corrupted`] if it is none, [`Error::Validation`] if it can't be an item of the table.
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

    /// Hands items over, which replace those with the same keys. Of two with one key, the later one stays. Writers wait
    /// while they are put in place, so a call should bring a few hundred at most.
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
