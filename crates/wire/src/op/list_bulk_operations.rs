//! ListBulkOperations, newest first.

use monotable_engine::Database;
use monotable_types::Constraints;

use crate::error::Result;
use crate::jobs::write_bulk_summary;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::{finish, page_size};
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The most operations on a page.
const PAGE_MAX: usize = 25;

/// The request.
#[derive(Default)]
pub(crate) struct ListBulkOperations {
    limit: Option<i32>,
    next_token: Option<String>,
}

impl Call for ListBulkOperations {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "MaxResults" => self.limit = reader.integer()?,
            "NextToken" => self.next_token = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::account("ListBulkOperations")]
    }

    async fn respond(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
        self.checked_limit()?;
        json.empty_array_member("BulkOperationsSummaryList");
        Ok(())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let Ok(lifecycle) = endpoint.lifecycle(UnsupportedFeature::BulkOperations) else {
            return self.respond(endpoint.database(), json).await;
        };
        let limit = self.checked_limit()?;
        let page = lifecycle.list_bulk_operations(limit, self.next_token.as_deref())?;
        json.objects_member("BulkOperationsSummaryList", &page.entries, write_bulk_summary);
        json.optional_text_member("NextToken", page.next_token.as_deref());
        Ok(())
    }
}

impl ListBulkOperations {
    fn checked_limit(&self) -> Result<usize> {
        let mut constraints = Constraints::default();
        let limit = page_size(&mut constraints, "maxResults", self.limit, PAGE_MAX);
        finish(constraints)?;
        Ok(limit.map_or(PAGE_MAX, |limit| limit as usize))
    }
}
