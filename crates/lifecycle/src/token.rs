//! Client tokens: a request that is repeated within eight hours is run once.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// The time for which a token is remembered.
const VALID_MS: u64 = 8 * 60 * 60 * 1000;

/// A token and the digest of its request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    /// The token itself.
    pub text: String,
    /// A digest of the request.
    digest: String,
}

impl Token {
    /// Creates the token of a request, which is passed as bytes.
    pub fn new(text: impl Into<String>, request: &[u8]) -> Self {
        Self { text: text.into(), digest: format!("{:032x}", xxh3_128(request)) }
    }

    /// Returns whether a job that began at a time was started with this token, which is still remembered.
    pub(crate) fn is_repeated_by(&self, known: Option<&Self>, start_ms: u64, now_ms: u64) -> bool {
        known.is_some_and(|known| known.text == self.text) && start_ms + VALID_MS > now_ms
    }
}
