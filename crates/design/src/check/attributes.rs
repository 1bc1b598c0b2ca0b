//! Which attributes the rows of an entity have, and of what type.

use super::rows::{entity_index, is_native};
use crate::meta::{
    Codec, EntityMeta, FieldMeta, IndexKind, IndexMeta, Projection, TableMeta, WireType,
};
use crate::text;

/// Returns whether a field is an attribute of its own.
pub(super) const fn is_attribute(entity: &EntityMeta, field: &FieldMeta) -> bool {
    match entity.codec {
        Codec::Plain => !field.is_key_only,
        Codec::Envelope { .. } => field.is_top_level && !field.is_key_only,
        Codec::ValueRow => field.stamp.is_some(),
    }
}

/// Returns the field that is an attribute of its own with this name.
pub(super) const fn field_with(entity: &EntityMeta, attribute: &str) -> Option<&'static FieldMeta> {
    let mut fields = entity.fields;
    while let [field, rest @ ..] = fields {
        if text::equal(field.attribute, attribute) && is_attribute(entity, field) {
            return Some(field);
        }
        fields = rest;
    }
    None
}

/// Returns the name of an attribute of an index key, where partition attributes come first.
pub(super) const fn key_name(index: &IndexMeta, position: usize) -> &'static str {
    let partition = index.partition.len();
    if position < partition { index.partition[position] } else { index.sort[position - partition] }
}

/// What rows of an entity have in an attribute of an index key.
#[derive(Clone, Copy)]
pub(super) enum KeyAttribute {
    /// Nothing, or unknown.
    None,
    /// Both a rendered template and a field that is not part of it.
    Clash,
    /// A value of this type.
    Value(WireType),
}

/// Returns what rows of an entity have in the attribute at a position of an index key, where partition
/// attributes come first.
pub(super) const fn key_attribute(
    entity: &EntityMeta,
    index: &IndexMeta,
    position: usize,
) -> KeyAttribute {
    let is_partition = position < index.partition.len();
    let number = if is_partition { position } else { position - index.partition.len() };
    let name = key_name(index, position);
    let templates = match (entity_index(entity, index.name), is_partition, index.kind) {
        (None, _, _) | (_, true, IndexKind::Local) => &[],
        (Some(written), true, _) => written.partition,
        (Some(written), false, _) => written.sort,
    };
    let field = field_with(entity, name);
    if number < templates.len() {
        match field {
            None => KeyAttribute::Value(WireType::S),
            Some(field) if is_native(entity, &templates[number], name) => value(field.wire_type),
            Some(_) => KeyAttribute::Clash,
        }
    } else {
        match field {
            Some(field) => value(field.wire_type),
            None => KeyAttribute::None,
        }
    }
}

const fn value(wire_type: WireType) -> KeyAttribute {
    match wire_type {
        WireType::Unknown => KeyAttribute::None,
        known => KeyAttribute::Value(known),
    }
}

/// Returns whether two types are the same.
pub(super) const fn is_same(one: WireType, other: WireType) -> bool {
    one as u8 == other as u8
}

/// Returns whether the declaration shows the type.
pub(super) const fn is_known(wire_type: WireType) -> bool {
    !matches!(wire_type, WireType::Unknown)
}

/// Returns the name of a type in messages.
pub(super) const fn type_name(wire_type: WireType) -> &'static str {
    match wire_type {
        WireType::S => "a string",
        WireType::N => "a number",
        WireType::B => "a binary",
        WireType::Bool => "a Boolean",
        WireType::L => "a list",
        WireType::M => "a map",
        WireType::Unknown => "of unknown type",
    }
}

/// Returns whether an index carries an attribute: the keys of the table and its own always.
pub(super) const fn is_projected(table: &TableMeta, index: &IndexMeta, attribute: &str) -> bool {
    let is_included = match index.projection {
        Projection::All => true,
        Projection::KeysOnly => false,
        Projection::Include(attributes) => text::is_in(attributes, attribute),
    };
    let is_sort_key = match table.sort_key {
        Some(name) => text::equal(name, attribute),
        None => false,
    };
    is_included
        || is_sort_key
        || text::equal(table.partition_key, attribute)
        || text::is_in(index.partition, attribute)
        || text::is_in(index.sort, attribute)
}

/// Returns an attribute without which an entity read from an index differs from the one that was
/// written. A missing optional field would be read as absent, and an expired row as present.
pub(super) const fn missing_attribute(
    table: &TableMeta,
    index: &IndexMeta,
    entity: &EntityMeta,
) -> Option<&'static str> {
    if matches!(index.projection, Projection::All) {
        return None;
    }
    let mut at = 0;
    while at < entity.fields.len() {
        let field = &entity.fields[at];
        if !field.is_key_only {
            let attribute = match entity.codec {
                Codec::Envelope { data } if !field.is_top_level => data,
                Codec::ValueRow if field.stamp.is_none() => "v",
                Codec::ValueRow | Codec::Plain | Codec::Envelope { .. } => field.attribute,
            };
            if !is_projected(table, index, attribute) {
                return Some(attribute);
            }
        }
        at += 1;
    }
    match (entity.ttl, table.ttl_attribute) {
        (Some(_), Some(attribute)) if !is_projected(table, index, attribute) => Some(attribute),
        _ => None,
    }
}
