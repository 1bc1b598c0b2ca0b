//! Reads through the SDK.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    ConsumedCapacity, Get as SdkGet, KeysAndAttributes, ReturnConsumedCapacity, TransactGetItem,
};

use super::error::{failure, unbuildable};
use super::expression::Expressions;
use super::value::{SdkItem, item_from_sdk, item_to_sdk, malformed, row_from_sdk};
use crate::backend::request::{
    BatchGet, BatchGetAnswer, Get, GetAnswer, PageAnswer, Query, Scan, TransactionGet,
    TransactionGetAnswer,
};
use crate::backend::{BackendError, Row};

type Result<T> = std::result::Result<T, BackendError>;

pub(super) async fn get(client: Client, request: Get) -> Result<GetAnswer> {
    let Get { table, key, consistent, tells_units } = request;
    let output = client
        .get_item()
        .table_name(&*table)
        .set_key(Some(item_to_sdk(key)))
        .consistent_read(consistent)
        .set_return_consumed_capacity(asked_units(tells_units))
        .send()
        .await
        .map_err(|error| failure(error, &table))?;
    Ok(GetAnswer { row: output.item.map(row_from_sdk), units: units(output.consumed_capacity) })
}

pub(super) async fn query(client: Client, request: Query) -> Result<PageAnswer> {
    let mut expressions = Expressions::default();
    let key_condition = expressions.key_condition(&request.key_condition);
    let filter = expressions.condition(request.filter.as_ref());
    let (names, values) = expressions.placeholders();
    let output = client
        .query()
        .table_name(&*request.table)
        .set_index_name(request.index.map(str::to_owned))
        .key_condition_expression(key_condition)
        .set_filter_expression(filter)
        .set_expression_attribute_names(names)
        .set_expression_attribute_values(values)
        .scan_index_forward(request.forward)
        .consistent_read(request.consistent)
        .set_limit(request.limit.map(int))
        .set_exclusive_start_key(request.start_key.map(item_to_sdk))
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send()
        .await
        .map_err(|error| failure(error, &request.table))?;
    Ok(PageAnswer {
        rows: rows(output.items.unwrap_or_default()),
        scanned: count(output.scanned_count)?,
        last_key: last_key(output.last_evaluated_key)?,
        units: units(output.consumed_capacity),
    })
}

pub(super) async fn scan(client: Client, request: Scan) -> Result<PageAnswer> {
    let mut expressions = Expressions::default();
    let filter = expressions.condition(request.filter.as_ref());
    let (names, values) = expressions.placeholders();
    let (segment, total_segments) = request.segment.unzip();
    let output = client
        .scan()
        .table_name(&*request.table)
        .set_index_name(request.index.map(str::to_owned))
        .set_filter_expression(filter)
        .set_expression_attribute_names(names)
        .set_expression_attribute_values(values)
        .consistent_read(request.consistent)
        .set_limit(request.limit.map(int))
        .set_exclusive_start_key(request.start_key.map(item_to_sdk))
        .set_segment(segment.map(int))
        .set_total_segments(total_segments.map(int))
        .return_consumed_capacity(ReturnConsumedCapacity::Total)
        .send()
        .await
        .map_err(|error| failure(error, &request.table))?;
    Ok(PageAnswer {
        rows: rows(output.items.unwrap_or_default()),
        scanned: count(output.scanned_count)?,
        last_key: last_key(output.last_evaluated_key)?,
        units: units(output.consumed_capacity),
    })
}

pub(super) async fn batch_get(client: Client, request: BatchGet) -> Result<BatchGetAnswer> {
    let BatchGet { table, keys, consistent, tells_units } = request;
    let keys = keys.into_iter().map(item_to_sdk).collect();
    let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(consistent);
    let output = client
        .batch_get_item()
        .request_items(&*table, keys.build().map_err(unbuildable)?)
        .set_return_consumed_capacity(asked_units(tells_units))
        .send()
        .await
        .map_err(|error| failure(error, &table))?;
    let found = output.responses.unwrap_or_default().into_values().flatten().collect();
    let rest = output.unprocessed_keys.unwrap_or_default().into_values();
    let unprocessed = rest.flat_map(|rest| rest.keys).map(item_from_sdk);
    Ok(BatchGetAnswer {
        rows: rows(found),
        unprocessed: unprocessed.collect::<Result<_>>()?,
        units: units(output.consumed_capacity.into_iter().flatten()),
    })
}

pub(super) async fn transact_get(
    client: Client,
    request: TransactionGet,
) -> Result<TransactionGetAnswer> {
    let TransactionGet { table, keys, tells_units } = request;
    let asked = keys.len();
    let gets = keys.into_iter().map(|key| {
        let get = SdkGet::builder().table_name(&*table).set_key(Some(item_to_sdk(key)));
        Ok(TransactGetItem::builder().get(get.build().map_err(unbuildable)?).build())
    });
    let output = client
        .transact_get_items()
        .set_transact_items(Some(gets.collect::<Result<_>>()?))
        .set_return_consumed_capacity(asked_units(tells_units))
        .send()
        .await
        .map_err(|error| failure(error, &table))?;
    let responses = output.responses.unwrap_or_default();
    if responses.len() != asked {
        return Err(malformed(format!("{} rows for {asked} keys", responses.len())));
    }
    let rows = responses
        .into_iter()
        .map(|response| response.item.filter(|item| !item.is_empty()).map(row_from_sdk));
    Ok(TransactionGetAnswer {
        rows: rows.collect(),
        units: units(output.consumed_capacity.into_iter().flatten()),
    })
}

fn rows(items: Vec<SdkItem>) -> Vec<Row> {
    items.into_iter().map(row_from_sdk).collect()
}

fn last_key(key: Option<SdkItem>) -> Result<Option<monotable_types::Item>> {
    key.filter(|key| !key.is_empty()).map(item_from_sdk).transpose()
}

fn count(count: i32) -> Result<u32> {
    u32::try_from(count).map_err(malformed)
}

/// The protocol's integers have 31 bits; no page and no number of segments has as many.
fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// What asks for units, where somebody wants them: they make every answer longer.
pub(super) fn asked_units(tells_units: bool) -> Option<ReturnConsumedCapacity> {
    tells_units.then_some(ReturnConsumedCapacity::Total)
}

/// The units of one table, or of several together; none where the store does not tell.
pub(super) fn units(consumed: impl IntoIterator<Item = ConsumedCapacity>) -> f64 {
    consumed.into_iter().filter_map(|consumed| consumed.capacity_units).sum()
}
