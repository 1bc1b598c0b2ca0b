//! DescribeTable.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::table::{NamedTable, write_table};
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeTable {
    table_name: NamedTable,
}

impl Call for DescribeTable {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeTable", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        write_table(json, "Table", &self.table_name.describe(database)?);
        Ok(())
    }
}
