//! Requests and answers in terms of items and expression trees.

use std::sync::Arc;

use monotable_expression::{Condition, KeyCondition, Update};
use monotable_types::{AttributeDefinition, Item, KeySchemaElement, Projection};

use super::{BackendError, Row};

/// Reads one row by its key.
#[derive(Clone, Debug)]
pub struct Get {
    /// The table's name.
    pub table: Arc<str>,
    /// The primary key.
    pub key: Item,
    /// Whether every acknowledged write must be seen.
    pub consistent: bool,
    /// Whether the answer tells the units used.
    pub tells_units: bool,
}

/// The answer to a [`Get`].
#[derive(Clone, Debug)]
pub struct GetAnswer {
    /// The row, if there is one.
    pub row: Option<Row>,
    /// Read units used, where they are asked for and the backend tells.
    pub units: f64,
}

/// Reads a page of one partition of a table or index.
#[derive(Clone, Debug)]
pub struct Query {
    /// The table's name.
    pub table: Arc<str>,
    /// The index; none for the table.
    pub index: Option<&'static str>,
    /// The keys.
    pub key_condition: KeyCondition,
    /// What rows must hold besides; they are paid for all the same.
    pub filter: Option<Condition>,
    /// Whether the order is that of the sort key, or the reverse.
    pub forward: bool,
    /// Whether every acknowledged write must be seen.
    pub consistent: bool,
    /// Rows evaluated at most.
    pub limit: Option<u32>,
    /// Where the last page ended.
    pub start_key: Option<Item>,
}

/// Reads a page of a whole table or index.
#[derive(Clone, Debug)]
pub struct Scan {
    /// The table's name.
    pub table: Arc<str>,
    /// The index; none for the table.
    pub index: Option<&'static str>,
    /// What rows must hold; they are paid for all the same.
    pub filter: Option<Condition>,
    /// Whether every acknowledged write must be seen.
    pub consistent: bool,
    /// Rows evaluated at most.
    pub limit: Option<u32>,
    /// Where the last page ended.
    pub start_key: Option<Item>,
    /// The share of a parallel scan: which, of how many.
    pub segment: Option<(u32, u32)>,
}

/// A page of a [`Query`] or [`Scan`].
#[derive(Clone, Debug)]
pub struct PageAnswer {
    /// The rows that passed the filter.
    pub rows: Vec<Row>,
    /// Rows evaluated.
    pub scanned: u32,
    /// Where to go on; none at the end.
    pub last_key: Option<Item>,
    /// Read units used, where the backend tells.
    pub units: f64,
}

/// Reads up to 100 rows of one table.
#[derive(Clone, Debug)]
pub struct BatchGet {
    /// The table's name.
    pub table: Arc<str>,
    /// The primary keys, none twice.
    pub keys: Vec<Item>,
    /// Whether every acknowledged write must be seen.
    pub consistent: bool,
    /// Whether the answer tells the units used.
    pub tells_units: bool,
}

/// The answer to a [`BatchGet`], in no particular order.
#[derive(Clone, Debug)]
pub struct BatchGetAnswer {
    /// The rows that were found.
    pub rows: Vec<Row>,
    /// Keys that were not looked at.
    pub unprocessed: Vec<Item>,
    /// Read units used, where they are asked for and the backend tells.
    pub units: f64,
}

/// Reads up to 100 rows of one table as of one moment.
#[derive(Clone, Debug)]
pub struct TransactionGet {
    /// The table's name.
    pub table: Arc<str>,
    /// The primary keys.
    pub keys: Vec<Item>,
    /// Whether the answer tells the units used.
    pub tells_units: bool,
}

/// The answer to a [`TransactionGet`]: one entry a key, in order.
#[derive(Clone, Debug)]
pub struct TransactionGetAnswer {
    /// The rows.
    pub rows: Vec<Option<Row>>,
    /// Read units used, where they are asked for and the backend tells.
    pub units: f64,
}

