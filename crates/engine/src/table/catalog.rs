//! The tables of a database at one moment. Immutable: a change creates a new catalog.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Table, table_name_of_arn};
use crate::error::{Error, Result};
use crate::layout::row_key::TableId;

/// All tables, by name and by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Catalog {
    by_name: BTreeMap<String, Arc<Table>>,
    by_id: BTreeMap<TableId, Arc<Table>>,
    next_table_id: TableId,
}

impl Catalog {
    /// Creates the catalog of tables read from the store.
    pub(crate) fn new(next_table_id: TableId, tables: Vec<Table>) -> Self {
        let mut catalog = Self { next_table_id, ..Self::default() };
        for table in tables {
            catalog.insert(Arc::new(table));
        }
        catalog
    }

    pub(crate) fn next_table_id(&self) -> TableId {
        // Table 0 is the database's own.
        self.next_table_id.max(1)
    }

    /// Returns the table that a request names, by name or ARN.
    pub(crate) fn find(&self, name_or_arn: &str) -> Option<&Arc<Table>> {
        self.by_name.get(table_name_of_arn(name_or_arn).unwrap_or(name_or_arn))
    }

    /// Returns the table of a data operation.
    pub(crate) fn table(&self, name_or_arn: &str) -> Result<&Arc<Table>> {
        let usable = self.find(name_or_arn).filter(|table| !table.is_loading());
        usable.ok_or_else(Error::table_not_found)
    }

    /// Returns the table of a table operation, for which AWS's error is more detailed.
    pub(crate) fn named_table(&self, name_or_arn: &str) -> Result<&Arc<Table>> {
        self.find(name_or_arn).ok_or_else(|| {
            Error::ResourceNotFound(format!(
                "Requested resource not found: Table: {name_or_arn} not found"
            ))
        })
    }

    /// Returns the table of an operation that changes it, which is refused while the table is being
    /// filled.
    pub(crate) fn settled_table(&self, name_or_arn: &str) -> Result<&Arc<Table>> {
        let table = self.named_table(name_or_arn)?;
        if table.is_loading() {
            Err(Error::ResourceInUse(format!(
                "Attempt to change a resource which is still in use: Table is being created: {}",
                table.name
            )))
        } else {
            Ok(table)
        }
    }

    pub(crate) fn by_id(&self, id: TableId) -> Option<&Arc<Table>> {
        self.by_id.get(&id)
    }

    /// Returns all tables in order of their names.
    pub(crate) fn tables(&self) -> impl Iterator<Item = &Arc<Table>> {
        self.by_name.values()
    }

    /// Returns the tables whose names come after `name`.
    pub(crate) fn tables_after(&self, name: Option<&str>) -> impl Iterator<Item = &Arc<Table>> {
        use std::ops::Bound::{Excluded, Unbounded};
        let lower = name.map_or(Unbounded, Excluded);
        self.by_name.range::<str, _>((lower, Unbounded)).map(|(_, table)| table)
    }

    /// Adds a table or replaces it by a changed version.
    pub(crate) fn insert(&mut self, table: Arc<Table>) {
        self.next_table_id = self.next_table_id().max(table.id + 1);
        self.by_id.insert(table.id, Arc::clone(&table));
        self.by_name.insert(table.name.clone(), table);
    }

    pub(crate) fn remove(&mut self, table: &Table) {
        self.by_id.remove(&table.id);
        self.by_name.remove(&table.name);
    }
}
