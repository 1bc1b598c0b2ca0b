//! DeleteItem: deletes one item, under a condition.

use std::sync::Arc;

use monotable_expression::Condition;
use monotable_types::Item;

use super::capacity::{ConsumedCapacity, ItemCollectionMetrics};
use super::request::{
    Expression, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnOnConditionFailure,
    ReturnValues, Substitutions, setters,
};
use super::single_write::{
    Checked, condition, old_attributes, return_values_of_old_item, run_single,
};
use crate::commit::Stage;
use crate::error::Result;
use crate::table::{Catalog, Table};
use crate::validate;
use crate::write::{Effect, Isolation, Write};

/// Deletes an item; deleting a missing one succeeds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteItem {
    /// The table's name.
    pub table_name: String,
    /// The primary key, exactly.
    pub key: Item,
    /// Must hold for the existing item (or its absence).
    pub condition: Option<Expression<Condition>>,
    /// `#names` and `:values` of the condition.
    pub substitutions: Substitutions,
    /// `None` or `AllOld`.
    pub return_values: ReturnValues,
    /// Whether a failed condition returns the item.
    pub return_on_condition_failure: ReturnOnConditionFailure,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether the item collection's size is returned.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

impl DeleteItem {
    /// Creates a delete without a condition.
    pub fn new(table_name: impl Into<String>, key: Item) -> Self {
        Self { table_name: table_name.into(), key, ..Self::default() }
    }

    setters! {
        /// Sets the condition, as text or tree.
        condition: some condition => Expression<Condition>;
        placeholders: substitutions substitutions;
        /// Sets which attributes are returned.
        return_values: value return_values => ReturnValues;
        /// Sets what a failed condition returns.
        return_on_condition_failure: value return_on_condition_failure => ReturnOnConditionFailure;
        /// Sets how capacity units are reported.
        return_consumed_capacity: value return_consumed_capacity => ReturnConsumedCapacity;
    }
}

impl DeleteItem {
    /// Checks everything that AWS checks before it looks up the table.
    pub(crate) fn check(&self, isolation: Isolation) -> Result<Checked> {
        validate::table_name(&self.table_name)?;
        isolation.worded(validate::attributes(&self.key))?;
        isolation.worded(return_values_of_old_item(self.return_values))?;
        let condition =
            isolation.worded(condition(&self.condition, &self.substitutions, isolation))?;
        Ok(Checked { size_bytes: 0, condition, update: None })
    }

    /// Returns the write on its table.
    pub(crate) fn bind(self, table: &Arc<Table>, checked: Checked) -> Result<Write> {
        Ok(Write {
            table: Arc::clone(table),
            row_key: validate::key(table, &self.key)?,
            condition: checked.condition,
            return_on_condition_failure: self.return_on_condition_failure,
            effect: Effect::Delete,
        })
    }

    /// Checks the request against the newest catalog; the result runs on the committer.
    pub(crate) fn prepare(
        self,
        catalog: &Catalog,
    ) -> Result<impl FnOnce(&mut Stage<'_>) -> Result<DeleteItemOutput> + Send + use<>> {
        let checked = self.check(Isolation::Single)?;
        let table = catalog.table(&self.table_name)?;
        let (return_values, capacity) = (self.return_values, self.return_consumed_capacity);
        let metrics = self.return_item_collection_metrics;
        let write = self.bind(table, checked)?;
        Ok(move |stage: &mut Stage<'_>| {
            let done = run_single(stage, write, capacity, metrics)?;
            Ok(DeleteItemOutput {
                attributes: old_attributes(return_values, done.before)?,
                consumed_capacity: done.consumed_capacity,
                item_collection_metrics: done.item_collection_metrics,
            })
        })
    }
}

/// The response to a [`DeleteItem`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteItemOutput {
    /// The item that was removed, with `ReturnValues::AllOld`.
    pub attributes: Option<Item>,
    /// Capacity units, if requested.
    pub consumed_capacity: Option<ConsumedCapacity>,
    /// The item collection's size, if requested and the table has a local index.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}
