//! Conditions that a row is still the one that an entity was read from.
//!
//! The version says it for as long as the row lives. A row that was deleted or expired, and was created
//! anew, starts its versions anew, so that the values that an entity was read with are compared, too. An
//! expired row and the one behind it never have the same expiry.

use std::collections::BTreeSet;

use monotable_design::meta::{EntityIndexMeta, EntityMeta, FieldMeta, Segment};
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item};

use super::presence::Presence;
use super::{index_keys, row};
use crate::codec;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};

/// The most attributes that are compared to tell one life of a row from the next. Every one is a part of
/// the condition's text, which DynamoDB bounds.
const ATTRIBUTES_MAX: usize = 32;

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
    for attribute in life(E::META, before) {
        attributes.insert(attribute);
    }
    if E::META.version.is_none() {
        attributes.extend(replaced);
    }
    compared(context, old, before, attributes)
}

/// That the row is there, and is the one that `old` with the attributes `before` was read from.
pub(super) fn same_life<E: Entity>(context: &Context, old: &E, before: &Item) -> Condition {
    compared(context, old, before, life(E::META, before).collect())
}

/// That the row is there with the version of `old` and these attributes as `before`.
fn compared<E: Entity>(
    context: &Context,
    old: &E,
    before: &Item,
    mut attributes: BTreeSet<&str>,
) -> Condition {
    let mut conditions = vec![Presence::of(context, E::META).present()];
    if let Some(same) = same_version(old) {
        conditions.push(same);
        if let Some(version) = E::META.version.and_then(|field| row::holder_of(E::META, field)) {
            attributes.remove(version);
        }
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

/// The attributes that tell one life of a row from the next: when it was created and when it ends; and
/// with a version, which says nothing of a life, every attribute that is one value of one field.
fn life(entity: &'static EntityMeta, before: &Item) -> impl Iterator<Item = &'static str> {
    let all = (0..).zip(entity.fields).map(|(position, _)| position);
    let all = all.filter(move |_| entity.version.is_some());
    let is_one_value = move |attribute: &&str| {
        use AttributeValue::{B, Bool, N, Null, S};
        matches!(before.get(*attribute), None | Some(S(_) | N(_) | B(_) | Bool(_) | Null))
    };
    let fields = entity.created.into_iter().chain(entity.ttl).chain(all);
    fields
        .filter_map(move |field| row::attribute_of(entity, field))
        .filter(is_one_value)
        .take(ATTRIBUTES_MAX)
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
    let is_same = codec::is_same(E::META, &row::fields(&current)?, fields);
    if current.version() != old.version() || !is_same {
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
fn same_version<E: Entity>(entity: &E) -> Option<Condition> {
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
        Some(value) if may_be_missing(entity, attribute) => {
            path(attribute).eq(value.clone()).or(attribute_not_exists(attribute))
        }
        Some(value) => path(attribute).eq(value.clone()),
    }
}

/// Whether an attribute may be missing in rows although its field has a value.
fn may_be_missing(entity: &'static EntityMeta, attribute: &str) -> bool {
    entity.fields.iter().any(|field| field.attribute == attribute && has_default(field))
}

/// Whether a field has a value in rows without its attribute: serde's default.
pub(super) fn has_default(field: &FieldMeta) -> bool {
    !field.is_required && !field.rust_type.contains("Option")
}
