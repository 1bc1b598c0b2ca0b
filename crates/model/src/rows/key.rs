//! The key under which a rule keeps its row: always texts that the caller chose.

use std::fmt;

use monotable_types::Item;

use crate::context::{Context, key_texts};
use crate::entity::{Entity, EntityKey};
use crate::error::{Error, Result};
use crate::key::{KeyError, check_lengths};

/// The partition and sort key of a row that a rule keeps.
///
/// ```
/// use monotable_model::rows::RowKey;
///
/// let team = "t1";
/// assert_eq!(RowKey::new(format!("TEAM#{team}"), "ACTIVE_GAME").to_string(), "TEAM#t1 / ACTIVE_GAME");
/// assert_eq!(RowKey::partition("lock#1").to_string(), "lock#1");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowKey {
    partition: String,
    sort: Option<String>,
}

impl RowKey {
    /// A key in a table with partition and sort key.
    pub fn new(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        Self { partition: partition.into(), sort: Some(sort.into()) }
    }

    /// A key in a table without sort key.
    pub fn partition(partition: impl Into<String>) -> Self {
        Self { partition: partition.into(), sort: None }
    }

    /// The key that an entity would have, by its templates: `RowKey::of(&TeamLockKey::new(team_id))`.
    ///
    /// # Errors
    /// If a value can't stand in a key.
    pub fn of<K: EntityKey>(key: &K) -> Result<Self> {
        let entity = K::Entity::META;
        let (partition, sort) = key_texts(entity, &entity.key, key)
            .map_err(|error| Error::Key { entity: entity.name, error })?;
        Ok(Self { partition, sort })
    }

    /// The key attributes of the table with these texts.
    pub(super) fn item(&self, context: &Context, kind: &'static str) -> Result<Item> {
        let key_error = |error| Error::Key { entity: kind, error };
        if self.sort.is_some() != context.table.sort_key.is_some() {
            return Err(Error::Settings(match context.table.sort_key {
                Some(_) => format!("{kind} `{self}` needs a sort key: use `new(pk, sk)`"),
                None => format!(
                    "{kind} `{self}` has a sort key, which the table has not: use `RowKey::partition`"
                ),
            }));
        }
        if self.partition.is_empty() || self.sort.as_deref() == Some("") {
            return Err(key_error(KeyError::Empty));
        }
        check_lengths(&self.partition, self.sort.as_deref()).map_err(key_error)?;
        Ok(context.key_item(self.partition.clone(), self.sort.clone()))
    }
}

impl fmt::Display for RowKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.partition)?;
        match &self.sort {
            Some(sort) => write!(formatter, " / {sort}"),
            None => Ok(()),
        }
    }
}
