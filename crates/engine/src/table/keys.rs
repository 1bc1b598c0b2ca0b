//! Key schemas: conversion of attributes to encoded keys and back.

use monotable_expression::Attributes;
use monotable_types::{
    AttributeDefinition, AttributeValue, Item, KeySchemaElement, KeyType, ScalarType, limits,
};

use crate::layout::item::Encoded;
use crate::layout::{Malformed, key_value};

/// One attribute of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyAttribute {
    pub(crate) name: String,
    pub(crate) kind: ScalarType,
}

/// The attributes of a key: for a table one and at most one, for an index up to four and four.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeySpec {
    pub(crate) partition: Vec<KeyAttribute>,
    pub(crate) sort: Vec<KeyAttribute>,
}

impl KeySpec {
    /// Resolves a key schema; `None` if an attribute has no definition.
    pub(crate) fn resolve(
        schema: &[KeySchemaElement],
        definitions: &[AttributeDefinition],
    ) -> Option<Self> {
        let of = |key_type: KeyType| {
            schema
                .iter()
                .filter(|element| element.key_type == key_type)
                .map(|element| {
                    let definition =
                        definitions.iter().find(|known| known.name == element.attribute_name)?;
                    Some(KeyAttribute {
                        name: definition.name.clone(),
                        kind: definition.scalar_type,
                    })
                })
                .collect::<Option<Vec<_>>>()
        };
        Some(Self { partition: of(KeyType::Hash)?, sort: of(KeyType::Range)? })
    }

    /// Returns the schema in the form of a request.
    pub(crate) fn schema(&self) -> Vec<KeySchemaElement> {
        let hash = self.partition.iter().map(|key| KeySchemaElement::hash(&key.name));
        hash.chain(self.sort.iter().map(|key| KeySchemaElement::range(&key.name))).collect()
    }

    /// Returns the partition attributes, then the sort attributes.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.partition.iter().chain(&self.sort)
    }

    /// Returns whether the attribute is part of the key.
    pub(crate) fn contains(&self, name: &str) -> bool {
        self.attributes().any(|key| key.name == name)
    }

    /// Appends the encoded partition key; returns `false` if an attribute is absent or of another
    /// type.
    pub(crate) fn encode_partition(&self, out: &mut Vec<u8>, item: &impl Attributes) -> bool {
        encode_all(&self.partition, out, item)
    }

    /// Appends the encoded sort key; returns `false` if an attribute is absent or of another type.
    pub(crate) fn encode_sort(&self, out: &mut Vec<u8>, item: &impl Attributes) -> bool {
        encode_all(&self.sort, out, item)
    }

    /// Appends the encoded partition key of an index entry; returns `false` if the item is not in
    /// the index.
    pub(crate) fn encode_entry_partition(&self, out: &mut Vec<u8>, item: &impl Attributes) -> bool {
        encode_entry(&self.partition, limits::PARTITION_KEY_BYTES_MAX, out, item)
    }

    /// Appends the encoded sort key of an index entry; returns `false` if the item is not in the
    /// index.
    pub(crate) fn encode_entry_sort(&self, out: &mut Vec<u8>, item: &impl Attributes) -> bool {
        encode_entry(&self.sort, limits::SORT_KEY_BYTES_MAX, out, item)
    }

    /// Returns whether a stored item has an index entry, without encoding it: whether
    /// [`encode_entry_partition`](Self::encode_entry_partition) and
    /// [`encode_entry_sort`](Self::encode_entry_sort) would succeed.
    pub(crate) fn has_entry(&self, item: &Encoded<'_>) -> Result<bool, Malformed> {
        Ok(has_entry_part(&self.partition, limits::PARTITION_KEY_BYTES_MAX, item)?
            && has_entry_part(&self.sort, limits::SORT_KEY_BYTES_MAX, item)?)
    }

    /// Decodes the whole key.
    pub(crate) fn decode(&self, input: &mut &[u8]) -> Result<Item, Malformed> {
        let mut item = Item::new();
        self.decode_into(input, &mut item)?;
        Ok(item)
    }

    /// Decodes the whole key, adding its attributes to `item`.
    pub(crate) fn decode_into(&self, input: &mut &[u8], item: &mut Item) -> Result<(), Malformed> {
        for key in self.attributes() {
            let value: AttributeValue = key_value::decode(input, key.kind)?;
            item.insert(key.name.clone(), value);
        }
        Ok(())
    }

    /// Skips an encoded partition key.
    pub(crate) fn skip_partition(&self, input: &mut &[u8]) -> Result<(), Malformed> {
        self.partition.iter().try_for_each(|key| key_value::skip(input, key.kind))
    }

    /// Returns the key attributes of an item.
    pub(crate) fn project(&self, item: &Item) -> Item {
        self.attributes()
            .filter_map(|key| Some((key.name.clone(), item.get(&key.name)?.clone())))
            .collect()
    }
}

