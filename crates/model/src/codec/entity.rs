//! Entities into rows and back, by the codec of their declaration.
//!
//! Only the fields are meant here: keys, index keys and the type attribute belong to whoever writes
//! the row.

use monotable_design::meta::{Codec, EntityMeta};
use monotable_types::{AttributeValue, Item};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::alias::{has_aliases, json_names, rename_attributes};
use super::joined::{Joined, Source};
use super::place::{Place, VALUE, is_attribute_only, place};
use super::plain::{Attributes, NO_VERSION, key_sources, read_plain, required_version};
use super::split::{Split, split};
use super::value::to_item;
use super::{CodecError, value_row};
use crate::key::ParsedParts;

/// The attributes of an entity's fields. Fields that only the key has are not among them.
///
/// # Errors
/// As [`to_value`](super::to_value), and
/// [`ValueTooLarge`](super::CodecProblem::ValueTooLarge) for a value row of more than 390 KB.
pub fn encode_fields<T: Serialize>(meta: &EntityMeta, value: &T) -> Result<Item, CodecError> {
    match meta.codec {
        Codec::Plain => {
            let mut row = to_item(value)?;
            for field in meta.fields.iter().filter(|field| field.is_key_only) {
                row.remove(field.attribute);
            }
            Ok(row)
        }
        Codec::Envelope { data } => {
            let Split { attributes: mut row, json } = split(meta, value)?;
            let json = json.unwrap_or_else(|| "{}".to_owned());
            row.insert(data.to_owned(), AttributeValue::S(json));
            Ok(row)
        }
        Codec::ValueRow => {
            let Split { attributes: mut row, json } = split(meta, value)?;
            match json {
                Some(_) if meta.fields.iter().any(|field| field.is_value) => {
                    return Err(CodecError::unfit(
                        "a field that is the whole value leaves no room for others",
                    ));
                }
                Some(json) => value_row::write_json(&mut row, json)?,
                None => {}
            }
            value_row::check_size(&row)?;
            Ok(row)
        }
    }
}

/// The entity of a row. What the row lacks and the key has is taken from the key; a missing version is
/// 0, because rows of other programs may not have one.
///
/// # Errors
/// If an attribute is missing or does not fit; the text says where.
pub fn decode_fields<T: DeserializeOwned>(
    meta: &EntityMeta,
    row: impl Attributes,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    if meta.codec == Codec::Plain && !has_aliases(meta) {
        return read_plain(meta, row, key);
    }
    let mut row = row.into_item()?;
    rename_attributes(meta, &mut row);
    match meta.codec {
        Codec::Plain => read_plain(meta, row, key),
        Codec::Envelope { data } => decode_envelope(meta, data, row, key),
        Codec::ValueRow => decode_value_row(meta, row, key),
    }
}

fn decode_envelope<T: DeserializeOwned>(
    meta: &EntityMeta,
    data: &'static str,
    mut row: Item,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    let json = match row.remove(data) {
        None => "{}".to_owned(),
        Some(AttributeValue::S(json)) => json,
        Some(other) => return Err(CodecError::mismatch("JSON text", &other).inside(data)),
    };
    let row = row_sources(meta, row);
    let (renamed, key) = (json_names(meta, &json), key_sources(meta, key).collect());
    Joined { json_attribute: data, json: &json, renamed, row, key }.read()
}

fn decode_value_row<T: DeserializeOwned>(
    meta: &EntityMeta,
    mut row: Item,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    let json = if meta.fields.iter().any(|field| field.is_value) {
        if let Some(value) = value_row::take_value(&mut row)? {
            row.insert(VALUE.to_owned(), value);
        }
        "{}".to_owned()
    } else {
        value_row::take_json(&mut row)?
    };
    let row = row_sources(meta, row);
    let (renamed, key) = (json_names(meta, &json), key_sources(meta, key).collect());
    Joined { json_attribute: VALUE, json: &json, renamed, row, key }.read()
}

/// The fields that stand beside JSON text. Those that the row lacks may be in the text, as long as
/// nothing depends on the attribute.
fn row_sources(meta: &EntityMeta, mut row: Item) -> Vec<(&'static str, Option<Source<'static>>)> {
    let version = required_version(meta);
    let mut sources = Vec::new();
    for (position, field) in meta.fields.iter().enumerate() {
        let Place::Attribute(attribute) = place(meta, position) else { continue };
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
