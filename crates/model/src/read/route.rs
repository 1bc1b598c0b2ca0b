//! What a pattern reads by: worked out when the program compiles, so that no request searches for it.

use monotable_design::meta::{PatternMeta, TableMeta};

/// A pattern with the key attributes that it reads by.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The pattern.
    pub(crate) pattern: &'static PatternMeta,
    /// The attributes of the partition key.
    pub(crate) partition: &'static [&'static str],
    /// The attributes of the sort key.
    pub(crate) sort: &'static [&'static str],
    /// Which of them hold numbers, one bit each, those of the partition key first.
    numbers: u8,
}

impl Route {
    /// The route of a pattern of a table.
    pub const fn new(table: &'static TableMeta, pattern: &'static PatternMeta) -> Self {
        let (partition, sort) = pattern.key_attributes(table);
        let mut numbers = 0;
        let mut at = 0;
        // Keys of indexes have at most 4 attributes on each side.
        while at < partition.len() + sort.len() && at < u8::BITS as usize {
            let attribute =
                if at < partition.len() { partition[at] } else { sort[at - partition.len()] };
            if pattern.is_number(attribute) {
                numbers |= 1 << at;
            }
            at += 1;
        }
        Self { pattern, partition, sort, numbers }
    }

    /// Whether an attribute of the partition key holds numbers.
    pub(crate) fn is_number_in_partition(&self, position: usize) -> bool {
        self.numbers >> position & 1 == 1
    }

    /// Whether an attribute of the sort key holds numbers.
    pub(crate) fn is_number_in_sort(&self, position: usize) -> bool {
        self.is_number_in_partition(self.partition.len() + position)
    }
}
