//! Unguessable tokens.

use crate::error::{Error, Result};

/// Returns 128 random bits in hexadecimal digits.
pub(super) fn random() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::Settings(format!("the operating system provides no randomness for tokens: {error}"))
    })?;
    Ok(hex::encode(bytes))
}
