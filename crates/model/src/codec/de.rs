//! Converts attribute values to Rust values. Values are moved, not copied: a string of an item
//! becomes the string of a field.

/// Passes the methods of every integer type to a macro: the deserializer's, the visitor's, the
/// type, and the conversion from a number.
macro_rules! integers {
    ($make:ident) => {
        $make! {
            deserialize_i8, visit_i8: i8, Number::to_i64;
            deserialize_i16, visit_i16: i16, Number::to_i64;
            deserialize_i32, visit_i32: i32, Number::to_i64;
            deserialize_i64, visit_i64: i64, Number::to_i64;
            deserialize_i128, visit_i128: i128, number::to_i128;
            deserialize_u8, visit_u8: u8, Number::to_u64;
            deserialize_u16, visit_u16: u16, Number::to_u64;
            deserialize_u32, visit_u32: u32, Number::to_u64;
            deserialize_u64, visit_u64: u64, Number::to_u64;
            deserialize_u128, visit_u128: u128, number::to_u128;
        }
    };
}

mod access;
mod text;

use std::fmt::Display;

use monotable_types::{AttributeValue, Number};
use serde::de::value::SeqDeserializer;
use serde::de::{self, IntoDeserializer, Visitor};

use super::{CodecError, number};
use access::{VariantAccess, visit_list, visit_map};
pub(super) use text::TextDeserializer;

/// Reads one attribute value.
pub(super) struct ValueDeserializer(pub(super) AttributeValue);

type Result<T> = std::result::Result<T, CodecError>;

impl ValueDeserializer {
    fn number(self) -> Result<Number> {
        match self.0 {
            AttributeValue::N(number) => Ok(number),
            other => Err(CodecError::mismatch("a number", &other)),
        }
    }
}

/// Returns the elements of a list or a set.
fn elements(value: AttributeValue) -> Result<Vec<AttributeValue>> {
    Ok(match value {
        AttributeValue::L(list) => list,
        AttributeValue::Ss(set) => set.into_iter().map(AttributeValue::S).collect(),
        AttributeValue::Ns(set) => set.into_iter().map(AttributeValue::N).collect(),
        AttributeValue::Bs(set) => set.into_iter().map(AttributeValue::B).collect(),
        other => return Err(CodecError::mismatch("a list", &other)),
    })
}

fn visit_number<'de, V: Visitor<'de>>(number: Number, visitor: V) -> Result<V::Value> {
    if let Some(integer) = number.to_u64() {
        return visitor.visit_u64(integer);
    }
    match number.to_i64() {
        Some(integer) => visitor.visit_i64(integer),
        None => visitor.visit_f64(number::to_f64(&number)),
    }
}

#[cold]
fn not_within(number: &Number, least: &dyn Display, greatest: &dyn Display) -> CodecError {
    CodecError::unfit(format!("expected a whole number from {least} to {greatest}, found {number}"))
}

macro_rules! fitting {
    ($($method:ident, $visit:ident: $integer:ty, $convert:path;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let number = self.number()?;
            match $convert(&number).map(<$integer>::try_from) {
                Some(Ok(integer)) => visitor.$visit(integer),
                _ => Err(not_within(&number, &<$integer>::MIN, &<$integer>::MAX)),
            }
        }
    )*};
}

impl<'de> de::Deserializer<'de> for ValueDeserializer {
    type Error = CodecError;

    integers!(fitting);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::S(text) => visitor.visit_string(text),
            AttributeValue::N(number) => visit_number(number, visitor),
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes),
            AttributeValue::Bool(boolean) => visitor.visit_bool(boolean),
            AttributeValue::Null => visitor.visit_unit(),
            AttributeValue::M(entries) => visit_map(entries, visitor),
            AttributeValue::L(_)
            | AttributeValue::Ss(_)
            | AttributeValue::Ns(_)
            | AttributeValue::Bs(_) => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f32(number::to_f32(&self.number()?))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f64(number::to_f64(&self.number()?))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::Bool(boolean) => visitor.visit_bool(boolean),
            other => Err(CodecError::mismatch("a Boolean", &other)),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_string(visitor)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::S(text) => visitor.visit_string(text),
            other => Err(CodecError::mismatch("a string", &other)),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::B(bytes) => visitor.visit_byte_buf(bytes),
            other => Err(CodecError::mismatch("a binary", &other)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::Null => visitor.visit_unit(),
            other => Err(CodecError::mismatch("NULL", &other)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            // A `Vec<u8>`, which expects a sequence.
            AttributeValue::B(bytes) => visitor.visit_seq(SeqDeserializer::new(bytes.into_iter())),
            value => visit_list(elements(value)?, visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0 {
            AttributeValue::M(entries) => visit_map(entries, visitor),
            other => Err(CodecError::mismatch("a map", &other)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0 {
            AttributeValue::S(variant) => visitor.visit_enum(variant.into_deserializer()),
            AttributeValue::M(entries) => {
                let mut entries = entries.into_iter();
                match (entries.next(), entries.next()) {
                    (Some((variant, value)), None) => {
                        visitor.visit_enum(VariantAccess { variant, value })
                    }
                    _ => Err(CodecError::unfit(
                        "expected a map with exactly one entry, named after the variant",
                    )),
                }
            }
            other => Err(CodecError::mismatch("a string or a map of one variant", &other)),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_string(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}