fn encode_all(keys: &[KeyAttribute], out: &mut Vec<u8>, item: &impl Attributes) -> bool {
    keys.iter().all(|key| {
        item.attribute(&key.name)
            .is_some_and(|value| key.kind.matches(&value) && key_value::encode(out, &value))
    })
}

/// Does the same as [`encode_all`], but invalid key values, empty or too long, keep the item out of
/// the index: it may have been written before the index existed.
fn encode_entry(
    keys: &[KeyAttribute],
    bytes_max: usize,
    out: &mut Vec<u8>,
    item: &impl Attributes,
) -> bool {
    let mut bytes = 0;
    keys.iter().all(|key| {
        item.attribute(&key.name).is_some_and(|value| {
            let length = match &*value {
                AttributeValue::S(text) => Some(text.len()),
                AttributeValue::B(binary) => Some(binary.len()),
                _ => None,
            };
            bytes += length.unwrap_or(0);
            length != Some(0)
                && bytes <= bytes_max
                && key.kind.matches(&value)
                && key_value::encode(out, &value)
        })
    })
}

/// Returns the result of [`encode_entry`] for a stored item.
fn has_entry_part(
    keys: &[KeyAttribute],
    bytes_max: usize,
    item: &Encoded<'_>,
) -> Result<bool, Malformed> {
    let mut bytes = 0;
    for key in keys {
        match item.scalar(&key.name)? {
            Some((ScalarType::N, _)) if key.kind == ScalarType::N => {}
            Some((kind, length)) if key.kind == kind && length > 0 => bytes += length,
            _ => return Ok(false),
        }
    }
    Ok(bytes <= bytes_max)
}

#[cfg(test)]
mod tests {
    use monotable_types::{AttributeValue as V, KeySchemaElement, item};

    use super::*;
    use crate::layout::item::encode;

    #[test]
    fn a_stored_item_has_an_entry_exactly_if_one_can_be_made_of_it() {
        let definitions = [
            AttributeDefinition::new("city", ScalarType::S),
            AttributeDefinition::new("photo", ScalarType::B),
            AttributeDefinition::new("goals", ScalarType::N),
        ];
        let schema = [
            KeySchemaElement::hash("city"),
            KeySchemaElement::hash("photo"),
            KeySchemaElement::range("goals"),
        ];
        let keys = KeySpec::resolve(&schema, &definitions).unwrap();
        let text = |length: usize| V::from("x".repeat(length));
        let photo = |length: usize| V::B(vec![0; length]);
        let good = item! { "city" => "x", "photo" => photo(1), "goals" => 0, "other" => "y" };
        let check = |name: &str, value: Option<V>, expected: bool| {
            let mut item = good.clone();
            match value {
                Some(value) => item.insert(name.to_owned(), value),
                None => item.remove(name),
            };
            let mut out = Vec::new();
            let can_be_made = keys.encode_entry_partition(&mut out, &item)
                && keys.encode_entry_sort(&mut out, &item);
            assert_eq!(can_be_made, expected, "{item:?}");
            let bytes = encode(&item);
            assert_eq!(keys.has_entry(&Encoded::parse(&bytes).unwrap()), Ok(expected), "{item:?}");
        };
        for name in ["city", "photo", "goals"] {
            check(name, None, false);
            check(name, Some(V::Null), false);
        }
        check("other", None, true);
        check("city", Some(photo(1)), false);
        check("goals", Some(text(1)), false);
        check("goals", Some(V::from(-12)), true);
        for (length, expected) in [(0, false), (1, true), (2047, true), (2048, false)] {
            check("city", Some(text(length)), expected);
            check("photo", Some(photo(length)), expected);
        }
    }
}
