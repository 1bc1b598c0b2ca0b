//! Table identities that look like AWS's and need no randomness from outside.

use xxhash_rust::xxh3::xxh3_128_with_seed;

use crate::layout::row_key::TableId;

/// Returns the identity of a table as a UUID: the same seed, number and time give the same one, and
/// a later table of the same name gets another one.
pub(crate) fn unique_id(seed: u64, table: TableId, creation_ms: u64) -> String {
    let mut input = [0; 12];
    input[..4].copy_from_slice(&table.to_be_bytes());
    input[4..].copy_from_slice(&creation_ms.to_be_bytes());
    uuid(xxh3_128_with_seed(&input, seed))
}

/// Returns an identity that is derived from a text.
pub(crate) fn derived_id(text: &str) -> String {
    uuid(xxh3_128_with_seed(text.as_bytes(), 0))
}

/// Version 8 is the version for identities made by the application's own rules (RFC 9562).
fn uuid(bits: u128) -> String {
    uuid::Builder::from_custom_bytes(bits.to_be_bytes()).into_uuid().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_have_the_shape_of_a_uuid() {
        let id = unique_id(0, 1, 1_791_500_851_275);
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(&id[14..15], "8");
        assert!(matches!(&id[19..20], "8" | "9" | "a" | "b"));
    }

    #[test]
    fn seed_table_and_moment_all_count() {
        let ids = [unique_id(0, 1, 5), unique_id(1, 1, 5), unique_id(0, 2, 5), unique_id(0, 1, 6)];
        for (at, id) in ids.iter().enumerate() {
            assert!(!ids[..at].contains(id), "{id} twice");
        }
        assert_eq!(unique_id(0, 1, 5), ids[0]);
    }
}
