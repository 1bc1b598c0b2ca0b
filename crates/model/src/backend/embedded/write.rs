//! Writes: the parts of a request move into the engine's request, and its output into the response.

use std::collections::BTreeMap;

use monotable_engine::{
    BatchWriteItem, BatchWriteItemOutput, ConditionCheck, ConsumedCapacity, DeleteItem,
    DeleteItemOutput, Expression, Item, PutItem, PutItemOutput, ReturnConsumedCapacity,
    ReturnOnConditionFailure, ReturnValues, TransactWrite, TransactWriteItems,
    TransactWriteItemsOutput, UpdateItem, UpdateItemOutput, WriteRequest,
};
use monotable_expression::Update;

use super::read::{requested_units, units};
use crate::backend::Row;
use crate::backend::request::{
    Action, BatchAction, BatchWrite, BatchWriteResponse, Returns, Transaction, Write, WriteResponse,
};

/// A single write in the engine's form.
pub(super) enum Single {
    Put(PutItem),
    Update(UpdateItem),
    Delete(DeleteItem),
    /// A check, which the engine has only in transactions.
    Check,
}

pub(super) fn single(write: Write) -> Single {
    let table_name = String::from(&*write.table);
    let condition = write.condition.map(Expression::Tree);
    let return_values = match write.returns {
        Returns::Nothing => ReturnValues::None,
        Returns::Old => ReturnValues::AllOld,
        Returns::New => ReturnValues::AllNew,
    };
    let return_on_condition_failure = on_failure(write.return_on_failure);
    let return_consumed_capacity = requested_units(write.returns_units);
    match write.action {
        Action::Put(item) => Single::Put(PutItem {
            table_name,
            item,
            condition,
            return_values,
            return_on_condition_failure,
            return_consumed_capacity,
            ..PutItem::default()
        }),
        Action::Update(key, update) => Single::Update(UpdateItem {
            table_name,
            key,
            update: some_update(update),
            condition,
            return_values,
            return_on_condition_failure,
            return_consumed_capacity,
            ..UpdateItem::default()
        }),
        Action::Delete(key) => Single::Delete(DeleteItem {
            table_name,
            key,
            condition,
            return_values,
            return_on_condition_failure,
            return_consumed_capacity,
            ..DeleteItem::default()
        }),
        Action::Check(_) => Single::Check,
    }
}

pub(super) fn transaction(request: Transaction) -> TransactWriteItems {
    TransactWriteItems {
        transact_items: request.writes.into_iter().map(action).collect(),
        client_request_token: request.token,
        return_consumed_capacity: ReturnConsumedCapacity::Total,
        ..TransactWriteItems::default()
    }
}

fn action(write: Write) -> TransactWrite {
    let table_name = String::from(&*write.table);
    let condition = write.condition.map(Expression::Tree);
    let return_on_condition_failure = on_failure(write.return_on_failure);
    match write.action {
        Action::Put(item) => TransactWrite::Put(PutItem {
            table_name,
            item,
            condition,
            return_on_condition_failure,
            ..PutItem::default()
        }),
        Action::Update(key, update) => TransactWrite::Update(UpdateItem {
            table_name,
            key,
            update: some_update(update),
            condition,
            return_on_condition_failure,
            ..UpdateItem::default()
        }),
        Action::Delete(key) => TransactWrite::Delete(DeleteItem {
            table_name,
            key,
            condition,
            return_on_condition_failure,
            ..DeleteItem::default()
        }),
        Action::Check(key) => TransactWrite::ConditionCheck(ConditionCheck {
            table_name,
            key,
            condition,
            return_on_condition_failure,
            ..ConditionCheck::default()
        }),
    }
}

pub(super) fn batch(request: BatchWrite) -> BatchWriteItem {
    let writes = request.writes.into_iter().map(|write| match write {
        BatchAction::Put(item) => WriteRequest::Put(item),
        BatchAction::Delete(key) => WriteRequest::Delete(key),
    });
    BatchWriteItem {
        request_items: BTreeMap::from([(String::from(&*request.table), writes.collect())]),
        ..BatchWriteItem::default()
    }
}

/// Returns the update, or `None` for one without changes, for which DynamoDB has no expression.
fn some_update(update: Update) -> Option<Expression<Update>> {
    (update != Update::default()).then_some(Expression::Tree(update))
}

fn on_failure(returns_row: bool) -> ReturnOnConditionFailure {
    if returns_row { ReturnOnConditionFailure::AllOld } else { ReturnOnConditionFailure::None }
}

pub(super) fn put_response(output: PutItemOutput) -> WriteResponse {
    response(output.attributes, output.consumed_capacity)
}

pub(super) fn update_response(output: UpdateItemOutput) -> WriteResponse {
    response(output.attributes, output.consumed_capacity)
}

pub(super) fn delete_response(output: DeleteItemOutput) -> WriteResponse {
    response(output.attributes, output.consumed_capacity)
}

fn response(attributes: Option<Item>, consumed: Option<ConsumedCapacity>) -> WriteResponse {
    WriteResponse { row: attributes.map(Row::from), units: units(consumed) }
}

pub(super) fn transaction_response(output: TransactWriteItemsOutput) -> WriteResponse {
    WriteResponse { row: None, units: units(output.consumed_capacity) }
}

pub(super) fn batch_response(output: BatchWriteItemOutput) -> BatchWriteResponse {
    let unprocessed = output.unprocessed_items.into_values().flatten();
    let unprocessed = unprocessed.map(|request| match request {
        WriteRequest::Put(item) => BatchAction::Put(item),
        WriteRequest::Delete(key) => BatchAction::Delete(key),
    });
    BatchWriteResponse { unprocessed: unprocessed.collect() }
}
