//! Values as they are on disk: followed by a checksum that is bound to the key.
//!
//! The store's own block checksums cover its files; this one covers the value from writing it to
//! the store until it is read back.

use bytes::Bytes;
use xxhash_rust::xxh3::xxh3_64;

use super::{StoreError, Writes};

pub(super) const CHECKSUM_BYTES: usize = 4;

/// The changes of a commit, with sealed values.
pub(super) type SealedRows = Vec<(Bytes, Option<Bytes>)>;

/// Seals the values of a commit.
pub(super) fn seal_all(writes: Writes) -> SealedRows {
    let seal = |(key, value): (Bytes, Option<Bytes>)| {
        let sealed = value.map(|value| seal(&key, &value));
        (key, sealed)
    };
    writes.into_iter().map(seal).collect()
}

/// Returns a checksum that binds a value to its key. It uses two plain hashes, because a seeded one
/// of a long value first derives a secret from its seed.
fn checksum(key: &[u8], value: &[u8]) -> [u8; CHECKSUM_BYTES] {
    ((xxh3_64(value) ^ xxh3_64(key).rotate_left(32)) as u32).to_le_bytes()
}

pub(super) fn seal(key: &[u8], value: &[u8]) -> Bytes {
    let mut sealed = Vec::with_capacity(value.len() + CHECKSUM_BYTES);
    sealed.extend_from_slice(value);
    sealed.extend_from_slice(&checksum(key, value));
    sealed.into()
}

/// Returns the value without its checksum, if that is right.
pub(super) fn opened<'a>(key: &[u8], sealed: &'a [u8]) -> Option<&'a [u8]> {
    let (value, expected) = sealed.split_at_checked(sealed.len().checked_sub(CHECKSUM_BYTES)?)?;
    (checksum(key, value) == expected).then_some(value)
}

pub(super) fn unseal(key: &[u8], sealed: Bytes) -> Result<Bytes, StoreError> {
    match opened(key, &sealed) {
        Some(value) => Ok(sealed.slice(..value.len())),
        None => Err(StoreError::Damaged(format!(
            "a record of {} bytes failed its checksum (key {})",
            sealed.len(),
            key.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_value_opens_only_whole_and_under_its_key() {
        let sealed = seal(b"key", b"value");
        assert_eq!(unseal(b"key", sealed.clone()), Ok(Bytes::from_static(b"value")));
        assert!(matches!(unseal(b"kez", sealed.clone()), Err(StoreError::Damaged(_))));
        for place in 0..sealed.len() {
            let mut damaged = sealed.to_vec();
            damaged[place] ^= 1;
            assert!(
                matches!(unseal(b"key", damaged.into()), Err(StoreError::Damaged(_))),
                "{place}"
            );
        }
        for length in 0..sealed.len() {
            let cut = sealed.slice(..length);
            assert!(matches!(unseal(b"key", cut), Err(StoreError::Damaged(_))), "{length}");
        }
    }
}
