//! Trying again: how often, and how long to wait in between.

use std::time::Duration;

use crate::context::Context;
use crate::error::{Error, Result};

/// Attempts without any progress before something is given up.
const ATTEMPTS_MAX: u32 = 5;

/// The longest wait before the second attempt; it doubles with each.
const PAUSE: Duration = Duration::from_millis(50);

/// The attempts of one operation.
pub(crate) struct Retry {
    attempts: u32,
}

impl Retry {
    /// Before the first attempt has failed.
    pub(crate) fn new() -> Self {
        Self { attempts: 0 }
    }

    /// Waits before the next attempt. `false` says that there have been enough; progress starts the
    /// count anew.
    ///
    /// # Errors
    /// If the backend can't wait, or there is no randomness.
    pub(crate) async fn pause(&mut self, context: &Context, progress: bool) -> Result<bool> {
        self.attempts = if progress { 1 } else { self.attempts + 1 };
        if self.attempts >= ATTEMPTS_MAX {
            return Ok(false);
        }
        let longest = PAUSE * 2_u32.pow(self.attempts - 1);
        // Anything between nothing and the longest wait, so that callers that met once do not meet again.
        context.backend.pause(longest.mul_f64(random()?)).await?;
        Ok(true)
    }
}

/// A random number from 0 to 1.
fn random() -> Result<f64> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).map_err(|error| {
        Error::Settings(format!("the operating system gives no randomness: {error}"))
    })?;
    Ok(f64::from(u32::from_be_bytes(bytes)) / f64::from(u32::MAX))
}
