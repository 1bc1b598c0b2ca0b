//! From one state of an entity to the next: what changes in its row, under which condition, and
//! what changes in the rows that exist because of it.

use std::sync::Arc;

use monotable_design::meta::{EntityIndexMeta, EntityMeta};
use monotable_expression::{Condition, Update};
use monotable_types::{AttributeValue, Item};

use super::erased::{EntityType, ErasedEntity, SharedEntity};
use super::index_keys::{self, IndexKeys};
use super::plan::{Failure, PlannedWrite};
use super::{mirror, row, unique};
use crate::backend::request::{Action, Returns, Write};
use crate::codec;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::key::Parts;

/// A write of an entity's own row, whose failed condition tells the row that it saw.
pub(super) fn own_row(
    context: &Context,
    action: Action,
    condition: Option<Condition>,
    returns: Returns,
    failure: Failure,
) -> PlannedWrite {
    let write = Write {
        table: Arc::clone(&context.table_name),
        action,
        return_on_failure: condition.is_some(),
        condition,
        returns,
        tells_units: false,
    };
    PlannedWrite::new(write, failure)
}

/// The writes of sentinels and mirrors when an entity appears, changes or goes.
pub(super) fn beside(
    context: &Context,
    old: Option<&dyn ErasedEntity>,
    new: Option<&dyn ErasedEntity>,
) -> Result<Vec<PlannedWrite>> {
    if !old.or(new).is_some_and(|entity| has_rows_beside(entity.meta())) {
        return Ok(Vec::new());
    }
    let sentinels = |entity: Option<&dyn ErasedEntity>, unfit| match entity {
        Some(entity) => unique::sentinels(context, entity, unfit),
        None => Ok(Vec::new()),
    };
    let mirrors = |entity: Option<&dyn ErasedEntity>, unfit| match entity {
        Some(entity) => mirror::mirrors(context, entity, unfit),
        None => Ok(Vec::new()),
    };
    let (old_sentinels, old_mirrors) = (sentinels(old, Unfit::None)?, mirrors(old, Unfit::None)?);
    let mut writes = unique::moved(context, old_sentinels, sentinels(new, Unfit::Error)?);
    writes.extend(mirror::moved(context, old_mirrors, mirrors(new, Unfit::Error)?));
    Ok(writes)
}

/// What a value is that can't stand in the key of a row beside an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// An error: such a row can't be written.
    Error,
    /// Nothing: there can't be such a row. Other programs write values that have none.
    None,
}

/// Decodes the row under a key. One whose fields make another key is not read as that of this one: the
/// rows that exist because of it belong to another entity.
pub(super) fn stored(
    context: &Context,
    entity: EntityType,
    key: &Item,
    row: Item,
) -> Result<SharedEntity> {
    let stored = entity.decode(context, row)?;
    check_own_key(context, entity.meta, key, &*stored)?;
    Ok(stored)
}

/// The entity of a row, if the row's key is the one that its fields make.
pub(crate) fn under_own_key<E: Entity>(context: &Context, key: &Item, entity: E) -> Result<E> {
    check_own_key(context, E::META, key, &entity)?;
    Ok(entity)
}

/// Refuses an entity whose row is under another key than the one that its fields make.
fn check_own_key(
    context: &Context,
    entity: &'static EntityMeta,
    key: &Item,
    parts: &dyn Parts,
) -> Result<()> {
    let made = context.primary_key(entity, parts)?;
    if made == *key {
        return Ok(());
    }
    let text = |key| row::key_text(context.table, key);
    let message = format!("`{}`: its fields make another key, `{}`", text(key), text(&made));
    Err(Error::Decode { entity: entity.name, message })
}

/// Whether other rows exist because of a row of this entity.
pub(super) fn has_rows_beside(entity: &EntityMeta) -> bool {
    !entity.unique.is_empty() || !entity.mirrors.is_empty()
}

/// What turns the attributes of one row into those of another: only what differs.
pub(super) fn difference(old: &Item, new: &Item) -> Update {
    let mut update = Update::new();
    for (attribute, value) in new {
        if old.get(attribute) != Some(value) {
            update = update.set(attribute.as_str(), value.clone());
        }
    }
    for attribute in old.keys().filter(|attribute| !new.contains_key(*attribute)) {
        update = update.remove(attribute.as_str());
    }
    update
}

