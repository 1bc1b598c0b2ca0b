//! Entities without their type: what the plan of a write needs of one. Everything behind this trait
//! is compiled once, whatever the number of entities.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use monotable_design::meta::{Codec, EntityMeta};
use monotable_types::{AttributeValue, Item};

use super::mirror::MirrorSink;
use super::row;
use crate::backend::Row;
use crate::codec;
use crate::context::Context;
use crate::entity::{Entity, EntityKey, Moment};
use crate::error::{Error, Result};
use crate::key::Parts;
use crate::stamps::StampValues;
use crate::time::{EpochSeconds, Timestamp};

/// A type of entity: its declaration, and how its rows are decoded.
#[derive(Clone, Copy)]
pub(crate) struct EntityType {
    pub(crate) meta: &'static EntityMeta,
    decode: fn(&Context, Row) -> Result<SharedEntity>,
}

impl EntityType {
    /// Returns the type of `E`.
    pub(crate) fn of<E: Entity>() -> Self {
        Self { meta: E::META, decode: |context, row| Ok(Arc::new(row::decode::<E>(context, row)?)) }
    }

    /// Decodes a row that was read or returned by its key.
    pub(super) fn decode(self, context: &Context, row: impl Into<Row>) -> Result<SharedEntity> {
        (self.decode)(context, row.into())
    }
}

impl fmt::Debug for EntityType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.meta.name)
    }
}

/// An entity as a trait object. Every [`Entity`] implements it.
pub(crate) trait ErasedEntity: Parts + Send + Sync {
    /// Returns the type of the entity.
    fn entity_type(&self) -> EntityType;

    /// Returns the declaration of the entity.
    fn meta(&self) -> &'static EntityMeta {
        self.entity_type().meta
    }

    /// Encodes the attributes of its fields.
    fn fields(&self) -> Result<Item>;

    /// Encodes the entity as one value: a map of its fields.
    fn value(&self) -> Result<AttributeValue>;

    /// Returns the stamps of an entity that has a field for them.
    fn stamps(&self) -> Option<StampValues>;

    /// Returns the version.
    fn version(&self) -> Option<u64>;

    /// Sets the version.
    fn set_version(&mut self, version: u64);

    /// Sets the time of creation or of the last change.
    fn stamp(&mut self, now: Timestamp, moment: Moment);

    /// Returns when the row expires.
    fn expires_at(&self) -> Option<EpochSeconds>;

    /// Adds the rows that mirror it to the sink.
    fn mirrors(&self, sink: &mut MirrorSink<'_>) -> Result<()>;

    /// Copies it.
    fn copied(&self) -> SharedEntity;

    /// Converts the entity back to its type.
    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

impl<E: Entity> ErasedEntity for E {
    fn entity_type(&self) -> EntityType {
        EntityType::of::<E>()
    }

    fn fields(&self) -> Result<Item> {
        let fields = if const { matches!(E::META.codec, Codec::Plain) } {
            codec::encode_plain(E::META, self)
        } else {
            codec::encode_joined(E::META, self)
        };
        let stamped = fields.and_then(|mut row| {
            if let Some(stamps) = Entity::stamps(self) {
                codec::write_stamps(E::META, &stamps, &mut row)?;
            }
            Ok(row)
        });
        stamped.map_err(|error| Error::Encode { entity: E::META.name, error })
    }

    fn value(&self) -> Result<AttributeValue> {
        row::value(E::META, self)
    }

    fn stamps(&self) -> Option<StampValues> {
        Entity::stamps(self)
    }

    fn version(&self) -> Option<u64> {
        Entity::version(self)
    }

    fn set_version(&mut self, version: u64) {
        Entity::set_version(self, version);
    }

    fn stamp(&mut self, now: Timestamp, moment: Moment) {
        Entity::stamp(self, now, moment);
    }

    fn expires_at(&self) -> Option<EpochSeconds> {
        Entity::expires_at(self)
    }

    fn mirrors(&self, sink: &mut MirrorSink<'_>) -> Result<()> {
        Entity::mirrors(self, sink)
    }

    fn copied(&self) -> SharedEntity {
        Arc::new(self.clone())
    }

    fn into_any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

/// An entity that a plan shares with its result.
pub(crate) type SharedEntity = Arc<dyn ErasedEntity>;

/// Returns the entity for changes: a copy of it if others share it.
pub(super) fn make_mut(entity: &mut SharedEntity) -> &mut dyn ErasedEntity {
    if Arc::get_mut(entity).is_none() {
        *entity = entity.copied();
    }
    match Arc::get_mut(entity) {
        Some(entity) => entity,
        None => unreachable!("the copy is not shared"),
    }
}

impl fmt::Debug for dyn ErasedEntity + '_ {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.meta().name)
    }
}

/// The key of an entity without its type, and the type of its rows.
#[derive(Clone)]
pub(super) struct ErasedKey {
    pub(super) entity: EntityType,
    parts: Arc<dyn Parts + Send + Sync>,
}

impl fmt::Debug for ErasedKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entity.fmt(formatter)
    }
}

impl ErasedKey {
    pub(super) fn new<K: EntityKey>(key: &K) -> Self {
        Self { entity: EntityType::of::<K::Entity>(), parts: Arc::new(key.clone()) }
    }

    /// Returns the values of its fields.
    pub(super) fn parts(&self) -> &dyn Parts {
        &*self.parts
    }

    /// Renders the key attributes.
    pub(super) fn item(&self, context: &Context) -> Result<Item> {
        context.primary_key(self.entity.meta, &*self.parts)
    }
}
