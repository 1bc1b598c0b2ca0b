//! DescribeTimeToLive.

use monotable_engine::{Database, DescribeTimeToLive as Describe};

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeTimeToLive {
    table_name: NamedTable,
}

impl Call for DescribeTimeToLive {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeTimeToLive", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let request = Describe::new(self.table_name.required()?);
        let attribute_name = database.describe_time_to_live(request)?.attribute_name;
        json.object_member("TimeToLiveDescription", |json| {
            let status = if attribute_name.is_some() { "ENABLED" } else { "DISABLED" };
            json.text_member("TimeToLiveStatus", status);
            json.optional_text_member("AttributeName", attribute_name.as_deref());
        });
        Ok(())
    }
}
