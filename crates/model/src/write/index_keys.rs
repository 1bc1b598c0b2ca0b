//! The keys that a row has in secondary indexes.
//!
//! A row has all key attributes of an index or none of them: never an empty text, never a null.

use std::collections::BTreeMap;

use monotable_design::meta::{EntityIndexMeta, EntityMeta, Segment, Template};
use monotable_expression::Update;

use super::row;
use crate::context::{Context, shard};
use crate::error::{Error, Result};
use crate::key::{KeyError, Parts, check_lengths, render};

/// Key attributes of indexes with their texts; `None` for those that the row must not have.
pub(super) type IndexKeys = BTreeMap<&'static str, Option<String>>;

/// The key attributes of every index that the entity declares.
pub(super) fn all(
    context: &Context,
    entity: &'static EntityMeta,
    parts: &(impl Parts + ?Sized),
) -> Result<IndexKeys> {
    let mut keys = IndexKeys::new();
    for index in entity.indexes {
        merge(&mut keys, one(context, entity, index, parts)?);
    }
    Ok(keys)
}

/// The key attributes of one index.
pub(super) fn one(
    context: &Context,
    entity: &'static EntityMeta,
    index: &EntityIndexMeta,
    parts: &(impl Parts + ?Sized),
) -> Result<IndexKeys> {
    some(context, entity, index, parts, |_| true)
}

/// Those key attributes of one index whose templates are wanted.
pub(super) fn some(
    context: &Context,
    entity: &'static EntityMeta,
    index: &EntityIndexMeta,
    parts: &(impl Parts + ?Sized),
    is_wanted: impl Fn(&Template) -> bool,
) -> Result<IndexKeys> {
    let key_error = |error| Error::Key { entity: entity.name, error };
    let Some(declared) = context.table.indexes.iter().find(|one| one.name == index.index) else {
        return Ok(IndexKeys::new());
    };
    let shard_number = match index.shards {
        None => None,
        Some(shards) => shard(entity, shards, parts).map_err(key_error)?,
    };
    let partition = index.partition.iter().zip(declared.partition);
    let partition = partition.filter(|(template, _)| is_wanted(template));
    let sort = index.sort.iter().zip(declared.sort);
    let sort = sort.filter(|(template, _)| is_wanted(template));
    let mut rendered = Vec::with_capacity(index.partition.len() + index.sort.len());
    for (template, attribute) in partition {
        let text = render(template, parts, shard_number).map_err(key_error)?;
        check(text.as_deref(), None).map_err(key_error)?;
        rendered.push((template, *attribute, text));
    }
    for (template, attribute) in sort {
        let text = render(template, parts, shard_number).map_err(key_error)?;
        check(None, text.as_deref()).map_err(key_error)?;
        rendered.push((template, *attribute, text));
    }
    let is_in_index = rendered.iter().all(|(_, _, text)| text.is_some());
    let keys = rendered.into_iter().filter(|(template, attribute, _)| {
        !is_primary(context, attribute) && !is_field(entity, template, attribute)
    });
    Ok(keys.map(|(_, attribute, text)| (attribute, text.filter(|_| is_in_index))).collect())
}

/// Adds the keys of another index. An attribute that two indexes share is there as long as one of
/// them needs it.
pub(super) fn merge(keys: &mut IndexKeys, more: IndexKeys) {
    for (attribute, text) in more {
        let known = keys.entry(attribute).or_default();
        if text.is_some() {
            *known = text;
        }
    }
}

/// Sets or removes the key attributes.
pub(super) fn add(update: Update, keys: IndexKeys) -> Update {
    keys.into_iter().fold(update, |update, (attribute, text)| match text {
        Some(text) => update.set(attribute, text),
        None => update.remove(attribute),
    })
}

/// The fields that are part of the keys in an index.
pub(super) fn positions(index: &EntityIndexMeta) -> impl Iterator<Item = u16> {
    let segments =
        index.partition.iter().chain(index.sort).flat_map(|template| template.segments.iter());
    let fields = segments.filter_map(|segment| match segment {
        Segment::Field { position, .. } => Some(*position),
        Segment::Literal(_) | Segment::Shard => None,
    });
    fields.chain(index.shards.map(|shards| shards.by))
}

fn check(partition: Option<&str>, sort: Option<&str>) -> Result<(), KeyError> {
    match (partition, sort) {
        (Some(""), _) | (_, Some("")) => Err(KeyError::Empty),
        _ => check_lengths(partition.unwrap_or_default(), sort),
    }
}

/// Whether the attribute is part of the table's own key: of local indexes, and of those that turn
/// the table's key around.
pub(super) fn is_primary(context: &Context, attribute: &str) -> bool {
    context.table.partition_key == attribute || context.table.sort_key == Some(attribute)
}

/// Whether the attribute is written by a field already, as with keys of several attributes.
fn is_field(entity: &'static EntityMeta, template: &Template, attribute: &str) -> bool {
    match template.segments {
        [Segment::Field { position, pad: 0, .. }] => {
            row::attribute_of(entity, *position) == Some(attribute)
        }
        _ => false,
    }
}
