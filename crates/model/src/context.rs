//! The context of every typed operation: the backend, the name of the table and its declaration.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use monotable_design::meta::{EntityMeta, KeyMeta, ShardMeta, TableMeta, TypeAttribute, WireType};
use monotable_design::part::PartKind;
use monotable_types::Item;

use crate::backend::Backend;
use crate::error::{Error, Result};
use crate::key::{KeyError, Parts, check_lengths, render, shard_of};
use crate::time::{EpochSeconds, Timestamp};

/// An open table, without its type.
pub struct Context {
    /// Where the table is stored.
    pub backend: Arc<dyn Backend>,
    /// The name of the table, with its variables filled in.
    pub table_name: Arc<str>,
    /// The declaration of the table.
    pub table: &'static TableMeta,
    /// The secret that cursors are signed with.
    pub cursor_key: [u8; 32],
    /// Whether the backend may fail for a transient reason.
    pub(crate) retries: bool,
    /// The highest fence of a lock that this process has taken.
    pub(crate) last_fence: AtomicU64,
}

impl fmt::Debug for Context {
    /// Without the secret.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Context")
            .field("table_name", &self.table_name)
            .field("backend", &self.backend.capabilities().name)
            .finish_non_exhaustive()
    }
}

impl Context {
    /// Returns the time of the backend's clock.
    pub fn now(&self) -> Timestamp {
        let milliseconds = i64::try_from(self.backend.now_ms()).unwrap_or(i64::MAX);
        Timestamp::from_ms(milliseconds).unwrap_or(Timestamp::MAX)
    }

    /// Returns the time in the unit of expiry: rows that expire at this time or earlier are absent.
    pub fn now_seconds(&self) -> EpochSeconds {
        self.now().into()
    }

    /// Returns the type attribute and the name of an entity whose keys may contain rows of another
    /// type. Returns `None` if the key determines the type, which is the usual case.
    pub(crate) fn shared_key_type(
        &self,
        entity: &EntityMeta,
    ) -> Option<(&'static str, &'static str)> {
        let is_same = |shared: &&&'static EntityMeta| shared.type_name == entity.type_name;
        let shared = self.table.shared_keys.iter().find(is_same)?;
        match self.table.type_attribute {
            TypeAttribute::Named(attribute) => Some((attribute, shared.type_name)),
            TypeAttribute::ByKey => None,
        }
    }

    /// Returns the key attributes with these values.
    pub fn key_item(&self, partition: String, sort: Option<String>) -> Item {
        let mut item = Item::new();
        item.insert(self.table.partition_key.to_owned(), partition.into());
        if let (Some(attribute), Some(sort)) = (self.table.sort_key, sort) {
            item.insert(attribute.to_owned(), sort.into());
        }
        item
    }

    /// Returns the key attributes of an entity, from anything that has the fields of its key.
    ///
    /// # Errors
    ///
    /// A value is not valid in a key.
    pub fn primary_key(&self, entity: &'static EntityMeta, parts: &dyn Parts) -> Result<Item> {
        self.key_by(entity, &entity.key, parts)
    }

    /// Returns the key attributes by the templates of a primary key or of a mirror.
    ///
    /// # Errors
    ///
    /// A value is not valid in a key.
    pub fn key_by(
        &self,
        entity: &'static EntityMeta,
        key: &KeyMeta,
        parts: &dyn Parts,
    ) -> Result<Item> {
        let (partition, sort) = key_texts(entity, key, parts)
            .map_err(|error| Error::Key { entity: entity.name, error })?;
        Ok(self.key_item(partition, sort))
    }
}

/// Returns the texts of the partition and the sort key by the templates of a key.
///
/// # Errors
///
/// A value is absent or not valid in a key.
pub(crate) fn key_texts(
    entity: &EntityMeta,
    key: &KeyMeta,
    parts: &dyn Parts,
) -> Result<(String, Option<String>), KeyError> {
    let shard = match key.shards {
        None => None,
        Some(shards) => shard(entity, shards, parts)?,
    };
    let partition = render(&key.partition, parts, shard)?.ok_or(KeyError::Empty)?;
    let sort = match &key.sort {
        None => None,
        Some(template) => Some(render(template, parts, shard)?.ok_or(KeyError::Empty)?),
    };
    check_lengths(&partition, sort.as_deref())?;
    Ok((partition, sort))
}

/// Returns the shard that an entity's row belongs to; none while the deciding field is absent.
///
/// # Errors
///
/// The value is not valid in a key.
pub(crate) fn shard(
    entity: &EntityMeta,
    shards: ShardMeta,
    parts: &dyn Parts,
) -> Result<Option<u16>, KeyError> {
    let mut text = String::new();
    if !parts.write_part(shards.by, 0, &mut text)? {
        return Ok(None);
    }
    let kind = match entity.fields[usize::from(shards.by)].wire_type {
        WireType::N => PartKind::unsigned(u8::MAX),
        _ => PartKind::TEXT,
    };
    Ok(Some(shard_of(&text, kind, shards.count)))
}
