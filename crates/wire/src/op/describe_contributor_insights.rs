//! DescribeContributorInsights.

use monotable_engine::Database;

use crate::error::Result;
use crate::insights::InsightsSubject;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeContributorInsights {
    table_name: NamedTable,
    index_name: Option<String>,
}

impl Call for DescribeContributorInsights {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "IndexName" => self.index_name = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeContributorInsights", self.table_name.given())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let subject = InsightsSubject::find(database, self.table_name, self.index_name)?;
        subject.write_description(database, json);
        Ok(())
    }
}
