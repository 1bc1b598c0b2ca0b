//! The change records of a table, compared with those of the oracle and with the table itself.

use std::collections::BTreeMap;

use monotable_engine::{
    Database, DescribeStream, DescribeTable, GetRecords, GetShardIterator, ShardIteratorType,
    StreamRecord, StreamViewType,
};
use monotable_types::Item;

use crate::compare::{Mismatch, same};
use crate::oracle::{Part, Table};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Returns the records of a stream from a position on.
fn records(db: &Database, stream_arn: &str, from: &ShardIteratorType) -> Vec<StreamRecord> {
    let describe = DescribeStream { stream_arn: stream_arn.to_owned(), ..Default::default() };
    let shards = db.describe_stream(describe).expect("the stream is there").shards;
    let mut records = Vec::new();
    for shard in shards {
        let iterator = GetShardIterator {
            stream_arn: stream_arn.to_owned(),
            shard_id: shard.shard_id,
            iterator_type: from.clone(),
        };
        let iterator = db.get_shard_iterator(iterator).expect("a shard can be read");
        let mut next = Some(iterator.shard_iterator);
        while let Some(shard_iterator) = next {
            let page = db.get_records(GetRecords { shard_iterator, limit: Some(7) });
            let page = page.expect("records can be read");
            next = page.next_shard_iterator.filter(|_| !page.records.is_empty());
            records.extend(page.records);
        }
    }
    records
}

/// Checks that the records of each item are those of the oracle, except that records older than a
/// day may be missing; and that records since the start replay to the table.
pub(super) fn streams(
    db: &Database,
    name: &str,
    table: &Table,
    now_ms: u64,
) -> Result<(), Box<Mismatch>> {
    let described = db.describe_table(DescribeTable::new(name)).expect("it is there").table;
    let Some(stream) = described.stream else { return Ok(()) };
    let read = |from| records(db, &stream.stream_arn, &from);
    let mut actual = read(ShardIteratorType::TrimHorizon);
    if let Some(middle) = actual.get(actual.len() / 2) {
        let (number, at) = (&middle.sequence_number, actual.len() / 2);
        let on = read(ShardIteratorType::AtSequenceNumber(number.clone()));
        same(|| format!("records at {number} of {name}"), &actual[at..].to_vec(), &on)?;
        let after = read(ShardIteratorType::AfterSequenceNumber(number.clone()));
        same(|| format!("records after {number} of {name}"), &actual[at + 1..].to_vec(), &after)?;
        same(|| format!("new records of {name}"), &Vec::new(), &read(ShardIteratorType::Latest))?;
    }
    assert!(actual.is_sorted_by(|left, right| left.sequence_number < right.sequence_number));
    let mut by_key: BTreeMap<Vec<Part>, (Vec<StreamRecord>, Vec<StreamRecord>)> = BTreeMap::new();
    let place = |record: &StreamRecord| table.place(table.key.names(), &record.keys).unwrap();
    for record in &mut actual {
        record.sequence_number.clear();
        by_key.entry(place(record)).or_default().1.push(record.clone());
    }
    for record in &table.records {
        by_key.entry(place(record)).or_default().0.push(record.clone());
    }
    for (key, (mut expected, actual)) in by_key {
        let is_old = |record: &StreamRecord| record.creation_ms + DAY_MS <= now_ms;
        let old = expected.iter().filter(|record| is_old(record)).count();
        let gone = expected.len().saturating_sub(actual.len()).min(old);
        expected.drain(..gone);
        same(|| format!("change records of {name} {key:?}"), &expected, &actual)?;
    }
    replays(name, table, actual.into_iter().filter(|_| stream.enabled).collect())
}

/// Checks that each record continues where the last one of its item ended, and that the last one is
/// the item.
fn replays(name: &str, table: &Table, records: Vec<StreamRecord>) -> Result<(), Box<Mismatch>> {
    let mut replayed: BTreeMap<Vec<Part>, Option<Item>> = BTreeMap::new();
    for record in records {
        if record.view_type != StreamViewType::NewAndOldImages {
            return Ok(());
        }
        let key = table.place(table.key.names(), &record.keys).unwrap();
        if let Some(before) = replayed.insert(key, record.new_image) {
            same(|| format!("an old image in the stream of {name}"), &before, &record.old_image)?;
        }
    }
    for (key, item) in replayed {
        same(|| format!("{name} {key:?} replayed"), &table.items.get(&key), &item.as_ref())?;
    }
    Ok(())
}
