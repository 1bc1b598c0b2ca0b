//! Everything that was received, so that tests can search for what must not be there.

use std::sync::{Mutex, PoisonError};

use monotable_kit::MemoryLog;
use serde_json::Value;

/// A response, with its request.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The method and the path of the request.
    pub request: String,
    /// The token of the sender.
    pub token: Option<String>,
    /// The status.
    pub status: u16,
    /// The body.
    pub text: String,
}

/// The responses of all processes on a table.
#[derive(Debug, Default)]
pub struct Traffic {
    exchanges: Mutex<Vec<Exchange>>,
}

impl Traffic {
    /// Returns everything so far.
    pub fn exchanges(&self) -> Vec<Exchange> {
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Fails if one of these texts is in a response to any client.
    ///
    /// # Panics
    /// Panics if there is one.
    pub fn assert_hides<T: AsRef<str>>(&self, secrets: impl IntoIterator<Item = T>) {
        let exchanges = self.exchanges();
        for secret in secrets {
            let secret = secret.as_ref();
            let shown = exchanges.iter().find(|exchange| exchange.text.contains(secret));
            assert!(shown.is_none(), "{secret} is in {shown:?}");
        }
    }

    /// Records a response. Fails if it contains a hidden field, if the log contains its sender, or
    /// if personal data is in the log or in a refusal.
    pub(super) fn record(
        &self,
        exchange: Exchange,
        (hidden, personal): (&[&str], &[&str]),
        log: &MemoryLog,
    ) {
        let Exchange { request, token, status, text } = &exchange;
        let found = hidden_field(&serde_json::from_str(text).unwrap_or_default(), hidden);
        assert!(found.is_none(), "{request}: {found:?} is in {text}");
        let lines = log.text();
        let line = lines.lines().last().unwrap_or_default();
        assert!(!line.contains('@'), "{request}: the log has an e-mail address: {line}");
        for personal in personal {
            assert!(!line.contains(personal), "{request}: the log has personal data: {line}");
            let is_repeated = *status >= 400 && text.contains(personal);
            assert!(!is_repeated, "{request}: a refusal has personal data: {text}");
        }
        if let Some(token) = token {
            assert!(!line.contains(token.as_str()), "{request}: the log has the token: {line}");
        }
        self.exchanges.lock().unwrap_or_else(PoisonError::into_inner).push(exchange);
    }
}

/// Returns the first field with one of these names, at any depth.
fn hidden_field<'a>(value: &Value, hidden: &[&'a str]) -> Option<&'a str> {
    match value {
        Value::Array(values) => values.iter().find_map(|value| hidden_field(value, hidden)),
        Value::Object(fields) => fields.iter().find_map(|(name, value)| {
            let found = hidden.iter().copied().find(|hidden| *hidden == name);
            found.or_else(|| hidden_field(value, hidden))
        }),
        _ => None,
    }
}
