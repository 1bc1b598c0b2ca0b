//! Seeds of random tests: printed, and taken back from `MONOTABLE_SEED`.

use std::hash::{BuildHasher as _, RandomState};

/// Returns the seed of a test and prints it.
pub(crate) fn seed(test: &str) -> u64 {
    let given = std::env::var("MONOTABLE_SEED").ok().and_then(|text| text.parse().ok());
    let seed = given.unwrap_or_else(|| RandomState::new().hash_one(test) >> 16);
    eprintln!("{test}: MONOTABLE_SEED={seed}");
    seed
}
