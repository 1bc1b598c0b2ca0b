//! Conditions that a row has not changed since an entity was read from it.
//!
//! The version is sufficient within one incarnation of a row. A row that was deleted or expired and
//! then created again starts with version 1 again, so the values of the entity are compared too. An
//! expired row and the next incarnation never have the same expiry.

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

/// The most attributes that are compared to distinguish incarnations of a row. Each is a part of
/// the condition's text, whose length DynamoDB limits.
const ATTRIBUTES_MAX: usize = 32;

/// Returns the condition that the row exists, and is unchanged as far as a write depends on its
/// state: `old` with the attributes `before`, of which `replaced` get other values, in an entity
/// without a version.
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

/// Returns the condition that the row exists, and is the incarnation that `old` with the attributes
/// `before` was read from.
pub(super) fn same_incarnation(
    context: &Context,
    old: &dyn ErasedEntity,
    before: &Item,
) -> Condition {
    compared(context, old, before, incarnation(old.meta(), before).collect())
}

/// Returns the condition for callers that a row is unchanged since an entity was read: by its
/// version, or by all attributes of an entity without one.
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

/// Returns the condition that the row exists with the version of `old` and these attributes as in
/// `before`.
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

/// Returns the attributes that distinguish incarnations of a row: its times of creation and expiry;
/// and, because a version does not distinguish incarnations, every attribute of exactly one field.
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

/// Returns the stored row, if it meets the caller's conditions and still has the fields of an
/// entity. Its attributes may be in another form than they are written now.
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

/// Returns the fields that determine the keys and the derived rows of a row: all of them, if
/// derived rows depend on the whole entity.
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

/// Returns the fields of the primary key.
pub(super) fn key_fields(entity: &'static EntityMeta) -> impl Iterator<Item = u16> {
    let templates = std::iter::once(&entity.key.partition).chain(&entity.key.sort);
    templates.flat_map(|template| template.segments).filter_map(|segment| match segment {
        Segment::Field { position, .. } => Some(*position),
        Segment::Literal(_) | Segment::Shard => None,
    })
}

/// Returns the condition that a row still has the version of this entity.
fn same_version(entity: &dyn ErasedEntity) -> Option<Condition> {
    let meta = entity.meta();
    let attribute = row::attribute_of(meta, meta.version?)?;
    Some(match entity.version() {
        // Rows without versions have none.
        None | Some(0) => attribute_not_exists(attribute).or(path(attribute).eq(0)),
        Some(version) => {
            let aliases = codec::aliases_of(meta, meta.version?);
            aliases.iter().fold(path(attribute).eq(version), |same, alias| {
                same.or(attribute_not_exists(attribute).and(path(*alias).eq(version)))
            })
        }
    })
}

/// Returns the condition that an attribute still has its value.
fn same_value(entity: &'static EntityMeta, before: &Item, attribute: &str) -> Condition {
    match before.get(attribute) {
        None => attribute_not_exists(attribute).or(path(attribute).eq(AttributeValue::Null)),
        Some(value) if may_be_missing(entity, attribute) => {
            path(attribute).eq(value.clone()).or(attribute_not_exists(attribute))
        }
        Some(value) => path(attribute).eq(value.clone()),
    }
}

/// Returns whether an attribute may be missing in rows although its field has a value.
fn may_be_missing(entity: &'static EntityMeta, attribute: &str) -> bool {
    entity.fields.iter().any(|field| field.attribute == attribute && has_default(field))
}

/// Returns whether a field has a value in rows without its attribute: serde's default.
pub(super) fn has_default(field: &FieldMeta) -> bool {
    !field.is_required && !field.rust_type.contains("Option")
}
