//! The key attributes that a pattern reads by, determined at compile time, so that no request
//! searches for them.

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
    /// Which of them are numbers, as one bit each, starting with the partition key.
    numbers: u8,
}

impl Route {
    /// Returns the route of a pattern of a table.
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

    /// Returns whether an attribute of the partition key is a number.
    pub(crate) fn is_number_in_partition(&self, position: usize) -> bool {
        self.numbers >> position & 1 == 1
    }

    /// Returns whether an attribute of the sort key is a number.
    pub(crate) fn is_number_in_sort(&self, position: usize) -> bool {
        self.is_number_in_partition(self.partition.len() + position)
    }
}
