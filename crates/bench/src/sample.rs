//! The items that every workload writes and reads: 1 KB by AWS's rule, made from their number alone.
//!
//! The table has a string partition and sort key and three global indexes that project everything; an
//! item has the keys of two of them. 50 consecutive items share a partition; 100 items, scattered
//! over 200 partitions, share a partition of an index.

use std::sync::OnceLock;

/// The table's name.
pub const TABLE: &str = "league";
/// The size of every item by AWS's rule.
pub const ITEM_BYTES: usize = 1024;
/// Items in one partition of the table, and items that a query returns.
pub const PARTITION_ITEMS: u64 = 50;
/// Items in one partition of an index.
pub const GROUP_ITEMS: u64 = 100;
/// The groups of an index are dealt out inside blocks of this many items.
pub const BLOCK_ITEMS: u64 = 10_000;
/// Which attribute the counter update adds to.
pub const COUNTER: &str = "games";
/// The indexes, with their partition and sort attributes; items have the keys of the first two.
pub const INDEXES: [(&str, &str, &str); 3] =
    [("GSI1", "GSI1PK", "GSI1SK"), ("GSI2", "GSI2PK", "GSI2SK"), ("GSI3", "GSI3PK", "GSI3SK")];

/// Bytes of the attribute that fills an item up to [`ITEM_BYTES`].
const NOTES_BYTES: usize = 787;

/// A value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A string.
    Text(String),
    /// A number.
    Number(u64),
}

/// Returns the key of a partition.
pub fn partition_key(partition: u64) -> String {
    format!("TEAM#{partition:012}")
}

/// Returns the partition key and the sort key of an item.
pub fn key(number: u64) -> (String, String) {
    (partition_key(number / PARTITION_ITEMS), format!("PLAYER#{number:012}"))
}

/// Returns the partition key of a group of an index (0 or 1).
pub fn group_key(index: usize, group: u64) -> String {
    match index {
        0 => format!("LEAGUE#{group:012}"),
        _ => format!("POSITION#{group:010}"),
    }
}

/// Returns the partition and sort key of an item in an index (0 or 1).
pub fn index_key(index: usize, number: u64) -> (String, String) {
    // Multiplying by a number coprime to the block size deals the block's items out evenly.
    let factor = [7919, 6131][index % 2];
    let block = number / BLOCK_ITEMS;
    let place = number % BLOCK_ITEMS * factor % BLOCK_ITEMS;
    let group = (block * BLOCK_ITEMS + place) / GROUP_ITEMS;
    let moment = mix(number ^ (index as u64) << 40);
    (group_key(index, group), format!("2025-11-15T20:45:00Z#{moment:016x}"))
}

/// Returns all attributes of an item.
pub fn attributes(number: u64) -> Vec<(&'static str, Value)> {
    let text = |text: String| Value::Text(text);
    let (partition, sort) = key(number);
    let mut attributes = vec![("PK", text(partition)), ("SK", text(sort))];
    for (index, (_, partition_name, sort_name)) in INDEXES.iter().take(2).enumerate() {
        let (partition, sort) = index_key(index, number);
        attributes.push((partition_name, text(partition)));
        attributes.push((sort_name, text(sort)));
    }
    attributes.push(("kind", text("PLAYER".to_owned())));
    attributes.push(("name", text(format!("Player {number:012}"))));
    attributes.push(("joined", text("2024-03-01".to_owned())));
    attributes.push((COUNTER, Value::Number(17)));
    attributes.push(("notes", text(filler(number).to_owned())));
    attributes
}

/// Returns a piece of a fixed random text, another one for each item.
fn filler(number: u64) -> &'static str {
    const POOL_BYTES: usize = 1 << 16;
    static POOL: OnceLock<String> = OnceLock::new();
    let pool = POOL.get_or_init(|| {
        const LETTERS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut random = Random::new(1);
        (0..POOL_BYTES).map(|_| char::from(LETTERS[random.below(64) as usize])).collect()
    });
    let start = mix(number) as usize % (POOL_BYTES - NOTES_BYTES);
    &pool[start..start + NOTES_BYTES]
}

/// Scatters a number over 64 bits (the finalizer of splitmix64).
pub fn mix(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// A repeatable source of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Returns the source of one seed.
    pub fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// Returns a number from 0 to `end`, without `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(1);
        mix(self.0) % end.max(1)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn every_group_of_an_index_has_its_items() {
        for index in 0..2 {
            let mut groups: HashMap<String, u64> = HashMap::new();
            for number in 0..2 * BLOCK_ITEMS {
                *groups.entry(index_key(index, number).0).or_default() += 1;
            }
            assert_eq!(groups.len() as u64, 2 * BLOCK_ITEMS / GROUP_ITEMS);
            assert!(groups.values().all(|&items| items == GROUP_ITEMS));
            assert!(groups.contains_key(&group_key(index, 0)));
        }
    }
}
