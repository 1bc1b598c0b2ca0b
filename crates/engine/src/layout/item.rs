//! Stored items: a compact encoding that is read without decoding more than necessary.
//!
//! `version · size by AWS's rule · attributes`, each attribute `name · value`, in the order of the
//! names' bytes. A value starts with a tag; maps and lists start with their length in bytes, so
//! that a reader can skip them.

mod visit;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use monotable_types::{
    AttributeValue, Item, Number, NumberParts, ScalarType, Set, item_size_bytes, limits,
};

use super::Malformed;
use super::varint::{self, read_bytes, take, take_byte};

const VERSION: u8 = 1;

mod tag {
    pub(super) const STRING: u8 = 1;
    pub(super) const NUMBER: u8 = 2;
    pub(super) const BINARY: u8 = 3;
    pub(super) const FALSE: u8 = 4;
    pub(super) const TRUE: u8 = 5;
    pub(super) const NULL: u8 = 6;
    pub(super) const MAP: u8 = 7;
    pub(super) const LIST: u8 = 8;
    pub(super) const STRING_SET: u8 = 9;
    pub(super) const NUMBER_SET: u8 = 10;
    pub(super) const BINARY_SET: u8 = 11;
}

/// Returns the encoded form of an item.
pub(crate) fn encode(item: &Item) -> Vec<u8> {
    encode_sized(item, item_size_bytes(item))
}

/// Returns the encoded form of an item whose size is known.
pub(crate) fn encode_sized(item: &Item, size_bytes: usize) -> Vec<u8> {
    // Names and values take about their size by AWS's rule; tags and lengths need a little more.
    let mut out = Vec::with_capacity(size_bytes + 8 + 4 * item.len());
    write_head(&mut out, size_bytes);
    for (name, value) in item {
        write_attribute(&mut out, name, value);
    }
    out
}

/// An encoded item, split into its size and its attributes.
#[derive(Clone, Copy)]
pub(crate) struct Encoded<'a> {
    pub(crate) size_bytes: usize,
    attributes: &'a [u8],
}

impl<'a> Encoded<'a> {
    pub(crate) fn parse(mut bytes: &'a [u8]) -> Result<Self, Malformed> {
        if take_byte(&mut bytes)? != VERSION {
            return Err(Malformed("item of an unknown version"));
        }
        let size_bytes = varint::read(&mut bytes)? as usize;
        Ok(Self { size_bytes, attributes: bytes })
    }

    /// Decodes one attribute and skips the others.
    pub(crate) fn attribute(&self, name: &str) -> Result<Option<AttributeValue>, Malformed> {
        self.find(name)?.map(|mut input| read_value(&mut input, 0)).transpose()
    }

    /// Returns whether there is such an attribute.
    pub(crate) fn has(&self, name: &str) -> Result<bool, Malformed> {
        Ok(self.find(name)?.is_some())
    }

    /// Returns the type and the length in bytes of an attribute that could be part of a key; for a
    /// number, the length of its stored form.
    pub(crate) fn scalar(&self, name: &str) -> Result<Option<(ScalarType, usize)>, Malformed> {
        let Some(mut input) = self.find(name)? else {
            return Ok(None);
        };
        Ok(match take_byte(&mut input)? {
            tag::STRING => Some((ScalarType::S, read_bytes(&mut input)?.len())),
            tag::BINARY => Some((ScalarType::B, read_bytes(&mut input)?.len())),
            tag::NUMBER => Some((ScalarType::N, number_bytes(take_byte(&mut input)?))),
            _ => None,
        })
    }

