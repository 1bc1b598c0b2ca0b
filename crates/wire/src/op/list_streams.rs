//! ListStreams.

use monotable_engine::{Database, ListStreams as List};
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, page_limit};
use crate::stream::{STREAMS_PAGE_MAX, write_summary};
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct ListStreams {
    table_name: NamedTable,
    limit: Option<i32>,
    exclusive_start_stream_arn: Option<String>,
}

impl Call for ListStreams {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "Limit" => self.limit = reader.integer()?,
            "ExclusiveStartStreamArn" => self.exclusive_start_stream_arn = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![match self.table_name.given() {
            Some(name) => Touch::table("ListStreams", Some(name)),
            None => Touch::account("ListStreams"),
        }]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.list_streams(self.validate()?)?;
        json.objects_member("Streams", &output.streams, write_summary);
        let last = output.last_evaluated_stream_arn.as_deref();
        json.optional_text_member("LastEvaluatedStreamArn", last);
        Ok(())
    }
}

impl ListStreams {
    fn validate(self) -> Result<List> {
        let table_name = self.table_name.checked()?;
        let mut constraints = Constraints::default();
        let limit = page_limit(&mut constraints, self.limit, STREAMS_PAGE_MAX);
        finish(constraints)?;
        let exclusive_start_stream_arn = self.exclusive_start_stream_arn;
        Ok(List { table_name, limit, exclusive_start_stream_arn })
    }
}
