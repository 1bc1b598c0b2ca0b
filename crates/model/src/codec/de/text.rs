//! Values that exist only as text: the names in maps, and the parts of keys.

use std::str::FromStr;

use monotable_design::meta::WireType;
use monotable_types::Number;
use serde::de::{self, IntoDeserializer, Visitor, value::StrDeserializer};

use super::{CodecError, Result, visit_number};

/// Reads a value from text as the requested type: a number from its digits, a string unchanged.
pub(in crate::codec) struct TextDeserializer<'a> {
    text: &'a str,
    /// The type of the value if none is requested.
    wire_type: WireType,
}

impl<'a> TextDeserializer<'a> {
    pub(in crate::codec) fn new(text: &'a str) -> Self {
        Self { text, wire_type: WireType::S }
    }

    pub(in crate::codec) fn of_type(text: &'a str, wire_type: WireType) -> Self {
        Self { text, wire_type }
    }

    fn parse<T: FromStr>(&self, expected: &str) -> Result<T> {
        self.text.parse().map_err(|_| {
            CodecError::unfit(format!("expected {expected}, found the text `{}`", self.text))
        })
    }
}

macro_rules! parsed {
    ($($method:ident, $visit:ident: $integer:ty, $convert:path;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.$visit(self.parse("a number")?)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for TextDeserializer<'_> {
    type Error = CodecError;

    integers!(parsed);

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f32(self.parse("a number")?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_f64(self.parse("a number")?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_bool(self.parse("`true` or `false`")?)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.wire_type {
            WireType::N => visit_number(self.parse::<Number>("a number")?, visitor),
            _ => visitor.visit_str(self.text),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.text)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.text)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.text)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let variant: StrDeserializer<'_, CodecError> = self.text.into_deserializer();
        visitor.visit_enum(variant)
    }

    serde::forward_to_deserialize_any! {
        char bytes byte_buf unit unit_struct seq tuple tuple_struct map struct ignored_any
    }
}