    /// Returns the bytes starting at an attribute's value.
    fn find(&self, name: &str) -> Result<Option<&'a [u8]>, Malformed> {
        let mut input = self.attributes;
        while !input.is_empty() {
            let found = read_bytes(&mut input)?;
            match found.cmp(name.as_bytes()) {
                Ordering::Less => skip_value(&mut input)?,
                Ordering::Equal => return Ok(Some(input)),
                Ordering::Greater => break,
            }
        }
        Ok(None)
    }

    /// Returns the encoded form of the item with some attributes replaced: those in `replaced` by
    /// those of `part`. The others are copied.
    pub(crate) fn splice(
        &self,
        replaced: impl Fn(&str) -> bool,
        part: &Item,
        size_bytes: usize,
    ) -> Result<Vec<u8>, Malformed> {
        let mut out = Vec::with_capacity(size_bytes.max(self.attributes.len()) + 64);
        write_head(&mut out, size_bytes);
        let mut part = part.iter().peekable();
        let mut input = self.attributes;
        while !input.is_empty() {
            let start = input;
            let name = read_text(&mut input)?;
            skip_value(&mut input)?;
            if replaced(name) {
                continue;
            }
            while let Some((name, value)) = part.next_if(|(new, _)| new.as_str() < name) {
                write_attribute(&mut out, name, value);
            }
            out.extend_from_slice(&start[..start.len() - input.len()]);
        }
        part.for_each(|(name, value)| write_attribute(&mut out, name, value));
        Ok(out)
    }

    /// Decodes all attributes.
    pub(crate) fn decode(&self) -> Result<Item, Malformed> {
        self.decode_where(|_| true)
    }

    /// Decodes the attributes whose names `wanted` accepts.
    pub(crate) fn decode_where(&self, wanted: impl Fn(&str) -> bool) -> Result<Item, Malformed> {
        let mut item = Item::new();
        let mut input = self.attributes;
        while !input.is_empty() {
            let name = read_text(&mut input)?;
            if wanted(name) {
                item.insert(name.to_owned(), read_value(&mut input, 0)?);
            } else {
                skip_value(&mut input)?;
            }
        }
        Ok(item)
    }
}

fn write_head(out: &mut Vec<u8>, size_bytes: usize) {
    out.push(VERSION);
    varint::write(out, size_bytes as u64);
}

fn write_attribute(out: &mut Vec<u8>, name: &str, value: &AttributeValue) {
    write_bytes(out, name.as_bytes());
    write_value(out, value);
}

fn write_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    varint::write(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn write_value(out: &mut Vec<u8>, value: &AttributeValue) {
    match value {
        AttributeValue::S(text) => {
            out.push(tag::STRING);
            write_bytes(out, text.as_bytes());
        }
        AttributeValue::N(number) => {
            out.push(tag::NUMBER);
            write_number(out, number);
        }
        AttributeValue::B(bytes) => {
            out.push(tag::BINARY);
            write_bytes(out, bytes);
        }
        AttributeValue::Bool(false) => out.push(tag::FALSE),
        AttributeValue::Bool(true) => out.push(tag::TRUE),
        AttributeValue::Null => out.push(tag::NULL),
        AttributeValue::M(map) => write_sized(out, tag::MAP, |out| {
            for (name, value) in map {
                write_attribute(out, name, value);
            }
        }),
        AttributeValue::L(list) => write_sized(out, tag::LIST, |out| {
            for value in list {
                write_value(out, value);
            }
        }),
        AttributeValue::Ss(set) => write_sized(out, tag::STRING_SET, |out| {
            for text in set.iter() {
                write_bytes(out, text.as_bytes());
            }
        }),
        AttributeValue::Ns(set) => write_sized(out, tag::NUMBER_SET, |out| {
            for number in set.iter() {
                write_number(out, number);
            }
        }),
        AttributeValue::Bs(set) => write_sized(out, tag::BINARY_SET, |out| {
            for bytes in set.iter() {
                write_bytes(out, bytes);
            }
        }),
    }
}

/// Writes a tag, the length of the bytes from `contents`, and these bytes.
fn write_sized(out: &mut Vec<u8>, tag: u8, contents: impl FnOnce(&mut Vec<u8>)) {
    out.push(tag);
    let length_at = out.len();
    out.extend_from_slice(&[0; 4]);
    contents(out);
    let length = (out.len() - length_at - 4) as u32;
    out[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
}

/// Writes the head byte (bit 7: the sign, bit 6: whether an exponent follows, bits 0–4: the number
/// of coefficient bytes) and the number.
fn write_number(out: &mut Vec<u8>, number: &Number) {
    let NumberParts { negative, coefficient, exponent } = number.parts();
    let bytes = coefficient.to_le_bytes();
    let length = 16 - coefficient.leading_zeros() as usize / 8;
    out.push(u8::from(negative) << 7 | u8::from(exponent != 0) << 6 | length as u8);
    out.extend_from_slice(&bytes[..length]);
    if exponent != 0 {
        out.extend_from_slice(&exponent.to_le_bytes());
    }
}

/// Returns the number of bytes that follow the head of a number.
fn number_bytes(head: u8) -> usize {
    usize::from(head & 0x1f) + usize::from(head & 0x40 != 0) * 2
}

fn read_number(input: &mut &[u8]) -> Result<Number, Malformed> {
    let head = take_byte(input)?;
    let length = usize::from(head & 0x1f);
    if length > 16 || head & 0x20 != 0 {
        return Err(Malformed("number of an unknown form"));
    }
    let mut bytes = [0; 16];
    bytes[..length].copy_from_slice(take(input, length)?);
    let exponent = match head & 0x40 {
        0 => 0,
        _ => i16::from_le_bytes([take_byte(input)?, take_byte(input)?]),
    };
    let parts = NumberParts {
        negative: head & 0x80 != 0,
        coefficient: u128::from_le_bytes(bytes),
        exponent,
    };
    Number::from_parts(parts).map_err(|_| Malformed("number out of range"))
}

fn read_text<'a>(input: &mut &'a [u8]) -> Result<&'a str, Malformed> {
    std::str::from_utf8(read_bytes(input)?).map_err(|_| Malformed("text is not UTF-8"))
}

