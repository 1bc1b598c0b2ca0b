//! Reads entities whose fields are attributes straight from a row, and decodes only attributes that
//! fields need.

use std::borrow::Cow;
use std::{slice, vec};

use monotable_design::meta::EntityMeta;
use monotable_types::{AttributeValue, Item, Number};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Visitor};

use super::CodecError;
use super::de::TextDeserializer;
use super::joined::Source;
use super::stamps::is_stamp;
use crate::key::ParsedParts;

/// The version of a row without a version.
pub(super) const NO_VERSION: AttributeValue = AttributeValue::N(Number::ZERO);

/// The attributes of a row, which can be taken once.
pub trait Attributes {
    /// Takes the attributes with these names, each with the position of its name.
    ///
    /// # Errors
    ///
    /// One of them is not a valid value of DynamoDB.
    fn take(
        &mut self,
        names: &[&str],
        found: &mut dyn FnMut(usize, AttributeValue),
    ) -> Result<(), CodecError>;

    /// Takes all attributes.
    ///
    /// # Errors
    ///
    /// One of them is not a valid value of DynamoDB.
    fn take_all(&mut self) -> Result<Item, CodecError>;
}

impl Attributes for Item {
    fn take(
        &mut self,
        names: &[&str],
        found: &mut dyn FnMut(usize, AttributeValue),
    ) -> Result<(), CodecError> {
        for (known, value) in std::mem::take(self) {
            if let Some(position) = names.iter().position(|name| *name == known) {
                found(position, value);
            }
        }
        Ok(())
    }

    fn take_all(&mut self) -> Result<Item, CodecError> {
        Ok(std::mem::take(self))
    }
}

/// Reads an entity. Fields that the row lacks are taken from the key, if it has them; a missing
/// version is 0, because rows of other programs may lack it.
pub(super) fn read_plain<T: DeserializeOwned>(
    meta: &EntityMeta,
    row: &mut dyn Attributes,
    key: &ParsedParts,
) -> Result<T, CodecError> {
    T::deserialize(PlainDeserializer { meta, row, key })
}

struct PlainDeserializer<'a> {
    meta: &'a EntityMeta,
    row: &'a mut dyn Attributes,
    key: &'a ParsedParts,
}

impl<'a> PlainDeserializer<'a> {
    /// Returns access to the attributes that a struct has fields for.
    fn named(self, names: &'static [&'static str]) -> Result<FieldAccess<'a>, CodecError> {
        let Self { meta, row, key } = self;
        let mut values: Vec<Option<Source<'_>>> = names.iter().map(|_| None).collect();
        let mut found = |position, value| values[position] = Some(Source::Attribute(value));
        row.take(names, &mut found)?;
        for (name, source) in fallbacks(meta, key) {
            if let Some(position) = names.iter().position(|known| *known == name) {
                values[position].get_or_insert(source);
            }
        }
        let names = Names::Declared(names.iter());
        Ok(FieldAccess { names, values: values.into_iter(), open: None })
    }

    /// Returns access to all attributes.
    fn all(self) -> Result<FieldAccess<'a>, CodecError> {
        let Self { meta, row, key } = self;
        let mut row = row.take_all()?;
        row.retain(|name, _| !is_stamp(meta, name));
        let missing = fallbacks(meta, key).filter(|(name, _)| !row.contains_key(*name));
        let missing: Vec<_> =
            missing.map(|(name, source)| (name.to_owned(), Some(source))).collect();
        let stored = row.into_iter().map(|(name, value)| (name, Some(Source::Attribute(value))));
        let (names, values): (Vec<_>, Vec<_>) = stored.chain(missing).unzip();
        let names = Names::Stored(names.into_iter());
        Ok(FieldAccess { names, values: values.into_iter(), open: None })
    }
}

impl<'de> de::Deserializer<'de> for PlainDeserializer<'_> {
    type Error = CodecError;

    /// Reads only the attributes whose names the struct declares.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, CodecError> {
        visitor.visit_map(self.named(names)?)
    }

    /// Reads all attributes, for a struct with a flattened map.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, CodecError> {
        visitor.visit_map(self.all()?)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Access to the fields of an entity. It is one type for all entities, so that reading a field is
/// compiled once per type of field.
struct FieldAccess<'a> {
    names: Names,
    values: vec::IntoIter<Option<Source<'a>>>,
    /// The entry whose name has been returned, and whose value has not.
    open: Option<(Cow<'static, str>, Source<'a>)>,
}

/// The names of entries.
enum Names {
    Declared(slice::Iter<'static, &'static str>),
    Stored(vec::IntoIter<String>),
}

impl FieldAccess<'_> {
    /// Moves to the next entry that has a value, and returns its name.
    fn advance(&mut self) -> Option<&str> {
        loop {
            let value = self.values.next()?;
            let name = match &mut self.names {
                Names::Declared(names) => Cow::Borrowed(*names.next()?),
                Names::Stored(names) => Cow::Owned(names.next()?),
            };
            if let Some(value) = value {
                let (name, _) = self.open.insert((name, value));
                return Some(name);
            }
        }
    }
}

impl<'de> de::MapAccess<'de> for FieldAccess<'_> {
    type Error = CodecError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, CodecError> {
        let Some(name) = self.advance() else { return Ok(None) };
        match seed.deserialize(TextDeserializer::new(name)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.inside(name)),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<T::Value, CodecError> {
        let Some((name, source)) = self.open.take() else { return Err(CodecError::no_name()) };
        source.read_into(seed).map_err(|error| error.inside(&name))
    }
}

/// Returns the values that replace attributes missing in a row.
fn fallbacks<'k>(
    meta: &EntityMeta,
    key: &'k ParsedParts,
) -> impl Iterator<Item = (&'static str, Source<'k>)> {
    let version = required_version(meta);
    key_sources(meta, key).chain(version.map(|name| (name, Source::Attribute(NO_VERSION))))
}

/// Returns the fields that the key contains.
pub(super) fn key_sources<'k>(
    meta: &EntityMeta,
    key: &'k ParsedParts,
) -> impl Iterator<Item = (&'static str, Source<'k>)> {
    key.iter().filter_map(|(position, text)| {
        let field = meta.fields.get(usize::from(position))?;
        Some((field.attribute, Source::Key(text, field.wire_type)))
    })
}

/// Returns the version field, if the entity requires one.
pub(super) fn required_version(meta: &EntityMeta) -> Option<&'static str> {
    let field = meta.fields.get(usize::from(meta.version?))?;
    field.is_required.then_some(field.attribute)
}
