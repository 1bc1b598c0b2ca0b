//! Reads through the SDK.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{
    ConsumedCapacity, Get as SdkGet, KeysAndAttributes, ReturnConsumedCapacity, TransactGetItem,
};

use super::error::{failure, unbuildable};
use super::expression::Expressions;
use super::value::{SdkItem, item_from_sdk, item_to_sdk, malformed, row_from_sdk};
use crate::backend::request::{
    BatchGet, BatchGetResponse, Get, GetResponse, PageResponse, Query, Scan, TransactionGet,
    TransactionGetResponse,
};
use crate::backend::{BackendError, Row};

type Result<T> = std::result::Result<T, BackendError>;

pub(super) async fn get(client: Client, request: Get) -> Result<GetResponse> {
    let Get { table, key, consistent, returns_units } = request;
    let output = client
        .get_item()
        .table_name(&*table)
        .set_key(Some(item_to_sdk(key)))
        .consistent_read(consistent)
        .set_return_consumed_capacity(requested_units(returns_units))
        .send()
        .await
        .map_err(|error| failure(error, &table))?;
    Ok(GetResponse { row: output.item.map(row_from_sdk), units: units(output.consumed_capacity) })
}

pub(super) async fn query(client: Client, request: Query) -> Result<PageResponse> {
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
    Ok(PageResponse {
        rows: rows(output.items.unwrap_or_default()),
        scanned: count(output.scanned_count)?,
        last_key: last_key(output.last_evaluated_key)?,
        units: units(output.consumed_capacity),
    })
}

pub(super) async fn scan(client: Client, request: Scan) -> Result<PageResponse> {
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
    Ok(PageResponse {
        rows: rows(output.items.unwrap_or_default()),
        scanned: count(output.scanned_count)?,
        last_key: last_key(output.last_evaluated_key)?,
        units: units(output.consumed_capacity),
    })
}

pub(super) async fn batch_get(client: Client, request: BatchGet) -> Result<BatchGetResponse> {
    let BatchGet { table, keys, consistent, returns_units } = request;
    let keys = keys.into_iter().map(item_to_sdk).collect();
    let keys = KeysAndAttributes::builder().set_keys(Some(keys)).consistent_read(consistent);
    let output = client
        .batch_get_item()
        .request_items(&*table, keys.build().map_err(unbuildable)?)
        .set_return_consumed_capacity(requested_units(returns_units))
        .send()
        .await
        .map_err(|error| failure(error, &table))?;
    let found = output.responses.unwrap_or_default().into_values().flatten().collect();
    let rest = output.unprocessed_keys.unwrap_or_default().into_values();
    let unprocessed = rest.flat_map(|rest| rest.keys).map(item_from_sdk);
    Ok(BatchGetResponse {
        rows: rows(found),
        unprocessed: unprocessed.collect::<Result<_>>()?,
        units: units(output.consumed_capacity.into_iter().flatten()),
    })
}

pub(super) async fn transact_get(
    client: Client,
    request: TransactionGet,
) -> Result<TransactionGetResponse> {
    let TransactionGet { table, keys, returns_units } = request;
    let requested = keys.len();
    let gets = keys.into_iter().map(|key| {
        let get = SdkGet::builder().table_name(&*table).set_key(Some(item_to_sdk(key)));
        Ok(TransactGetItem::builder().get(get.build().map_err(unbuildable)?).build())
    });
    let output = client
        .transact_get_items()
        .set_transact_items(Some(gets.collect::<Result<_>>()?))
        .set_return_consumed_capacity(requested_units(returns_units))
        .send()
        .await
        .map_err(|error| failure(error, &table))?;
    let responses = output.responses.unwrap_or_default();
    if responses.len() != requested {
        return Err(malformed(format!("{} rows for {requested} keys", responses.len())));
    }
    let rows = responses
        .into_iter()
        .map(|response| response.item.filter(|item| !item.is_empty()).map(row_from_sdk));
    Ok(TransactionGetResponse {
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

/// Converts a number to the protocol's integers of 31 bits, which no page size or number of
/// segments exceeds.
fn int(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Returns the request for consumed units, only if the caller wants them, because they make every
/// response longer.
pub(super) fn requested_units(returns_units: bool) -> Option<ReturnConsumedCapacity> {
    returns_units.then_some(ReturnConsumedCapacity::Total)
}

/// Adds up the units of one or more tables; 0 if the store does not report them.
pub(super) fn units(consumed: impl IntoIterator<Item = ConsumedCapacity>) -> f64 {
    consumed.into_iter().filter_map(|consumed| consumed.capacity_units).sum()
}
