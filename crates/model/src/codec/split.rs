//! Splits a struct while it is serialized: some fields become attributes, the others one JSON
//! object.

use monotable_design::meta::EntityMeta;
use monotable_types::Item;
use serde::ser::{self, Impossible, Serialize};

use super::CodecError;
use super::location::{FieldLocation, has_json, location};
use super::ser::{KeySerializer, Made, ValueSerializer};

/// The two parts of an entity.
pub(super) struct Split {
    /// The fields with attributes of their own.
    pub(super) attributes: Item,
    /// The JSON object of the other fields, in the order of the declaration; `None` if there are
    /// none.
    pub(super) json: Option<String>,
}

/// Splits an entity.
pub(super) fn split<T: Serialize>(meta: &EntityMeta, value: &T) -> Result<Split> {
    value.serialize(SplitSerializer { meta })
}

type Result<T = Split> = std::result::Result<T, CodecError>;
type Never = Impossible<Split, CodecError>;

struct SplitSerializer<'m> {
    meta: &'m EntityMeta,
}

fn refuse<T>() -> Result<T> {
    Err(CodecError::unfit("an entity is a struct with named fields"))
}

macro_rules! refused {
    ($($method:ident($($argument:ty),*) -> $result:ty),* $(,)?) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$result> {
            refuse()
        }
    )*};
}

impl<'m> ser::Serializer for SplitSerializer<'m> {
    type Ok = Split;
    type Error = CodecError;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = FieldsSerializer<'m>;
    type SerializeStruct = FieldsSerializer<'m>;
    type SerializeStructVariant = Never;

    refused! {
        serialize_bool(bool) -> Split,
        serialize_i8(i8) -> Split,
        serialize_i16(i16) -> Split,
        serialize_i32(i32) -> Split,
        serialize_i64(i64) -> Split,
        serialize_u8(u8) -> Split,
        serialize_u16(u16) -> Split,
        serialize_u32(u32) -> Split,
        serialize_u64(u64) -> Split,
        serialize_f32(f32) -> Split,
        serialize_f64(f64) -> Split,
        serialize_char(char) -> Split,
        serialize_str(&str) -> Split,
        serialize_bytes(&[u8]) -> Split,
        serialize_none() -> Split,
        serialize_unit() -> Split,
        serialize_unit_struct(&'static str) -> Split,
        serialize_unit_variant(&'static str, u32, &'static str) -> Split,
        serialize_seq(Option<usize>) -> Never,
        serialize_tuple(usize) -> Never,
        serialize_tuple_struct(&'static str, usize) -> Never,
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Never,
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Never,
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result {
        value.serialize(self)
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
        _variant: &'static str,
        _value: &T,
    ) -> Result {
        refuse()
    }

    /// Serializes a struct with flattened fields, which are not in the declaration.
    fn serialize_map(self, _length: Option<usize>) -> Result<FieldsSerializer<'m>> {
        Ok(FieldsSerializer::new(self.meta))
    }

    fn serialize_struct(self, _name: &'static str, _length: usize) -> Result<FieldsSerializer<'m>> {
        Ok(FieldsSerializer::new(self.meta))
    }
}

fn unwritable(error: serde_json::Error) -> CodecError {
    CodecError::unfit(error.to_string())
}

struct FieldsSerializer<'m> {
    meta: &'m EntityMeta,
    /// The expected position of the next field: serde uses the order of the declaration too.
    position: usize,
    attributes: Item,
    json: Option<Vec<u8>>,
    /// The name of the next value, while a map is serialized.
    name: String,
}

impl<'m> FieldsSerializer<'m> {
    fn new(meta: &'m EntityMeta) -> Self {
        let json = has_json(meta).then(|| b"{".to_vec());
        Self { meta, position: 0, attributes: Item::new(), json, name: String::new() }
    }

    /// Returns where a field is stored; fields that the declaration does not know are in the JSON
    /// text.
    fn location(&mut self, name: &str) -> FieldLocation {
        let is_named = |position: &usize| self.meta.fields[*position].attribute == name;
        let count = self.meta.fields.len();
        let found = (self.position..count).find(is_named).or_else(|| (0..count).find(is_named));
        match found {
            Some(position) => {
                self.position = position + 1;
                location(self.meta, position)
            }
            None => FieldLocation::Json,
        }
    }

    fn write_json<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        serde_json::to_writer(self.json_value(name)?, value).map_err(unwritable)
    }

    /// Writes the name of an entry, and returns the buffer for its value.
    fn json_value(&mut self, name: &str) -> Result<&mut Vec<u8>> {
        let json = self.json.get_or_insert_with(|| b"{".to_vec());
        if json.len() > 1 {
            json.push(b',');
        }
        serde_json::to_writer(&mut *json, name).map_err(unwritable)?;
        json.push(b':');
        Ok(json)
    }

    fn add(&mut self, attribute: &'static str, made: Result<Made>) -> Result<()> {
        if let Some(value) = made?.field() {
            self.attributes.insert(attribute.to_owned(), value);
        }
        Ok(())
    }

    fn write<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<()> {
        match self.location(name) {
            FieldLocation::KeyOnly => Ok(()),
            FieldLocation::Json => self.write_json(name, value),
            FieldLocation::Attribute(attribute) => {
                self.add(attribute, value.serialize(ValueSerializer))
            }
        }
        .map_err(|error| error.inside(name))
    }

    fn finish(self) -> Result {
        let json = self.json.map(|mut json| {
            json.push(b'}');
            String::from_utf8(json).map_err(CodecError::damaged)
        });
        Ok(Split { attributes: self.attributes, json: json.transpose()? })
    }
}

impl ser::SerializeStruct for FieldsSerializer<'_> {
    type Ok = Split;
    type Error = CodecError;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<()> {
        self.write(name, value)
    }

    fn end(self) -> Result {
        self.finish()
    }
}

impl ser::SerializeMap for FieldsSerializer<'_> {
    type Ok = Split;
    type Error = CodecError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, name: &T) -> Result<()> {
        self.name = name.serialize(KeySerializer)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let name = std::mem::take(&mut self.name);
        self.write(&name, value)
    }

    fn end(self) -> Result {
        self.finish()
    }
}
