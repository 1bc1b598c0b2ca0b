//! GetShardIterator.

use monotable_engine::{Database, GetShardIterator as Get, ShardIteratorType};
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{choose, finish};
use crate::table::invalid;
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct GetShardIterator {
    stream_arn: Option<String>,
    shard_id: Option<String>,
    shard_iterator_type: Option<String>,
    sequence_number: Option<String>,
}

/// The values of `ShardIteratorType`.
#[derive(Clone, Copy)]
enum Start {
    AfterSequenceNumber,
    Latest,
    AtSequenceNumber,
    TrimHorizon,
    AtTimestamp,
}

const STARTS: &[(&str, Start)] = &[
    ("AFTER_SEQUENCE_NUMBER", Start::AfterSequenceNumber),
    ("LATEST", Start::Latest),
    ("AT_SEQUENCE_NUMBER", Start::AtSequenceNumber),
    ("TRIM_HORIZON", Start::TrimHorizon),
    ("AT_TIMESTAMP", Start::AtTimestamp),
];

impl Call for GetShardIterator {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "StreamArn" => self.stream_arn = reader.text()?,
            "ShardId" => self.shard_id = reader.text()?,
            "ShardIteratorType" => self.shard_iterator_type = reader.text()?,
            "SequenceNumber" => self.sequence_number = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("GetShardIterator", self.stream_arn.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.get_shard_iterator(self.validate()?)?;
        json.text_member("ShardIterator", &output.shard_iterator);
        Ok(())
    }
}

impl GetShardIterator {
    fn validate(self) -> Result<Get> {
        let mut constraints = Constraints::default();
        if self.stream_arn.is_none() {
            constraints.null("streamArn");
        }
        if self.shard_id.is_none() {
            constraints.null("shardId");
        }
        let path = "shardIteratorType";
        if self.shard_iterator_type.is_none() {
            constraints.null(path);
        }
        let start = choose(&mut constraints, path, self.shard_iterator_type.as_deref(), STARTS);
        finish(constraints)?;
        Ok(Get {
            stream_arn: self.stream_arn.unwrap_or_default(),
            shard_id: self.shard_id.unwrap_or_default(),
            iterator_type: iterator_type(
                start.unwrap_or(Start::TrimHorizon),
                self.sequence_number,
            )?,
        })
    }
}

/// Combines the start with its sequence number, which only some starts take.
fn iterator_type(start: Start, number: Option<String>) -> Result<ShardIteratorType> {
    match (start, number) {
        (Start::TrimHorizon, None) => Ok(ShardIteratorType::TrimHorizon),
        (Start::Latest, None) => Ok(ShardIteratorType::Latest),
        (Start::AtTimestamp, _) => Err(UnsupportedFeature::RecordsByTime.refusal()),
        (Start::TrimHorizon | Start::Latest, Some(_)) => {
            Err(invalid("SequenceNumber should not be passed for this iterator type"))
        }
        (Start::AtSequenceNumber, Some(number)) => Ok(ShardIteratorType::AtSequenceNumber(number)),
        (Start::AfterSequenceNumber, Some(number)) => {
            Ok(ShardIteratorType::AfterSequenceNumber(number))
        }
        (Start::AtSequenceNumber | Start::AfterSequenceNumber, None) => {
            Err(invalid("SequenceNumber cannot be null"))
        }
    }
}
