//! Statements that change an item, as writes of the engine.

use monotable_engine::{
    ConditionCheck, ConsumedCapacity, Database, DeleteItem, DeleteItemOutput, Error, Expression,
    KeySchema, Pending, PutItem, PutItemOutput, ReturnConsumedCapacity, ReturnOnConditionFailure,
    ReturnValues, TransactWrite, UpdateItem, UpdateItemOutput,
};
use monotable_expression::{Condition, attribute_exists, attribute_not_exists};
use monotable_types::Item;

use super::bind::{Bound, BoundDelete, BoundInsert, BoundSelect, BoundUpdate};
use super::key::{ItemKey, Lists, attributes, check_type};
use super::problem::refused;
use super::syntax::Returning;
use crate::error::{Failure, Result};

/// What a single statement returns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WriteOptions {
    pub(crate) return_on_condition_failure: ReturnOnConditionFailure,
    pub(crate) return_consumed_capacity: ReturnConsumedCapacity,
}

/// A write that has been submitted.
pub(crate) enum PendingStatement {
    Put(Pending<PutItemOutput>),
    Update(Pending<UpdateItemOutput>),
    Delete(Pending<DeleteItemOutput>),
}

/// The result of a write.
pub(crate) struct Written {
    /// The item that `RETURNING` requested, unless nothing of it is left.
    pub(crate) item: Option<Item>,
    pub(crate) consumed_capacity: Option<ConsumedCapacity>,
}

impl PendingStatement {
    /// Waits for the write.
    pub(crate) async fn written(self) -> Result<Written> {
        let (item, consumed_capacity) = match self {
            Self::Put(put) => match put.await {
                Err(Error::ConditionalCheckFailed { .. }) => return Err(Failure::DuplicateItem),
                output => (None, output?.consumed_capacity),
            },
            Self::Update(update) => {
                let output = update.await?;
                (output.attributes, output.consumed_capacity)
            }
            Self::Delete(delete) => {
                let output = delete.await?;
                (output.attributes, output.consumed_capacity)
            }
        };
        Ok(Written { item: item.filter(|item| !item.is_empty()), consumed_capacity })
    }
}

/// Submits the write of a single statement. Returns `None` for a statement that does not write.
pub(crate) fn submit(
    database: &Database,
    statement: Bound,
    options: WriteOptions,
) -> Result<PendingStatement> {
    let keys = database.key_schema(statement.table(), None)?;
    match statement {
        Bound::Insert(insert) => {
            check_item(&insert.item, &keys)?;
            let put = PutItem {
                return_consumed_capacity: options.return_consumed_capacity,
                ..put(insert, &keys)
            };
            Ok(PendingStatement::Put(database.submit(put)))
        }
        Bound::Update(statement) => {
            let key = ItemKey::of(statement.condition.as_ref(), &keys, Lists::NeverCount);
            let (key, rest) = key.of_written_item(&keys)?;
            let update = UpdateItem {
                return_on_condition_failure: options.return_on_condition_failure,
                return_consumed_capacity: options.return_consumed_capacity,
                ..update(statement, key, rest, &keys)
            };
            Ok(PendingStatement::Update(database.submit(update)))
        }
        Bound::Delete(statement) => {
            let key = ItemKey::of(statement.condition.as_ref(), &keys, Lists::NeverCount);
            let (key, rest) = key.of_written_item(&keys)?;
            let delete = DeleteItem {
                return_on_condition_failure: options.return_on_condition_failure,
                return_consumed_capacity: options.return_consumed_capacity,
                ..delete(statement, key, rest, &keys)
            };
            Ok(PendingStatement::Delete(database.submit(delete)))
        }
        Bound::Select(_) | Bound::Exists(_) => Err(exists_outside_transaction()),
    }
}

/// Returns the key of the item that a statement changes, as far as the statement contains it.
pub(crate) fn written_item(statement: &Bound, keys: &KeySchema) -> Option<Item> {
    let condition = match statement {
        Bound::Insert(insert) => {
            let value =
                |(name, _): (&str, _)| Some((name.to_owned(), insert.item.get(name)?.clone()));
            return attributes(keys).map(value).collect();
        }
        Bound::Update(update) => update.condition.as_ref(),
        Bound::Delete(delete) => delete.condition.as_ref(),
        Bound::Select(_) | Bound::Exists(_) => return None,
    };
    let found = ItemKey::of(condition, keys, Lists::NeverCount);
    (found.is_complete && found.conflict.is_none()).then_some(found.key)
}

