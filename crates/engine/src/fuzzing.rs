//! Invariants of the private codecs, as checks for the fuzz targets in `fuzz/`, and functions for
//! tests of damaged files.
//!
//! Hidden from the documentation and not part of the API: only those targets and tests may use it.
//! A check that fails panics, which a fuzzer reports.

#![expect(clippy::expect_used, reason = "a panic is how a check fails")]

use monotable_types::{AttributeValue, Item, Number, NumberParts, ScalarType};

use crate::layout::item::{self, Encoded};
use crate::layout::key_value;
use crate::options::Options;
use crate::store::disk::DiskStore;

/// Moves the rows of the database in a directory from its log to a table file, which otherwise
/// happens after 16 MB.
pub fn flush(directory: &std::path::Path) {
    let store = DiskStore::open(directory, &Options::default()).expect("it opens");
    store.flush().expect("it is written");
}

/// Returns the bytes of a stored item, to seed a corpus.
pub fn encoded_item(item: &Item) -> Vec<u8> {
    item::encode(item)
}

/// Returns the bytes of a key value, to seed a corpus; empty for a value that can't be a key.
pub fn encoded_key_value(value: &AttributeValue) -> Vec<u8> {
    let mut out = Vec::new();
    key_value::encode(&mut out, value);
    out
}

/// Checks that any bytes decode to an item or to an error, and that an item survives encoding.
pub fn item_bytes(bytes: &[u8]) {
    let Ok(encoded) = Encoded::parse(bytes) else {
        return;
    };
    // A single attribute of bytes that don't decode as a whole may be requested.
    let one = encoded.attribute("a");
    if let Ok(item) = encoded.decode() {
        assert!(one.is_ok(), "decoding passes over what it need not read");
        item_survives(&item);
    }
}

/// Checks that an item is the same after encoding and decoding, as a whole or by attribute.
pub fn item_survives(item: &Item) {
    let bytes = item::encode(item);
    let encoded = Encoded::parse(&bytes).expect("what was just encoded");
    assert_eq!(encoded.size_bytes, monotable_types::item_size_bytes(item));
    assert_eq!(encoded.decode().as_ref(), Ok(item));
    assert_eq!(encoded.decode_where(|_| false), Ok(Item::new()), "everything can be passed over");
    let wanted = |name: &str| name.len().is_multiple_of(2);
    let part = item.iter().filter(|(name, _)| wanted(name));
    let part: Item = part.map(|(name, value)| (name.clone(), value.clone())).collect();
    assert_eq!(encoded.decode_where(wanted), Ok(part), "so can some of it");
    for (name, value) in item {
        assert_eq!(encoded.attribute(name).as_ref(), Ok(&Some(value.clone())), "{name}");
        assert_eq!(encoded.has(name), Ok(true), "{name}");
    }
    let absent: String = item.keys().map(String::as_str).chain(["\u{1}"]).collect();
    assert_eq!(encoded.attribute(&absent), Ok(None), "{absent}");
    assert_eq!(encoded.has(&absent), Ok(false), "{absent}");
}

/// Checks that replacing attributes in the stored form of an item gives, byte for byte, the
/// encoding of the changed item. The attributes of `part` replace those of `item` or are added to
/// them; those whose names are as long as a name in `part` are removed, which is an arbitrary rule.
pub fn item_splices(item: &Item, part: &Item) {
    let replaced = |name: &str| part.keys().any(|new| new.len() == name.len());
    let mut expected = item.clone();
    expected.retain(|name, _| !replaced(name));
    expected.extend(part.clone());
    let bytes = item::encode(item);
    let encoded = Encoded::parse(&bytes).expect("what was just encoded");
    let size_bytes = monotable_types::item_size_bytes(&expected);
    assert_eq!(encoded.splice(replaced, part, size_bytes), Ok(item::encode(&expected)));
}

