//! DescribeGlobalTable: there are none.

use monotable_engine::Database;
use monotable_types::{Constraints, TableName};

use crate::error::{Absent, Failure, Result};
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::finish;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct DescribeGlobalTable {
    global_table_name: Option<String>,
}

impl Call for DescribeGlobalTable {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "GlobalTableName" => self.global_table_name = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::table("DescribeGlobalTable", self.global_table_name.as_deref())]
    }

    async fn answer(self, _: &Database, _: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        match &self.global_table_name {
            None => constraints.null("globalTableName"),
            Some(name) => constraints.name(TableName::try_from(name.as_str()), "globalTableName"),
        }
        finish(constraints)?;
        let name = self.global_table_name.unwrap_or_default();
        let text = format!("Global table with name: '{name}' does not exist.");
        Err(Failure::NotFound(Absent::GlobalTable, text))
    }
}
