//! From one state of an entity to the next: what changes in its row, under which condition, and
//! what changes in the rows that exist because of it.

use std::sync::Arc;

use monotable_design::meta::{EntityIndexMeta, EntityMeta};
use monotable_expression::{Condition, Update};
use monotable_types::{AttributeValue, Item};

use super::index_keys::{self, IndexKeys};
use super::plan::{Failure, PlannedWrite};
use super::{mirror, row, unique};
use crate::backend::request::{Action, Returns, Write};
use crate::codec;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};

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
pub(super) fn beside<E: Entity>(
    context: &Context,
    old: Option<&E>,
    new: Option<&E>,
) -> Result<Vec<PlannedWrite>> {
    if !has_rows_beside(E::META) {
        return Ok(Vec::new());
    }
    let sentinels = |entity: Option<&E>, unfit| match entity {
        Some(entity) => unique::sentinels(context, entity, unfit),
        None => Ok(Vec::new()),
    };
    let mirrors = |entity: Option<&E>, unfit| match entity {
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

/// The entity of the row under a key. One whose fields make another key is not read as that of this one:
/// the rows that exist because of it are another's.
pub(super) fn stored<E: Entity>(context: &Context, key: &Item, row: Item) -> Result<E> {
    let entity: E = row::decode(context, row.into())?;
    let made = context.primary_key(E::META, &entity)?;
    if made == *key {
        return Ok(entity);
    }
    let text = |key| row::key_text(context.table, key);
    let message = format!("`{}`: its fields make another key, `{}`", text(key), text(&made));
    Err(Error::Decode { entity: E::META.name, message })
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
/// its fields before the change.
pub(super) fn merged<E: Entity>(
    context: &Context,
    stored: &Item,
    known: &Item,
    new: &E,
) -> Result<Item> {
    let after = row::encode(context, new)?;
    let keys = index_keys::all(context, E::META, new)?;
    let type_attribute = row::type_attribute(context, E::META.type_name);
    let is_derived = |attribute: &str| {
        keys.contains_key(attribute)
            || type_attribute.as_ref().is_some_and(|(name, _)| name == attribute)
    };
    codec::merge(E::META, stored.clone(), known, after, is_derived)
        .map_err(|error| Error::Encode { entity: E::META.name, error })
}

/// The indexes of which a field changes, and the keys that change with it.
///
/// A field may change while the keys do not, as long as another field of a sparse index is absent. Whether
/// it is absent is what the row says, so such an index counts.
pub(super) fn index_difference<E: Entity>(
    context: &Context,
    old: &E,
    new: &E,
) -> Result<(Vec<&'static EntityIndexMeta>, IndexKeys)> {
    let mut indexes = Vec::new();
    let mut keys = IndexKeys::new();
    for index in E::META.indexes {
        let after = index_keys::one(context, E::META, index, new)?;
        let before = match index_keys::one(context, E::META, index, old) {
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
        let all = index_keys::all(context, E::META, new)?;
        keys = all.into_iter().filter(|(name, _)| keys.contains_key(name)).collect();
    }
    Ok((indexes, keys))
}

/// The text of a field in keys; none where there is no value that can stand in one.
fn part(entity: &impl Entity, field: u16) -> Option<String> {
    let mut text = String::new();
    matches!(entity.write_part(field, 0, &mut text), Ok(true)).then_some(text)
}

/// Refuses a change of the primary key.
pub(super) fn check_key<E: Entity>(context: &Context, old: &E, new: &E) -> Result<Item> {
    let key = context.primary_key(E::META, old)?;
    if context.primary_key(E::META, new)? != key {
        return Err(Error::KeyChanged { entity: E::META.name });
    }
    Ok(key)
}

/// The positions of all fields.
fn positions(entity: &'static EntityMeta) -> impl Iterator<Item = u16> {
    (0..).zip(entity.fields).map(|(position, _)| position)
}

/// Refuses a change of fields that never change, apart from those that `may_change`.
pub(super) fn check_immutable<E: Entity>(
    old: &E,
    new: &E,
    may_change: impl Fn(u16) -> bool,
) -> Result<()> {
    let is_immutable = |position: u16| {
        E::META.fields[usize::from(position)].is_immutable || E::META.created == Some(position)
    };
    let positions: Vec<u16> =
        positions(E::META).filter(|one| is_immutable(*one) && !may_change(*one)).collect();
    if positions.is_empty() {
        return Ok(());
    }
    // As maps of fields: inside an envelope the fields are one attribute.
    let (old, new) = (row::value(E::META, old)?, row::value(E::META, new)?);
    for position in positions {
        let field = &E::META.fields[usize::from(position)];
        let value = |entity: &AttributeValue| {
            entity.as_m().and_then(|fields| fields.get(field.attribute)).cloned()
        };
        if value(&old) != value(&new) {
            return Err(Error::Immutable { entity: E::META.name, field: field.name });
        }
    }
    Ok(())
}
