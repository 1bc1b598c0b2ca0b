//! The keys of a row in secondary indexes.
//!
//! A row has all key attributes of an index or none of them: never an empty text or a null.

use std::collections::BTreeMap;

use monotable_design::meta::{EntityIndexMeta, EntityMeta, Segment, Template};
use monotable_expression::Update;
use monotable_types::Item;
use monotable_types::limits::INDEX_KEY_ATTRIBUTES_MAX;

use super::row;
use crate::context::{Context, shard};
use crate::error::{Error, Result};
use crate::key::{KeyError, Parts, check_lengths, render};

/// Key attributes of indexes with their texts; `None` for those that the row must not have.
pub(super) type IndexKeys = BTreeMap<&'static str, Option<String>>;

/// Returns the key attributes of every index that the entity declares.
pub(super) fn all(
    context: &Context,
    entity: &'static EntityMeta,
    parts: &dyn Parts,
) -> Result<IndexKeys> {
    let mut keys = IndexKeys::new();
    for index in entity.indexes {
        merge(&mut keys, one(context, entity, index, parts)?);
    }
    Ok(keys)
}

/// Returns the key attributes of one index.
pub(super) fn one(
    context: &Context,
    entity: &'static EntityMeta,
    index: &EntityIndexMeta,
    parts: &dyn Parts,
) -> Result<IndexKeys> {
    some(context, entity, index, parts, &|_| true)
}

/// Returns those key attributes of one index whose templates are requested.
pub(super) fn some(
    context: &Context,
    entity: &'static EntityMeta,
    index: &EntityIndexMeta,
    parts: &dyn Parts,
    is_wanted: &dyn Fn(&Template) -> bool,
) -> Result<IndexKeys> {
    let mut keys = IndexKeys::new();
    visit(context, entity, index, parts, is_wanted, &mut |attribute, text| {
        keys.insert(attribute, text);
    })?;
    Ok(keys)
}

/// Adds the keys in all indexes to a row.
pub(super) fn insert(
    context: &Context,
    entity: &'static EntityMeta,
    parts: &dyn Parts,
    row: &mut Item,
) -> Result<()> {
    for index in entity.indexes {
        visit(context, entity, index, parts, &|_| true, &mut |attribute, text| {
            if let Some(text) = text {
                row.insert(attribute.to_owned(), text.into());
            }
        })?;
    }
    Ok(())
}

/// The most key attributes that an index has.
const ATTRIBUTES_MAX: usize = 2 * INDEX_KEY_ATTRIBUTES_MAX;

/// Visits the requested key attributes of one index with their texts, or without if one is absent.
fn visit(
    context: &Context,
    entity: &'static EntityMeta,
    index: &EntityIndexMeta,
    parts: &dyn Parts,
    is_wanted: &dyn Fn(&Template) -> bool,
    visit: &mut dyn FnMut(&'static str, Option<String>),
) -> Result<()> {
    let key_error = |error| Error::Key { entity: entity.name, error };
    let Some(declared) = context.table.indexes.iter().find(|one| one.name == index.index) else {
        return Ok(());
    };
    let shard_number = match index.shards {
        None => None,
        Some(shards) => shard(entity, shards, parts).map_err(key_error)?,
    };
    let partition = index.partition.iter().zip(declared.partition).map(|key| (key, true));
    let sort = index.sort.iter().zip(declared.sort).map(|key| (key, false));
    let mut rendered = [const { None }; ATTRIBUTES_MAX];
    let mut is_in_index = true;
    let wanted = partition.chain(sort).filter(|((template, _), _)| is_wanted(template));
    for (slot, ((template, attribute), is_partition)) in rendered.iter_mut().zip(wanted) {
        let text = render(template, parts, shard_number).map_err(key_error)?;
        check(text.as_deref(), is_partition).map_err(key_error)?;
        is_in_index &= text.is_some();
        if !is_primary(context, attribute) && !is_field(entity, template, attribute) {
            *slot = Some((*attribute, text));
        }
    }
    for (attribute, text) in rendered.into_iter().flatten() {
        visit(attribute, text.filter(|_| is_in_index));
    }
    Ok(())
}

/// Adds the keys of another index. An attribute that two indexes share is present if one of them
/// needs it.
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

/// Returns the key attributes of an index.
pub(super) fn attributes(
    context: &Context,
    index: &EntityIndexMeta,
) -> impl Iterator<Item = &'static str> {
    let declared = context.table.indexes.iter().filter(|one| one.name == index.index);
    declared.flat_map(|declared| declared.partition.iter().chain(declared.sort)).copied()
}

/// Returns whether an attribute is written independently of indexes.
pub(super) fn is_written(context: &Context, entity: &'static EntityMeta, attribute: &str) -> bool {
    is_primary(context, attribute) || entity.fields.iter().any(|field| field.attribute == attribute)
}

/// Returns the fields that are part of the keys in an index.
pub(super) fn positions(index: &EntityIndexMeta) -> impl Iterator<Item = u16> {
    let segments =
        index.partition.iter().chain(index.sort).flat_map(|template| template.segments.iter());
    let fields = segments.filter_map(|segment| match segment {
        Segment::Field { position, .. } => Some(*position),
        Segment::Literal(_) | Segment::Shard => None,
    });
    fields.chain(index.shards.map(|shards| shards.by))
}

fn check(text: Option<&str>, is_partition: bool) -> Result<(), KeyError> {
    match text {
        None => Ok(()),
        Some("") => Err(KeyError::Empty),
        Some(text) if is_partition => check_lengths(text, None),
        Some(text) => check_lengths("", Some(text)),
    }
}

/// Returns whether the attribute is part of the table's own key, as in local indexes and in indexes
/// that invert the table's key.
pub(super) fn is_primary(context: &Context, attribute: &str) -> bool {
    context.table.partition_key == attribute || context.table.sort_key == Some(attribute)
}

/// Returns whether the attribute is written by a field already, as with keys of several attributes.
fn is_field(entity: &'static EntityMeta, template: &Template, attribute: &str) -> bool {
    match template.segments {
        [Segment::Field { position, pad: 0, .. }] => {
            row::attribute_of(entity, *position) == Some(attribute)
        }
        _ => false,
    }
}
