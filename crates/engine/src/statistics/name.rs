//! Names partitions for people: table, index, and the partition key's value as text.

use monotable_types::AttributeValue;

use super::HotPartition;
use crate::layout::key_value;
use crate::layout::row_key::{AREA_PREFIX_BYTES, BASE_AREA, HASH_BYTES, area_of_row};
use crate::table::{Catalog, KeySpec};

/// How many characters of a partition key's value are shown.
const SHOWN_CHARACTERS_MAX: usize = 64;

/// The partition of a row, unless its table or index is gone.
pub(super) fn partition_name(
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
        partition_key: partition_text(keys, row_key.get(AREA_PREFIX_BYTES + HASH_BYTES..)?)?,
        units,
    })
}

/// The values of the partition key's attributes, separated by commas.
fn partition_text(keys: &KeySpec, mut encoded: &[u8]) -> Option<String> {
    let mut text = String::new();
    for (position, key) in keys.partition.iter().enumerate() {
        if position > 0 {
            text.push_str(", ");
        }
        match key_value::decode(&mut encoded, key.kind).ok()? {
            AttributeValue::S(value) => text.push_str(&value),
            AttributeValue::N(value) => text.push_str(&value.to_string()),
            AttributeValue::B(value) => {
                value.iter().for_each(|byte| text.push_str(&format!("{byte:02x}")));
            }
            _ => return None,
        }
    }
    Some(shortened(text))
}

fn shortened(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
        text.truncate(end);
        text.push('…');
    }
    text
}

#[cfg(test)]
mod tests {
    use monotable_types::ScalarType;

    use super::*;
    use crate::table::KeyAttribute;

    fn check(values: &[AttributeValue], kinds: &[ScalarType], expected: &str) {
        let mut encoded = Vec::new();
        for value in values {
            assert!(key_value::encode(&mut encoded, value));
        }
        // A sort key behind it is not looked at.
        encoded.extend_from_slice(b"rest");
        let partition =
            kinds.iter().map(|&kind| KeyAttribute { name: String::new(), kind }).collect();
        let keys = KeySpec { partition, sort: Vec::new() };
        assert_eq!(partition_text(&keys, &encoded).as_deref(), Some(expected));
    }

    #[test]
    fn every_type_of_key_is_shown() {
        use ScalarType::{B, N, S};
        check(&["TEAM#1".into()], &[S], "TEAM#1");
        check(&[AttributeValue::from(-7)], &[N], "-7");
        check(&[AttributeValue::B(vec![0, 255])], &[B], "00ff");
        check(&["a\0b".into(), AttributeValue::from(1)], &[S, N], "a\0b, 1");
    }

    #[test]
    fn long_values_are_shortened_between_characters() {
        let text = "é".repeat(SHOWN_CHARACTERS_MAX);
        check(&[text.clone().into()], &[ScalarType::S], &text);
        check(&[format!("{text}x").into()], &[ScalarType::S], &format!("{text}…"));
    }
}
