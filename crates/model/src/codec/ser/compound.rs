//! Serializers of lists, structs and maps.

use std::collections::BTreeMap;

use monotable_types::AttributeValue;
use serde::ser::{self, Serialize};

use super::{CodecError, KeySerializer, Made, Result, ValueSerializer, made, tagged};

/// Returns the value, under the variant's name if there is one.
fn finish(variant: Option<&str>, value: impl Into<AttributeValue>) -> Result {
    match variant {
        Some(variant) => tagged(variant, value.into()),
        None => made(value),
    }
}

#[cold]
fn in_variant(variant: Option<&str>, error: CodecError) -> CodecError {
    match variant {
        Some(variant) => error.inside(variant),
        None => error,
    }
}

pub(in crate::codec) struct ListSerializer {
    variant: Option<&'static str>,
    elements: Vec<AttributeValue>,
}

impl ListSerializer {
    pub(super) fn new(variant: Option<&'static str>, length: usize) -> Self {
        // The length is only a hint of the program; memory is allocated for actual elements.
        Self { variant, elements: Vec::with_capacity(length.min(1024)) }
    }

    fn push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.add(value.serialize(ValueSerializer))
    }

    fn add(&mut self, made: Result) -> Result<()> {
        match made.and_then(Made::element) {
            Ok(element) => {
                self.elements.push(element);
                Ok(())
            }
            Err(error) => Err(in_variant(self.variant, error.inside_element(self.elements.len()))),
        }
    }
}

macro_rules! list_traits {
    ($($name:ident::$method:ident),*) => {$(
        impl ser::$name for ListSerializer {
            type Ok = Made;
            type Error = CodecError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.push(value)
            }

            fn end(self) -> Result {
                finish(self.variant, self.elements)
            }
        }
    )*};
}

list_traits! {
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
}

pub(in crate::codec) struct StructSerializer {
    variant: Option<&'static str>,
    entries: BTreeMap<String, AttributeValue>,
}

impl StructSerializer {
    pub(super) fn new(variant: Option<&'static str>) -> Self {
        Self { variant, entries: BTreeMap::new() }
    }

    fn insert<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        self.add(name, value.serialize(ValueSerializer))
    }

    fn add(&mut self, name: &'static str, made: Result) -> Result<()> {
        match made {
            Ok(made) => {
                if let Some(value) = made.field() {
                    self.entries.insert(name.to_owned(), value);
                }
                Ok(())
            }
            Err(error) => Err(in_variant(self.variant, error.inside(name))),
        }
    }
}

macro_rules! struct_traits {
    ($($name:ident),*) => {$(
        impl ser::$name for StructSerializer {
            type Ok = Made;
            type Error = CodecError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<()> {
                self.insert(name, value)
            }

            fn end(self) -> Result {
                finish(self.variant, self.entries)
            }
        }
    )*};
}

struct_traits!(SerializeStruct, SerializeStructVariant);

#[derive(Default)]
pub(in crate::codec) struct MapSerializer {
    entries: BTreeMap<String, AttributeValue>,
    key: String,
}

impl ser::SerializeMap for MapSerializer {
    type Ok = Made;
    type Error = CodecError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.key = key.serialize(KeySerializer)?;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        self.add(value.serialize(ValueSerializer))
    }

    fn end(self) -> Result {
        made(self.entries)
    }
}

impl MapSerializer {
    fn add(&mut self, made: Result) -> Result<()> {
        let key = std::mem::take(&mut self.key);
        match made.and_then(Made::element) {
            Ok(value) => {
                self.entries.insert(key, value);
                Ok(())
            }
            Err(error) => Err(error.inside(&key)),
        }
    }
}
