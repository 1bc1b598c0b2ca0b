//! Names partitions for people: table, index, and the partition key's value as text that reveals no
//! whole key. Keys contain e-mail addresses and the like, and metrics are seen by more people than
//! data.

use std::hash::{BuildHasher, RandomState};

use monotable_types::AttributeValue;

use super::HotPartition;
use crate::layout::key_value;
use crate::layout::row_key::{AREA_PREFIX_BYTES, BASE_AREA, HASH_BYTES, area_of_row};
use crate::table::{Catalog, KeySpec};

/// The maximum length of the leading word of a key, so that it is shown.
const PREFIX_CHARACTERS_MAX: usize = 32;
/// The characters that end the leading word of a key.
const PREFIX_ENDS: [char; 4] = ['#', ':', '/', '|'];

/// Masks keys. The same key has the same name as long as the database is open, and nobody can find
/// the key of a name by trying.
#[derive(Debug, Default)]
pub(super) struct KeyMask(RandomState);

impl KeyMask {
    /// Returns the leading word of a key, such as `USER#`, and a hash of the whole key.
    fn masked(&self, value: &AttributeValue) -> Option<String> {
        let (prefix, hash) = match value {
            AttributeValue::S(text) => (prefix_of(text), self.0.hash_one(text)),
            AttributeValue::N(number) => ("", self.0.hash_one(number.to_string())),
            AttributeValue::B(bytes) => ("", self.0.hash_one(bytes)),
            _ => return None,
        };
        Some(format!("{prefix}~{:08x}", hash >> 32))
    }
}

/// Returns the leading word of a key, with the character that ends it; nothing if there is none, or
/// if it is the whole key.
fn prefix_of(text: &str) -> &str {
    let is_word = |word: &str| {
        !word.is_empty()
            && word.len() <= PREFIX_CHARACTERS_MAX
            && word.bytes().all(|byte| byte.is_ascii_alphabetic() || b"_-".contains(&byte))
    };
    match text.find(PREFIX_ENDS) {
        Some(end) if is_word(&text[..end]) && end + 1 < text.len() => &text[..=end],
        _ => "",
    }
}

/// Returns the partition of a row, unless its table or index is gone.
pub(super) fn partition_name(
    mask: &KeyMask,
    catalog: &Catalog,
    row_key: &[u8],
    units: f64,
) -> Option<HotPartition> {
    let (table, area) = area_of_row(row_key)?;
    let table = catalog.by_id(table)?;
    let index = match area {
        BASE_AREA => None,
        area => Some(table.indexes.iter().find(|index| index.area == area)?),
    };
    let keys = index.map_or(&table.keys, |index| &index.keys);
    Some(HotPartition {
        table_name: table.name.clone(),
        index_name: index.map(|index| index.name.clone()),
        partition_key: partition_text(mask, keys, row_key.get(AREA_PREFIX_BYTES + HASH_BYTES..)?)?,
        units,
    })
}

/// Returns the values of the partition key's attributes, masked and separated by commas.
fn partition_text(mask: &KeyMask, keys: &KeySpec, mut encoded: &[u8]) -> Option<String> {
    let mut values = Vec::with_capacity(keys.partition.len());
    for key in &keys.partition {
        values.push(mask.masked(&key_value::decode(&mut encoded, key.kind).ok()?)?);
    }
    Some(values.join(", "))
}

#[cfg(test)]
mod tests {
    use monotable_types::ScalarType;

    use super::*;
    use crate::table::KeyAttribute;

    fn name(mask: &KeyMask, values: &[AttributeValue], kinds: &[ScalarType]) -> String {
        let mut encoded = Vec::new();
        for value in values {
            assert!(key_value::encode(&mut encoded, value));
        }
        // A sort key after it is not read.
        encoded.extend_from_slice(b"rest");
        let partition =
            kinds.iter().map(|&kind| KeyAttribute { name: String::new(), kind }).collect();
        let keys = KeySpec { partition, sort: Vec::new() };
        partition_text(mask, &keys, &encoded).unwrap()
    }

    #[test]
    fn only_the_word_in_front_of_a_key_is_shown() {
        use ScalarType::{B, N, S};
        let mask = KeyMask::default();
        for (value, kind, prefix) in [
            ("USER#ann@example.com".into(), S, "USER#"),
            ("tenant:42#USER#ann".into(), S, "tenant:"),
            ("ann@example.com".into(), S, ""),
            ("ann@example.com#1".into(), S, ""),
            ("2026-11-16#x".into(), S, ""),
            ("#x".into(), S, ""),
            ("ann#".into(), S, ""),
            ("ann##".into(), S, "ann#"),
            (format!("{}#x", "a".repeat(33)).into(), S, ""),
            (AttributeValue::from(4_369_912_345_678_i64), N, ""),
            (AttributeValue::B(b"ann@example.com".to_vec()), B, ""),
        ] {
            let shown = name(&mask, std::slice::from_ref(&value), &[kind]);
            assert_eq!(shown.len(), prefix.len() + 9, "{shown}");
            assert!(shown.starts_with(&format!("{prefix}~")), "{shown}");
            assert_eq!(shown, name(&mask, &[value], &[kind]), "the same name every time");
        }
        let both = name(&mask, &["TEAM#1".into(), AttributeValue::from(1)], &[S, N]);
        assert!(both.starts_with("TEAM#~") && both.contains(", ~"), "{both}");
    }

    #[test]
    fn different_keys_have_different_names() {
        let mask = KeyMask::default();
        let shown = |text: &str| name(&mask, &[text.into()], &[ScalarType::S]);
        assert_ne!(shown("USER#ann"), shown("USER#bob"));
    }
}
