//! Converts entities from and to rows, by the codec of their declaration.
//!
//! This covers only the fields. The code that writes a row adds keys, index keys and the type
//! attribute.

use monotable_design::meta::{Codec, EntityMeta};
use monotable_types::{AttributeValue, Item};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::alias::{has_aliases, json_names, rename_attributes};
use super::joined::{Joined, Source};
use super::location::{FieldLocation, VALUE, is_attribute_only, location};
use super::plain::{Attributes, NO_VERSION, key_sources, read_plain, required_version};
use super::split::{Split, split};
use super::value::to_item;
use super::{CodecError, value_row};
use crate::key::ParsedParts;

/// Returns the attributes of an entity's fields, without fields that only the key contains.
///
/// # Errors
///
/// As [`to_value`](super::to_value), and [`ValueTooLarge`](super::CodecProblem::ValueTooLarge) for
/// a value row of more than 390 KB.
pub fn encode_fields<T: Serialize>(meta: &EntityMeta, value: &T) -> Result<Item, CodecError> {
    match meta.codec {
        Codec::Plain => encode_plain(meta, value),
        Codec::Envelope { .. } | Codec::ValueRow => encode_joined(meta, value),
    }
}

/// Does the same for an entity whose codec is known at compile time to be plain.
pub(crate) fn encode_plain<T: Serialize>(meta: &EntityMeta, value: &T) -> Result<Item, CodecError> {
    let mut row = to_item(value)?;
    for field in meta.fields.iter().filter(|field| field.is_key_only) {
        row.remove(field.attribute);
    }
    Ok(row)
}

/// Does the same for an entity whose codec is known at compile time not to be plain.
pub(crate) fn encode_joined<T: Serialize>(
    meta: &EntityMeta,
    value: &T,
) -> Result<Item, CodecError> {
    join(meta, split(meta, value)?)
}

/// Returns the row of a struct that has been split.
fn join(meta: &EntityMeta, Split { attributes: mut row, json }: Split) -> Result<Item, CodecError> {
    if let Codec::Envelope { data } = meta.codec {
        let json = json.unwrap_or_else(|| "{}".to_owned());
        row.insert(data.to_owned(), AttributeValue::S(json));
        return Ok(row);
    }
    match json {
        Some(_) if meta.fields.iter().any(|field| field.is_value) => {
            return Err(CodecError::unfit("a field that is the whole value excludes other fields"));
        }
        Some(json) => value_row::write_json(&mut row, json)?,
        None => {}
    }
    value_row::check_size(&row)?;
    Ok(row)
}

/// Returns the entity of a row. Fields that the row lacks are taken from the key, if it has them; a
/// missing version is 0, because rows of other programs may lack it.
///
/// # Errors
///
/// An attribute is missing or does not fit; the message contains its path.
pub fn decode_fields<T: DeserializeOwned>(
    meta: &EntityMeta,
    mut row: impl Attributes,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    match meta.codec {
        Codec::Plain => decode_plain(meta, &mut row, key),
        Codec::Envelope { .. } | Codec::ValueRow => decode_joined(meta, &mut row, key),
    }
}

/// Does the same for an entity whose codec is known at compile time to be plain.
pub(crate) fn decode_plain<T: DeserializeOwned>(
    meta: &EntityMeta,
    row: &mut dyn Attributes,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    if !has_aliases(meta) {
        return read_plain(meta, row, key);
    }
    let mut row = row.take_all()?;
    rename_attributes(meta, &mut row);
    read_plain(meta, &mut row, key)
}

/// Does the same for an entity whose codec is known at compile time not to be plain.
pub(crate) fn decode_joined<T: DeserializeOwned>(
    meta: &EntityMeta,
    row: &mut dyn Attributes,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    let mut row = row.take_all()?;
    rename_attributes(meta, &mut row);
    let (json_attribute, json) = take_json(meta, &mut row)?;
    let (renamed, row) = (json_names(meta, &json), row_sources(meta, row));
    let key = key_sources(meta, key).collect();
    Joined { json_attribute, json: &json, renamed, row, key }.read()
}

/// Takes the JSON text out of a row, with the name of its attribute.
fn take_json(meta: &EntityMeta, row: &mut Item) -> Result<(&'static str, String), CodecError> {
    if let Codec::Envelope { data } = meta.codec {
        return match row.remove(data) {
            None => Ok((data, "{}".to_owned())),
            Some(AttributeValue::S(json)) => Ok((data, json)),
            Some(other) => Err(CodecError::mismatch("JSON text", &other).inside(data)),
        };
    }
    if !meta.fields.iter().any(|field| field.is_value) {
        return Ok((VALUE, value_row::take_json(row)?));
    }
    if let Some(value) = value_row::take_value(row)? {
        row.insert(VALUE.to_owned(), value);
    }
    Ok((VALUE, "{}".to_owned()))
}

/// Returns the fields with their own attributes next to JSON text. Those that the row lacks may be
/// in the text, unless a condition or an index uses the attribute.
fn row_sources(meta: &EntityMeta, mut row: Item) -> Vec<(&'static str, Option<Source<'static>>)> {
    let version = required_version(meta);
    let mut sources = Vec::new();
    for (position, field) in meta.fields.iter().enumerate() {
        let FieldLocation::Attribute(attribute) = location(meta, position) else { continue };
        if field.stamp.is_some() {
            // serde does not know the field, so JSON text cannot set it.
            sources.push((field.attribute, None));
            continue;
        }
        let value = row
            .remove(attribute)
            .or_else(|| (version == Some(field.attribute)).then_some(NO_VERSION));
        if value.is_some() || is_attribute_only(meta, position) {
            sources.push((field.attribute, value.map(Source::Attribute)));
        }
    }
    sources
}

#[cfg(test)]
mod tests;
