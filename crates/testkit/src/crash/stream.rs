//! The stream compared with the table: its records, replayed, result in the items, and each has the
//! correct old image.

use monotable_engine::{
    Database, DescribeStream, DescribeTable, GetRecords, GetShardIterator, ShardIteratorType,
    StreamEvent, StreamRecord,
};

use super::model::{Items, difference};
use super::workload::{TABLE, key_of};
use super::{Failure, Outcome, ensure};

/// How far the stream has been replayed.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    last: Option<String>,
}

impl Replay {
    /// Replays the new records of the stream on top of `before`, and compares the result with
    /// `after`.
    pub(crate) fn follow(
        &self,
        database: &Database,
        before: &Items,
        after: &Items,
    ) -> Outcome<Self> {
        let mut items = before.clone();
        let mut last = self.last.clone();
        for record in self.records(database)? {
            let number = &record.sequence_number;
            ensure!(last.as_ref() < Some(number), "stream record {number} comes after {last:?}");
            replay(&record, &mut items)
                .map_err(|failure| failure.at(format_args!("stream record {number}")))?;
            last = Some(number.clone());
        }
        ensure!(
            items == *after,
            "replaying the stream does not give the table: {}",
            difference(after, &items)
        );
        Ok(Self { last })
    }

    /// Returns the records that follow the last one replayed.
    fn records(&self, database: &Database) -> Outcome<Vec<StreamRecord>> {
        let table = database.describe_table(DescribeTable::new(TABLE))?.table;
        let stream = table.stream.ok_or_else(|| Failure::new("the stream is gone"))?;
        let arn = stream.stream_arn;
        let request = DescribeStream { stream_arn: arn.clone(), ..DescribeStream::default() };
        let mut records = Vec::new();
        for shard in database.describe_stream(request)?.shards {
            let iterator_type = match &self.last {
                Some(number) => ShardIteratorType::AfterSequenceNumber(number.clone()),
                None => ShardIteratorType::TrimHorizon,
            };
            let request = GetShardIterator {
                stream_arn: arn.clone(),
                shard_id: shard.shard_id,
                iterator_type,
            };
            let mut iterator = Some(database.get_shard_iterator(request)?.shard_iterator);
            while let Some(shard_iterator) = iterator {
                let request = GetRecords { shard_iterator, ..GetRecords::default() };
                let page = database.get_records(request)?;
                // An open shard always has a next iterator: its end is an empty page.
                iterator = page.next_shard_iterator.filter(|_| !page.records.is_empty());
                records.extend(page.records);
            }
        }
        Ok(records)
    }
}

fn replay(record: &StreamRecord, items: &mut Items) -> Outcome {
    let key = key_of(&record.keys);
    let before = items.get(&key);
    ensure!(
        before == record.old_image.as_ref(),
        "{key:?} was {before:?}, the old image is {:?}",
        record.old_image
    );
    let event = match (&record.old_image, &record.new_image) {
        (None, Some(_)) => StreamEvent::Insert,
        (Some(_), Some(_)) => StreamEvent::Modify,
        _ => StreamEvent::Remove,
    };
    ensure!(record.event == event, "{:?} with the images of {event:?}", record.event);
    match &record.new_image {
        Some(item) => drop(items.insert(key, item.clone())),
        None => drop(items.remove(&key)),
    }
    Ok(())
}
