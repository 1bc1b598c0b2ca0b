//! Decides which of several partitions a row belongs to.

use monotable_design::part::{Form, PartKind};
use xxhash_rust::xxh3::xxh3_64;

/// Returns the shard of a row among `count`, decided by the text of one of its key parts. Unsigned
/// integers use their remainder, so that consecutive numbers spread evenly and any program can
/// compute the shard; everything else uses the xxh3 hash of the text.
///
/// The shard is part of stored keys, so this function must never change.
///
/// ```
/// use monotable_model::key::{KeyPart, shard_of};
///
/// assert_eq!(shard_of("000010", u64::KIND, 4), 2);
/// assert!(shard_of("team-red", String::KIND, 4) < 4);
/// ```
pub fn shard_of(text: &str, kind: PartKind, count: u16) -> u16 {
    let count = u64::from(count.max(1));
    let number = match kind.form {
        Form::Unsigned { .. } => text.parse().ok(),
        _ => None,
    };
    // The remainder of a division by a `u16` fits into a `u16`.
    (number.unwrap_or_else(|| xxh3_64(text.as_bytes())) % count) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::KeyPart;

    #[test]
    fn numbers_use_their_remainder_with_or_without_padding() {
        assert_eq!(shard_of("10", u32::KIND, 4), 2);
        assert_eq!(shard_of("000010", u32::KIND, 4), 2);
    }

    #[test]
    fn texts_use_a_hash_that_never_changes() {
        let shards = ["", "a", "b", "10"].map(|text| shard_of(text, PartKind::TEXT, 1000));
        // The hash of the empty text is published with xxh3.
        assert_eq!(shards, [(0x2d06_8005_38d3_94c2_u64 % 1000) as u16, 719, 615, 122]);
    }

    #[test]
    fn there_is_always_a_shard() {
        assert_eq!(shard_of("7", u8::KIND, 0), 0);
        assert_eq!(shard_of("x", PartKind::IDENTITY, 1), 0);
    }
}
