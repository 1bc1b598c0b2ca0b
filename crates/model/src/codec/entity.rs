//! Entities into rows and back, by the codec of their declaration.
//!
//! Only the fields are meant here: keys, index keys and the type attribute belong to whoever writes
//! the row.

use monotable_design::meta::{Codec, EntityMeta};
use monotable_types::{AttributeValue, Item, Number};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::alias::{json_names, rename_attributes};
use super::joined::{Joined, Source, read_entries};
use super::place::{Place, VALUE, is_attribute_only, place};
use super::split::{Split, split};
use super::value::to_item;
use super::{CodecError, value_row};
use crate::key::ParsedParts;

/// The version of a row that has none.
const NO_VERSION: AttributeValue = AttributeValue::N(Number::ZERO);

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
    mut row: Item,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    rename_attributes(meta, &mut row);
    match meta.codec {
        Codec::Plain => decode_plain(meta, row, key),
        Codec::Envelope { data } => decode_envelope(meta, data, row, key),
        Codec::ValueRow => decode_value_row(meta, row, key),
    }
}

fn decode_plain<T: DeserializeOwned>(
    meta: &EntityMeta,
    row: Item,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    let mut missing: Vec<(Name, Source<'_>)> = key_sources(meta, key)
        .filter(|(name, _)| !row.contains_key(*name))
        .map(|(name, source)| (Name::Declared(name), source))
        .collect();
    if let Some(name) = required_version(meta)
        && !row.contains_key(name)
    {
        missing.push((Name::Declared(name), Source::Attribute(NO_VERSION)));
    }
    let stored = row.into_iter();
    let stored = stored.map(|(name, value)| (Name::Stored(name), Source::Attribute(value)));
    read_entries(stored.chain(missing))
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

/// The name of an entry, as it is there.
enum Name {
    Stored(String),
    Declared(&'static str),
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        match self {
            Self::Stored(name) => name,
            Self::Declared(name) => name,
        }
    }
}

/// The fields that the key has.
fn key_sources<'k>(
    meta: &EntityMeta,
    key: &'k ParsedParts,
) -> impl Iterator<Item = (&'static str, Source<'k>)> {
    key.iter().filter_map(|(position, text)| {
        let field = meta.fields.get(usize::from(position))?;
        Some((field.attribute, Source::Key(text, field.wire_type)))
    })
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

/// The field that counts changes, if an entity can't be without.
fn required_version(meta: &EntityMeta) -> Option<&'static str> {
    let field = meta.fields.get(usize::from(meta.version?))?;
    field.is_required.then_some(field.attribute)
}

#[cfg(test)]
mod tests;
