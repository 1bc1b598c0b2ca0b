//! ListContributorInsights: there are none.

use monotable_engine::Database;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct ListContributorInsights {
    table_name: NamedTable,
}

impl Call for ListContributorInsights {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![match self.table_name.given() {
            Some(name) => Touch::table("ListContributorInsights", Some(name)),
            None => Touch::account("ListContributorInsights"),
        }]
    }

    async fn answer(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        if self.table_name.given().is_some() {
            self.table_name.describe(database)?;
        }
        json.empty_array_member("ContributorInsightsSummaries");
        Ok(())
    }
}
