//! Where a field of an entity stands in a row, codec by codec.

use monotable_design::meta::{Codec, EntityMeta, FieldMeta};

/// The value of a value row.
pub(crate) const VALUE: &str = "v";
/// The content type of a value row.
pub(crate) const CONTENT_TYPE: &str = "ct";
/// What else is to be known of a value row.
pub(crate) const META: &str = "meta";
const VERSION: &str = "ver";
const TTL: &str = "ttl";

/// Where a field stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// An attribute of its own, with this name.
    Attribute(&'static str),
    /// The JSON text, under the field's own name.
    Json,
    /// Only the key has it.
    KeyOnly,
}

/// Where the field at a position stands.
pub(super) fn place(meta: &EntityMeta, position: usize) -> Place {
    let field = &meta.fields[position];
    if field.is_key_only {
        return Place::KeyOnly;
    }
    if field.stamp.is_some() {
        return Place::Attribute(field.attribute);
    }
    let is = |special: Option<u16>| special.map(usize::from) == Some(position);
    match meta.codec {
        Codec::Plain => Place::Attribute(field.attribute),
        Codec::Envelope { .. } => {
            let is_beside =
                is(meta.version) || is(meta.ttl) || is(meta.created) || is(meta.updated);
            if is_beside || field.is_top_level {
                Place::Attribute(field.attribute)
            } else {
                Place::Json
            }
        }
        Codec::ValueRow if is(meta.version) => Place::Attribute(VERSION),
        Codec::ValueRow if is(meta.ttl) => Place::Attribute(TTL),
        Codec::ValueRow if field.is_value => Place::Attribute(VALUE),
        Codec::ValueRow => Place::Json,
    }
}

/// The attribute that holds the field at a position and nothing else, if there is one. A field inside
/// JSON text, or only in the key, can't be part of a condition or of an update by itself.
pub fn attribute_of(meta: &EntityMeta, position: u16) -> Option<&'static str> {
    let position = usize::from(position);
    match meta.fields.get(position).map(|_| place(meta, position)) {
        Some(Place::Attribute(attribute)) => Some(attribute),
        Some(Place::Json | Place::KeyOnly) | None => None,
    }
}

/// Whether the row alone says what the field is, even if JSON text from elsewhere has one of its name:
/// conditions and expiry look at the attribute.
pub(super) fn is_attribute_only(meta: &EntityMeta, position: usize) -> bool {
    [meta.version, meta.ttl].contains(&Some(position as u16))
}

/// Whether any field stands in the JSON text.
pub(super) fn has_json(meta: &EntityMeta) -> bool {
    (0..meta.fields.len()).any(|position| place(meta, position) == Place::Json)
}

/// Whether a field stands in an attribute of this name, or did before.
pub(super) fn is_field_attribute(meta: &EntityMeta, name: &str) -> bool {
    (0..meta.fields.len()).any(|position| match place(meta, position) {
        Place::Attribute(attribute) => attribute == name || had_name(&meta.fields[position], name),
        Place::Json | Place::KeyOnly => false,
    })
}

/// Whether a field has this name, wherever it stands, or had it before.
pub(super) fn is_field(meta: &EntityMeta, name: &str) -> bool {
    meta.fields.iter().any(|field| field.attribute == name || had_name(field, name))
}

fn had_name(field: &FieldMeta, name: &str) -> bool {
    field.aliases.contains(&name)
}
