//! The insides of lists, maps and variants, handed out one by one.

use monotable_types::AttributeValue;
use serde::de::{self, DeserializeSeed, Visitor};

use super::{CodecError, Result, TextDeserializer, ValueDeserializer};

/// Hands out the elements of a list, and checks that none is left over.
pub(super) fn visit_list<'de, V: Visitor<'de>>(
    elements: impl ExactSizeIterator<Item = AttributeValue>,
    visitor: V,
) -> Result<V::Value> {
    let mut access = ListAccess { elements, index: 0 };
    let value = visitor.visit_seq(&mut access)?;
    match access.elements.len() {
        0 => Ok(value),
        left => Err(CodecError::unfit(format!(
            "expected {} elements, found {}",
            access.index,
            access.index + left
        ))),
    }
}

struct ListAccess<I> {
    elements: I,
    index: usize,
}

impl<'de, I: ExactSizeIterator<Item = AttributeValue>> de::SeqAccess<'de> for &mut ListAccess<I> {
    type Error = CodecError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(element) = self.elements.next() else { return Ok(None) };
        let value = seed
            .deserialize(ValueDeserializer(element))
            .map_err(|error| error.inside_element(self.index))?;
        self.index += 1;
        Ok(Some(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len())
    }
}

/// Hands out the entries of a map, or whatever is to be seen as such.
pub(in crate::codec) fn visit_map<'de, V, N, D>(
    entries: impl Iterator<Item = (N, D)>,
    visitor: V,
) -> Result<V::Value>
where
    V: Visitor<'de>,
    N: AsRef<str>,
    D: ReadInto,
{
    visitor.visit_map(MapAccess { entries, open: None })
}

/// A value that a field can be read from.
pub(in crate::codec) trait ReadInto {
    fn read_into<'de, T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value>;
}

impl ReadInto for AttributeValue {
    fn read_into<'de, T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(ValueDeserializer(self))
    }
}

struct MapAccess<I, N, D> {
    entries: I,
    /// The entry whose name was handed out, and whose value was not.
    open: Option<(N, D)>,
}

impl<'de, I, N, D> de::MapAccess<'de> for MapAccess<I, N, D>
where
    I: Iterator<Item = (N, D)>,
    N: AsRef<str>,
    D: ReadInto,
{
    type Error = CodecError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((name, value)) = self.entries.next() else { return Ok(None) };
        let key = seed
            .deserialize(TextDeserializer::new(name.as_ref()))
            .map_err(|error| error.inside(name.as_ref()))?;
        self.open = Some((name, value));
        Ok(Some(key))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some((name, value)) = self.open.take() else {
            return Err(CodecError::unfit("a value was asked for before its name"));
        };
        value.read_into(seed).map_err(|error| error.inside(name.as_ref()))
    }

    fn size_hint(&self) -> Option<usize> {
        match self.entries.size_hint() {
            (least, Some(most)) if least == most => Some(most),
            _ => None,
        }
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

/// What stands under the name of a variant.
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
