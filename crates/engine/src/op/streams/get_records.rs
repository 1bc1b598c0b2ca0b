//! GetRecords: a page of change records, and the iterator of the next.

use monotable_types::{Constraints, Item, limits};

use super::iterator::ShardIterator;
use super::place::{find_stream, sequence_text, trimmed};
use super::{GetRecords, GetRecordsOutput, StreamRecord};
use crate::commit::Shared;
use crate::error::{Error, Result};
use crate::layout::Malformed;
use crate::layout::item::Encoded;
use crate::store::Order;
use crate::stream::{self, Record};
use crate::table::StreamViewType;

/// A page is at most 1 MB.
const PAGE_BYTES_MAX: u64 = 1 << 20;
/// Lengths of an iterator on AWS.
const ITERATOR_LENGTH: std::ops::RangeInclusive<usize> = 1..=2048;

impl GetRecords {
    /// Creates a request that continues from an iterator.
    pub fn new(shard_iterator: impl Into<String>) -> Self {
        Self { shard_iterator: shard_iterator.into(), limit: None }
    }

    fn validate(&self) -> Result<()> {
        let mut constraints = Constraints::default();
        constraints.text(&self.shard_iterator, "shardIterator", ITERATOR_LENGTH);
        constraints.limit(self.limit, limits::STREAM_RECORDS_MAX);
        Ok(constraints.finish()?)
    }

    pub(crate) fn run(self, shared: &Shared) -> Result<GetRecordsOutput> {
        self.validate()?;
        let mut iterator = ShardIterator::parse(&self.shard_iterator)?;
        let now_ms = shared.now_ms();
        iterator.check_age(now_ms)?;
        let view = shared.view();
        let (table, stream) = find_stream(&view.catalog, &iterator.stream_arn)?;
        if table.id != iterator.table {
            return Err(Error::ResourceNotFound(format!(
                "Requested resource not found: Stream: {} not found",
                iterator.stream_arn
            )));
        }
        if iterator.sequence < stream.first_sequence {
            return Err(trimmed());
        }
        let records_max = self.limit.map_or(limits::STREAM_RECORDS_MAX, |limit| limit as usize);
        let range = stream::row_range(table.id, stream.area, iterator.sequence);
        let mut records = Vec::new();
        let mut page_bytes = 0;
        for row in view.snapshot.range(&range, Order::Ascending).take(records_max) {
            let (key, value) = row?;
            let sequence = stream::sequence_of_row(&key)?;
            let record = decode(sequence, &stream::decode_record(&value)?, stream.view_type)?;
            page_bytes += record.size_bytes;
            if page_bytes > PAGE_BYTES_MAX && !records.is_empty() {
                break;
            }
            records.push(record);
            iterator.sequence = sequence.saturating_add(1);
        }
        let ended = stream.end_sequence.is_some_and(|end| iterator.sequence >= end);
        iterator.issued_ms = now_ms;
        let next_shard_iterator = (!ended).then(|| iterator.to_text());
        Ok(GetRecordsOutput { records, next_shard_iterator })
    }
}

fn decode(
    sequence: u64,
    record: &Record<'_>,
    view_type: StreamViewType,
) -> Result<StreamRecord, Malformed> {
    let mut size_bytes = 0;
    let mut item = |bytes| -> Result<Item, Malformed> {
        let encoded = Encoded::parse(bytes)?;
        size_bytes += encoded.size_bytes as u64;
        encoded.decode()
    };
    let keys = item(record.keys)?;
    let old_image = record.old.map(&mut item).transpose()?;
    let new_image = record.new.map(&mut item).transpose()?;
    Ok(StreamRecord {
        event: record.event,
        origin: record.origin,
        creation_ms: record.creation_ms,
        sequence_number: sequence_text(sequence),
        keys,
        old_image,
        new_image,
        size_bytes,
        view_type,
    })
}
