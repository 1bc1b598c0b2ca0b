//! What PutItem, UpdateItem and DeleteItem share: one write, committed alone.

use monotable_expression::{Condition, ExpressionKind, Update};
use monotable_types::Item;

use super::capacity::{ConsumedCapacity, ItemCollectionMetrics};
use super::request::{
    Expression, Resolver, ReturnConsumedCapacity, ReturnItemCollectionMetrics, ReturnValues,
    Substitutions,
};
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::stored::StoredItem;
use crate::validate;
use crate::write::{Isolation, Write, collection_metrics};

/// The result of checking a request without its table.
pub(crate) struct Checked {
    /// The size of the item to be put.
    pub(crate) size_bytes: usize,
    pub(crate) condition: Option<Condition>,
    pub(crate) update: Option<Update>,
}

/// A write that is staged.
pub(super) struct Done {
    pub(super) before: Option<StoredItem>,
    pub(super) after: Option<StoredItem>,
    pub(super) consumed_capacity: Option<ConsumedCapacity>,
    pub(super) item_collection_metrics: Option<ItemCollectionMetrics>,
}

/// Plans and stages one write.
pub(super) fn run_single(
    stage: &mut Stage<'_>,
    write: Write,
    capacity: ReturnConsumedCapacity,
    metrics: ReturnItemCollectionMetrics,
) -> Result<Done> {
    if stage.shared.faults.conflicts() {
        return Err(Error::TransactionConflict);
    }
    let mut planned = write.plan(stage, Isolation::Single)?;
    let item_collection_metrics = match metrics {
        ReturnItemCollectionMetrics::Size => {
            collection_metrics(stage, &planned.table, &planned.row_key)?
        }
        ReturnItemCollectionMetrics::None => None,
    };
    stage.shared.meters.count_write(&planned, Isolation::Single, stage.now_ms);
    let done = Done {
        before: planned.before.take(),
        after: planned.after.take(),
        consumed_capacity: planned.cost.consumed(&planned.table, capacity),
        item_collection_metrics,
    };
    planned.stage(stage);
    Ok(done)
}

impl Isolation {
    /// Returns the result of a check with AWS's wording: an operation on one item wraps the
    /// message, a transaction does not.
    pub(super) fn worded<T>(self, checked: Result<T>) -> Result<T> {
        match self {
            Self::Single => checked.map_err(Error::enveloped),
            Self::Transaction => checked,
        }
    }

    /// Checks for empty expression names and for expression values that are nested too deeply.
    pub(super) fn check_substitutions(self, substitutions: &Substitutions) -> Result<()> {
        match self {
            Self::Single => validate::substitutions(substitutions),
            Self::Transaction => validate::transacted_substitutions(substitutions),
        }
    }

    /// Returns what a transaction adds to the message when values have no expression that could use
    /// them; operations on one item add nothing.
    pub(super) fn absent(self, expressions: &'static str) -> Option<&'static str> {
        match self {
            Self::Single => None,
            Self::Transaction => Some(expressions),
        }
    }
}

/// Returns the condition of a request that has no other expression.
pub(super) fn condition(
    expression: &Option<Expression<Condition>>,
    substitutions: &Substitutions,
    isolation: Isolation,
) -> Result<Option<Condition>> {
    isolation.check_substitutions(substitutions)?;
    let mut resolver = Resolver::new(substitutions);
    let condition = resolver.condition(expression, ExpressionKind::Condition)?;
    resolver.finish(isolation.absent("ConditionExpression is null"))?;
    Ok(condition)
}

/// Checks the return values of puts and deletes, which can only return old attributes.
pub(super) fn return_values_of_old_item(return_values: ReturnValues) -> Result<()> {
    match return_values {
        ReturnValues::None | ReturnValues::AllOld => Ok(()),
        ReturnValues::UpdatedOld | ReturnValues::AllNew | ReturnValues::UpdatedNew => {
            Err(Error::validation("ReturnValues can only be ALL_OLD or NONE"))
        }
    }
}

/// Returns the old item, if the request wants it.
pub(super) fn old_attributes(
    return_values: ReturnValues,
    before: Option<StoredItem>,
) -> Result<Option<Item>> {
    match return_values {
        ReturnValues::AllOld => Ok(before.map(|before| before.decode()).transpose()?),
        _ => Ok(None),
    }
}
