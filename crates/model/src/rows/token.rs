//! Tokens that nobody can guess.

use std::fmt::Write;

use crate::error::{Error, Result};

/// 128 random bits in hexadecimal digits.
pub(super) fn random() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::Settings(format!("the operating system gives no randomness for tokens: {error}"))
    })?;
    Ok(hexadecimal(&bytes))
}

/// Bytes as lower-case hexadecimal digits.
pub(super) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
