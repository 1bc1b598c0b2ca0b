//! DescribeTable and ListTables.

use monotable_types::{Constraints, TableName, limits};

use super::constraints::table_name;
use crate::commit::Shared;
use crate::error::Result;
use crate::table::TableDescription;

/// Describes one table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DescribeTable {
    /// The table's name or ARN.
    pub table_name: String,
}

impl DescribeTable {
    /// Creates a request for one table.
    pub fn new(table_name: impl Into<String>) -> Self {
        Self { table_name: table_name.into() }
    }

    pub(crate) fn run(self, shared: &Shared) -> Result<DescribeTableOutput> {
        table_name(&self.table_name)?;
        let newest = shared.newest();
        let table = newest.catalog.named_table(&self.table_name)?;
        Ok(DescribeTableOutput { table: table.describe(table.status()) })
    }
}

/// The response to a [`DescribeTable`].
#[derive(Clone, Debug, PartialEq)]
pub struct DescribeTableOutput {
    /// The table.
    pub table: TableDescription,
}

/// Lists table names in order, up to 100 per page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListTables {
    /// Continue after this name.
    pub exclusive_start_table_name: Option<String>,
    /// 1 to 100 names per page.
    pub limit: Option<u32>,
}

impl ListTables {
    fn validate(&self) -> Result<()> {
        let mut constraints = Constraints::default();
        if let Some(name) = &self.exclusive_start_table_name {
            constraints.name(TableName::try_from(name.as_str()), "exclusiveStartTableName");
        }
        constraints.limit(self.limit, limits::LIST_TABLES_PAGE_MAX);
        Ok(constraints.finish()?)
    }

    pub(crate) fn run(self, shared: &Shared) -> Result<ListTablesOutput> {
        self.validate()?;
        let page = self.limit.map_or(limits::LIST_TABLES_PAGE_MAX, |limit| limit as usize);
        let newest = shared.newest();
        let mut tables = newest.catalog.tables_after(self.exclusive_start_table_name.as_deref());
        let names: Vec<String> =
            tables.by_ref().take(page).map(|table| table.name.clone()).collect();
        let last_evaluated_table_name = match tables.next() {
            Some(_) => names.last().cloned(),
            None => None,
        };
        Ok(ListTablesOutput { table_names: names, last_evaluated_table_name })
    }
}

/// The response to a [`ListTables`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListTablesOutput {
    /// The names, in order.
    pub table_names: Vec<String>,
    /// Where the next page starts; `None` at the end.
    pub last_evaluated_table_name: Option<String>,
}
