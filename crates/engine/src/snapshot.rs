//! The whole database at one moment, for backups and exports.

use std::ops::Bound;
use std::sync::Arc;

use bytes::Bytes;

use crate::commit::{Shared, View};
use crate::error::{Error, Result};
use crate::layout::row_key::{AREA_PREFIX_BYTES, BASE_AREA, RowRange, area_prefix};
use crate::store::{Order, Snapshot};
use crate::stored::{ReadItem, StoredItem};
use crate::table::{Table, TableDefinition};

/// The database at one moment. Later changes are not visible in it; keeping it costs the memory and
/// disk space of what changes meanwhile.
#[derive(Clone)]
pub struct DatabaseSnapshot {
    view: View,
    moment_ms: u64,
}

impl DatabaseSnapshot {
    pub(crate) fn new(shared: &Shared) -> Self {
        let view = shared.view();
        Self { view, moment_ms: shared.now_ms() }
    }

    /// Returns when it was taken, in milliseconds since the epoch.
    pub fn moment_ms(&self) -> u64 {
        self.moment_ms
    }

    /// Returns the tables that were in use, in order of their names.
    pub fn tables(&self) -> impl Iterator<Item = TableSnapshot> {
        let usable = self.view.catalog.tables().filter(|table| !table.is_loading());
        usable.map(|table| self.of(table))
    }

    /// Returns a table that was in use, by name or ARN.
    pub fn table(&self, name_or_arn: &str) -> Option<TableSnapshot> {
        let found = self.view.catalog.find(name_or_arn).filter(|table| !table.is_loading());
        found.map(|table| self.of(table))
    }

    fn of(&self, table: &Arc<Table>) -> TableSnapshot {
        TableSnapshot { snapshot: Arc::clone(&self.view.snapshot), table: Arc::clone(table) }
    }
}

/// A table at one moment.
#[derive(Clone)]
pub struct TableSnapshot {
    snapshot: Arc<dyn Snapshot>,
    table: Arc<Table>,
}

impl TableSnapshot {
    /// Returns the name of the table.
    pub fn name(&self) -> &str {
        &self.table.name
    }

    /// Returns its definition.
    pub fn definition(&self) -> TableDefinition {
        TableDefinition::of(&self.table)
    }

    /// Returns its items, in an order that is the same for every table with these items and keys,
    /// starting after the position of another row, if one is given.
    pub fn rows(&self, after: Option<&[u8]>) -> impl Iterator<Item = Result<TableRow>> {
        let prefix = area_prefix(self.table.id, BASE_AREA);
        let mut range = RowRange::prefix(&prefix);
        if let Some(position) = after {
            range.lower = Bound::Excluded([&prefix[..], position].concat());
        }
        self.snapshot.range(&range, Order::Ascending).map(|row| {
            let (key, value) = row.map_err(Error::from)?;
            let position = key[AREA_PREFIX_BYTES..].to_vec();
            Ok(TableRow::new(position, StoredItem::new(value)?))
        })
    }
}

/// An item of a [`TableSnapshot`], or of a table as it was earlier ([`TableDefinition::row`]).
#[derive(Clone)]
pub struct TableRow {
    position: Vec<u8>,
    stored: StoredItem,
}

impl TableRow {
    pub(crate) fn new(position: Vec<u8>, stored: StoredItem) -> Self {
        Self { position, stored }
    }

    /// Returns its position in the order.
    pub fn position(&self) -> &[u8] {
        &self.position
    }

    /// Returns its stored form, which [`Loader::check_stored`](crate::Loader::check_stored)
    /// accepts.
    pub fn stored(&self) -> &Bytes {
        self.stored.bytes()
    }

    /// Returns its size by AWS's rule.
    pub fn size_bytes(&self) -> usize {
        self.stored.size_bytes()
    }

    /// Returns the item.
    pub fn item(&self) -> ReadItem {
        ReadItem::stored(self.stored.clone())
    }
}
