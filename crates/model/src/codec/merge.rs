//! What a rewritten row keeps of the previous row: everything that the entity does not know.

use std::borrow::Cow;
use std::fmt;

use monotable_design::meta::{Codec, EntityMeta};
use monotable_types::{AttributeValue, Item};
use serde::de::{self, Visitor};
use serde_json::value::RawValue;

use super::joined::NameSeed;
use super::location::{CONTENT_TYPE, META, VALUE, has_json, is_field, is_field_attribute};
use super::{CodecError, value_row};

/// Returns the row that replaces `before`: `after`, with every attribute of `before` that the
/// entity does not know, every name in its JSON text that is not a field, and every entry of the
/// `meta` of a value row. Fields that `after` lacks are removed.
///
/// `known` contains the encoded entity before the change: names in it that are not fields belong to
/// flattened fields.
///
/// `is_derived` returns whether the caller writes an attribute itself (index keys, the entity
/// type): of those, only the ones in `after` remain, so that a row can leave an index.
///
/// # Errors
///
/// The value of a value row cannot be decompressed, or the new row exceeds the maximum size.
pub fn merge(
    meta: &EntityMeta,
    before: Item,
    known: &Item,
    after: Item,
    is_derived: impl Fn(&str) -> bool,
) -> Result<Item, CodecError> {
    merge_rows(meta, before, known, after, &is_derived)
}

fn merge_rows(
    meta: &EntityMeta,
    mut before: Item,
    known: &Item,
    mut after: Item,
    is_derived: &dyn Fn(&str) -> bool,
) -> Result<Item, CodecError> {
    match meta.codec {
        Codec::Plain => {
            before.retain(|name, _| !is_field(meta, name) && !known.contains_key(name));
        }
        Codec::Envelope { data } => {
            if before.get(data) != known.get(data)
                && let (Some(AttributeValue::S(old)), Some(AttributeValue::S(new))) =
                    (before.remove(data), after.get_mut(data))
            {
                let known = || {
                    let known = known.get(data).and_then(AttributeValue::as_s);
                    [known.map_or(Vec::new(), names), names(new)].concat()
                };
                let unknown = unknown_entries(meta, &old, known);
                append_entries(new, &unknown);
            }
            before.retain(|name, _| !is_field_attribute(meta, name));
        }
        Codec::ValueRow => merge_value(meta, &mut before, known, &mut after)?,
    }
    before.retain(|name, _| !is_derived(name));
    // The new row takes precedence.
    before.append(&mut after);
    if matches!(meta.codec, Codec::ValueRow) {
        value_row::check_size(&before)?;
    }
    Ok(before)
}

fn merge_value(
    meta: &EntityMeta,
    before: &mut Item,
    known: &Item,
    after: &mut Item,
) -> Result<(), CodecError> {
    // A value that the entity wrote itself contains nothing unknown.
    if has_json(meta) && before.get(VALUE) != known.get(VALUE) {
        // A value of another kind has no names to keep.
        if let Some(AttributeValue::S(old)) = value_row::take_value(before)? {
            let json = |row: &Item| value_row::take_json(&mut row.clone());
            let known = || {
                let texts = [json(known), json(after)].into_iter().flatten();
                texts.flat_map(|json| names(&json)).collect()
            };
            let entries = unknown_entries(meta, &old, known);
            if !entries.is_empty() {
                let mut json = value_row::take_json(after)?;
                append_entries(&mut json, &entries);
                value_row::write_json(after, json)?;
            }
        }
    }
    before.remove(VALUE);
    before.retain(|name, _| !is_field_attribute(meta, name));
    let kept = match before.remove(META) {
        Some(AttributeValue::M(entries)) => value_row::without_compressed(entries),
        _ => Item::new(),
    };
    if !kept.is_empty() {
        let entry = after.entry(META.to_owned()).or_insert(AttributeValue::M(Item::new()));
        if let AttributeValue::M(entries) = entry {
            for (name, value) in kept {
                entries.entry(name).or_insert(value);
            }
        }
    }
    if after.contains_key(CONTENT_TYPE) {
        before.remove(CONTENT_TYPE);
    }
    Ok(())
}

/// Returns the entries of a JSON object that are neither fields nor known, as their original text.
fn unknown_entries(meta: &EntityMeta, json: &str, known: impl FnOnce() -> Vec<String>) -> String {
    let mut unknown = String::new();
    // Text that is not an object has no entries to keep.
    let mut entries = serde_json::from_str(json).map_or(Vec::new(), |Object(entries)| entries);
    entries.retain(|(name, _)| !is_field(meta, name));
    if !entries.is_empty() {
        let known = known();
        entries.retain(|(name, _)| !known.iter().any(|known| known == name));
    }
    for (name, value) in &entries {
        let Ok(name) = serde_json::to_string(name) else { continue };
        if !unknown.is_empty() {
            unknown.push(',');
        }
        unknown.push_str(&name);
        unknown.push(':');
        unknown.push_str(value.get());
    }
    unknown
}

/// Returns the names in a JSON object; none for text that is not an object.
pub(super) fn names(json: &str) -> Vec<String> {
    let entries = serde_json::from_str(json).map_or(Vec::new(), |Object(entries)| entries);
    entries.into_iter().map(|(name, _)| name.into_owned()).collect()
}

/// Appends entries to a JSON object that this codec wrote.
fn append_entries(json: &mut String, entries: &str) {
    if entries.is_empty() || !json.ends_with('}') {
        return;
    }
    json.pop();
    if !json.ends_with('{') {
        json.push(',');
    }
    json.push_str(entries);
    json.push('}');
}

/// The entries of a JSON object with their values as text, so that no digit of a number is lost.
struct Object<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> de::Deserialize<'de> for Object<'a> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor)
    }
}

struct ObjectVisitor;

impl<'de> Visitor<'de> for ObjectVisitor {
    type Value = Object<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Object<'de>, A::Error> {
        let mut entries = Vec::new();
        while let Some(name) = map.next_key_seed(NameSeed)? {
            entries.push((name, map.next_value()?));
        }
        Ok(Object(entries))
    }
}

#[cfg(test)]
mod tests;
