//! The keys of a table or an index, for planners of statements; shared and not copied.

use std::fmt;
use std::sync::Arc;

use monotable_types::ScalarType;

use super::keys::{KeyAttribute, KeySpec};
use super::schema::{Index, IndexKind, Table};
use crate::error::{Error, Result};

/// The key attributes of a table or of one of its indexes, at the time of the call.
///
/// ```
/// use monotable_engine::{CreateTable, Database, ScalarType};
///
/// let db = Database::memory();
/// db.create_table(CreateTable::new("league").partition_key("PK", "S")?.sort_key("at", "N")?)?;
/// let keys = db.key_schema("league", None)?;
/// assert_eq!(keys.partition_key().collect::<Vec<_>>(), [("PK", ScalarType::S)]);
/// assert_eq!(keys.sort_key().collect::<Vec<_>>(), [("at", ScalarType::N)]);
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone)]
pub struct KeySchema {
    table: Arc<Table>,
    /// The position of the index in the table's list.
    index: Option<usize>,
}

impl KeySchema {
    pub(crate) fn new(table: &Arc<Table>, index_name: Option<&str>) -> Result<Self> {
        let index = match index_name {
            None => None,
            Some(name) => match table.indexes.iter().position(|index| index.name == name) {
                Some(index) => Some(index),
                None => return Err(Error::index_not_found(name)),
            },
        };
        Ok(Self { table: Arc::clone(table), index })
    }

    fn index(&self) -> Option<&Index> {
        self.index.map(|index| &self.table.indexes[index])
    }

    fn keys(&self) -> &KeySpec {
        self.index().map_or(&self.table.keys, |index| &index.keys)
    }

    /// Returns the attributes of the partition key: one for a table, up to four for a global index.
    pub fn partition_key(&self) -> impl Iterator<Item = (&str, ScalarType)> {
        self.keys().partition.iter().map(pair)
    }

    /// Returns the attributes of the sort key: at most one for a table, up to four for a global
    /// index.
    pub fn sort_key(&self) -> impl Iterator<Item = (&str, ScalarType)> {
        self.keys().sort.iter().map(pair)
    }

    /// Returns whether these are the keys of a global index.
    pub fn is_of_global_index(&self) -> bool {
        self.index().is_some_and(|index| index.kind == IndexKind::Global)
    }

    /// Returns whether the index contains the attribute; a table contains all.
    pub fn is_projected(&self, attribute_name: &str) -> bool {
        self.index().is_none_or(|index| self.table.is_projected(index, attribute_name))
    }
}

fn pair(key: &KeyAttribute) -> (&str, ScalarType) {
    (&key.name, key.kind)
}

impl fmt::Debug for KeySchema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.keys().fmt(formatter)
    }
}
