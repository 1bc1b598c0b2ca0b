//! PutItem: replaces or creates a whole item, under a condition.

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
use crate::stored::StoredItem;
use crate::table::{Catalog, Table};
use crate::validate;
use crate::write::{Effect, Isolation, Write};

/// Replaces or creates an item.
///
/// ```
/// use monotable_engine::{Database, PutItem, item};
/// # use monotable_engine::CreateTable;
///
/// let db = Database::memory();
/// # db.create_table(CreateTable::new("league").partition_key("PK", "S")?.sort_key("SK", "S")?)?;
/// let team = item! { "PK" => "TEAM#1", "SK" => "METADATA", "name" => "Sluggers" };
/// let create = PutItem::new("league", team).condition("attribute_not_exists(PK)");
/// db.put_item(create.clone())?;
/// let again = db.put_item(create).unwrap_err();
/// assert_eq!(again.code(), "ConditionalCheckFailedException");
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PutItem {
    /// The table's name.
    pub table_name: String,
    /// The whole item; it replaces an existing one.
    pub item: Item,
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

impl PutItem {
    /// Creates a put without a condition.
    pub fn new(table_name: impl Into<String>, item: Item) -> Self {
        Self { table_name: table_name.into(), item, ..Self::default() }
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

impl PutItem {
    /// Checks the item and the return options, which AWS does before it reads the condition.
    ///
    /// Running the request does the same. This is for callers that have the condition in another
    /// form, which can be invalid by itself.
    pub fn check_item(&self) -> Result<()> {
        self.measure(Isolation::Single).map(drop)
    }

    fn measure(&self, isolation: Isolation) -> Result<usize> {
        isolation.worded(validate::attributes(&self.item))?;
        isolation.worded(return_values_of_old_item(self.return_values))?;
        validate::item_size(&self.item)
    }

    /// Checks everything that AWS checks before it looks up the table.
    pub(crate) fn check(&self, isolation: Isolation) -> Result<Checked> {
        validate::table_name(&self.table_name)?;
        let size_bytes = self.measure(isolation)?;
        let condition =
            isolation.worded(condition(&self.condition, &self.substitutions, isolation))?;
        Ok(Checked { size_bytes, condition, update: None })
    }

    /// Returns the write on its table.
    pub(crate) fn bind(self, table: &Arc<Table>, checked: Checked) -> Result<Write> {
        let row_key = validate::item_key(table, &self.item)?;
        validate::index_keys(table, &self.item)?;
        let stored = StoredItem::encode(&self.item, checked.size_bytes);
        Ok(Write {
            table: Arc::clone(table),
            row_key,
            condition: checked.condition,
            return_on_condition_failure: self.return_on_condition_failure,
            effect: Effect::Put { item: self.item, stored },
        })
    }

    /// Checks the request against the newest catalog; the result runs on the committer.
    pub(crate) fn prepare(
        self,
        catalog: &Catalog,
    ) -> Result<impl FnOnce(&mut Stage<'_>) -> Result<PutItemOutput> + Send + use<>> {
        let checked = self.check(Isolation::Single)?;
        let table = catalog.table(&self.table_name)?;
        let (return_values, capacity) = (self.return_values, self.return_consumed_capacity);
        let metrics = self.return_item_collection_metrics;
        let write = self.bind(table, checked)?;
        Ok(move |stage: &mut Stage<'_>| {
            let done = run_single(stage, write, capacity, metrics)?;
            Ok(PutItemOutput {
                attributes: old_attributes(return_values, done.before)?,
                consumed_capacity: done.consumed_capacity,
                item_collection_metrics: done.item_collection_metrics,
            })
        })
    }
}

/// The response to a [`PutItem`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PutItemOutput {
    /// The item that was replaced, with `ReturnValues::AllOld`.
    pub attributes: Option<Item>,
    /// Capacity units, if requested.
    pub consumed_capacity: Option<ConsumedCapacity>,
    /// The item collection's size, if requested and the table has a local index.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}
