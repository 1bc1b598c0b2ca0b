//! AWS's ids of requests: 52 letters and digits.

use std::cell::Cell;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

const LENGTH: usize = 52;
const ALPHABET: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

/// Generates ids that differ; they need not be hard to guess.
#[derive(Debug)]
pub(crate) struct RequestIds(Cell<u64>);

/// The id of one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestId([u8; LENGTH]);

impl RequestIds {
    pub(crate) fn new() -> Self {
        Self(Cell::new(RandomState::new().build_hasher().finish()))
    }

    pub(crate) fn next(&self) -> RequestId {
        let mut id = [0; LENGTH];
        for part in id.chunks_mut(12) {
            let mut bits = self.random();
            for letter in part {
                *letter = ALPHABET[(bits & 31) as usize];
                bits >>= 5;
            }
        }
        RequestId(id)
    }

    /// Returns the next number (SplitMix64).
    fn random(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl RequestId {
    pub(crate) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn ids_have_52_characters_and_differ() {
        let ids = RequestIds::new();
        let made: HashSet<String> = (0..1000).map(|_| ids.next().as_str().to_owned()).collect();
        assert_eq!(made.len(), 1000);
        assert!(
            made.iter()
                .all(|id| id.len() == LENGTH && id.bytes().all(|b| b.is_ascii_alphanumeric()))
        );
    }
}
