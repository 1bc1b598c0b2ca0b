//! DescribeStream: a stream's state and its shard.

use monotable_types::Constraints;

use super::list_streams::{PAGE_MAX, summary};
use super::place::{
    SHARD_ID_LENGTH, constrain_arn, find_stream, sequence_text, shard_id, shard_not_found,
};
use super::{DescribeStream, DescribeStreamOutput, Shard, StreamStatus};
use crate::commit::Shared;
use crate::error::Result;
use crate::table::Stream;

impl DescribeStream {
    /// Creates a request for one stream.
    pub fn new(stream_arn: impl Into<String>) -> Self {
        Self { stream_arn: stream_arn.into(), ..Self::default() }
    }

    fn validate(&self) -> Result<()> {
        let mut constraints = Constraints::default();
        constrain_arn(&mut constraints, &self.stream_arn, "streamArn");
        constraints.limit(self.limit, PAGE_MAX);
        let shards = [
            (&self.exclusive_start_shard_id, "exclusiveStartShardId"),
            (&self.parent_shard_id, "shardFilter.shardId"),
        ];
        for (shard_id, path) in shards {
            if let Some(shard_id) = shard_id {
                constraints.text(shard_id, path, SHARD_ID_LENGTH);
            }
        }
        Ok(constraints.finish()?)
    }

    pub(crate) fn run(self, shared: &Shared) -> Result<DescribeStreamOutput> {
        self.validate()?;
        let newest = shared.newest();
        let (table, stream) = find_stream(&newest.catalog, &self.stream_arn)?;
        let shard = describe_shard(stream);
        let after = self.exclusive_start_shard_id;
        let shards = match self.parent_shard_id {
            Some(parent) if parent != shard.shard_id => return Err(shard_not_found()),
            // The only shard of a stream has no children.
            Some(_) => Vec::new(),
            None if after.is_some_and(|after| after >= shard.shard_id) => Vec::new(),
            None => vec![shard],
        };
        Ok(DescribeStreamOutput {
            summary: summary(table, stream),
            status: match stream.disabled_ms {
                Some(_) => StreamStatus::Disabled,
                None => StreamStatus::Enabled,
            },
            view_type: stream.view_type,
            creation_ms: stream.creation_ms,
            key_schema: table.keys.schema(),
            shards,
            last_evaluated_shard_id: None,
        })
    }
}

fn describe_shard(stream: &Stream) -> Shard {
    // A stream that ended without a record, or whose records are trimmed, ends where it starts.
    let last = |end: u64| end.saturating_sub(1).max(stream.first_sequence);
    Shard {
        shard_id: shard_id(stream),
        starting_sequence_number: sequence_text(stream.first_sequence),
        ending_sequence_number: stream.end_sequence.map(|end| sequence_text(last(end))),
    }
}
