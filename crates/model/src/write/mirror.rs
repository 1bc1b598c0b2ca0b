//! Mirrors: second rows that are written with an entity, in the same transaction.
//!
//! They depend only on the entity, so existing mirrors need no condition of their own: the
//! condition on the entity's row protects both. A condition on the type is needed only where rows
//! of another type can have the same keys.

use std::fmt;
use std::sync::Arc;

use monotable_design::meta::{EntityMeta, KeyMeta};
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::Item;

use super::change::Unfit;
use super::erased::ErasedEntity;
use super::plan::{Hold, PlannedWrite};
use super::presence::{self, Presence};
use super::row;
use super::unchanged::key_fields;
use crate::backend::request::{Action, Returns, Write};
use crate::context::{Context, shard};
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::key::{KeyError, Parts, check_lengths, render};

/// Collects the rows that [`Entity::mirrors`] returns.
pub struct MirrorSink<'a> {
    context: &'a Context,
    rows: Vec<MirrorRow>,
    unfit: Unfit,
}

/// One mirror row.
pub(super) struct MirrorRow {
    /// The entity of the row.
    pub(super) entity: &'static EntityMeta,
    /// Its primary key.
    pub(super) key: Item,
    /// The complete row.
    pub(super) row: Item,
    /// The condition that an existing row under its key is of the same entity.
    own: Option<Condition>,
}

impl fmt::Debug for MirrorSink<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("MirrorSink").field("rows", &self.rows.len()).finish_non_exhaustive()
    }
}

impl MirrorSink<'_> {
    /// Adds the same entity under the key of its mirror at a position, unless a field of that key
    /// is absent. The row is in no index, so that an index contains every entity once.
    ///
    /// # Errors
    ///
    /// A value is not valid in a key, or cannot be encoded.
    pub fn same<E: Entity>(&mut self, entity: &E, position: u16) -> Result<()> {
        self.push_same(entity, position)
    }

    fn push_same(&mut self, entity: &dyn ErasedEntity, position: u16) -> Result<()> {
        let meta = entity.meta();
        let mirror = meta.mirrors.get(usize::from(position));
        let Some(key) = mirror.and_then(|mirror| mirror.key.as_ref()) else { return Ok(()) };
        let key = match key_by(self.context, meta, key, entity) {
            Err(_) if self.unfit == Unfit::None => None,
            key => key.map_err(|error| Error::Key { entity: meta.name, error })?,
        };
        let Some(key) = key else { return Ok(()) };
        let mut row = entity.fields()?;
        row.extend(row::type_attribute(self.context, meta.type_name));
        row.extend(key.clone());
        let own = is_of(meta, &row);
        self.rows.push(MirrorRow { entity: meta, key, row, own });
        Ok(())
    }

    /// Adds another entity derived from this one; `None` adds no row.
    ///
    /// # Errors
    ///
    /// A value is not valid in a key, or cannot be encoded.
    pub fn other<M: Entity>(&mut self, mirror: Option<M>) -> Result<()> {
        match mirror {
            Some(mirror) => self.push_other(&mirror),
            None => Ok(()),
        }
    }

    fn push_other(&mut self, mirror: &dyn ErasedEntity) -> Result<()> {
        let row = match row::encode(self.context, mirror) {
            Err(Error::Key { .. }) if self.unfit == Unfit::None => return Ok(()),
            row => row?,
        };
        let key = row::key_of(self.context, &row);
        self.rows.push(MirrorRow { entity: mirror.meta(), key, row, own: None });
        Ok(())
    }
}

/// Returns the condition that a row mirrors the same entity, as far as its attributes contain the
/// primary key.
fn is_of(entity: &'static EntityMeta, row: &Item) -> Option<Condition> {
    let attributes = key_fields(entity).filter_map(|field| row::attribute_of(entity, field));
    let same = attributes.filter_map(|attribute| {
        let value = row.get(attribute)?;
        Some(path(attribute).eq(value.clone()).or(attribute_not_exists(attribute)))
    });
    same.reduce(Condition::and)
}

