//! //! Client tokens: a request that is repeated within eight hours is run once.

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use crate::error::{Refusal, Result};
use crate::lifecycle::Shared;
use crate::record::{self, Record};

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
}

/// A job that was started with a token.
pub(crate) trait Tokened: Record {
    fn token(&self) -> Option<&Token>;

    fn start_ms(&self) -> u64;
}

impl Shared {
    /// Returns the job of an earlier request with the same token and content.
    pub(crate) fn repeated<R: Tokened>(
        &self,
        token: Option<&Token>,
        now_ms: u64,
        conflict: Refusal,
    ) -> Result<Option<R>> {
        let Some(token) = token else { return Ok(None) };
        let known = record::all::<R>(&self.database)?.into_iter().find(|job| {
            job.token().is_some_and(|known| known.text == token.text)
                && job.start_ms() + VALID_MS > now_ms
        });
        match known {
            Some(job) if job.token() != Some(token) => Err(conflict.with(
                "The request uses the same client token as a previous, but non-identical request.",
            )),
            known => Ok(known),
        }
    }
}
