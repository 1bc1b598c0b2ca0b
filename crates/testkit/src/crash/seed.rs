//! Seeds and the random numbers made from them. Every choice of a test comes from its seed.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the seed of a test: given in `MONOTABLE_SEED`, or new, and printed either way.
pub fn announce(test: &str) -> u64 {
    let seed = std::env::var("MONOTABLE_SEED")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(|| Random::new(since_epoch_ns()).below(u64::from(u32::MAX)));
    eprintln!("{test}: MONOTABLE_SEED={seed}");
    seed
}

fn since_epoch_ns() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    elapsed.as_secs().wrapping_mul(1_000_000_000).wrapping_add(u64::from(elapsed.subsec_nanos()))
}

/// Returns a number from the environment, or the one for CI.
pub fn figure(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A sequence of random numbers (SplitMix64: any seed is a good seed, and the sequence is the same
/// on every machine).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates an independent sequence for one part of a run.
    pub fn part(seed: u64, part: u64) -> Self {
        Self::new(Self::new(seed ^ part.wrapping_mul(0xd6e8_feb8_6659_fd93)).next())
    }

    /// Returns the next number.
    #[expect(
        clippy::should_implement_trait,
        reason = "an endless sequence is no iterator to use up"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 up to, not including, `bound`; 0 if there is none.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next().checked_rem(bound).unwrap_or(0)
    }

    /// True in `share` of 100 cases.
    pub fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_numbers_and_parts_differ() {
        let numbers = |mut random: Random| [random.next(), random.next(), random.below(7)];
        assert_eq!(numbers(Random::new(1)), numbers(Random::new(1)));
        assert_ne!(numbers(Random::part(1, 0)), numbers(Random::part(1, 1)));
        assert_ne!(numbers(Random::part(1, 0)), numbers(Random::part(2, 0)));
    }
}
