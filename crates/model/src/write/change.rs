//! From one state of an entity to the next: what changes in its row, under which condition, and
//! what changes in the rows that exist because of it.

use std::sync::Arc;

use monotable_design::meta::EntityMeta;
use monotable_expression::{Condition, Update, attribute_not_exists, path};
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
    };
    PlannedWrite { write, failure }
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
    let sentinels = |entity: Option<&E>| match entity {
        Some(entity) => unique::sentinels(context, entity),
        None => Ok(Vec::new()),
    };
    let mirrors = |entity: Option<&E>| match entity {
        Some(entity) => mirror::mirrors(context, entity),
        None => Ok(Vec::new()),
    };
    let mut writes = unique::moved(context, sentinels(old)?, sentinels(new)?);
    writes.extend(mirror::moved(context, mirrors(old)?, mirrors(new)?));
    Ok(writes)
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

/// The whole row that a stored one becomes: all of the entity, and what the entity does not know.
pub(super) fn merged<E: Entity>(context: &Context, stored: &Item, new: &E) -> Result<Item> {
    let after = row::encode(context, new)?;
    let keys = index_keys::all(context, E::META, new)?;
    let type_attribute = row::type_attribute(context, E::META.type_name);
    let is_derived = |attribute: &str| {
        keys.contains_key(attribute)
            || type_attribute.as_ref().is_some_and(|(name, _)| name == attribute)
    };
    codec::merge(E::META, stored.clone(), after, is_derived)
        .map_err(|error| Error::Encode { entity: E::META.name, error })
}

/// The keys of every index of which a key changes.
pub(super) fn index_difference<E: Entity>(
    context: &Context,
    old: &E,
    new: &E,
) -> Result<IndexKeys> {
    let mut changed = IndexKeys::new();
    for index in E::META.indexes {
        let keys = index_keys::one(context, E::META, index, new)?;
        if index_keys::one(context, E::META, index, old)? != keys {
            index_keys::merge(&mut changed, keys);
        }
    }
    if !changed.is_empty() {
        // An attribute that goes in one index may stand in another.
        let all = index_keys::all(context, E::META, new)?;
        changed = all.into_iter().filter(|(name, _)| changed.contains_key(name)).collect();
    }
    Ok(changed)
}

/// That nobody changed a row since it had the version of this entity.
pub(super) fn same_version<E: Entity>(entity: &E) -> Option<Condition> {
    let attribute = row::attribute_of(E::META, E::META.version?)?;
    Some(match entity.version() {
        // Rows from before there were versions have none.
        None | Some(0) => attribute_not_exists(attribute).or(path(attribute).eq(0)),
        Some(version) => path(attribute).eq(version),
    })
}

/// That attributes still have these values, for entities without a version.
pub(super) fn same_values<'a>(
    entity: &'static EntityMeta,
    old: &Item,
    attributes: impl IntoIterator<Item = &'a str>,
) -> Vec<Condition> {
    let same = |attribute: &str| match old.get(attribute) {
        None => attribute_not_exists(attribute).or(path(attribute).eq(AttributeValue::Null)),
        Some(value) if has_default(entity, attribute) => {
            path(attribute).eq(value.clone()).or(attribute_not_exists(attribute))
        }
        Some(value) => path(attribute).eq(value.clone()),
    };
    attributes.into_iter().map(same).collect()
}

/// Whether an attribute may be missing in rows although its field has a value: serde's default.
fn has_default(entity: &'static EntityMeta, attribute: &str) -> bool {
    entity.fields.iter().any(|field| {
        field.attribute == attribute && !field.is_required && !field.rust_type.contains("Option")
    })
}

/// Refuses a change of the primary key.
pub(super) fn check_key<E: Entity>(context: &Context, old: &E, new: &E) -> Result<Item> {
    let key = context.primary_key(E::META, old)?;
    if context.primary_key(E::META, new)? != key {
        return Err(Error::KeyChanged { entity: E::META.name });
    }
    Ok(key)
}

/// Refuses a change of fields that never change.
pub(super) fn check_immutable<E: Entity>(old: &E, new: &E) -> Result<()> {
    let is_immutable = |position: usize| {
        E::META.fields[position].is_immutable
            || E::META.created.is_some_and(|created| usize::from(created) == position)
    };
    let positions: Vec<usize> =
        (0..E::META.fields.len()).filter(|position| is_immutable(*position)).collect();
    if positions.is_empty() {
        return Ok(());
    }
    // As maps of fields: inside an envelope the fields are one attribute.
    let (old, new) = (row::value(E::META, old)?, row::value(E::META, new)?);
    for position in positions {
        let field = &E::META.fields[position];
        let value = |entity: &AttributeValue| {
            entity.as_m().and_then(|fields| fields.get(field.attribute)).cloned()
        };
        if value(&old) != value(&new) {
            return Err(Error::Immutable { entity: E::META.name, field: field.name });
        }
    }
    Ok(())
}

/// All of these, if there is any.
pub(super) fn all_of(conditions: impl IntoIterator<Item = Condition>) -> Option<Condition> {
    let mut conditions: Vec<Condition> = conditions.into_iter().collect();
    match conditions.len() {
        0 | 1 => conditions.pop(),
        _ => Some(Condition::And(conditions)),
    }
}
