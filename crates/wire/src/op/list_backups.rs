//! ListBackups: there are none, of existing tables or of others.

use monotable_engine::Database;
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, page_limit};
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct ListBackups {
    table_name: NamedTable,
    limit: Option<i32>,
}

impl Call for ListBackups {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "Limit" => self.limit = reader.integer()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::account("ListBackups")]
    }

    async fn answer(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
        self.table_name.checked()?;
        let mut constraints = Constraints::default();
        page_limit(&mut constraints, self.limit, BACKUPS_PAGE_MAX);
        finish(constraints)?;
        json.empty_array_member("BackupSummaries");
        Ok(())
    }
}

/// How many backups a page has at most.
const BACKUPS_PAGE_MAX: usize = 100;
