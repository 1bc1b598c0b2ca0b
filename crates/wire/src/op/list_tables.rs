//! ListTables.

use monotable_engine::{Database, ListTables as List};
use monotable_types::{Constraints, TableName, limits};

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, page_limit};
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct ListTables {
    exclusive_start_table_name: Option<String>,
    limit: Option<i32>,
}

impl Call for ListTables {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ExclusiveStartTableName" => self.exclusive_start_table_name = reader.text()?,
            "Limit" => self.limit = reader.integer()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::account("ListTables")]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let output = database.list_tables(self.validate()?)?;
        json.array_member("TableNames", &output.table_names, |json, name| json.string(name));
        let last = output.last_evaluated_table_name.as_deref();
        json.optional_text_member("LastEvaluatedTableName", last);
        Ok(())
    }
}

impl ListTables {
    fn validate(self) -> Result<List> {
        let mut constraints = Constraints::default();
        if let Some(name) = &self.exclusive_start_table_name {
            constraints.name(TableName::try_from(name.as_str()), "exclusiveStartTableName");
        }
        let limit = page_limit(&mut constraints, self.limit, limits::LIST_TABLES_PAGE_MAX);
        finish(constraints)?;
        Ok(List { exclusive_start_table_name: self.exclusive_start_table_name, limit })
    }
}
