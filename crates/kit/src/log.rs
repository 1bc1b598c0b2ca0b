//! The request log: one line of JSON for each request, with the template of its path and without
//! its content.
//!
//! A line has no path, query, header or body. Users appear as a keyed hash, so that lines of one
//! user can be found together and the user can't be identified.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use hmac::{Hmac, KeyInit, Mac};
use monotable::model::time::Timestamp;
use serde::Serialize;
use sha2::Sha256;

/// The destination of log lines.
pub trait LogSink: Send + Sync {
    /// Writes a line, which ends in a line feed.
    fn write(&self, line: &[u8]);
}

impl<L: LogSink + ?Sized> LogSink for std::sync::Arc<L> {
    fn write(&self, line: &[u8]) {
        (**self).write(line);
    }
}

/// Writes the lines to standard error, where the operator collects them.
#[derive(Clone, Copy, Debug, Default)]
pub struct StandardError;

impl LogSink for StandardError {
    fn write(&self, line: &[u8]) {
        // A failing log must not stop the service.
        let _ = std::io::stderr().lock().write_all(line);
    }
}

/// Stores the lines, for tests.
#[derive(Debug, Default)]
pub struct MemoryLog {
    lines: Mutex<Vec<u8>>,
}

impl MemoryLog {
    /// Returns every line so far.
    pub fn text(&self) -> String {
        let lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(&lines).into_owned()
    }
}

impl LogSink for MemoryLog {
    fn write(&self, line: &[u8]) {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(line);
    }
}

/// Discards the lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLog;

impl LogSink for NoLog {
    fn write(&self, _line: &[u8]) {}
}

/// The logged properties of a request.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogLine<'a> {
    pub(crate) time: Timestamp,
    pub(crate) service: &'a str,
    pub(crate) request_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) principal: Option<&'a str>,
    pub(crate) method: &'a str,
    pub(crate) route: &'a str,
    pub(crate) status: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'a str>,
    pub(crate) latency_us: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
}

impl LogLine<'_> {
    pub(crate) fn write_to(&self, sink: &dyn LogSink) {
        if let Ok(mut line) = serde_json::to_vec(self) {
            line.push(b'\n');
            sink.write(&line);
        }
    }
}

/// Returns the hash of a user in the log: 64 bits of a keyed hash.
pub(crate) fn hashed(key: &[u8; 32], principal: &str) -> String {
    let Ok(mut hash) = Hmac::<Sha256>::new_from_slice(key) else {
        unreachable!("HMAC takes keys of every length")
    };
    hash.update(principal.as_bytes());
    hex::encode(&hash.finalize().into_bytes()[..8])
}

/// Returns an error's text without possible secrets and addresses: words with `@`, and long words
/// that are no UUID.
pub(crate) fn redacted(text: &str) -> String {
    const WORD_CHARACTERS_MAX: usize = 36;
    let is_word = |character: char| {
        character.is_alphanumeric() || matches!(character, '@' | '.' | '_' | '-' | '+' | '%')
    };
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        kept.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|character| !is_word(character)).unwrap_or(rest.len());
        let word = &rest[..end];
        let is_secret =
            word.len() > WORD_CHARACTERS_MAX || word.contains('@') || word.contains("%40");
        kept.push_str(if is_secret { "[redacted]" } else { word });
        rest = &rest[end..];
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn addresses_and_secrets_are_cut_out_of_errors() {
        let text = "row EMAIL#ada%40example.org / UNIQUE of ada@example.org (TEAM#01997f3e-7a0c-7000-8000-000000000001): \
                    token dGhpcyBpcyBhIHNlY3JldCBvZiAzMiBieXRlcyBzYXk, name `x`";
        expect!["row EMAIL#[redacted] / UNIQUE of [redacted] (TEAM#01997f3e-7a0c-7000-8000-000000000001): token [redacted], name `x`"]
            .assert_eq(&redacted(text));
    }

    #[test]
    fn the_hash_of_a_person_depends_on_the_key() {
        assert_eq!(hashed(&[1; 32], "u1"), hashed(&[1; 32], "u1"));
        assert_ne!(hashed(&[1; 32], "u1"), hashed(&[2; 32], "u1"));
        assert_ne!(hashed(&[1; 32], "u1"), hashed(&[1; 32], "u2"));
        assert_eq!(hashed(&[1; 32], "u1").len(), 16);
    }
}
