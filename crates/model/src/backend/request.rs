//! Requests and responses in terms of items and expression trees.

use std::sync::Arc;

use monotable_expression::{Condition, KeyCondition, Update};
use monotable_types::{AttributeDefinition, Item, KeySchemaElement, Projection};

use super::{BackendError, Row};

/// Reads one row by its key.
#[derive(Clone, Debug)]
pub struct Get {
    /// The name of the table.
    pub table: Arc<str>,
    /// The primary key.
    pub key: Item,
    /// Whether every acknowledged write must be seen.
    pub consistent: bool,
    /// Whether the response reports the consumed units.
    pub returns_units: bool,
}

/// The response to a [`Get`].
#[derive(Clone, Debug)]
pub struct GetResponse {
    /// The row, if there is one.
    pub row: Option<Row>,
    /// The consumed read units, if they were requested and the backend reports them.
    pub units: f64,
}

/// Reads a page of one partition of a table or index.
#[derive(Clone, Debug)]
pub struct Query {
    /// The name of the table.
    pub table: Arc<str>,
    /// The index, or `None` for the table.
    pub index: Option<&'static str>,
    /// The condition on the key.
    pub key_condition: KeyCondition,
    /// The condition on rows that are read; rows that fail it are still paid for.
    pub filter: Option<Condition>,
    /// Whether rows are read in the order of the sort key, or in reverse.
    pub forward: bool,
    /// Whether every acknowledged write must be seen.
    pub consistent: bool,
    /// The most rows to evaluate.
    pub limit: Option<u32>,
    /// The last key of the previous page.
    pub start_key: Option<Item>,
}

/// Reads a page of a whole table or index.
#[derive(Clone, Debug)]
pub struct Scan {
    /// The name of the table.
    pub table: Arc<str>,
    /// The index, or `None` for the table.
    pub index: Option<&'static str>,
    /// The condition on rows that are read; rows that fail it are still paid for.
    pub filter: Option<Condition>,
    /// Whether every acknowledged write must be seen.
    pub consistent: bool,
    /// The most rows to evaluate.
    pub limit: Option<u32>,
    /// The last key of the previous page.
    pub start_key: Option<Item>,
    /// The segment of a parallel scan and the number of segments.
    pub segment: Option<(u32, u32)>,
}

/// A page of a [`Query`] or [`Scan`].
#[derive(Clone, Debug)]
pub struct PageResponse {
    /// The rows that passed the filter.
    pub rows: Vec<Row>,
    /// The number of rows that were evaluated.
    pub scanned: u32,
    /// The key after which the next page starts; `None` at the end.
    pub last_key: Option<Item>,
    /// The consumed read units, if the backend reports them.
    pub units: f64,
}

/// Reads up to 100 rows of one table.
#[derive(Clone, Debug)]
pub struct BatchGet {
    /// The name of the table.
    pub table: Arc<str>,
    /// The primary keys, without duplicates.
    pub keys: Vec<Item>,
    /// Whether every acknowledged write must be seen.
    pub consistent: bool,
    /// Whether the response reports the consumed units.
    pub returns_units: bool,
}

/// The response to a [`BatchGet`], in no particular order.
#[derive(Clone, Debug)]
pub struct BatchGetResponse {
    /// The rows that were found.
    pub rows: Vec<Row>,
    /// The keys that were not read.
    pub unprocessed: Vec<Item>,
    /// The consumed read units, if they were requested and the backend reports them.
    pub units: f64,
}

/// Reads up to 100 rows of one table from one snapshot.
#[derive(Clone, Debug)]
pub struct TransactionGet {
    /// The name of the table.
    pub table: Arc<str>,
    /// The primary keys.
    pub keys: Vec<Item>,
    /// Whether the response reports the consumed units.
    pub returns_units: bool,
}

/// The response to a [`TransactionGet`]: one entry per key, in order.
#[derive(Clone, Debug)]
pub struct TransactionGetResponse {
    /// The rows.
    pub rows: Vec<Option<Row>>,
    /// The consumed read units, if they were requested and the backend reports them.
    pub units: f64,
}

/// A write of one row.
#[derive(Clone, Debug)]
pub struct Write {
    /// The name of the table.
    pub table: Arc<str>,
    /// The kind of write.
    pub action: Action,
    /// The condition on the existing row, or on its absence.
    pub condition: Option<Condition>,
    /// Whether a failed condition returns the row that it was evaluated on.
    pub return_on_failure: bool,
    /// What is returned of the row; only for single writes.
    pub returns: Returns,
    /// Whether the response reports the consumed units; a transaction always does.
    pub returns_units: bool,
}

