//! UpdateItem: changes attributes of one item in place, and creates it if it is missing and the
//! update does more than remove.

use std::sync::Arc;

use monotable_expression::{Condition, ExpressionKind, Update};
use monotable_types::Item;

use super::capacity::{ConsumedCapacity, ItemCollectionMetrics};
use super::request::{
    Expression, Resolver, ReturnConsumedCapacity, ReturnItemCollectionMetrics,
    ReturnOnConditionFailure, ReturnValues, Substitutions, setters,
};
use super::single_write::{Checked, run_single};
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::stored::StoredItem;
use crate::table::{Catalog, Table};
use crate::validate;
use crate::write::{Effect, Isolation, Write};

/// Changes an item, or creates it from its key and the update. An update of a missing item that only
/// removes does nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateItem {
    /// The table's name.
    pub table_name: String,
    /// The primary key, exactly.
    pub key: Item,
    /// The changes; `None` creates the item from its key alone.
    pub update: Option<Expression<Update>>,
    /// Must hold for the existing item (or its absence).
    pub condition: Option<Expression<Condition>>,
    /// `#names` and `:values` of both expressions.
    pub substitutions: Substitutions,
    /// Which attributes are returned.
    pub return_values: ReturnValues,
    /// Whether a failed condition returns the item.
    pub return_on_condition_failure: ReturnOnConditionFailure,
    /// How capacity units are reported.
    pub return_consumed_capacity: ReturnConsumedCapacity,
    /// Whether the item collection's size is returned.
    pub return_item_collection_metrics: ReturnItemCollectionMetrics,
}

impl UpdateItem {
    /// Creates an update of one item.
    pub fn new(table_name: impl Into<String>, key: Item) -> Self {
        Self { table_name: table_name.into(), key, ..Self::default() }
    }

    setters! {
        /// Sets the update, as text or tree.
        update: some update => Expression<Update>;
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

impl UpdateItem {
    /// Checks everything that AWS checks before it looks up the table.
    pub(crate) fn check(&self, isolation: Isolation) -> Result<Checked> {
        validate::table_name(&self.table_name)?;
        isolation.worded(self.check_expressions(isolation))
    }

    fn check_expressions(&self, isolation: Isolation) -> Result<Checked> {
        validate::attributes(&self.key)?;
        isolation.check_substitutions(&self.substitutions)?;
        let mut resolver = Resolver::new(&self.substitutions);
        let update = resolver.update(&self.update)?;
        let condition = resolver.condition(&self.condition, ExpressionKind::Condition)?;
        resolver.finish(isolation.absent("UpdateExpression and ConditionExpression are null"))?;
        Ok(Checked { size_bytes: 0, condition, update })
    }

    /// Checks what the update expression adds to the size of an item. Only UpdateItem counts it,
    /// and only for an expression: not a transaction, not a tree, not `AttributeUpdates`.
    fn check_charge(&self, checked: &Checked) -> Result<()> {
        match (&self.update, &checked.update) {
            (Some(Expression::Text(_)), Some(update)) => {
                validate::updated_size(update.charged_bytes())
            }
            _ => Ok(()),
        }
    }

    /// Returns the write on its table.
    pub(crate) fn bind(self, table: &Arc<Table>, checked: Checked) -> Result<Write> {
        let update = checked.update.unwrap_or_default();
        let is_legacy = self.update.as_ref().is_some_and(Expression::is_legacy);
        let row_key = validate::key(table, &self.key)?;
        validate::update_targets(table, &update)?;
        Ok(Write {
            table: Arc::clone(table),
            row_key,
            condition: checked.condition,
            return_on_condition_failure: self.return_on_condition_failure,
            effect: Effect::Update { key: self.key, update, is_legacy },
        })
    }

    /// Checks the request against the newest catalog; the result runs on the committer.
    pub(crate) fn prepare(
        self,
        catalog: &Catalog,
    ) -> Result<impl FnOnce(&mut Stage<'_>) -> Result<UpdateItemOutput> + Send + use<>> {
        let checked = self.check(Isolation::Single)?;
        let table = catalog.table(&self.table_name)?;
        let (return_values, capacity) = (self.return_values, self.return_consumed_capacity);
        let metrics = self.return_item_collection_metrics;
        // Only the responses with updated attributes need the update again.
        let returned = matches!(return_values, ReturnValues::UpdatedOld | ReturnValues::UpdatedNew)
            .then(|| checked.update.clone().unwrap_or_default());
        let charge = self.check_charge(&checked);
        let write = self.bind(table, checked)?;
        charge?;
        Ok(move |stage: &mut Stage<'_>| {
            let done = run_single(stage, write, capacity, metrics)?;
            Ok(UpdateItemOutput {
                attributes: returned_attributes(
                    return_values,
                    returned.as_ref(),
                    done.before,
                    done.after,
                )?,
                consumed_capacity: done.consumed_capacity,
                item_collection_metrics: done.item_collection_metrics,
            })
        })
    }
}

fn returned_attributes(
    return_values: ReturnValues,
    update: Option<&Update>,
    before: Option<StoredItem>,
    after: Option<StoredItem>,
) -> Result<Option<Item>> {
    let touched = |item: Option<Item>| {
        let touched = item.zip(update).map(|(item, update)| update.project_updated(&item));
        touched.filter(|touched| !touched.is_empty())
    };
    let decode = |stored: Option<StoredItem>| {
        Ok::<_, Error>(stored.map(|stored| stored.decode()).transpose()?)
    };
    Ok(match return_values {
        ReturnValues::None => None,
        ReturnValues::AllOld => decode(before)?,
        ReturnValues::AllNew => decode(after)?,
        ReturnValues::UpdatedOld => touched(decode(before)?),
        ReturnValues::UpdatedNew => touched(decode(after)?),
    })
}

/// The response to an [`UpdateItem`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpdateItemOutput {
    /// The attributes that `return_values` selects.
    pub attributes: Option<Item>,
    /// Capacity units, if requested.
    pub consumed_capacity: Option<ConsumedCapacity>,
    /// The item collection's size, if requested and the table has a local index.
    pub item_collection_metrics: Option<ItemCollectionMetrics>,
}
