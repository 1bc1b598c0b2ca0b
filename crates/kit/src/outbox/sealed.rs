//! E-mails as rows store them: their text may contain a token, so only a server with the right key
//! can read it.

use std::fmt;

use monotable::prelude::{Deserialize, Serialize};

use super::mailer::{Letter, fingerprint};
use crate::sealed::Sealer;

/// Seals and opens the texts of e-mails with a key of the server.
#[derive(Clone)]
pub struct LetterSealer(Sealer);

impl LetterSealer {
    /// Creates the sealer of a key, which must survive a restart: without it, waiting e-mails can't
    /// be delivered any more. The key may be used for other purposes as well.
    pub fn new(key: &[u8; 32]) -> Self {
        Self(Sealer::of_letters(key))
    }
}

impl fmt::Debug for LetterSealer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("LetterSealer(…)")
    }
}

/// An e-mail with its text sealed, so that the table does not reveal it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SealedLetter {
    /// The recipient.
    pub recipient: String,
    /// The subject, in one line.
    pub subject: String,
    /// Identifies a repeated e-mail.
    pub deduplication_key: String,
    /// The text, sealed for this message and recipient.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sealed_text: Option<String>,
    /// The text of an e-mail that an older program stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

impl SealedLetter {
    pub(super) fn seal(letter: Letter, message: &str, sealer: &LetterSealer) -> Self {
        let Letter { recipient, subject, text, deduplication_key } = letter;
        let text = Some(text);
        let letter = Self { recipient, subject, deduplication_key, sealed_text: None, text };
        letter.sealed(message, sealer)
    }

    /// Returns the e-mail with its text sealed; an older program may not have sealed it.
    pub(super) fn sealed(mut self, message: &str, sealer: &LetterSealer) -> Self {
        if let Some(text) = self.text.take() {
            self.sealed_text = Some(sealer.0.seal(&self.context(message), &text));
        }
        self
    }

    /// Returns the e-mail as it is delivered; `None` if it was sealed with another key, or for another
    /// message.
    pub(super) fn open(&self, message: &str, sealer: &LetterSealer) -> Option<Letter> {
        let text = match (&self.text, &self.sealed_text) {
            (Some(text), _) => text.clone(),
            (None, Some(sealed)) => sealer.0.open(&self.context(message), sealed)?,
            (None, None) => return None,
        };
        Some(Letter {
            recipient: self.recipient.clone(),
            subject: self.subject.clone(),
            text,
            deduplication_key: self.deduplication_key.clone(),
        })
    }

    /// Identifies the e-mail and its recipient without its text: see [`Letter::fingerprint`].
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.recipient, &self.deduplication_key)
    }

    /// Returns the context of the text: in another message, or to another recipient, it can't be
    /// opened.
    fn context(&self, message: &str) -> String {
        format!("{message} {}", self.fingerprint())
    }
}
