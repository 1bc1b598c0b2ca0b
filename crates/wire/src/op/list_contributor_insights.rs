//! ListContributorInsights: the tables and indexes that have them enabled.

use monotable_engine::{Database, DescribeTable, ListTables, TableDescription};
use monotable_types::Constraints;

use crate::error::Result;
use crate::insights::InsightsSubject;
use crate::json::{Reader, Writer};
use crate::operation::Call;
use crate::parameters::{finish, page_size};
use crate::table::NamedTable;
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct ListContributorInsights {
    table_name: NamedTable,
    max_results: Option<i32>,
    next_token: Option<String>,
}

impl Call for ListContributorInsights {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "TableName" => self.table_name = NamedTable::read(reader)?,
            "MaxResults" => self.max_results = reader.integer()?,
            "NextToken" => self.next_token = reader.text()?,
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

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let mut constraints = Constraints::default();
        let limit = page_size(&mut constraints, "maxResults", self.max_results, PAGE_MAX);
        finish(constraints)?;
        let mut enabled = match self.table_name.given() {
            Some(_) => enabled_of(&self.table_name.describe(database)?),
            None => enabled_of_all(database)?,
        };
        // The token is the last subject of the previous page, so it stays valid when subjects are
        // added or removed.
        enabled
            .retain(|subject| self.next_token.as_ref().is_none_or(|last| token(subject) > *last));
        let rest =
            enabled.split_off(enabled.len().min(limit.map_or(PAGE_MAX, |limit| limit as usize)));
        let next_token = enabled.last().filter(|_| !rest.is_empty()).map(token);
        json.objects_member("ContributorInsightsSummaries", &enabled, |json, subject| {
            subject.write_summary(json);
        });
        json.optional_text_member("NextToken", next_token.as_deref());
        Ok(())
    }
}

/// The most summaries on a page.
const PAGE_MAX: usize = 100;

fn token(subject: &InsightsSubject) -> String {
    format!("{}/{}", subject.table_name, subject.index_name.as_deref().unwrap_or_default())
}

/// Returns those of a table and its indexes that are enabled, in the order of their tokens.
fn enabled_of(table: &TableDescription) -> Vec<InsightsSubject> {
    let mut enabled: Vec<_> =
        InsightsSubject::of_table(table).filter(|subject| subject.insights.is_some()).collect();
    enabled.sort_by_key(token);
    enabled
}

fn enabled_of_all(database: &Database) -> Result<Vec<InsightsSubject>> {
    let mut enabled = Vec::new();
    let mut request = ListTables::default();
    loop {
        let page = database.list_tables(request)?;
        for name in &page.table_names {
            // A table that was deleted in the meantime has none.
            if let Ok(output) = database.describe_table(DescribeTable::new(name.as_str())) {
                enabled.extend(enabled_of(&output.table));
            }
        }
        let Some(last) = page.last_evaluated_table_name else {
            enabled.sort_by_key(token);
            return Ok(enabled);
        };
        request = ListTables { exclusive_start_table_name: Some(last), ..ListTables::default() };
    }
}