/// Checks that any bytes decode to a key value or to an error, and that key values survive encoding
/// and keep their order.
///
/// The first byte chooses the type, the second where the rest is cut into two values.
pub fn key_value_bytes(bytes: &[u8]) {
    let [kind, cut, rest @ ..] = bytes else {
        return;
    };
    let kind = [ScalarType::S, ScalarType::N, ScalarType::B][usize::from(kind % 3)];
    if let Some(value) = decoded(rest, kind) {
        key_survives(&value);
    }
    let (left, right) = rest.split_at(usize::from(*cut).min(rest.len()));
    match kind {
        ScalarType::S => {
            if let (Ok(left), Ok(right)) = (std::str::from_utf8(left), std::str::from_utf8(right)) {
                // The third is a continuation of the first, which two random texts rarely are.
                let both = format!("{left}{right}");
                order_is_kept(&left.to_owned(), &right.to_owned(), AttributeValue::S);
                order_is_kept(&left.to_owned(), &both, AttributeValue::S);
                prefix_is_kept(left.as_bytes(), both.as_bytes());
                prefix_is_kept(left.as_bytes(), right.as_bytes());
            }
        }
        ScalarType::B => {
            order_is_kept(&left.to_vec(), &right.to_vec(), AttributeValue::B);
            order_is_kept(&left.to_vec(), &rest.to_vec(), AttributeValue::B);
            prefix_is_kept(left, rest);
            prefix_is_kept(left, right);
        }
        ScalarType::N => {
            if let (Some(left), Some(right)) = (number(left), number(right)) {
                order_is_kept(&left, &right, AttributeValue::N);
                order_is_kept(&left, &-left, AttributeValue::N);
            }
        }
    }
}

fn decoded(bytes: &[u8], kind: ScalarType) -> Option<AttributeValue> {
    let (mut after_decoding, mut after_skipping) = (bytes, bytes);
    let value = key_value::decode(&mut after_decoding, kind).ok();
    let skipped = key_value::skip(&mut after_skipping, kind);
    if value.is_some() {
        assert_eq!(skipped, Ok(()), "what decodes can be passed over");
        assert_eq!(after_decoding, after_skipping, "both end at the same byte");
    }
    value
}

fn key_survives(value: &AttributeValue) {
    let kind = match value {
        AttributeValue::S(_) => ScalarType::S,
        AttributeValue::N(_) => ScalarType::N,
        _ => ScalarType::B,
    };
    let mut bytes = encoded_key_value(value);
    let length = bytes.len();
    // Another value may follow; its first byte must not be parsed as a part of this one.
    for follower in [0x00, 0x01, 0xff] {
        bytes.truncate(length);
        bytes.push(follower);
        let mut input = bytes.as_slice();
        assert_eq!(key_value::decode(&mut input, kind).as_ref(), Ok(value));
        assert_eq!(input, [follower]);
    }
}

fn order_is_kept<T: Ord + Clone>(left: &T, right: &T, value: fn(T) -> AttributeValue) {
    let values = [left, right].map(|part| value(part.clone()));
    let [left_bytes, right_bytes] = values.each_ref().map(encoded_key_value);
    assert_eq!(left_bytes.cmp(&right_bytes), left.cmp(right), "{values:?}");
    if left != right {
        assert!(
            !right_bytes.starts_with(&left_bytes),
            "no key is the start of another: {values:?}"
        );
    }
    values.iter().for_each(key_survives);
}

fn prefix_is_kept(prefix: &[u8], whole: &[u8]) {
    let mut prefix_bytes = Vec::new();
    key_value::encode_prefix(&mut prefix_bytes, prefix);
    let mut whole_bytes = Vec::new();
    key_value::encode_bytes(&mut whole_bytes, whole);
    assert_eq!(whole_bytes.starts_with(&prefix_bytes), whole.starts_with(prefix));
}

/// Creates a number from bytes: sign, exponent, and the digits as an integer.
fn number(bytes: &[u8]) -> Option<Number> {
    let [sign, exponent, digits @ ..] = bytes else {
        return None;
    };
    let coefficient = digits.iter().take(16).fold(0u128, |sum, byte| sum << 8 | u128::from(*byte));
    Number::from_parts(NumberParts {
        negative: sign & 1 == 1,
        coefficient: coefficient % 10u128.pow(38),
        exponent: i16::from(*exponent) - 150,
    })
    .ok()
}
