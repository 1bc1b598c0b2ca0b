//! BatchGetItem: up to 100 items by their primary keys, over several tables.

use std::collections::{BTreeMap, HashSet};

use monotable_expression::Projection;
use monotable_types::{Item, limits};

use super::capacity::{ConsumedCapacity, UsedByTable};
use super::get_item::projection;
use super::request::{Consistency, Expression, ReturnConsumedCapacity, Substitutions};
use crate::commit::Shared;
use crate::error::{Error, Result};
use crate::read::{ReadCost, project, read_item};
use crate::stored::{ReadItem, StoredItem};
use crate::table::Table;
use crate::validate;

/// What to read of one table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KeysAndAttributes {
    /// The primary keys.
    pub keys: Vec<Item>,
    /// The attributes to return; `None` for all.
    pub projection: Option<Expression<Projection>>,
    /// `#names` of the projection.
    pub substitutions: Substitutions,
    /// Strong or eventual.
    pub consistency: Consistency,
}

/// Reads up to 100 items; missing items are left out of the response.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BatchGetItem {
    /// What to read, by table name.
    pub request_items: BTreeMap<String, KeysAndAttributes>,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl BatchGetItem {
    /// Creates an empty batch.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one key of a table.
    #[must_use]
    pub fn key(mut self, table_name: impl Into<String>, key: Item) -> Self {
        self.request_items.entry(table_name.into()).or_default().keys.push(key);
        self
    }
}

impl BatchGetItem {
    pub(crate) fn run(self, shared: &Shared) -> Result<BatchGetItemOutput> {
        let projections = self.check()?;
        let view = shared.view();
        for table_name in self.request_items.keys() {
            view.catalog.table(table_name)?;
        }
        let mut output = BatchGetItemOutput::default();
        let mut bytes_left = limits::BATCH_GET_BYTES_MAX;
        let mut used = UsedByTable::default();
        for ((table_name, request), projection) in self.request_items.into_iter().zip(projections) {
            let table = view.catalog.table(&table_name)?;
            let rows = row_keys(table, &request.keys)?;
            let mut found = Vec::new();
            let mut unprocessed = Vec::new();
            for (key, row_key) in request.keys.iter().zip(rows) {
                let stored = read_item(&view, &row_key)?;
                let bytes = stored.as_ref().map_or(0, StoredItem::size_bytes);
                let table_units = ReadCost::units(bytes, request.consistency);
                let throttled =
                    shared.faults.charge_read(&row_key, table_units, || shared.now_ms()).is_err();
                if bytes > bytes_left || throttled || shared.faults.leaves_unprocessed() {
                    unprocessed.push(key.clone());
                    continue;
                }
                bytes_left -= bytes;
                let cost = ReadCost { table_units, index_units: 0.0 };
                shared.meters.count_read_of_partition(table, None, cost, &row_key);
                cost.add_to(used.of(table), None);
                found.extend(stored.map(|stored| project(stored, projection.as_ref())));
            }
            if !unprocessed.is_empty() {
                let rest = KeysAndAttributes { keys: unprocessed, ..request };
                output.unprocessed_keys.insert(table_name.clone(), rest);
            }
            output.responses.insert(table_name, found);
        }
        output.consumed_capacity = used.limited_to(self.return_consumed_capacity);
        Ok(output)
    }

    /// Checks everything that AWS checks before it reads the tables; returns one projection per
    /// table.
    fn check(&self) -> Result<Vec<Option<Projection>>> {
        if self.request_items.is_empty() {
            return Err(Error::validation(
                "1 validation error detected: Value at 'RequestItems' failed to satisfy \
                 constraint: Member must have length greater than or equal to 1",
            ));
        }
        for (table_name, request) in &self.request_items {
            validate::table_name(table_name)?;
            let wrong_length = match request.keys.len() {
                0 => "greater than or equal to 1",
                length if length > limits::BATCH_GET_MAX => "less than or equal to 100",
                _ => continue,
            };
            return Err(Error::validation(format!(
                "1 validation error detected: Value at 'RequestItems.{table_name}.member.Keys' \
                 failed to satisfy constraint: Member must have length {wrong_length}"
            )));
        }
        let keys: usize = self.request_items.values().map(|request| request.keys.len()).sum();
        if keys > limits::BATCH_GET_MAX {
            return Err(Error::validation("Too many items requested for the BatchGetItem call"));
        }
        let mut projections = Vec::with_capacity(self.request_items.len());
        for request in self.request_items.values() {
            request.keys.iter().try_for_each(validate::attributes)?;
            projections.push(projection(&request.projection, &request.substitutions)?);
            let distinct: HashSet<&Item> = request.keys.iter().collect();
            if distinct.len() < request.keys.len() {
                return Err(duplicate_keys());
            }
        }
        Ok(projections)
    }
}

/// Returns the error of a batch that names an item twice.
pub(super) fn duplicate_keys() -> Error {
    Error::validation("Provided list of item keys contains duplicates")
}

fn row_keys(table: &Table, keys: &[Item]) -> Result<Vec<Vec<u8>>> {
    keys.iter().map(|key| validate::key(table, key)).collect()
}

/// The response to a [`BatchGetItem`].
#[derive(Clone, Debug, Default)]
pub struct BatchGetItemOutput {
    /// The items found, by table name.
    pub responses: BTreeMap<String, Vec<ReadItem>>,
    /// The keys that were not read (at 16 MB, or in the fault mode): request them again.
    pub unprocessed_keys: BTreeMap<String, KeysAndAttributes>,
    /// Capacity units per table, if requested.
    pub consumed_capacity: Vec<ConsumedCapacity>,
}
