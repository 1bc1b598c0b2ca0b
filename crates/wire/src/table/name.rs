//! `TableName` of operations on tables. Unlike data operations these require 3 characters, have
//! their own message for a missing name, and report a wrong one alone.

use monotable_engine::{Database, DescribeTable, Error, TableDescription, table_name_of_arn};
use monotable_types::{Constraints, TableName};

use crate::error::{Failure, MissingResource, Result};
use crate::json::Reader;
use crate::parameters::finish;

/// The table that a request names, by name or ARN.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedTable(Option<String>);

impl NamedTable {
    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self> {
        Ok(Self(reader.text()?))
    }

    /// Returns the name as it was sent.
    pub(crate) fn given(&self) -> Option<&str> {
        self.0.as_deref()
    }

    /// Returns the name.
    ///
    /// # Errors
    ///
    /// The name is missing or invalid.
    pub(crate) fn required(self) -> Result<String> {
        match self.checked()? {
            Some(name) => Ok(name),
            None => Err(Failure::validation(
                "The parameter 'TableName' is required but was not present in the request",
            )),
        }
    }

    /// Returns the name, if there is one.
    pub(crate) fn checked(self) -> Result<Option<String>> {
        if let Some(name) = self.0.as_deref().filter(|name| table_name_of_arn(name).is_none()) {
            let mut constraints = Constraints::default();
            constraints.name(TableName::try_from(name), "tableName");
            finish(constraints)?;
        }
        Ok(self.0)
    }

    /// Describes the table with this name.
    ///
    /// # Errors
    ///
    /// The table does not exist.
    pub(crate) fn describe(self, database: &Database) -> Result<TableDescription> {
        let request = DescribeTable::new(self.required()?);
        Ok(database.describe_table(request)?.table)
    }

    /// Does the same for operations on backups, where AWS has another exception for a missing
    /// table.
    pub(crate) fn describe_for_backups(self, database: &Database) -> Result<TableDescription> {
        let name = self.required()?;
        match database.describe_table(DescribeTable::new(name.as_str())) {
            Ok(output) => Ok(output.table),
            Err(Error::ResourceNotFound(_)) => {
                Err(Failure::NotFound(MissingResource::Table, format!("Table not found: {name}")))
            }
            Err(error) => Err(error.into()),
        }
    }
}
