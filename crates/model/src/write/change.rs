//! From one state of an entity to the next: the changes of its row with their condition, and the
//! changes of its derived rows.

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

/// Returns a write of an entity's own row, whose failed condition returns the row that it was
/// evaluated on.
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
        returns_units: false,
    };
    PlannedWrite::new(write, failure)
}

/// Returns the writes of sentinels and mirrors when an entity is created, changed or deleted.
pub(super) fn derived_rows(
    context: &Context,
    old: Option<&dyn ErasedEntity>,
    new: Option<&dyn ErasedEntity>,
) -> Result<Vec<PlannedWrite>> {
    if !old.or(new).is_some_and(|entity| has_derived_rows(entity.meta())) {
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

/// What happens if a value is not valid in the key of a derived row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// It is an error: the row cannot be written.
    Error,
    /// Nothing: such a row cannot exist. Other programs write such values.
    None,
}

/// Decodes the row under a key. A row whose fields render another key is an error: its derived rows
/// belong to another entity.
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

/// Returns the entity of a row, if the row's key is the one that its fields render.
pub(crate) fn under_own_key<E: Entity>(context: &Context, key: &Item, entity: E) -> Result<E> {
    check_own_key(context, E::META, key, &entity)?;
    Ok(entity)
}

/// Refuses an entity whose row is under another key than the one that its fields render.
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
    let message = format!("`{}`: its fields render another key, `{}`", text(key), text(&made));
    Err(Error::Decode { entity: entity.name, message })
}

/// Returns whether rows of this entity have derived rows.
pub(super) fn has_derived_rows(entity: &EntityMeta) -> bool {
    !entity.unique.is_empty() || !entity.mirrors.is_empty()
}

/// Returns the update that turns one row into another, with only their differences.
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

/// Returns the row that replaces a stored one: all of the entity, and what the entity does not
/// know. `known` are its fields before the change, `fields` those after it.
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

/// Returns the indexes of which a field changes, and the keys that change with it.
///
/// A field may change while the keys do not, as long as another field of a sparse index is absent.
/// Only the row shows whether it is absent, so such an index is included.
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
        // An attribute that is removed from one index may be in another.
        let all = index_keys::all(context, meta, new)?;
        keys = all.into_iter().filter(|(name, _)| keys.contains_key(name)).collect();
    }
    Ok((indexes, keys))
}

/// Returns the text of a field in keys; `None` if its value is not valid there.
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

/// Returns the positions of all fields.
fn positions(entity: &'static EntityMeta) -> impl Iterator<Item = u16> {
    (0..).zip(entity.fields).map(|(position, _)| position)
}

/// Refuses changes of immutable fields, except those in `may_change`.
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
    // Compared as maps of fields, because inside an envelope the fields are one attribute.
    let (old, new) = (old.value()?, new.value()?);
    for position in positions {
        let field = &meta.fields[usize::from(position)];
        let value = |entity: &AttributeValue| {
            entity.as_m().and_then(|fields| fields.get(field.attribute)).cloned()
        };
        // serde does not see the stamps.
        let is_stamp = field.stamp.is_some();
        if value(&old) != value(&new) || is_stamp && is_created_changed {
            return Err(Error::Immutable { entity: meta.name, field: field.name });
        }
    }
    Ok(())
}
