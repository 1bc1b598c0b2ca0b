//! DeleteTable.

use monotable_engine::{Database, DeleteTable as Delete};

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::table::{NamedTable, write_deleted_table};
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The request.
#[derive(Default)]
pub(crate) struct DeleteTable {
    table_name: NamedTable,
}

impl Call for DeleteTable {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DeleteTable", self.table_name.given())]
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        // A table with point-in-time recovery leaves a backup.
        let Ok(lifecycle) = endpoint.lifecycle(UnsupportedFeature::Backups) else {
            return self.respond(endpoint.database(), json).await;
        };
        let request = Delete::new(self.table_name.required()?);
        let output = lifecycle.delete_table(request).await?;
        write_deleted_table(json, &output.table_description);
        Ok(())
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let request = Delete::new(self.table_name.required()?);
        let output = database.submit(request).await?;
        write_deleted_table(json, &output.table_description);
        Ok(())
    }
}