/// One write of one row.
#[derive(Clone, Debug)]
pub struct Write {
    /// The table's name.
    pub table: Arc<str>,
    /// What is done.
    pub action: Action,
    /// What must hold of the row that is there, or of none.
    pub condition: Option<Condition>,
    /// Whether a failed condition returns the row that it saw.
    pub return_on_failure: bool,
    /// What is returned of the row; single writes only.
    pub returns: Returns,
    /// Whether the answer tells the units used; a transaction always does.
    pub tells_units: bool,
}

/// What a [`Write`] does.
#[derive(Clone, Debug)]
pub enum Action {
    /// Replaces or creates the row.
    Put(Item),
    /// Changes the row of this key, or creates it.
    Update(Item, Update),
    /// Removes the row of this key.
    Delete(Item),
    /// Only checks the condition on the row of this key; in transactions only.
    Check(Item),
}

#[cfg(any(feature = "embedded", feature = "dynamodb"))]
impl Action {
    /// Why a check can't be a write of its own.
    pub(super) fn check_alone() -> super::BackendError {
        let message = "a check writes nothing; it stands in transactions only";
        super::BackendError::Refused(message.to_owned())
    }
}

/// What a single write returns of the row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Returns {
    /// Nothing.
    #[default]
    Nothing,
    /// The row as it was before.
    Old,
    /// The row as it is now; for updates only.
    New,
}

/// The answer to a [`Write`] or a [`Transaction`].
#[derive(Clone, Debug, Default)]
pub struct WriteAnswer {
    /// What was asked for by [`Returns`].
    pub row: Option<Row>,
    /// Write units used, where they are asked for and the backend tells.
    pub units: f64,
}

impl WriteAnswer {
    /// All attributes of the row that was asked for.
    ///
    /// # Errors
    /// As [`Row::into_item`].
    pub fn into_item(self) -> Result<Option<Item>, BackendError> {
        self.row.map(Row::into_item).transpose()
    }
}

/// Up to 25 puts and deletes without conditions.
#[derive(Clone, Debug)]
pub struct BatchWrite {
    /// The table's name.
    pub table: Arc<str>,
    /// The writes, none of one key twice.
    pub writes: Vec<BatchAction>,
}

/// One write of a [`BatchWrite`].
#[derive(Clone, Debug, PartialEq)]
pub enum BatchAction {
    /// Replaces or creates the row.
    Put(Item),
    /// Removes the row of this key.
    Delete(Item),
}

/// The answer to a [`BatchWrite`].
#[derive(Clone, Debug, Default)]
pub struct BatchWriteAnswer {
    /// Writes that did not happen.
    pub unprocessed: Vec<BatchAction>,
}

/// Up to 100 writes and checks, all or nothing, no row twice.
#[derive(Clone, Debug)]
pub struct Transaction {
    /// The writes.
    pub writes: Vec<Write>,
    /// A repeat with the same token within ten minutes changes nothing and succeeds.
    pub token: Option<String>,
}

#[cfg(any(feature = "embedded", feature = "dynamodb"))]
impl Transaction {
    /// The table that the transaction is about, or all of them, for messages.
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

/// The shape of a table: what creates it, and what is compared with a live one.
#[derive(Clone, Debug, PartialEq)]
pub struct TableShape {
    /// The table's name.
    pub table: String,
    /// The primary key.
    pub key: Vec<KeySchemaElement>,
    /// The indexes, in the order of their names.
    pub indexes: Vec<IndexShape>,
    /// The type of every key attribute of table and indexes, in the order of the names.
    pub attributes: Vec<AttributeDefinition>,
    /// The attribute of expiry.
    pub ttl_attribute: Option<String>,
}

#[cfg(any(feature = "embedded", feature = "dynamodb"))]
impl TableShape {
    /// The shape with its indexes and attributes in the order of their names, as descriptions of live
    /// tables come in any.
    pub(super) fn sorted(mut self) -> Self {
        self.indexes.sort_by(|one, other| one.name.cmp(&other.name));
        self.attributes.sort();
        self
    }
}

/// The shape of an index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexShape {
    /// Its name.
    pub name: String,
    /// Whether it shares the table's partitions.
    pub is_local: bool,
    /// The key attributes, partition first.
    pub key: Vec<KeySchemaElement>,
    /// Which attributes it carries.
    pub projection: Projection,
}
