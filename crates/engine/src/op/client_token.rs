//! Client request tokens: a transaction that is repeated within ten minutes changes nothing.

use bytes::Bytes;
use monotable_types::limits;
use xxhash_rust::xxh3::xxh3_128;

use super::transact_write_items::TransactWrite;
use crate::commit::Stage;
use crate::error::{Error, Result};
use crate::layout::row_key::{RowRange, SYSTEM_TABLE, area_prefix};
use crate::store::Order;
use crate::system;

/// How many expired tokens each new one removes, so that they can't pile up.
const CLEARED_PER_TOKEN: usize = 2;

/// A token and the fingerprint of its request.
pub(crate) struct Token {
    text: String,
    fingerprint: u128,
}

impl Token {
    /// Checks the token's length.
    pub(super) fn check(text: &str) -> Result<Self> {
        let rule = match text.chars().count() {
            0 => "greater than or equal to 1".to_owned(),
            length if length > limits::CLIENT_REQUEST_TOKEN_LENGTH_MAX => {
                format!("less than or equal to {}", limits::CLIENT_REQUEST_TOKEN_LENGTH_MAX)
            }
            _ => {
                return Ok(Self { text: text.to_owned(), fingerprint: 0 });
            }
        };
        Err(Error::validation(format!(
            "1 validation error detected: Value '{text}' at 'clientRequestToken' failed to satisfy \
             constraint: Member must have length {rule}"
        )))
    }

    /// Binds the token to its request. Return options are left out: they may differ in a repeat.
    pub(super) fn of_request(self, actions: &[TransactWrite]) -> Self {
        Self { fingerprint: xxh3_128(format!("{actions:?}").as_bytes()), ..self }
    }

    /// Returns whether the same request was performed with this token; another request is an error.
    pub(super) fn was_used(&self, stage: &Stage<'_>) -> Result<bool> {
        let Some(row) = stage.get(&system::token_key(&self.text))? else {
            return Ok(false);
        };
        let Some((expiry_ms, fingerprint)) = row.split_first_chunk::<8>() else {
            return Err(Error::Corrupted("token row is malformed".to_owned()));
        };
        if u64::from_be_bytes(*expiry_ms) <= stage.now_ms {
            return Ok(false);
        }
        if fingerprint == self.fingerprint.to_be_bytes() {
            Ok(true)
        } else {
            Err(Error::IdempotentParameterMismatch)
        }
    }

    /// Stores the token for ten minutes.
    pub(super) fn remember(&self, stage: &mut Stage<'_>) -> Result<()> {
        clear_expired_tokens(stage, CLEARED_PER_TOKEN)?;
        let expiry_ms = stage.now_ms + limits::CLIENT_REQUEST_TOKEN_SECONDS * 1000;
        let mut row = expiry_ms.to_be_bytes().to_vec();
        row.extend_from_slice(&self.fingerprint.to_be_bytes());
        stage.put(system::token_key(&self.text), row);
        stage.put(system::token_expiry_key(expiry_ms, &self.text), Bytes::new());
        Ok(())
    }
}

/// Removes up to `max` expired tokens and returns how many.
pub(crate) fn clear_expired_tokens(stage: &mut Stage<'_>, max: usize) -> Result<usize> {
    let range = RowRange::prefix(&area_prefix(SYSTEM_TABLE, system::TOKEN_EXPIRY))
        .before(system::token_expiry_key(stage.now_ms, ""));
    let mut expired = Vec::new();
    for row in stage.committed().range(&range, Order::Ascending).take(max) {
        expired.push(row?.0.to_bytes());
    }
    for key in &expired {
        let token = system::expiring_token(key)
            .ok_or_else(|| Error::Corrupted("token row is malformed".to_owned()))?;
        // A token that was used again after it expired has a newer row, which stays.
        let current = stage.get(&token)?.is_some_and(|row| row.starts_with(&key_expiry(key)));
        if current {
            stage.remove(token);
        }
        stage.remove(key.clone());
    }
    Ok(expired.len())
}

/// Returns the expiry of a row in the order of expiry, in the form that begins the token's own row.
fn key_expiry(key: &[u8]) -> Vec<u8> {
    key.iter().copied().skip(crate::layout::row_key::AREA_PREFIX_BYTES).take(8).collect()
}
