//! Conditions that a row is still the one that an entity was read from.
//!
//! The version says it for as long as the row lives. A row that was deleted and created anew starts
//! its versions anew, so that whatever a write derives from fields (index keys, sentinels, mirrors) is
//! guarded by those fields, too.

use std::collections::BTreeSet;

use monotable_design::meta::{EntityIndexMeta, EntityMeta, Segment};
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item};

use super::presence::Presence;
use super::{index_keys, row};
use crate::codec;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};

/// That the row is there, and unchanged as far as a write of it depends on what it was: `old` with the
/// attributes `before`, of which `replaced` get other values, in an entity that has no version to tell.
pub(super) fn condition<'a, E: Entity>(
    context: &Context,
    old: &E,
    before: &Item,
    replaced: impl IntoIterator<Item = &'a str>,
    indexes: impl IntoIterator<Item = &'static EntityIndexMeta>,
) -> Condition {
    let mut attributes: BTreeSet<&str> =
        deciding::<E>(indexes).filter_map(|field| row::holder_of(E::META, field)).collect();
    let mut conditions = vec![Presence::of(context, E::META).present()];
    match same_version(old) {
        Some(same) => {
            conditions.push(same);
            if let Some(version) = E::META.version.and_then(|field| row::holder_of(E::META, field))
            {
                attributes.remove(version);
            }
        }
        None => attributes.extend(replaced),
    }
    let key = key_fields(E::META).filter_map(|field| row::attribute_of(E::META, field));
    for attribute in key {
        attributes.remove(attribute);
    }
    conditions.extend(attributes.into_iter().map(|name| same_value(E::META, before, name)));
    match conditions.len() {
        1 => conditions.remove(0),
        _ => Condition::And(conditions),
    }
}

/// The stored row, if it still says what an entity with these fields says. Its attributes may be in
/// another form than they are written in now.
pub(super) fn confirmed<E: Entity>(
    context: &Context,
    key: &Item,
    old: &E,
    fields: &Item,
    stored: Option<Item>,
) -> Result<Item> {
    let presence = Presence::of(context, E::META);
    let Some(stored) = stored.filter(|stored| presence.holds(Some(stored))) else {
        return Err(Error::NotFound { entity: E::META.name });
    };
    let current: E = row::decode(context, stored.clone().into())?;
    if current.version() != old.version() || row::fields(&current)? != *fields {
        let key = row::key_text(context.table, key);
        return Err(Error::VersionConflict { entity: E::META.name, key });
    }
    Ok(stored)
}

/// The fields that decide which keys and which other rows a row has: all, where the other rows are
/// made of the whole entity.
fn deciding<E: Entity>(
    indexes: impl IntoIterator<Item = &'static EntityIndexMeta>,
) -> impl Iterator<Item = u16> {
    let indexed = indexes.into_iter().flat_map(index_keys::positions);
    let unique = E::META.unique.iter().flat_map(|constraint| constraint.fields).copied();
    let mirrored = if E::META.mirrors.is_empty() { 0 } else { E::META.fields.len() };
    let mirrored = (0..mirrored).filter_map(|position| u16::try_from(position).ok());
    indexed.chain(unique).chain(mirrored)
}

/// The fields of the primary key.
pub(super) fn key_fields(entity: &'static EntityMeta) -> impl Iterator<Item = u16> {
    let templates = std::iter::once(&entity.key.partition).chain(&entity.key.sort);
    templates.flat_map(|template| template.segments).filter_map(|segment| match segment {
        Segment::Field { position, .. } => Some(*position),
        Segment::Literal(_) | Segment::Shard => None,
    })
}

/// That nobody changed a row since it had the version of this entity.
pub(super) fn same_version<E: Entity>(entity: &E) -> Option<Condition> {
    let attribute = row::attribute_of(E::META, E::META.version?)?;
    Some(match entity.version() {
        // Rows from before there were versions have none.
        None | Some(0) => attribute_not_exists(attribute).or(path(attribute).eq(0)),
        Some(version) => {
            let aliases = codec::aliases_of(E::META, E::META.version?);
            aliases.iter().fold(path(attribute).eq(version), |same, alias| {
                same.or(attribute_not_exists(attribute).and(path(*alias).eq(version)))
            })
        }
    })
}

/// That an attribute still has its value.
fn same_value(entity: &'static EntityMeta, before: &Item, attribute: &str) -> Condition {
    match before.get(attribute) {
        None => attribute_not_exists(attribute).or(path(attribute).eq(AttributeValue::Null)),
        Some(value) if has_default(entity, attribute) => {
            path(attribute).eq(value.clone()).or(attribute_not_exists(attribute))
        }
        Some(value) => path(attribute).eq(value.clone()),
    }
}

/// Whether an attribute may be missing in rows although its field has a value: serde's default.
fn has_default(entity: &'static EntityMeta, attribute: &str) -> bool {
    entity.fields.iter().any(|field| {
        field.attribute == attribute && !field.is_required && !field.rust_type.contains("Option")
    })
}
