//! Random numbers that can be reproduced once the seed of a match is public.
//!
//! A turn's numbers are the key stream of ChaCha20 (RFC 8439, nonce and counter zero), read as 32-bit
//! words with the lowest byte first. Its key is the SHA-256 of the seed, the match's id, and the day,
//! the turn and the version of the rules with the highest byte first.

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit as _, StreamCipher as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::table::MatchId;

/// The secret of a match: 256 random bits, drawn at creation and revealed at the end.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Seed([u8; 32]);

/// The error of a text that is not a seed: 64 hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a seed has 64 hexadecimal digits")]
pub struct NoSeed;

impl Seed {
    /// Returns the seed of these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the commitment to the secret seed: its SHA-256 in hexadecimal digits.
    #[must_use]
    pub fn commit(&self) -> String {
        hex::encode(Sha256::digest(self.0))
    }

    /// Returns the seed in hexadecimal digits, once it is public.
    #[must_use]
    pub fn reveal(&self) -> String {
        hex::encode(self.0)
    }
}

/// `Debug` does not show the seed, which would reveal the match.
impl std::fmt::Debug for Seed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Seed(secret)")
    }
}

impl TryFrom<String> for Seed {
    type Error = NoSeed;

    fn try_from(text: String) -> Result<Self, NoSeed> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| NoSeed)?;
        Ok(Self(bytes))
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> Self {
        seed.reveal()
    }
}

/// The random numbers of one turn.
pub struct Rng {
    stream: ChaCha20,
    draws: u64,
}

impl Rng {
    /// Returns the numbers of a turn of a match.
    #[must_use]
    pub fn of_turn(seed: &Seed, match_id: &MatchId, day: u32, turn: u32, rules_ver: u32) -> Self {
        let key = Sha256::new()
            .chain_update(seed.0)
            .chain_update(match_id.as_str())
            .chain_update(day.to_be_bytes())
            .chain_update(turn.to_be_bytes())
            .chain_update(rules_ver.to_be_bytes())
            .finalize();
        Self { stream: ChaCha20::new(&key, &[0; 12].into()), draws: 0 }
    }

    fn word(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.stream.apply_keystream(&mut bytes);
        self.draws += 1;
        u32::from_le_bytes(bytes)
    }

    /// Returns how many words have been drawn.
    #[must_use]
    pub const fn draws(&self) -> u64 {
        self.draws
    }

    /// Returns a number from 0 to `bound` - 1, each equally likely: words of the incomplete last round are
    /// rejected.
    ///
    /// # Panics
    ///
    /// Panics if `bound` is 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a draw needs something to draw from");
        let rejected_from = u64::from(u32::MAX) + 1 - (u64::from(u32::MAX) + 1) % u64::from(bound);
        loop {
            let word = self.word();
            if u64::from(word) < rejected_from {
                return word % bound;
            }
        }
    }

    /// Rolls a die with this many sides.
    pub fn die(&mut self, sides: u32) -> u32 {
        self.below(sides) + 1
    }

    /// Returns a random element, if there is any.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        let count = u32::try_from(things.len()).unwrap_or(u32::MAX);
        match count {
            0 => None,
            _ => things.get(self.below(count) as usize),
        }
    }

    /// Shuffles by Fisher and Yates's algorithm, from the last position to the second.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for place in (1..things.len()).rev() {
            let bound = u32::try_from(place + 1).unwrap_or(u32::MAX);
            things.swap(place, self.below(bound) as usize);
        }
    }
}
