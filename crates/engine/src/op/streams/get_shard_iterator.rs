//! GetShardIterator: returns an iterator for a position in a shard.

use monotable_types::Constraints;

use super::iterator::ShardIterator;
use super::place::{
    SEQUENCE_NUMBER_LENGTH, SHARD_ID_LENGTH, constrain_arn, find_stream, next_sequence,
    parse_sequence, shard_id, shard_not_found, trimmed,
};
use super::{GetShardIterator, GetShardIteratorOutput, ShardIteratorType};
use crate::commit::Shared;
use crate::error::{Error, Result};

impl GetShardIterator {
    fn validate(&self) -> Result<()> {
        let mut constraints = Constraints::default();
        constrain_arn(&mut constraints, &self.stream_arn, "streamArn");
        constraints.text(&self.shard_id, "shardId", SHARD_ID_LENGTH);
        if let Some(number) = self.iterator_type.sequence_number() {
            constraints.text(number, "sequenceNumber", SEQUENCE_NUMBER_LENGTH);
        }
        Ok(constraints.finish()?)
    }

    pub(crate) fn run(self, shared: &Shared) -> Result<GetShardIteratorOutput> {
        self.validate()?;
        let view = shared.view();
        let (table, stream) = find_stream(&view.catalog, &self.stream_arn)?;
        if self.shard_id != shard_id(stream) {
            return Err(shard_not_found());
        }
        let first = stream.first_sequence;
        let next = next_sequence(&*view.snapshot, table, stream)?;
        let sequence = match &self.iterator_type {
            ShardIteratorType::TrimHorizon => first,
            ShardIteratorType::Latest => next,
            ShardIteratorType::AtSequenceNumber(number) => known(number, next)?,
            // Nothing is skipped after a number that no record has yet.
            ShardIteratorType::AfterSequenceNumber(number) => {
                known(number, next)?.saturating_add(1).min(next)
            }
        };
        if sequence < first {
            return Err(trimmed());
        }
        let stream_arn = self.stream_arn;
        let issued_ms = shared.now_ms();
        let iterator = ShardIterator { stream_arn, table: table.id, sequence, issued_ms };
        Ok(GetShardIteratorOutput { shard_iterator: iterator.to_text() })
    }
}

impl ShardIteratorType {
    fn sequence_number(&self) -> Option<&str> {
        match self {
            Self::TrimHorizon | Self::Latest => None,
            Self::AtSequenceNumber(number) | Self::AfterSequenceNumber(number) => Some(number),
        }
    }
}

/// Returns a number that a record of the shard has, had, or gets next.
fn known(number: &str, next: u64) -> Result<u64> {
    parse_sequence(number)
        .filter(|sequence| *sequence <= next)
        .ok_or_else(|| Error::validation("Invalid SequenceNumber for the shard"))
}
