//! DescribeContinuousBackups, which are always disabled.

use monotable_engine::Database;

use crate::backup::write_no_recovery;
use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeContinuousBackups {
    table_name: NamedTable,
}

impl Call for DescribeContinuousBackups {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeContinuousBackups", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        self.table_name.describe_for_backups(database)?;
        write_no_recovery(json);
        Ok(())
    }
}
