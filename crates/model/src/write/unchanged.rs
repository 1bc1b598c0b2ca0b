//! Conditions that a row is still the one that an entity was read from.
//!
//! The version says it for as long as the row lives. A row that was deleted or expired, and was created
//! anew, starts its versions anew, so that the values that an entity was read with are compared, too. An
//! expired row and the one behind it never have the same expiry.

use std::collections::{BTreeMap, BTreeSet};

use monotable_design::meta::{EntityIndexMeta, EntityMeta, FieldMeta, Segment};
use monotable_expression::{Condition, attribute_not_exists, path};
use monotable_types::{AttributeValue, Item};

use super::erased::ErasedEntity;
use super::operation::When;
use super::presence::Presence;
use super::{index_keys, row};
use crate::codec;
use crate::context::Context;
use crate::entity::Entity;
use crate::error::{Error, Result};

/// The most attributes that are compared to tell one incarnation of a row from the next. Every one is a part of
/// the condition's text, which DynamoDB bounds.
const ATTRIBUTES_MAX: usize = 32;

/// That the row is there, and unchanged as far as a write of it depends on what it was: `old` with the
/// attributes `before`, of which `replaced` get other values, in an entity that has no version to tell.
pub(super) fn condition(
    context: &Context,
    old: &dyn ErasedEntity,
    before: &Item,
    replaced: &[&str],
    indexes: impl IntoIterator<Item = &'static EntityIndexMeta>,
) -> Condition {
    let meta = old.meta();
    let mut attributes: BTreeSet<&str> =
        deciding(meta, indexes).filter_map(|field| row::holder_of(meta, field)).collect();
    for attribute in incarnation(meta, before) {
        attributes.insert(attribute);
    }
    if meta.version.is_none() {
        attributes.extend(replaced);
    }
    compared(context, old, before, attributes)
}

/// That the row is there, and is the one that `old` with the attributes `before` was read from.
pub(super) fn same_incarnation(
    context: &Context,
    old: &dyn ErasedEntity,
    before: &Item,
) -> Condition {
    compared(context, old, before, incarnation(old.meta(), before).collect())
}

/// That a row is the one that an entity was read from, for callers: by its version, or by all attributes
/// of an entity that has none.
pub(crate) fn unchanged<E: Entity>(entity: &E) -> Result<Condition> {
    of_read(entity)
}

fn of_read(entity: &dyn ErasedEntity) -> Result<Condition> {
    if let Some(same) = same_version(entity) {
        return Ok(same);
    }
    let (meta, fields) = (entity.meta(), entity.fields()?);
    let mut conditions = BTreeMap::new();
    for (position, _) in (0..).zip(meta.fields) {
        if let Some(attribute) = row::holder_of(meta, position) {
            let same = same_value(meta, &fields, attribute);
            let aliases = codec::aliases_of(meta, position);
            let same = aliases.iter().fold(same, |same, alias| match fields.get(attribute) {
                None => same.and(attribute_not_exists(*alias)),
                Some(value) => {
                    let is_renamed = attribute_not_exists(attribute);
                    same.or(is_renamed.and(path(*alias).eq(value.clone())))
                }
            });
            conditions.insert(attribute, same);
        }
    }
    Ok(Condition::And(conditions.into_values().collect()))
}

/// That the row is there with the version of `old` and these attributes as `before`.
fn compared(
    context: &Context,
    old: &dyn ErasedEntity,
    before: &Item,
    mut attributes: BTreeSet<&str>,
) -> Condition {
    let meta = old.meta();
    let mut conditions = vec![Presence::of(context, meta).present()];
    if let Some(same) = same_version(old) {
        conditions.push(same);
        if let Some(version) = meta.version.and_then(|field| row::holder_of(meta, field)) {
            attributes.remove(version);
        }
    }
    let key = key_fields(meta).filter_map(|field| row::attribute_of(meta, field));
    for attribute in key {
        attributes.remove(attribute);
    }
    conditions.extend(attributes.into_iter().map(|name| same_value(meta, before, name)));
    match conditions.len() {
        1 => conditions.remove(0),
        _ => Condition::And(conditions),
    }
}

/// The attributes that tell one incarnation of a row from the next: when it was created and when it ends; and
/// with a version, which says nothing of an incarnation, every attribute that is one value of one field.
fn incarnation(entity: &'static EntityMeta, before: &Item) -> impl Iterator<Item = &'static str> {
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

/// The stored row, if it meets the caller's conditions and still says what an entity with these fields
/// says. Its attributes may be in another form than they are written in now.
pub(super) fn confirmed(
    context: &Context,
    key: &Item,
    old: &dyn ErasedEntity,
    fields: &Item,
    stored: Option<Item>,
    when: &When,
) -> Result<Item> {
    let meta = old.meta();
    let presence = Presence::of(context, meta);
    let Some(stored) = stored.filter(|stored| presence.holds(Some(stored))) else {
        return Err(Error::NotFound { entity: meta.name });
    };
    when.check(meta, Some(&stored))?;
    if codec::is_written(meta, &stored, fields) {
        return Ok(stored);
    }
    let current = old.entity_type().decode(context, stored.clone())?;
    let is_same = codec::is_same(meta, &current.fields()?, fields);
    if current.version() != old.version() || !is_same {
        let key = row::key_text(context.table, key);
        return Err(Error::VersionConflict { entity: meta.name, key });
    }
    Ok(stored)
}

/// The fields that decide which keys and which other rows a row has: all, where the other rows are
/// made of the whole entity.
fn deciding(
    entity: &'static EntityMeta,
    indexes: impl IntoIterator<Item = &'static EntityIndexMeta>,
) -> impl Iterator<Item = u16> {
    let indexed = indexes.into_iter().flat_map(index_keys::positions);
    let unique = entity.unique.iter().flat_map(|constraint| constraint.fields).copied();
    let mirrored = if entity.mirrors.is_empty() { 0 } else { entity.fields.len() };
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
fn same_version(entity: &dyn ErasedEntity) -> Option<Condition> {
    let meta = entity.meta();
    let attribute = row::attribute_of(meta, meta.version?)?;
    Some(match entity.version() {
        // Rows from before there were versions have none.
        None | Some(0) => attribute_not_exists(attribute).or(path(attribute).eq(0)),
        Some(version) => {
            let aliases = codec::aliases_of(meta, meta.version?);
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
