//! Where a field of an entity is stored in a row, by codec.

use monotable_design::meta::{Codec, EntityMeta, FieldMeta};

/// The value of a value row.
pub(crate) const VALUE: &str = "v";
/// The content type of a value row.
pub(crate) const CONTENT_TYPE: &str = "ct";
/// Additional information about a value row.
pub(crate) const META: &str = "meta";
const VERSION: &str = "ver";
const TTL: &str = "ttl";

/// Where a field is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldLocation {
    /// In an attribute with this name.
    Attribute(&'static str),
    /// In the JSON text, under the name of the field.
    Json,
    /// Only in the key.
    KeyOnly,
}

/// Returns where the field at a position is stored.
pub(super) fn location(meta: &EntityMeta, position: usize) -> FieldLocation {
    let field = &meta.fields[position];
    if field.is_key_only {
        return FieldLocation::KeyOnly;
    }
    if field.stamp.is_some() {
        return FieldLocation::Attribute(field.attribute);
    }
    let is = |special: Option<u16>| special.map(usize::from) == Some(position);
    match meta.codec {
        Codec::Plain => FieldLocation::Attribute(field.attribute),
        Codec::Envelope { .. } => {
            let is_beside =
                is(meta.version) || is(meta.ttl) || is(meta.created) || is(meta.updated);
            if is_beside || field.is_top_level {
                FieldLocation::Attribute(field.attribute)
            } else {
                FieldLocation::Json
            }
        }
        Codec::ValueRow if is(meta.version) => FieldLocation::Attribute(VERSION),
        Codec::ValueRow if is(meta.ttl) => FieldLocation::Attribute(TTL),
        Codec::ValueRow if field.is_value => FieldLocation::Attribute(VALUE),
        Codec::ValueRow => FieldLocation::Json,
    }
}

/// Returns the attribute that contains exactly the field at a position, if there is one. A field
/// inside JSON text, or only in the key, cannot be used in a condition or an update by itself.
pub fn attribute_of(meta: &EntityMeta, position: u16) -> Option<&'static str> {
    let position = usize::from(position);
    match meta.fields.get(position).map(|_| location(meta, position)) {
        Some(FieldLocation::Attribute(attribute)) => Some(attribute),
        Some(FieldLocation::Json | FieldLocation::KeyOnly) | None => None,
    }
}

/// Returns whether the field is read only from its attribute, even if JSON text contains its name:
/// conditions and expiry use the attribute.
pub(super) fn is_attribute_only(meta: &EntityMeta, position: usize) -> bool {
    [meta.version, meta.ttl].contains(&Some(position as u16))
}

/// Returns whether any field is stored in the JSON text.
pub(super) fn has_json(meta: &EntityMeta) -> bool {
    (0..meta.fields.len()).any(|position| location(meta, position) == FieldLocation::Json)
}

/// Returns whether this is the current or a previous attribute name of a field.
pub(super) fn is_field_attribute(meta: &EntityMeta, name: &str) -> bool {
    (0..meta.fields.len()).any(|position| match location(meta, position) {
        FieldLocation::Attribute(attribute) => {
            attribute == name || had_name(&meta.fields[position], name)
        }
        FieldLocation::Json | FieldLocation::KeyOnly => false,
    })
}

/// Returns whether this is the current or a previous name of a field, wherever it is stored.
pub(super) fn is_field(meta: &EntityMeta, name: &str) -> bool {
    meta.fields.iter().any(|field| field.attribute == name || had_name(field, name))
}

fn had_name(field: &FieldMeta, name: &str) -> bool {
    field.aliases.contains(&name)
}
