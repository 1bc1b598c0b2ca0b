//! DescribeTableReplicaAutoScaling, without any replicas.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::table::{NamedTable, table_status_name};
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeTableReplicaAutoScaling {
    table_name: NamedTable,
}

impl Call for DescribeTableReplicaAutoScaling {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeTableReplicaAutoScaling", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let table = self.table_name.describe(database)?;
        json.object_member("TableAutoScalingDescription", |json| {
            json.text_member("TableName", &table.table_name);
            json.text_member("TableStatus", table_status_name(table.table_status));
            json.empty_array_member("Replicas");
        });
        Ok(())
    }
}