/// The whole row that a stored one becomes: all of the entity, and what the entity does not know. `known` are
/// its fields before the change, `fields` those after it.
pub(super) fn merged(
    context: &Context,
    stored: &Item,
    known: &Item,
    new: &dyn ErasedEntity,
    fields: Item,
) -> Result<Item> {
    let meta = new.meta();
    let after = row::complete(context, new, fields)?;
    let keys = index_keys::all(context, meta, new)?;
    let type_attribute = row::type_attribute(context, meta.type_name);
    let is_derived = |attribute: &str| {
        keys.contains_key(attribute)
            || type_attribute.as_ref().is_some_and(|(name, _)| name == attribute)
    };
    codec::merge(meta, stored.clone(), known, after, is_derived)
        .map_err(|error| Error::Encode { entity: meta.name, error })
}

/// The indexes of which a field changes, and the keys that change with it.
///
/// A field may change while the keys do not, as long as another field of a sparse index is absent. Whether
/// it is absent is what the row says, so such an index counts.
pub(super) fn index_difference(
    context: &Context,
    old: &dyn ErasedEntity,
    new: &dyn ErasedEntity,
) -> Result<(Vec<&'static EntityIndexMeta>, IndexKeys)> {
    let meta = new.meta();
    let mut indexes = Vec::new();
    let mut keys = IndexKeys::new();
    for index in meta.indexes {
        let after = index_keys::one(context, meta, index, new)?;
        let before = match index_keys::one(context, meta, index, old) {
            Err(Error::Key { .. }) => None,
            before => Some(before?),
        };
        if before.as_ref() != Some(&after) {
            indexes.push(index);
            keys.extend(after);
        } else if index_keys::positions(index).any(|field| part(old, field) != part(new, field)) {
            indexes.push(index);
        }
    }
    if !keys.is_empty() {
        // An attribute that goes in one index may stand in another.
        let all = index_keys::all(context, meta, new)?;
        keys = all.into_iter().filter(|(name, _)| keys.contains_key(name)).collect();
    }
    Ok((indexes, keys))
}

/// The text of a field in keys; none where there is no value that can stand in one.
fn part(entity: &dyn ErasedEntity, field: u16) -> Option<String> {
    let mut text = String::new();
    matches!(entity.write_part(field, 0, &mut text), Ok(true)).then_some(text)
}

/// Refuses a change of the primary key.
pub(super) fn check_key(
    context: &Context,
    old: &dyn ErasedEntity,
    new: &dyn ErasedEntity,
) -> Result<Item> {
    let meta = old.meta();
    let key = context.primary_key(meta, old)?;
    if context.primary_key(meta, new)? != key {
        return Err(Error::KeyChanged { entity: meta.name });
    }
    Ok(key)
}

/// The positions of all fields.
fn positions(entity: &'static EntityMeta) -> impl Iterator<Item = u16> {
    (0..).zip(entity.fields).map(|(position, _)| position)
}

/// Refuses a change of fields that never change, apart from those that `may_change`.
pub(super) fn check_immutable(
    old: &dyn ErasedEntity,
    new: &dyn ErasedEntity,
    may_change: impl Fn(u16) -> bool,
) -> Result<()> {
    let meta = old.meta();
    let is_immutable = |position: u16| {
        meta.fields[usize::from(position)].is_immutable || meta.created == Some(position)
    };
    let positions: Vec<u16> =
        positions(meta).filter(|one| is_immutable(*one) && !may_change(*one)).collect();
    if positions.is_empty() {
        return Ok(());
    }
    let created = |entity: &dyn ErasedEntity| entity.stamps().map(|stamps| stamps.created);
    let is_created_changed = created(old) != created(new);
    // As maps of fields: inside an envelope the fields are one attribute.
    let (old, new) = (old.value()?, new.value()?);
    for position in positions {
        let field = &meta.fields[usize::from(position)];
        let value = |entity: &AttributeValue| {
            entity.as_m().and_then(|fields| fields.get(field.attribute)).cloned()
        };
        // serde does not know the stamps.
        let is_stamp = field.stamp.is_some();
        if value(&old) != value(&new) || is_stamp && is_created_changed {
            return Err(Error::Immutable { entity: meta.name, field: field.name });
        }
    }
    Ok(())
}