/// Returns the key of a mirror; `None` while one of its fields is absent.
fn key_by(
    context: &Context,
    entity: &'static EntityMeta,
    key: &KeyMeta,
    parts: &dyn Parts,
) -> Result<Option<Item>, KeyError> {
    let shard_number = match key.shards {
        None => None,
        Some(shards) => shard(entity, shards, parts)?,
    };
    let Some(partition) = render(&key.partition, parts, shard_number)? else { return Ok(None) };
    let sort = match &key.sort {
        None => None,
        Some(template) => match render(template, parts, shard_number)? {
            None => return Ok(None),
            sort => sort,
        },
    };
    check_lengths(&partition, sort.as_deref())?;
    Ok(Some(context.key_item(partition, sort)))
}

/// Returns the mirror rows of an entity.
pub(super) fn mirrors(
    context: &Context,
    entity: &dyn ErasedEntity,
    unfit: Unfit,
) -> Result<Vec<MirrorRow>> {
    if entity.meta().mirrors.is_empty() {
        return Ok(Vec::new());
    }
    let mut sink = MirrorSink { context, rows: Vec::new(), unfit };
    entity.mirrors(&mut sink)?;
    Ok(sink.rows)
}

impl MirrorRow {
    /// Returns whether the existing row mirrors the same entity.
    pub(super) fn is_own(&self, row: &Item) -> bool {
        self.own.as_ref().is_none_or(|own| own.evaluate(row))
    }

    /// Writes a row that must not exist.
    pub(super) fn create(self, context: &Context) -> PlannedWrite {
        let condition = Presence::of(context, self.entity).absent();
        let mut planned = self.put(context);
        planned.write.condition = Some(condition);
        planned.holding(Hold::Taken)
    }

    /// Replaces the existing row.
    pub(super) fn put(self, context: &Context) -> PlannedWrite {
        planned(context, self.entity, Action::Put(self.row)).holding(Hold::Kept)
    }

    fn delete(self, context: &Context) -> PlannedWrite {
        let planned =
            planned(context, self.entity, Action::Delete(self.key)).holding(Hold::GivenUp);
        PlannedWrite { own: self.own, ..planned }
    }
}

/// Returns the write that deletes the mirror under a key, from a value that has its fields; `None`
/// if such a row cannot exist.
pub(super) fn delete_by(
    context: &Context,
    entity: &'static EntityMeta,
    key: &KeyMeta,
    parts: &dyn Parts,
) -> Option<PlannedWrite> {
    let key = key_by(context, entity, key, parts).ok()??;
    Some(MirrorRow { entity, key, row: Item::new(), own: None }.delete(context))
}

/// Returns the writes that turn the mirrors before a change into those after it.
pub(super) fn moved(
    context: &Context,
    old: Vec<MirrorRow>,
    new: Vec<MirrorRow>,
) -> Vec<PlannedWrite> {
    let mut writes = Vec::new();
    let mut gone = old;
    for mirror in new {
        let known = gone.iter().position(|old| old.key == mirror.key);
        match known.map(|position| gone.swap_remove(position)) {
            Some(old) if old.row == mirror.row => {}
            Some(_) => writes.push(mirror.put(context)),
            None => writes.push(mirror.create(context)),
        }
    }
    writes.extend(gone.into_iter().map(|mirror| mirror.delete(context)));
    writes
}

fn planned(context: &Context, entity: &'static EntityMeta, action: Action) -> PlannedWrite {
    let own_type = Presence::of(context, entity).own_type();
    let write = Write {
        table: Arc::clone(&context.table_name),
        action,
        return_on_failure: own_type.is_some(),
        condition: own_type,
        returns: Returns::Nothing,
        returns_units: false,
    };
    PlannedWrite::new(write, presence::exists(context, entity))
}
