//! Runs an operation on the engine and converts its result to the form of the oracle's results.

use std::collections::BTreeSet;
use std::thread;

use monotable_engine::{
    ConsumedCapacity, Database, DescribeTable, Error, IndexStatus, ItemCollectionMetrics, Query,
    QueryOutput, Scan, Segment, TableStatus,
};
use monotable_types::Item;

use crate::operation::{Answer, Failure, Operation, Outcome};
use crate::oracle::Part;

/// Returns the engine's result of an operation.
pub(crate) fn execute(db: &Database, operation: Operation) -> Outcome {
    Ok(match operation {
        Operation::PutItem(put) => {
            let table = put.table_name.clone();
            let output = db.put_item(put).map_err(failure)?;
            let collections = collections(&table, output.item_collection_metrics);
            let answer = answer(table, output.attributes, output.consumed_capacity);
            Answer { collections, ..answer }
        }
        Operation::UpdateItem(update) => {
            let table = update.table_name.clone();
            let output = db.update_item(update).map_err(failure)?;
            let collections = collections(&table, output.item_collection_metrics);
            let answer = answer(table, output.attributes, output.consumed_capacity);
            Answer { collections, ..answer }
        }
        Operation::DeleteItem(delete) => {
            let table = delete.table_name.clone();
            let output = db.delete_item(delete).map_err(failure)?;
            let collections = collections(&table, output.item_collection_metrics);
            let answer = answer(table, output.attributes, output.consumed_capacity);
            Answer { collections, ..answer }
        }
        Operation::GetItem(get) => {
            let table = get.table_name.clone();
            let output = db.get_item(get).map_err(failure)?;
            let item = output.item.map(|item| item.to_item());
            answer(table, item, output.consumed_capacity)
        }
        Operation::Query(query) => self::query(db, query)?,
        Operation::Scan(scan) => self::scan(db, scan)?,
        Operation::BatchGetItem(batch) => {
            let output = db.batch_get_item(batch).map_err(failure)?;
            assert!(output.unprocessed_keys.is_empty(), "no fault mode is on");
            let mut items = Vec::new();
            for (table, found) in output.responses {
                items.extend(found.iter().map(|item| (table.clone(), Some(item.to_item()))));
            }
            Answer { items, consumed_capacity: output.consumed_capacity, ..Answer::default() }
        }
        Operation::BatchWriteItem(batch) => {
            let output = db.batch_write_item(batch).map_err(failure)?;
            assert!(output.unprocessed_items.is_empty(), "no fault mode is on");
            let collections = output.item_collection_metrics.into_iter();
            Answer {
                consumed_capacity: output.consumed_capacity,
                collections: collections
                    .flat_map(|(table, all)| self::collections(&table, all))
                    .collect(),
                ..Answer::default()
            }
        }
        Operation::TransactGetItems(request) => {
            let tables: Vec<String> =
                request.transact_items.iter().map(|get| get.table_name.clone()).collect();
            let output = db.transact_get_items(request).map_err(failure)?;
            let items =
                output.responses.iter().map(|item| item.as_ref().map(|item| item.to_item()));
            Answer {
                items: tables.into_iter().zip(items).collect(),
                consumed_capacity: output.consumed_capacity,
                ..Answer::default()
            }
        }
        Operation::TransactWriteItems(request) => {
            let output = db.transact_write_items(request).map_err(failure)?;
            let collections = output.item_collection_metrics.into_iter();
            Answer {
                consumed_capacity: output.consumed_capacity,
                collections: collections
                    .flat_map(|(table, all)| self::collections(&table, all))
                    .collect(),
                ..Answer::default()
            }
        }
        Operation::CreateTable(create) => {
            let name = create.table_name.clone();
            db.create_table(create).map_err(failure)?;
            until_active(db, &name)
        }
        Operation::UpdateTable(update) => {
            let name = update.table_name.clone();
            db.update_table(update).map_err(failure)?;
            until_active(db, &name)
        }
        Operation::DeleteTable(delete) => {
            db.delete_table(delete).map_err(failure)?;
            Answer::default()
        }
        Operation::UpdateTimeToLive(setting) => {
            db.update_time_to_live(setting).map_err(failure)?;
            Answer::default()
        }
        Operation::SweepExpired => {
            let swept = db.sweep_expired().map_err(failure)?;
            Answer { swept: usize::try_from(swept).unwrap(), ..Answer::default() }
        }
        Operation::AdvanceClock { .. } | Operation::Reopen => Answer::default(),
    })
}

