//! Reads: the parts of a request move into the engine's request, and rows keep their stored form.

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable_engine as engine;
use monotable_engine::{
    BatchGetItem, Consistency, ConsumedCapacity, Database, Direction, Expression, GetItem,
    KeysAndAttributes, ReadItem, ReturnConsumedCapacity, Segment, TransactGetItems,
};

use super::error::failure;
use crate::backend::request::{
    BatchGet, BatchGetResponse, Get, GetResponse, PageResponse, Query, Scan, TransactionGet,
    TransactionGetResponse,
};
use crate::backend::{BackendError, Row, limits};

type Result<T> = std::result::Result<T, BackendError>;

pub(super) fn get(database: &Database, request: Get) -> Result<GetResponse> {
    let get = GetItem::new(&*request.table, request.key)
        .consistency(consistency(request.consistent))
        .return_consumed_capacity(requested_units(request.returns_units));
    let output = database.get_item(get).map_err(|error| failure(error, &request.table))?;
    Ok(GetResponse { row: output.item.map(Row::from), units: units(output.consumed_capacity) })
}

pub(super) fn query(database: &Database, request: Query) -> Result<PageResponse> {
    let query = engine::Query {
        table_name: String::from(&*request.table),
        index_name: request.index.map(str::to_owned),
        key_condition: Some(Expression::Tree(request.key_condition)),
        filter: request.filter.map(Expression::Tree),
        direction: if request.forward { Direction::Forward } else { Direction::Backward },
        limit: request.limit,
        exclusive_start_key: request.start_key,
        consistency: consistency(request.consistent),
        return_consumed_capacity: ReturnConsumedCapacity::Total,
        ..engine::Query::default()
    };
    let output = database.query(query).map_err(|error| failure(error, &request.table))?;
    Ok(page(output))
}

pub(super) fn scan(database: &Database, request: Scan) -> Result<PageResponse> {
    let scan = engine::Scan {
        table_name: String::from(&*request.table),
        index_name: request.index.map(str::to_owned),
        filter: request.filter.map(Expression::Tree),
        segment: request
            .segment
            .map(|(segment, total_segments)| Segment { segment, total_segments }),
        limit: request.limit,
        exclusive_start_key: request.start_key,
        consistency: consistency(request.consistent),
        return_consumed_capacity: ReturnConsumedCapacity::Total,
        ..engine::Scan::default()
    };
    let output = database.scan(scan).map_err(|error| failure(error, &request.table))?;
    Ok(page(output))
}

pub(super) fn batch_get(database: &Database, request: BatchGet) -> Result<BatchGetResponse> {
    limits::batch_get(&request)?;
    let keys = KeysAndAttributes {
        keys: request.keys,
        consistency: consistency(request.consistent),
        ..KeysAndAttributes::default()
    };
    let batch = BatchGetItem {
        request_items: BTreeMap::from([(String::from(&*request.table), keys)]),
        return_consumed_capacity: requested_units(request.returns_units),
    };
    let output = database.batch_get_item(batch).map_err(|error| failure(error, &request.table))?;
    let unprocessed = output.unprocessed_keys.into_values().flat_map(|rest| rest.keys);
    Ok(BatchGetResponse {
        rows: output.responses.into_values().flat_map(rows).collect(),
        unprocessed: unprocessed.collect(),
        units: units(output.consumed_capacity),
    })
}

pub(super) fn transact_get(
    database: &Database,
    request: TransactionGet,
) -> Result<TransactionGetResponse> {
    limits::transact_get(&request)?;
    let table: Arc<str> = request.table;
    let mut transaction = TransactGetItems::new();
    for key in request.keys {
        transaction = transaction.get(&*table, key);
    }
    transaction.return_consumed_capacity = requested_units(request.returns_units);
    let output =
        database.transact_get_items(transaction).map_err(|error| failure(error, &table))?;
    Ok(TransactionGetResponse {
        rows: output.responses.into_iter().map(|row| row.map(Row::from)).collect(),
        units: units(output.consumed_capacity),
    })
}

fn page(output: engine::QueryOutput) -> PageResponse {
    PageResponse {
        rows: rows(output.items).collect(),
        scanned: output.scanned_count,
        last_key: output.last_evaluated_key,
        units: units(output.consumed_capacity),
    }
}

fn rows(items: Vec<ReadItem>) -> impl Iterator<Item = Row> {
    items.into_iter().map(Row::from)
}

fn consistency(is_consistent: bool) -> Consistency {
    if is_consistent { Consistency::Strong } else { Consistency::Eventual }
}

/// Returns the request for consumed units, only if the caller wants them.
pub(super) fn requested_units(returns_units: bool) -> ReturnConsumedCapacity {
    if returns_units { ReturnConsumedCapacity::Total } else { ReturnConsumedCapacity::None }
}

/// Adds up the units of one or more tables.
pub(super) fn units(consumed: impl IntoIterator<Item = ConsumedCapacity>) -> f64 {
    consumed.into_iter().map(|consumed| consumed.capacity_units()).sum()
}
