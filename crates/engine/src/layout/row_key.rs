//! Row keys: the positions of rows in the one ordered keyspace.
//!
//! `table (4 bytes) · area (2 bytes) · …`. Area 0 of a table holds its items; every index, the
//! expiry order and every stream have an area of their own, numbered in the order of their creation.
//! Table 0 belongs to the database itself.

use std::ops::Bound;

use xxhash_rust::xxh3::xxh3_64;

/// The number of a table; never used twice in one database.
pub(crate) type TableId = u32;
/// The number of an area inside a table; never used twice in one table.
pub(crate) type AreaId = u16;

/// The table of the database's own rows.
pub(crate) const SYSTEM_TABLE: TableId = 0;
/// The area that holds a table's items.
pub(crate) const BASE_AREA: AreaId = 0;

/// Bytes of table and area in front of every row key.
pub(crate) const AREA_PREFIX_BYTES: usize = 6;
/// Bytes of the partition hash after them, in areas ordered by partition.
pub(crate) const HASH_BYTES: usize = 8;

/// Returns the first bytes of every row of an area.
pub(crate) const fn area_prefix(table: TableId, area: AreaId) -> [u8; AREA_PREFIX_BYTES] {
    let [a, b, c, d] = table.to_be_bytes();
    let [e, f] = area.to_be_bytes();
    [a, b, c, d, e, f]
}

/// Returns the position of a partition in hash order, from the encoded partition key.
pub(crate) fn partition_hash(encoded_partition_key: &[u8]) -> u64 {
    xxh3_64(encoded_partition_key)
}

/// Returns the table and the area that a row belongs to.
pub(crate) fn area_of_row(row_key: &[u8]) -> Option<(TableId, AreaId)> {
    let [a, b, c, d, e, f] = *row_key.first_chunk::<AREA_PREFIX_BYTES>()?;
    Some((TableId::from_be_bytes([a, b, c, d]), AreaId::from_be_bytes([e, f])))
}

/// A partition of a table or of an index, in areas ordered by partition: table, area and hash.
pub(crate) type PartitionId = [u8; AREA_PREFIX_BYTES + HASH_BYTES];

/// Returns the partition that a row belongs to.
pub(crate) fn partition_of_row(row_key: &[u8]) -> PartitionId {
    row_key.first_chunk().copied().unwrap_or_default()
}

/// Returns the partition of the table that has the same key as this partition of a local index.
pub(crate) fn table_partition(mut partition: PartitionId) -> PartitionId {
    let area = AREA_PREFIX_BYTES - size_of::<AreaId>()..AREA_PREFIX_BYTES;
    partition[area].copy_from_slice(&BASE_AREA.to_be_bytes());
    partition
}

/// A range of row keys.
#[derive(Clone, Debug)]
pub(crate) struct RowRange {
    pub(crate) lower: Bound<Vec<u8>>,
    pub(crate) upper: Bound<Vec<u8>>,
}

impl RowRange {
    /// Creates the range of every key that starts with `prefix`.
    pub(crate) fn prefix(prefix: &[u8]) -> Self {
        Self { lower: Bound::Included(prefix.to_vec()), upper: after_prefix(prefix) }
    }

    /// Excludes everything up to and including `key`.
    pub(crate) fn after(mut self, key: Vec<u8>) -> Self {
        self.lower = Bound::Excluded(key);
        self
    }

    /// Excludes `key` and everything after it.
    pub(crate) fn before(mut self, key: Vec<u8>) -> Self {
        self.upper = Bound::Excluded(key);
        self
    }

    /// Returns whether a key is in the range.
    pub(crate) fn contains(&self, key: &[u8]) -> bool {
        let behind_lower = match &self.lower {
            Bound::Included(lower) => lower.as_slice() <= key,
            Bound::Excluded(lower) => lower.as_slice() < key,
            Bound::Unbounded => true,
        };
        let before_upper = match &self.upper {
            Bound::Included(upper) => key <= upper.as_slice(),
            Bound::Excluded(upper) => key < upper.as_slice(),
            Bound::Unbounded => true,
        };
        behind_lower && before_upper
    }

    /// Returns whether the bounds exclude every key, so that no read is needed.
    pub(crate) fn is_empty(&self) -> bool {
        match (&self.lower, &self.upper) {
            (Bound::Unbounded, _) | (_, Bound::Unbounded) => false,
            (Bound::Included(lower), Bound::Included(upper)) => lower > upper,
            (
                Bound::Included(lower) | Bound::Excluded(lower),
                Bound::Included(upper) | Bound::Excluded(upper),
            ) => lower >= upper,
        }
    }
}

/// Returns the bound after every key that starts with `prefix`.
pub(crate) fn after_prefix(prefix: &[u8]) -> Bound<Vec<u8>> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if last < 0xff {
            end.push(last + 1);
            return Bound::Excluded(end);
        }
    }
    Bound::Unbounded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_behind_a_prefix_is_its_successor() {
        assert_eq!(after_prefix(&[1, 2]), Bound::Excluded(vec![1, 3]));
        assert_eq!(after_prefix(&[1, 0xff]), Bound::Excluded(vec![2]));
        assert_eq!(after_prefix(&[0xff, 0xff]), Bound::Unbounded);
    }

    #[test]
    fn a_row_tells_its_table_and_area() {
        assert_eq!(area_of_row(&area_prefix(7, 300)), Some((7, 300)));
        assert_eq!(area_of_row(&[0; 5]), None);
    }

    #[test]
    fn a_range_that_starts_behind_its_end_is_empty() {
        let range = RowRange::prefix(&[1]);
        assert!(!range.is_empty());
        assert!(range.clone().after(vec![2]).is_empty());
        assert!(range.before(vec![1]).is_empty());
    }
}
