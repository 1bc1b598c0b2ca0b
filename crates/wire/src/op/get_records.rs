//! GetRecords.

use monotable_engine::{Database, GetRecords as Get};
use monotable_types::{Constraints, limits};

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, page_limit};
use crate::stream::{stream_of_iterator, write_record};
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct GetRecords {
    shard_iterator: Option<String>,
    limit: Option<i32>,
}

impl Call for GetRecords {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ShardIterator" => self.shard_iterator = reader.text()?,
            "Limit" => self.limit = reader.integer()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        let stream = self.shard_iterator.as_deref().map(stream_of_iterator);
        vec![Touch::table("GetRecords", stream)]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let request = self.validate()?;
        let stream_arn = stream_of_iterator(&request.shard_iterator).to_owned();
        let output = database.get_records(request)?;
        json.objects_member("Records", &output.records, |json, record| {
            write_record(json, &stream_arn, record);
        });
        json.optional_text_member("NextShardIterator", output.next_shard_iterator.as_deref());
        Ok(())
    }
}

impl GetRecords {
    fn validate(self) -> Result<Get> {
        let mut constraints = Constraints::default();
        if self.shard_iterator.is_none() {
            constraints.null("shardIterator");
        }
        let limit = page_limit(&mut constraints, self.limit, limits::STREAM_RECORDS_MAX);
        finish(constraints)?;
        Ok(Get { shard_iterator: self.shard_iterator.unwrap_or_default(), limit })
    }
}
