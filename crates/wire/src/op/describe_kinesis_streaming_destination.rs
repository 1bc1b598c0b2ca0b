//! DescribeKinesisStreamingDestination, of which there are none.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeKinesisStreamingDestination {
    table_name: NamedTable,
}

impl Call for DescribeKinesisStreamingDestination {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeKinesisStreamingDestination", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let table = self.table_name.describe(database)?;
        json.text_member("TableName", &table.table_name);
        json.empty_array_member("KinesisDataStreamDestinations");
        Ok(())
    }
}
