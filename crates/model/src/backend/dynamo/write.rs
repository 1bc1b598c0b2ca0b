//! Writes through the SDK.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    ConditionCheck, Delete, DeleteRequest, Put, PutRequest, ReturnConsumedCapacity, ReturnValue,
    ReturnValuesOnConditionCheckFailure, TransactWriteItem, Update, WriteRequest,
};

use super::error::{failure, unbuildable};
use super::expression::Expressions;
use super::read::{requested_units, units};
use super::value::{item_from_sdk, item_to_sdk, malformed, row_from_sdk};
use crate::backend::request::{
    Action, BatchAction, BatchWrite, BatchWriteResponse, Returns, Transaction, Write, WriteResponse,
};
use crate::backend::{BackendError, Reply};

type Result<T> = std::result::Result<T, BackendError>;

/// Sets the members that every conditional write has. The SDK's builders share no trait.
macro_rules! conditional {
    ($builder:expr, $expressions:expr, $condition:expr, $on_failure:expr) => {{
        let (names, values) = $expressions.placeholders();
        $builder
            .set_condition_expression($condition)
            .set_expression_attribute_names(names)
            .set_expression_attribute_values(values)
            .set_return_values_on_condition_check_failure($on_failure)
    }};
}

/// Sets what every single write returns, sends it, and converts the response.
macro_rules! sent {
    ($builder:expr, $table:expr, $returns:expr, $units:expr) => {{
        let builder = $builder.table_name(&*$table).set_return_values($returns);
        let request = builder.set_return_consumed_capacity($units);
        Reply::pending(async move {
            let output = request.send().await.map_err(|error| failure(error, &$table))?;
            let row = output.attributes.filter(|row| !row.is_empty());
            Ok(WriteResponse { row: row.map(row_from_sdk), units: units(output.consumed_capacity) })
        })
    }};
}

/// Sends one write. Each kind has its own future: the SDK's futures are large, and an enum of all
/// would be larger still.
pub(super) fn single(client: &Client, write: Write) -> Reply<WriteResponse> {
    let Write { table, action, condition, return_on_failure, returns, returns_units } = write;
    let mut expressions = Expressions::default();
    let condition = expressions.condition(condition.as_ref());
    let on_failure = on_failure(return_on_failure);
    let (returns, asked) = (return_value(returns), requested_units(returns_units));
    match action {
        Action::Put(item) => {
            let put = client.put_item().set_item(Some(item_to_sdk(item)));
            sent!(conditional!(put, expressions, condition, on_failure), table, returns, asked)
        }
        Action::Update(key, update) => {
            let text = expressions.update(&update);
            let update = client.update_item().set_key(Some(item_to_sdk(key)));
            let update = update.set_update_expression(text);
            sent!(conditional!(update, expressions, condition, on_failure), table, returns, asked)
        }
        Action::Delete(key) => {
            let delete = client.delete_item().set_key(Some(item_to_sdk(key)));
            sent!(conditional!(delete, expressions, condition, on_failure), table, returns, asked)
        }
        Action::Check(_) => Reply::ready(Err(Action::check_alone())),
    }
}

pub(super) async fn transact(client: Client, request: Transaction) -> Result<WriteResponse> {
    let tables = request.tables();
    let actions = request.writes.into_iter().map(action).collect::<Result<_>>()?;
    let output = client
        .transact_write_items()
        .set_transact_items(Some(actions))
        .set_client_request_token(request.token)
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send()
        .await
        .map_err(|error| failure(error, &tables))?;
    let consumed = output.consumed_capacity.into_iter().flatten();
    Ok(WriteResponse { row: None, units: units(consumed) })
}

fn action(write: Write) -> Result<TransactWriteItem> {
    let Write { table, action, condition, return_on_failure, returns: _, returns_units: _ } = write;
    let mut expressions = Expressions::default();
    let condition = expressions.condition(condition.as_ref());
    let on_failure = on_failure(return_on_failure);
    let built = TransactWriteItem::builder();
    Ok(match action {
        Action::Put(item) => {
            let put = Put::builder().table_name(&*table).set_item(Some(item_to_sdk(item)));
            let put = conditional!(put, expressions, condition, on_failure).build();
            built.put(put.map_err(unbuildable)?)
        }
        Action::Update(key, update) => {
            let text = expressions.update(&update);
            let update = Update::builder().table_name(&*table).set_key(Some(item_to_sdk(key)));
            let update = update.set_update_expression(text);
            let update = conditional!(update, expressions, condition, on_failure).build();
            built.update(update.map_err(unbuildable)?)
        }
        Action::Delete(key) => {
            let delete = Delete::builder().table_name(&*table).set_key(Some(item_to_sdk(key)));
            let delete = conditional!(delete, expressions, condition, on_failure).build();
            built.delete(delete.map_err(unbuildable)?)
        }
        Action::Check(key) => {
            let check = ConditionCheck::builder().table_name(&*table);
            let check = check.set_key(Some(item_to_sdk(key)));
            let check = conditional!(check, expressions, condition, on_failure).build();
            built.condition_check(check.map_err(unbuildable)?)
        }
    }
    .build())
}

pub(super) async fn batch(client: Client, request: BatchWrite) -> Result<BatchWriteResponse> {
    let BatchWrite { table, writes } = request;
    let writes = writes.into_iter().map(batch_action).collect::<Result<_>>()?;
    let output = client
        .batch_write_item()
        .request_items(&*table, writes)
        .send()
        .await
        .map_err(|error| failure(error, &table))?;
    let rest = output.unprocessed_items.unwrap_or_default().into_values().flatten();
    Ok(BatchWriteResponse { unprocessed: rest.map(unprocessed).collect::<Result<_>>()? })
}

fn batch_action(write: BatchAction) -> Result<WriteRequest> {
    let request = WriteRequest::builder();
    Ok(match write {
        BatchAction::Put(item) => {
            let put = PutRequest::builder().set_item(Some(item_to_sdk(item)));
            request.put_request(put.build().map_err(unbuildable)?)
        }
        BatchAction::Delete(key) => {
            let delete = DeleteRequest::builder().set_key(Some(item_to_sdk(key)));
            request.delete_request(delete.build().map_err(unbuildable)?)
        }
    }
    .build())
}

fn unprocessed(request: WriteRequest) -> Result<BatchAction> {
    match (request.put_request, request.delete_request) {
        (Some(put), None) => item_from_sdk(put.item).map(BatchAction::Put),
        (None, Some(delete)) => item_from_sdk(delete.key).map(BatchAction::Delete),
        _ => Err(malformed("an unprocessed write that is neither a put nor a delete")),
    }
}

fn return_value(returns: Returns) -> Option<ReturnValue> {
    match returns {
        Returns::Nothing => None,
        Returns::Old => Some(ReturnValue::AllOld),
        Returns::New => Some(ReturnValue::AllNew),
    }
}

fn on_failure(returns_row: bool) -> Option<ReturnValuesOnConditionCheckFailure> {
    returns_row.then_some(ReturnValuesOnConditionCheckFailure::AllOld)
}