/// The kind of a [`Write`].
#[derive(Clone, Debug)]
pub enum Action {
    /// Replaces or creates the row.
    Put(Item),
    /// Changes the row with this key, or creates it.
    Update(Item, Update),
    /// Deletes the row with this key.
    Delete(Item),
    /// Only checks the condition on the row with this key; only in transactions.
    Check(Item),
}

#[cfg(any(feature = "embedded", feature = "dynamodb"))]
impl Action {
    /// Returns the error for a check outside a transaction.
    pub(super) fn check_alone() -> super::BackendError {
        let message = "a check writes nothing; use it in transactions only";
        super::BackendError::Refused(message.to_owned())
    }
}

/// What a single write returns of the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Returns {
    /// Nothing.
    #[default]
    Nothing,
    /// The row before the write.
    Old,
    /// The row after the write; only for updates.
    New,
}

/// The response to a [`Write`] or a [`Transaction`].
#[derive(Clone, Debug, Default)]
pub struct WriteResponse {
    /// The row that [`Returns`] requested.
    pub row: Option<Row>,
    /// The consumed write units, if they were requested and the backend reports them.
    pub units: f64,
}

impl WriteResponse {
    /// Returns all attributes of the returned row.
    ///
    /// # Errors
    ///
    /// As [`Row::into_item`].
    pub fn into_item(self) -> Result<Option<Item>, BackendError> {
        self.row.map(Row::into_item).transpose()
    }
}

/// Up to 25 puts and deletes without conditions.
#[derive(Clone, Debug)]
pub struct BatchWrite {
    /// The name of the table.
    pub table: Arc<str>,
    /// The writes, at most one per key.
    pub writes: Vec<BatchAction>,
}

/// One write of a [`BatchWrite`].
#[derive(Clone, Debug, PartialEq)]
pub enum BatchAction {
    /// Replaces or creates the row.
    Put(Item),
    /// Deletes the row with this key.
    Delete(Item),
}

/// The response to a [`BatchWrite`].
#[derive(Clone, Debug, Default)]
pub struct BatchWriteResponse {
    /// The writes that were not executed.
    pub unprocessed: Vec<BatchAction>,
}

/// Up to 100 writes and checks of distinct rows, all or nothing.
#[derive(Clone, Debug)]
pub struct Transaction {
    /// The writes.
    pub writes: Vec<Write>,
    /// The idempotency token: repeating it within ten minutes changes nothing and succeeds.
    pub token: Option<String>,
}

#[cfg(any(feature = "embedded", feature = "dynamodb"))]
impl Transaction {
    /// Returns the names of the transaction's tables, for messages.
    pub(super) fn tables(&self) -> Arc<str> {
        let mut tables: Vec<&Arc<str>> = Vec::new();
        for write in &self.writes {
            if !tables.contains(&&write.table) {
                tables.push(&write.table);
            }
        }
        match tables[..] {
            [only] => Arc::clone(only),
            _ => tables.iter().map(|table| &***table).collect::<Vec<_>>().join("` or `").into(),
        }
    }
}

/// The shape of a table, for creating it and for comparing it with an existing one.
#[derive(Clone, Debug, PartialEq)]
pub struct TableShape {
    /// The name of the table.
    pub table: String,
    /// The primary key.
    pub key: Vec<KeySchemaElement>,
    /// The indexes, in the order of their names.
    pub indexes: Vec<IndexShape>,
    /// The types of all key attributes of the table and its indexes, in the order of their names.
    pub attributes: Vec<AttributeDefinition>,
    /// The attribute of expiry, if there is one.
    pub ttl_attribute: Option<String>,
    /// Whether a new table is protected from deletion and can be restored as it was at any time of the last
    /// [`RECOVERY_DAYS`], where the backend supports that. It is not a part of what is described.
    pub is_protected: bool,
}

/// How many days back protected tables can be restored.
pub const RECOVERY_DAYS: u8 = 35;

#[cfg(any(feature = "embedded", feature = "dynamodb"))]
impl TableShape {
    /// Sorts the indexes and attributes by name, because descriptions of existing tables list them
    /// in any order.
    pub(super) fn sorted(mut self) -> Self {
        self.indexes.sort_by(|one, other| one.name.cmp(&other.name));
        self.attributes.sort();
        self
    }
}

/// The shape of an index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexShape {
    /// The name of the index.
    pub name: String,
    /// Whether it shares the table's partitions.
    pub is_local: bool,
    /// The key attributes, partition first.
    pub key: Vec<KeySchemaElement>,
    /// The attributes that the index contains.
    pub projection: Projection,
}