fn answer(table: String, item: Option<Item>, capacity: Option<ConsumedCapacity>) -> Answer {
    Answer {
        items: vec![(table, item)],
        consumed_capacity: capacity.into_iter().collect(),
        ..Answer::default()
    }
}

/// Returns the partition keys of item collections. Their sizes are only estimates.
fn collections(
    table: &str,
    metrics: impl IntoIterator<Item = ItemCollectionMetrics>,
) -> BTreeSet<(String, Part)> {
    let key = |metrics: ItemCollectionMetrics| {
        let value = metrics.item_collection_key.into_values().next();
        (table.to_owned(), Part::of(&value.expect("a key")).expect("a key"))
    };
    metrics.into_iter().map(key).collect()
}

/// Waits for the background work of a change of a table, for which AWS's users wait as well.
fn until_active(db: &Database, name: &str) -> Answer {
    loop {
        let table = db.describe_table(DescribeTable::new(name)).expect("it was there").table;
        let indexes = table.global_secondary_indexes;
        let idle = indexes.iter().all(|index| index.index_status == IndexStatus::Active);
        if idle && table.table_status == TableStatus::Active {
            return Answer::default();
        }
        thread::yield_now();
    }
}

fn query(db: &Database, query: Query) -> Outcome {
    let table = query.table_name.clone();
    Ok(page(&table, db.query(query).map_err(failure)?))
}

fn page(table: &str, output: QueryOutput) -> Answer {
    Answer {
        items: output.items.iter().map(|item| (table.to_owned(), Some(item.to_item()))).collect(),
        counts: Some((output.count, output.scanned_count)),
        last_evaluated_key: output.last_evaluated_key,
        consumed_capacity: output.consumed_capacity.into_iter().collect(),
        ..Answer::default()
    }
}

/// Returns all pages of all segments, added up. The capacity is kept only if there was one page:
/// each page is rounded separately.
fn scan(db: &Database, scan: Scan) -> Outcome {
    let segments = match scan.segment {
        Some(Segment { segment: 0, total_segments }) => {
            (0..total_segments).map(|segment| Some(Segment { segment, total_segments })).collect()
        }
        other => vec![other],
    };
    let mut all = Answer { counts: Some((0, 0)), ..Answer::default() };
    let mut pages = 0;
    for segment in segments {
        let mut next = Scan { segment, ..scan.clone() };
        loop {
            let answer = page(&scan.table_name, db.scan(next.clone()).map_err(failure)?);
            let (count, scanned) = answer.counts.unwrap();
            assert!(scan.limit.is_none_or(|limit| scanned <= limit), "a page exceeds its limit");
            all.counts = all.counts.map(|(counts, scans)| (counts + count, scans + scanned));
            all.items.extend(answer.items);
            all.consumed_capacity = answer.consumed_capacity;
            pages += 1;
            next.exclusive_start_key = answer.last_evaluated_key;
            if next.exclusive_start_key.is_none() {
                break;
            }
        }
    }
    if pages > 1 {
        all.consumed_capacity.clear();
    }
    Ok(all)
}

fn failure(error: Error) -> Failure {
    let (code, message) = (error.code(), error.to_string());
    let mut failure = Failure::new(code, message);
    match error {
        Error::ConditionalCheckFailed { item } => failure.item = item.map(|item| *item),
        Error::TransactionCanceled { reasons } => {
            failure.reasons = reasons.into_iter().map(reason).collect();
        }
        _ => {}
    }
    failure
}

fn reason(reason: monotable_engine::CancellationReason) -> Option<Failure> {
    match reason {
        monotable_engine::CancellationReason::None => None,
        monotable_engine::CancellationReason::Failed { error } => Some(failure(*error)),
    }
}
