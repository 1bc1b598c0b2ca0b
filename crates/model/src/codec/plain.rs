//! Entities whose fields are attributes, read straight from a row: what no field wants is not decoded.

use monotable_design::meta::EntityMeta;
use monotable_types::{AttributeValue, Item, Number};
use serde::de::{self, DeserializeOwned, Visitor};

use super::CodecError;
use super::de::visit_map;
use super::joined::Source;
use crate::key::ParsedParts;

/// The version of a row that has none.
pub(super) const NO_VERSION: AttributeValue = AttributeValue::N(Number::ZERO);

/// The attributes of a row, to be taken apart.
pub trait Attributes {
    /// Hands out the attributes that have these names, each with the position of its name.
    ///
    /// # Errors
    /// If one is no value of DynamoDB's.
    fn take(
        self,
        names: &[&str],
        found: impl FnMut(usize, AttributeValue),
    ) -> Result<(), CodecError>;

    /// All attributes.
    ///
    /// # Errors
    /// If one is no value of DynamoDB's.
    fn into_item(self) -> Result<Item, CodecError>;
}

impl Attributes for Item {
    fn take(
        self,
        names: &[&str],
        mut found: impl FnMut(usize, AttributeValue),
    ) -> Result<(), CodecError> {
        for (known, value) in self {
            if let Some(position) = names.iter().position(|name| *name == known) {
                found(position, value);
            }
        }
        Ok(())
    }

    fn into_item(self) -> Result<Item, CodecError> {
        Ok(self)
    }
}

/// Reads an entity. What the row lacks and the key has is taken from the key; a missing version is 0,
/// because rows of other programs may not have one.
pub(super) fn read_plain<T: DeserializeOwned>(
    meta: &EntityMeta,
    row: impl Attributes,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    T::deserialize(PlainDeserializer { meta, row, key })
}

struct PlainDeserializer<'a, R> {
    meta: &'a EntityMeta,
    row: R,
    key: &'a ParsedParts,
}

impl<'de, R: Attributes> de::Deserializer<'de> for PlainDeserializer<'_, R> {
    type Error = CodecError;

    /// A struct says which names it knows, so that nothing else is looked at.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        let Self { meta, row, key } = self;
        let mut values: Vec<Option<Source<'_>>> = names.iter().map(|_| None).collect();
        row.take(names, |position, value| values[position] = Some(Source::Attribute(value)))?;
        for (name, source) in stand_ins(meta, key) {
            if let Some(position) = names.iter().position(|known| *known == name) {
                values[position].get_or_insert(source);
            }
        }
        let entries = names.iter().zip(values);
        visit_map(entries.filter_map(|(name, value)| Some((*name, value?))), visitor)
    }

    /// Somebody who takes whatever there is, as a struct with a flattened map does.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        let Self { meta, row, key } = self;
        let row = row.into_item()?;
        let missing: Vec<(Name, Source<'_>)> = stand_ins(meta, key)
            .filter(|(name, _)| !row.contains_key(*name))
            .map(|(name, source)| (Name::Declared(name), source))
            .collect();
        let stored = row.into_iter();
        let stored = stored.map(|(name, value)| (Name::Stored(name), Source::Attribute(value)));
        visit_map(stored.chain(missing), visitor)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// What stands in for attributes that a row lacks.
fn stand_ins<'k>(
    meta: &EntityMeta,
    key: &'k ParsedParts,
) -> impl Iterator<Item = (&'static str, Source<'k>)> {
    let version = required_version(meta);
    key_sources(meta, key).chain(version.map(|name| (name, Source::Attribute(NO_VERSION))))
}

/// The fields that the key has.
pub(super) fn key_sources<'k>(
    meta: &EntityMeta,
    key: &'k ParsedParts,
) -> impl Iterator<Item = (&'static str, Source<'k>)> {
    key.iter().filter_map(|(position, text)| {
        let field = meta.fields.get(usize::from(position))?;
        Some((field.attribute, Source::Key(text, field.wire_type)))
    })
}

/// The field that counts changes, if an entity can't be without.
pub(super) fn required_version(meta: &EntityMeta) -> Option<&'static str> {
    let field = meta.fields.get(usize::from(meta.version?))?;
    field.is_required.then_some(field.attribute)
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