fn read_sized<'a>(input: &mut &'a [u8]) -> Result<&'a [u8], Malformed> {
    let length = take(input, 4)?;
    let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
    take(input, length as usize)
}

fn read_value(input: &mut &[u8], depth: usize) -> Result<AttributeValue, Malformed> {
    if depth > limits::NESTING_DEPTH_MAX {
        return Err(Malformed("value is nested too deeply"));
    }
    Ok(match take_byte(input)? {
        tag::STRING => AttributeValue::S(read_text(input)?.to_owned()),
        tag::NUMBER => AttributeValue::N(read_number(input)?),
        tag::BINARY => AttributeValue::B(read_bytes(input)?.to_vec()),
        tag::FALSE => AttributeValue::Bool(false),
        tag::TRUE => AttributeValue::Bool(true),
        tag::NULL => AttributeValue::Null,
        tag::MAP => {
            let mut contents = read_sized(input)?;
            let mut map = BTreeMap::new();
            while !contents.is_empty() {
                let name = read_text(&mut contents)?.to_owned();
                map.insert(name, read_value(&mut contents, depth + 1)?);
            }
            AttributeValue::M(map)
        }
        tag::LIST => {
            AttributeValue::L(read_all(read_sized(input)?, |input| read_value(input, depth + 1))?)
        }
        tag::STRING_SET => AttributeValue::Ss(set(read_all(read_sized(input)?, |input| {
            read_text(input).map(str::to_owned)
        })?)?),
        tag::NUMBER_SET => AttributeValue::Ns(set(read_all(read_sized(input)?, read_number)?)?),
        tag::BINARY_SET => AttributeValue::Bs(set(read_all(read_sized(input)?, |input| {
            read_bytes(input).map(<[u8]>::to_vec)
        })?)?),
        _ => return Err(Malformed("value of an unknown type")),
    })
}

fn read_all<'a, T>(
    mut contents: &'a [u8],
    read: impl Fn(&mut &'a [u8]) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let mut elements = Vec::new();
    while !contents.is_empty() {
        elements.push(read(&mut contents)?);
    }
    Ok(elements)
}

fn set<T: Ord>(elements: Vec<T>) -> Result<Set<T>, Malformed> {
    Set::new(elements).map_err(|_| Malformed("set is empty or repeats an element"))
}

fn skip_value(input: &mut &[u8]) -> Result<(), Malformed> {
    match take_byte(input)? {
        tag::STRING | tag::BINARY => read_bytes(input).map(drop),
        tag::NUMBER => {
            let head = take_byte(input)?;
            take(input, number_bytes(head)).map(drop)
        }
        tag::FALSE | tag::TRUE | tag::NULL => Ok(()),
        tag::MAP | tag::LIST | tag::STRING_SET | tag::NUMBER_SET | tag::BINARY_SET => {
            read_sized(input).map(drop)
        }
        _ => Err(Malformed("value of an unknown type")),
    }
}
