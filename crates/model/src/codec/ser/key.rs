//! The keys of maps, which are strings in DynamoDB: strings, and types with one obvious text.

use serde::ser::{self, Impossible, Serialize};

use super::CodecError;

/// Serializes the key of a map as text.
pub(in crate::codec) struct KeySerializer;

type Result<T = String> = std::result::Result<T, CodecError>;
type Never = Impossible<String, CodecError>;

fn refuse<T>(what: &str) -> Result<T> {
    Err(CodecError::unfit(format!("{what} can't be the key of a map; use a string or a number")))
}

macro_rules! displayed {
    ($($method:ident: $part:ty),*) => {$(
        fn $method(self, part: $part) -> Result {
            Ok(part.to_string())
        }
    )*};
}

impl ser::Serializer for KeySerializer {
    type Ok = String;
    type Error = CodecError;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Never;
    type SerializeStructVariant = Never;

    displayed! {
        serialize_bool: bool, serialize_char: char, serialize_str: &str,
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_i128: i128, serialize_u8: u8, serialize_u16: u16, serialize_u32: u32,
        serialize_u64: u64, serialize_u128: u128
    }

    fn serialize_f32(self, _float: f32) -> Result {
        refuse("a float")
    }

    fn serialize_f64(self, _float: f64) -> Result {
        refuse("a float")
    }

    fn serialize_bytes(self, _bytes: &[u8]) -> Result {
        refuse("a binary")
    }

    fn serialize_none(self) -> Result {
        refuse("an absent value")
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result {
        refuse("`()`")
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result {
        refuse(name)
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result {
        Ok(variant.to_owned())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _value: &T,
    ) -> Result {
        refuse(variant)
    }

    fn serialize_seq(self, _length: Option<usize>) -> Result<Never> {
        refuse("a list")
    }

    fn serialize_tuple(self, _length: usize) -> Result<Never> {
        refuse("a tuple")
    }

    fn serialize_tuple_struct(self, name: &'static str, _length: usize) -> Result<Never> {
        refuse(name)
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Never> {
        refuse(variant)
    }

    fn serialize_map(self, _length: Option<usize>) -> Result<Never> {
        refuse("a map")
    }

    fn serialize_struct(self, name: &'static str, _length: usize) -> Result<Never> {
        refuse(name)
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _length: usize,
    ) -> Result<Never> {
        refuse(variant)
    }
}
