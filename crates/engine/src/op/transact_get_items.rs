//! TransactGetItems: up to 100 items from one snapshot.

use std::collections::HashSet;

use monotable_expression::Projection;
use monotable_types::{Item, TableName, limits};

use super::capacity::{ConsumedCapacity, UsedByTable};
use super::get_item::projection;
use super::request::{Consistency, Expression, ReturnConsumedCapacity, Substitutions};
use crate::commit::{Shared, View};
use crate::error::{CancellationReason, Error, Result};
use crate::read::{ReadCost, project, read_item};
use crate::stored::{ReadItem, StoredItem};
use crate::table::table_name_of_arn;
use crate::validate;

/// One read of the transaction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransactGet {
    /// The table's name.
    pub table_name: String,
    /// The primary key, exactly.
    pub key: Item,
    /// The attributes to return; `None` for all.
    pub projection: Option<Expression<Projection>>,
    /// `#names` of the projection.
    pub substitutions: Substitutions,
}

/// Reads up to 100 items from one snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TransactGetItems {
    /// The reads.
    pub transact_items: Vec<TransactGet>,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
}

impl TransactGetItems {
    /// Creates an empty transaction.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one read of a whole item.
    #[must_use]
    pub fn get(mut self, table_name: impl Into<String>, key: Item) -> Self {
        self.transact_items.push(TransactGet {
            table_name: table_name.into(),
            key,
            ..TransactGet::default()
        });
        self
    }
}

impl TransactGetItems {
    pub(crate) fn run(self, shared: &Shared) -> Result<TransactGetItemsOutput> {
        check_length("transactItems", self.transact_items.len(), limits::TRANSACT_MAX)?;
        let mut projections = Vec::with_capacity(self.transact_items.len());
        for (position, get) in self.transact_items.iter().enumerate() {
            let path = format!("transactItems.{}.member.get", position + 1);
            check_table_name(&get.table_name, &path)?;
            validate::attributes(&get.key)?;
            projections.push(projection(&get.projection, &get.substitutions)?);
        }
        let view = shared.view();
        let row_keys = self.row_keys(&view)?;
        let distinct: HashSet<&Vec<u8>> = row_keys.iter().collect();
        if distinct.len() < row_keys.len() {
            return Err(repeated_item());
        }
        if shared.faults.conflicts() {
            return Err(canceled(self.transact_items.len(), Error::TransactionConflict));
        }
        let mut output = TransactGetItemsOutput::default();
        let mut used = UsedByTable::default();
        let mut reasons = Vec::with_capacity(self.transact_items.len());
        let mut transaction_bytes = 0;
        for ((get, row_key), projection) in
            self.transact_items.iter().zip(row_keys).zip(projections)
        {
            let table = view.catalog.table(&get.table_name)?;
            let stored = read_item(&view, &row_key)?;
            let bytes = stored.as_ref().map_or(0, StoredItem::size_bytes);
            transaction_bytes += bytes;
            if transaction_bytes > limits::TRANSACT_BYTES_MAX {
                return Err(too_large());
            }
            // A transactional read costs twice a strong one.
            let table_units = 2.0 * ReadCost::units(bytes, Consistency::Strong);
            let charged = shared.faults.charge_read(&row_key, table_units, || shared.now_ms());
            reasons.push(match charged {
                Ok(()) => CancellationReason::None,
                Err(error) => CancellationReason::Failed { error: Box::new(error) },
            });
            let cost = ReadCost { table_units, index_units: 0.0 };
            shared.meters.count_read_of_partition(table, None, cost, &row_key);
            cost.add_to(used.of(table), None);
            let item = stored.map(|stored| project(stored, projection.as_ref()));
            output.responses.push(item.filter(|item| projection.is_none() || !item.is_empty()));
        }
        if reasons.iter().any(|reason| *reason != CancellationReason::None) {
            return Err(Error::TransactionCanceled { reasons });
        }
        output.consumed_capacity = used.limited_to(self.return_consumed_capacity);
        Ok(output)
    }

    /// Returns the row keys. Keys that do not fit their table cancel the transaction, each with its
    /// own reason.
    fn row_keys(&self, view: &View) -> Result<Vec<Vec<u8>>> {
        let mut row_keys = Vec::with_capacity(self.transact_items.len());
        let mut reasons = Vec::with_capacity(self.transact_items.len());
        for get in &self.transact_items {
            let table = view.catalog.table(&get.table_name)?;
            match validate::key(table, &get.key) {
                Ok(row_key) => {
                    row_keys.push(row_key);
                    reasons.push(CancellationReason::None);
                }
                Err(error) => reasons.push(CancellationReason::Failed { error: Box::new(error) }),
            }
        }
        if row_keys.len() < reasons.len() {
            return Err(Error::TransactionCanceled { reasons });
        }
        Ok(row_keys)
    }
}

/// Returns the error of a transaction that names an item twice.
pub(super) fn repeated_item() -> Error {
    Error::validation("Transaction request cannot include multiple operations on one item")
}

/// Returns the error of a transaction over more than 4 MB of items.
pub(super) fn too_large() -> Error {
    Error::validation(
        "Collection size of items exceeded, which can also be caused by the aggregate size of the \
         items in the transaction exceeding the 4MB limit",
    )
}

/// Returns the error of a transaction whose first action failed.
pub(super) fn canceled(actions: usize, error: Error) -> Error {
    let mut reasons = vec![CancellationReason::None; actions];
    if let Some(first) = reasons.first_mut() {
        *first = CancellationReason::Failed { error: Box::new(error) };
    }
    Error::TransactionCanceled { reasons }
}

/// Checks the table name of an action; unlike single operations, transactions require 3 characters.
pub(super) fn check_table_name(name_or_arn: &str, path: &str) -> Result<()> {
    if table_name_of_arn(name_or_arn).is_some() {
        return Ok(());
    }
    TableName::try_from(name_or_arn)
        .map(drop)
        .map_err(|error| Error::validation(error.at(format!("{path}.tableName")).to_string()))
}

/// Checks that a list parameter of a transaction has 1 to `max` entries.
pub(super) fn check_length(parameter: &str, length: usize, max: usize) -> Result<()> {
    let (value, rule) = match length {
        0 => (" '[]'", "greater than or equal to 1".to_owned()),
        length if length > max => ("", format!("less than or equal to {max}")),
        _ => return Ok(()),
    };
    Err(Error::validation(format!(
        "1 validation error detected: Value{value} at '{parameter}' failed to satisfy constraint: \
         Member must have length {rule}"
    )))
}

/// The response to a [`TransactGetItems`].
#[derive(Clone, Debug, Default)]
pub struct TransactGetItemsOutput {
    /// One entry per read, in order; `None` for a missing item.
    pub responses: Vec<Option<ReadItem>>,
    /// Capacity units per table, if requested.
    pub consumed_capacity: Vec<ConsumedCapacity>,
}
