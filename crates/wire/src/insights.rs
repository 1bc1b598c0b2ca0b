//! Contributor insights, which are always disabled.

use monotable_engine::{Database, Error};

use crate::error::Result;
use crate::json::Writer;
use crate::table::NamedTable;

/// What a request asks about: a table or one of its indexes.
pub(crate) struct InsightsSubject {
    table_name: String,
    index_name: Option<String>,
}

impl InsightsSubject {
    /// The table and the index, which must exist.
    pub(crate) fn find(
        database: &Database,
        table_name: NamedTable,
        index_name: Option<String>,
    ) -> Result<Self> {
        let table = table_name.describe(database)?;
        if let Some(name) = &index_name {
            let indexes =
                table.global_secondary_indexes.iter().chain(&table.local_secondary_indexes);
            if !indexes.into_iter().any(|index| index.index_name == *name) {
                let text = format!(
                    "Requested resource not found: Index {name} for table {}",
                    table.table_name
                );
                return Err(Error::ResourceNotFound(text).into());
            }
        }
        Ok(Self { table_name: table.table_name, index_name })
    }

    pub(crate) fn write_disabled(&self, json: &mut Writer<'_>) {
        json.text_member("TableName", &self.table_name);
        json.optional_text_member("IndexName", self.index_name.as_deref());
        json.text_member("ContributorInsightsStatus", "DISABLED");
    }
}
