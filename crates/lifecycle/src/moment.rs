//! Formats times.

use jiff::Timestamp;

use crate::error::{Error, Result};

/// Returns a moment in ISO 8601 with milliseconds.
pub(crate) fn milliseconds(moment_ms: u64) -> Result<String> {
    text(moment_ms, "%Y-%m-%dT%H:%M:%S.%3fZ")
}

/// Returns a moment in ISO 8601 with seconds.
pub(crate) fn seconds(moment_ms: u64) -> Result<String> {
    text(moment_ms, "%Y-%m-%dT%H:%M:%SZ")
}

fn text(moment_ms: u64, format: &str) -> Result<String> {
    let moment = i64::try_from(moment_ms).ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
    let moment = moment.ok_or_else(|| Error::Io(format!("{moment_ms} is no moment")))?;
    Ok(moment.strftime(format).to_string())
}
