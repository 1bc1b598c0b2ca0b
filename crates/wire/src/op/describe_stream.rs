//! DescribeStream.

use monotable_engine::{Database, DescribeStream as Describe, Shard, StreamStatus};
use monotable_types::Constraints;

use crate::error::Result;
use crate::field::Holder;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{choose, finish, page_limit};
use crate::stream::{STREAMS_PAGE_MAX, write_summary};
use crate::table::{invalid, stream_view_type_name, write_key_schema};
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeStream {
    stream_arn: Option<String>,
    limit: Option<i32>,
    exclusive_start_shard_id: Option<String>,
    shard_filter: Option<ShardFilter>,
}

/// `ShardFilter`
#[derive(Default)]
struct ShardFilter {
    kind: Option<String>,
    shard_id: Option<String>,
}

/// The kinds of shard filters.
#[derive(Clone, Copy)]
enum FilterKind {
    ChildShards,
}

impl Call for DescribeStream {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "StreamArn" => self.stream_arn = reader.text()?,
            "Limit" => self.limit = reader.integer()?,
            "ExclusiveStartShardId" => self.exclusive_start_shard_id = reader.text()?,
            "ShardFilter" => self.shard_filter = ShardFilter::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeStream", self.stream_arn.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let stream = database.describe_stream(self.validate()?)?;
        json.object_member("StreamDescription", |json| {
            write_summary(json, &stream.summary);
            let status = match stream.status {
                StreamStatus::Enabled => "ENABLED",
                StreamStatus::Disabled => "DISABLED",
            };
            json.text_member("StreamStatus", status);
            json.text_member("StreamViewType", stream_view_type_name(stream.view_type));
            json.moment_member("CreationRequestDateTime", stream.creation_ms);
            write_key_schema(json, &stream.key_schema);
            json.objects_member("Shards", &stream.shards, write_shard);
            let last = stream.last_evaluated_shard_id.as_deref();
            json.optional_text_member("LastEvaluatedShardId", last);
        });
        Ok(())
    }
}

impl DescribeStream {
    fn validate(self) -> Result<Describe> {
        let mut constraints = Constraints::default();
        if self.stream_arn.is_none() {
            constraints.null("streamArn");
        }
        let limit = page_limit(&mut constraints, self.limit, STREAMS_PAGE_MAX);
        let filter = self.shard_filter.map(|filter| filter.check(&mut constraints));
        finish(constraints)?;
        Ok(Describe {
            stream_arn: self.stream_arn.unwrap_or_default(),
            limit,
            exclusive_start_shard_id: self.exclusive_start_shard_id,
            parent_shard_id: filter.transpose()?,
        })
    }
}

impl ShardFilter {
    /// Returns the shard whose children are requested. A filter needs both members.
    fn check(self, constraints: &mut Constraints) -> Result<String> {
        let choices = &[("CHILD_SHARDS", FilterKind::ChildShards)];
        choose(constraints, "shardFilter.type", self.kind.as_deref(), choices);
        match (self.kind, self.shard_id) {
            (Some(_), Some(shard_id)) => Ok(shard_id),
            (None, _) => Err(invalid("ShardFilter needs a Type")),
            (Some(_), None) => Err(invalid("ShardFilter of Type CHILD_SHARDS needs a ShardId")),
        }
    }

    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut filter = Self::default();
        let found = reader.structure("ShardFilter", Holder::Member, |reader, name| {
            match name {
                "Type" => filter.kind = reader.text()?,
                "ShardId" => filter.shard_id = reader.text()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(filter))
    }
}

fn write_shard(json: &mut Writer<'_>, shard: &Shard) {
    json.text_member("ShardId", &shard.shard_id);
    json.object_member("SequenceNumberRange", |json| {
        json.text_member("StartingSequenceNumber", &shard.starting_sequence_number);
        let ending = shard.ending_sequence_number.as_deref();
        json.optional_text_member("EndingSequenceNumber", ending);
    });
}
