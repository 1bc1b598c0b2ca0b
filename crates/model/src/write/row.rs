//! An entity as a stored row: key, fields, index keys and type.

use monotable_design::meta::{Codec, EntityMeta, TableMeta, Template, TypeAttribute};
use monotable_types::{AttributeValue, Item};
use serde::Serialize;

use super::erased::ErasedEntity;
use super::index_keys;
use crate::backend::Row;
use crate::codec;
use crate::context::{Context, key_texts};
use crate::entity::Entity;
use crate::error::{Error, Result};
use crate::key::{ParsedParts, parse_template};
use crate::read::make;

/// Returns the complete row of an entity under its own key.
pub(super) fn encode(context: &Context, entity: &dyn ErasedEntity) -> Result<Item> {
    complete(context, entity, entity.fields()?)
}

/// Returns the complete row of an entity whose fields have been encoded.
pub(super) fn complete(context: &Context, entity: &dyn ErasedEntity, fields: Item) -> Result<Item> {
    let meta = entity.meta();
    let key = key_texts(meta, &meta.key, entity)
        .map_err(|error| Error::Key { entity: meta.name, error })?;
    under(context, entity, fields, key)
}

/// Returns the complete row of an entity whose key has been rendered.
pub(super) fn encode_at(
    context: &Context,
    entity: &dyn ErasedEntity,
    key: (String, Option<String>),
) -> Result<Item> {
    under(context, entity, entity.fields()?, key)
}

fn under(
    context: &Context,
    entity: &dyn ErasedEntity,
    fields: Item,
    (partition, sort): (String, Option<String>),
) -> Result<Item> {
    let mut row = derived(context, entity, fields)?;
    row.insert(context.table.partition_key.to_owned(), partition.into());
    if let (Some(attribute), Some(sort)) = (context.table.sort_key, sort) {
        row.insert(attribute.to_owned(), sort.into());
    }
    Ok(row)
}

/// Returns an entity's row without its primary key.
pub(super) fn attributes(context: &Context, entity: &dyn ErasedEntity) -> Result<Item> {
    derived(context, entity, entity.fields()?)
}

/// Returns the fields of an entity with the attributes derived from them.
fn derived(context: &Context, entity: &dyn ErasedEntity, mut row: Item) -> Result<Item> {
    let meta = entity.meta();
    row.extend(type_attribute(context, meta.type_name));
    index_keys::insert(context, meta, entity, &mut row)?;
    Ok(row)
}

/// Returns the attribute that contains exactly the field at a position.
pub(super) fn attribute_of(entity: &'static EntityMeta, position: u16) -> Option<&'static str> {
    codec::attribute_of(entity, position)
}

/// Returns the attribute that contains the field at a position, alone or with others.
pub(super) fn holder_of(entity: &'static EntityMeta, position: u16) -> Option<&'static str> {
    let shared = match entity.codec {
        Codec::Plain => None,
        Codec::Envelope { data } => Some(data),
        Codec::ValueRow => Some("v"),
    };
    let is_key_only = entity.fields[usize::from(position)].is_key_only;
    attribute_of(entity, position).or(shared.filter(|_| !is_key_only))
}

/// Returns the type attribute of a row, if the table has one.
pub(super) fn type_attribute(context: &Context, name: &str) -> Option<(String, AttributeValue)> {
    match context.table.type_attribute {
        TypeAttribute::Named(attribute) => Some((attribute.to_owned(), name.into())),
        TypeAttribute::ByKey => None,
    }
}

/// Returns one value as an attribute.
pub(super) fn value(
    entity: &'static EntityMeta,
    value: &(impl Serialize + ?Sized),
) -> Result<AttributeValue> {
    codec::to_value(value).map_err(|error| Error::Encode { entity: entity.name, error })
}

/// Returns the entity of a row that was read or returned by its key.
pub(super) fn decode<E: Entity>(context: &Context, row: Row) -> Result<E> {
    let parts = key_parts(context, E::META, &row);
    make(context.table, 0, row, &parts)
}

/// Returns the fields in the key of a row, if the entity reads any from there.
fn key_parts(context: &Context, entity: &'static EntityMeta, row: &Row) -> ParsedParts {
    let mut parts = ParsedParts::default();
    let has_all_fields = matches!(entity.codec, Codec::Plain)
        && !entity.fields.iter().any(|field| field.is_key_only);
    if has_all_fields {
        return parts;
    }
    let mut parse = |template: &Template, attribute: &str| {
        if let Some(AttributeValue::S(text)) = row.get(attribute) {
            parse_template(template, &text, &mut parts);
        }
    };
    parse(&entity.key.partition, context.table.partition_key);
    if let (Some(template), Some(attribute)) = (&entity.key.sort, context.table.sort_key) {
        parse(template, attribute);
    }
    parts
}

/// Returns the primary key of a row.
pub(super) fn key_of(context: &Context, row: &Item) -> Item {
    let attributes = std::iter::once(context.table.partition_key).chain(context.table.sort_key);
    attributes
        .filter_map(|attribute| row.get_key_value(attribute))
        .map(|(attribute, value)| (attribute.clone(), value.clone()))
        .collect()
}

/// Returns a key in the form of messages.
pub(crate) fn key_text(table: &TableMeta, key: &Item) -> String {
    let mut text = String::new();
    write_key(table, key, &mut text);
    text
}

/// Appends a key in the form of messages.
pub(super) fn write_key(table: &TableMeta, key: &Item, text: &mut String) {
    let value = |attribute: &str| key.get(attribute).and_then(AttributeValue::as_s);
    let (partition, sort) = (value(table.partition_key), table.sort_key.and_then(value));
    text.push_str(partition.unwrap_or_default());
    if partition.is_some() && sort.is_some() {
        text.push_str(" / ");
    }
    text.push_str(sort.unwrap_or_default());
}
