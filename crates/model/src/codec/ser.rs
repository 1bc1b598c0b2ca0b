//! Converts Rust values to attribute values: serde's data model in terms of DynamoDB.

mod compound;
mod key;

use std::collections::BTreeMap;

use monotable_types::{AttributeValue, Number};
use serde::ser::{self, Serialize};

use super::sets::SetKind;
use super::{CodecError, number};
use compound::{ListSerializer, MapSerializer, StructSerializer};
pub(super) use key::KeySerializer;

/// Makes an attribute value of any serializable value.
pub(super) struct ValueSerializer;

/// The result of serializing a value. The caller decides what an absent value means: a field is
/// left out, an element of a list or a map becomes NULL.
pub(super) enum Made {
    Value(AttributeValue),
    None,
    EmptySet,
}

impl Made {
    /// Returns the value of a field, or `None` for one that is left out.
    #[inline]
    pub(super) fn field(self) -> Option<AttributeValue> {
        match self {
            Self::Value(value) => Some(value),
            Self::None | Self::EmptySet => None,
        }
    }

    /// Returns the value of an element, which cannot be left out.
    pub(super) fn element(self) -> Result<AttributeValue> {
        match self {
            Self::Value(value) => Ok(value),
            Self::None => Ok(AttributeValue::Null),
            Self::EmptySet => Err(CodecError::unfit(
                "DynamoDB has no empty sets, and only a field of a struct can be left out",
            )),
        }
    }
}

type Result<T = Made> = std::result::Result<T, CodecError>;

#[inline]
fn made(value: impl Into<AttributeValue>) -> Result {
    Ok(Made::Value(value.into()))
}

/// Returns the value under the name of an enum's variant, which is serde's default tagging.
fn tagged(variant: &str, value: AttributeValue) -> Result {
    made(BTreeMap::from([(variant.to_owned(), value)]))
}

macro_rules! integers {
    ($($method:ident: $integer:ty),*) => {$(
        #[inline]
        fn $method(self, integer: $integer) -> Result {
            made(Number::from(integer))
        }
    )*};
}

impl ser::Serializer for ValueSerializer {
    type Ok = Made;
    type Error = CodecError;
    type SerializeSeq = ListSerializer;
    type SerializeTuple = ListSerializer;
    type SerializeTupleStruct = ListSerializer;
    type SerializeTupleVariant = ListSerializer;
    type SerializeMap = MapSerializer;
    type SerializeStruct = StructSerializer;
    type SerializeStructVariant = StructSerializer;

    integers! {
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64
    }

    #[inline]
    fn serialize_bool(self, boolean: bool) -> Result {
        made(boolean)
    }

    fn serialize_i128(self, integer: i128) -> Result {
        made(number::from_i128(integer)?)
    }

    fn serialize_u128(self, integer: u128) -> Result {
        made(number::from_u128(integer)?)
    }

    fn serialize_f32(self, float: f32) -> Result {
        made(number::from_f32(float)?)
    }

    fn serialize_f64(self, float: f64) -> Result {
        made(number::from_f64(float)?)
    }

    fn serialize_char(self, character: char) -> Result {
        made(character.to_string())
    }

    #[inline]
    fn serialize_str(self, text: &str) -> Result {
        made(text)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Result {
        made(AttributeValue::B(bytes.to_owned()))
    }

    #[inline]
    fn serialize_none(self) -> Result {
        Ok(Made::None)
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result {
        made(AttributeValue::Null)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result {
        made(AttributeValue::Null)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result {
        made(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result {
        let value = value.serialize(self)?;
        match (SetKind::marked_by(name), value) {
            (Some(_), Made::Value(AttributeValue::L(list))) if list.is_empty() => {
                Ok(Made::EmptySet)
            }
            (Some(kind), Made::Value(AttributeValue::L(list))) => made(kind.collect(list)?),
            (Some(_), Made::Value(other)) => Err(CodecError::mismatch("a sequence", &other)),
            // serde treats a missing field as absent only if its type is `Option` itself, not a
            // newtype of one. The latter must be written to be read back.
            (None, Made::None) => made(AttributeValue::Null),
            (_, value) => Ok(value),
        }
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result {
        let value = value.serialize(self).and_then(Made::element);
        tagged(variant, value.map_err(|error| error.inside(variant))?)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<ListSerializer> {
        Ok(ListSerializer::new(None, length.unwrap_or(0)))
    }

    fn serialize_tuple(self, length: usize) -> Result<ListSerializer> {
        Ok(ListSerializer::new(None, length))
    }

    fn serialize_tuple_struct(self, _name: &'static str, length: usize) -> Result<ListSerializer> {
        Ok(ListSerializer::new(None, length))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<ListSerializer> {
        Ok(ListSerializer::new(Some(variant), length))
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<MapSerializer> {
        Ok(MapSerializer::default())
    }

    #[inline]
    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<StructSerializer> {
        Ok(StructSerializer::new(None))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<StructSerializer> {
        Ok(StructSerializer::new(Some(variant)))
    }
}