/// Makes the error for `EXISTS` outside a transaction that writes.
pub(crate) fn exists_outside_transaction() -> Failure {
    refused("EXISTS can only be used in ExecuteTransaction write requests.")
}

/// Converts a statement into an action of a transaction. With a key that does not fit the table,
/// the engine cancels the transaction, as AWS does.
pub(crate) fn transact_write(
    statement: Bound,
    keys: &KeySchema,
    return_on_condition_failure: ReturnOnConditionFailure,
) -> Result<TransactWrite> {
    let named = |condition: Option<&Condition>| {
        let found = ItemKey::of(condition, keys, Lists::NeverCount);
        let key = if found.conflict.is_some() { Item::new() } else { found.key };
        (key, found.rest)
    };
    Ok(match statement {
        Bound::Insert(insert) => put(insert, keys).into(),
        Bound::Update(statement) => {
            let (key, rest) = named(statement.condition.as_ref());
            UpdateItem { return_on_condition_failure, ..update(statement, key, rest, keys) }.into()
        }
        Bound::Delete(statement) => {
            let (key, rest) = named(statement.condition.as_ref());
            DeleteItem { return_on_condition_failure, ..delete(statement, key, rest, keys) }.into()
        }
        Bound::Exists(select) | Bound::Select(select) => {
            check(select, keys, return_on_condition_failure)?.into()
        }
    })
}

/// Converts `EXISTS`, which requires the item and a condition besides its key.
fn check(
    select: BoundSelect,
    keys: &KeySchema,
    return_on_condition_failure: ReturnOnConditionFailure,
) -> Result<ConditionCheck> {
    let found = ItemKey::of(select.condition.as_ref(), keys, Lists::NeverCount);
    if !found.is_complete || found.rest.is_empty() {
        return Err(refused("EXISTS() must contain a single item read with additional condition"));
    }
    let condition = Condition::And(there(keys).into_iter().chain(found.rest).collect());
    Ok(ConditionCheck {
        return_on_condition_failure,
        ..ConditionCheck::new(select.table, found.key, condition)
    })
}

fn put(insert: BoundInsert, keys: &KeySchema) -> PutItem {
    let absent = keys.partition_key().next().map(|(name, _)| attribute_not_exists(name));
    PutItem { condition: absent.map(Expression::Tree), ..PutItem::new(insert.table, insert.item) }
}

/// Converts an `UPDATE`, which only changes an item that exists.
fn update(statement: BoundUpdate, key: Item, rest: Vec<Condition>, keys: &KeySchema) -> UpdateItem {
    let condition = Condition::And(there(keys).into_iter().chain(rest).collect());
    UpdateItem {
        update: Some(Expression::Tree(statement.update)),
        condition: Some(Expression::Tree(condition)),
        return_values: match statement.returning {
            None => ReturnValues::None,
            Some(Returning::AllOld) => ReturnValues::AllOld,
            Some(Returning::ModifiedOld) => ReturnValues::UpdatedOld,
            Some(Returning::AllNew) => ReturnValues::AllNew,
            Some(Returning::ModifiedNew) => ReturnValues::UpdatedNew,
        },
        ..UpdateItem::new(statement.table, key)
    }
}

/// Converts a `DELETE`, which succeeds if the item does not exist, whatever its other conditions.
fn delete(statement: BoundDelete, key: Item, rest: Vec<Condition>, keys: &KeySchema) -> DeleteItem {
    let absent = keys.partition_key().next().map(|(name, _)| attribute_not_exists(name));
    let condition = match (absent, rest.is_empty()) {
        (Some(absent), false) => Some(absent.or(Condition::And(rest))),
        _ => None,
    };
    DeleteItem {
        condition: condition.map(Expression::Tree),
        return_values: match statement.returning {
            None => ReturnValues::None,
            Some(_) => ReturnValues::AllOld,
        },
        ..DeleteItem::new(statement.table, key)
    }
}

fn there(keys: &KeySchema) -> Option<Condition> {
    keys.partition_key().next().map(|(name, _)| attribute_exists(name))
}

/// Checks that an inserted item contains its whole key.
fn check_item(item: &Item, keys: &KeySchema) -> Result<()> {
    for (name, scalar_type) in attributes(keys) {
        match item.get(name) {
            Some(value) => check_type(name, scalar_type, value)?,
            None => {
                return Err(refused(format!(
                    "Key attribute should be present in the item: Key {name}"
                )));
            }
        }
    }
    Ok(())
}
