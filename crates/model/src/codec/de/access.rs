//! Iterates over the contents of lists, maps and variants.

use std::collections::btree_map;
use std::vec;

use monotable_types::{AttributeValue, Item};
use serde::de::{self, DeserializeSeed, Visitor};

use super::{CodecError, Result, TextDeserializer, ValueDeserializer};

/// Visits the elements of a list, and checks that none is left over.
pub(super) fn visit_list<'de, V: Visitor<'de>>(
    elements: Vec<AttributeValue>,
    visitor: V,
) -> Result<V::Value> {
    let mut access = ListAccess { elements: elements.into_iter(), index: 0 };
    let value = visitor.visit_seq(&mut access)?;
    access.finish()?;
    Ok(value)
}

struct ListAccess {
    elements: vec::IntoIter<AttributeValue>,
    index: usize,
}

impl ListAccess {
    fn finish(self) -> Result<()> {
        match self.elements.len() {
            0 => Ok(()),
            left => Err(CodecError::unfit(format!(
                "expected {} elements, found {}",
                self.index,
                self.index + left
            ))),
        }
    }
}

impl<'de> de::SeqAccess<'de> for &mut ListAccess {
    type Error = CodecError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(element) = self.elements.next() else { return Ok(None) };
        match seed.deserialize(ValueDeserializer(element)) {
            Ok(value) => {
                self.index += 1;
                Ok(Some(value))
            }
            Err(error) => Err(error.inside_element(self.index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

/// Visits the entries of a map.
pub(super) fn visit_map<'de, V: Visitor<'de>>(entries: Item, visitor: V) -> Result<V::Value> {
    visitor.visit_map(MapAccess { entries: entries.into_iter(), open: None })
}

struct MapAccess {
    entries: btree_map::IntoIter<String, AttributeValue>,
    /// The entry whose name has been returned, and whose value has not.
    open: Option<(String, AttributeValue)>,
}

impl<'de> de::MapAccess<'de> for MapAccess {
    type Error = CodecError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.open = self.entries.next();
        let Some((name, _)) = &self.open else { return Ok(None) };
        match seed.deserialize(TextDeserializer::new(name)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.inside(name)),
        }
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some((name, value)) = self.open.take() else { return Err(CodecError::no_name()) };
        seed.deserialize(ValueDeserializer(value)).map_err(|error| error.inside(&name))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.entries.len())
    }
}

pub(super) struct VariantAccess {
    pub(super) variant: String,
    pub(super) value: AttributeValue,
}

impl<'de> de::EnumAccess<'de> for VariantAccess {
    type Error = CodecError;
    type Variant = Content;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Content)> {
        let variant = seed.deserialize(TextDeserializer::new(&self.variant))?;
        Ok((variant, Content { variant: self.variant, value: self.value }))
    }
}

/// The content of a variant.
pub(super) struct Content {
    variant: String,
    value: AttributeValue,
}

impl Content {
    fn read<T>(self, read: impl FnOnce(ValueDeserializer) -> Result<T>) -> Result<T> {
        read(ValueDeserializer(self.value)).map_err(|error| error.inside(&self.variant))
    }
}

impl<'de> de::VariantAccess<'de> for Content {
    type Error = CodecError;

    fn unit_variant(self) -> Result<()> {
        self.read(|value| de::Deserializer::deserialize_unit(value, de::IgnoredAny)).map(|_| ())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        self.read(|value| seed.deserialize(value))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value> {
        self.read(|value| de::Deserializer::deserialize_tuple(value, length, visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.read(|value| de::Deserializer::deserialize_map(value, visitor))
    }
}
