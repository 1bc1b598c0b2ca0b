//! DeleteTable: deletes a table; its space is reclaimed in the background.

use std::sync::Arc;

use super::constraints::table_name;
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::table::{TableDescription, TableStatus};

/// Deletes a table with all its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeleteTable {
    /// The table's name.
    pub table_name: String,
}

impl DeleteTable {
    /// Creates a request to delete one table.
    pub fn new(table_name: impl Into<String>) -> Self {
        Self { table_name: table_name.into() }
    }

    pub(crate) fn validate(&self) -> Result<()> {
        table_name(&self.table_name)
    }

    /// Removes the table from the catalog; a chore removes its rows.
    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<DeleteTableOutput> {
        let table = Arc::clone(stage.catalog().settled_table(&self.table_name)?);
        if table.deletion_protection {
            return Err(Error::validation(
                "Resource cannot be deleted as it is currently protected against deletion. \
                 Disable deletion protection first.",
            ));
        }
        if table.status() == TableStatus::Updating {
            return Err(Error::ResourceInUse(
                "Attempt to change a resource which is still in use: Cannot delete table while \
                 indexes are being created, updated, or deleted."
                    .to_owned(),
            ));
        }
        stage.forget_table(&table);
        Ok(DeleteTableOutput { table_description: table.describe(TableStatus::Deleting) })
    }
}

/// The response to a [`DeleteTable`].
#[derive(Clone, Debug, PartialEq)]
pub struct DeleteTableOutput {
    /// The table as it was, with status `Deleting`.
    pub table_description: TableDescription,
}
