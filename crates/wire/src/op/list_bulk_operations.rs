//! ListBulkOperations: there are none.

use monotable_engine::Database;
use monotable_types::Constraints;

use crate::error::Result;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, page_size};
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct ListBulkOperations {
    limit: Option<i32>,
}

impl Call for ListBulkOperations {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "MaxResults" => self.limit = reader.integer()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::account("ListBulkOperations")]
    }

    async fn answer(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        page_size(&mut constraints, "maxResults", self.limit, PAGE_MAX);
        finish(constraints)?;
        json.empty_array_member("BulkOperationsSummaryList");
        Ok(())
    }
}

/// How many of them a page has at most.
const PAGE_MAX: usize = 25;
