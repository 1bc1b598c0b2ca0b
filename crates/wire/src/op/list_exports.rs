//! ListExports, newest first.

use monotable_engine::Database;
use monotable_lifecycle::ListExports as List;
use monotable_types::Constraints;

use crate::error::Result;
use crate::jobs::write_export_summary;
use crate::json::{Reader, Writer};
use crate::operation::{Call, Endpoint};
use crate::parameters::{finish, page_size};
use crate::touch::Touch;
use crate::unsupported::UnsupportedFeature;

/// The most exports on a page.
const PAGE_MAX: usize = 25;

/// The request.
#[derive(Default)]
pub(crate) struct ListExports {
    table_arn: Option<String>,
    limit: Option<i32>,
    next_token: Option<String>,
}

impl Call for ListExports {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableArn" => self.table_arn = reader.text()?,
            "MaxResults" => self.limit = reader.integer()?,
            "NextToken" => self.next_token = reader.text()?,
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        vec![Touch::account("ListExports")]
    }

    async fn respond(self, _: &Database, json: &mut Writer<'_>) -> Result<()> {
        self.checked_limit()?;
        json.empty_array_member("ExportSummaries");
        Ok(())
    }

    async fn respond_at(self, endpoint: &Endpoint, json: &mut Writer<'_>) -> Result<()> {
        let Ok(lifecycle) = endpoint.lifecycle(UnsupportedFeature::Exports) else {
            return self.respond(endpoint.database(), json).await;
        };
        let limit = self.checked_limit()?;
        let request = List { table_arn: self.table_arn, limit, token: self.next_token };
        let page = lifecycle.list_exports(&request)?;
        json.objects_member("ExportSummaries", &page.entries, write_export_summary);
        json.optional_text_member("NextToken", page.next_token.as_deref());
        Ok(())
    }
}

impl ListExports {
    fn checked_limit(&self) -> Result<usize> {
        let mut constraints = Constraints::default();
        let limit = page_size(&mut constraints, "maxResults", self.limit, PAGE_MAX);
        finish(constraints)?;
        Ok(limit.map_or(PAGE_MAX, |limit| limit as usize))
    }
}
