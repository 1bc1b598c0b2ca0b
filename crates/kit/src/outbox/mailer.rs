//! Mailers: how e-mails are delivered.

use std::future::Future;
use std::pin::Pin;

use monotable::prelude::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// An e-mail to deliver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Letter {
    /// The recipient: an e-mail address, or another address that the mailer accepts.
    pub recipient: String,
    /// The subject, in one line.
    pub subject: String,
    /// The body.
    pub text: String,
    /// Identifies a repeated e-mail, such as `invite-0197…`. Each recipient gets it once.
    pub deduplication_key: String,
}

impl Letter {
    /// Returns a hash that identifies this e-mail to this recipient. It reveals neither, and does
    /// not depend on the text.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.recipient, &self.deduplication_key)
    }
}

/// Returns the [fingerprint](Letter::fingerprint) of an e-mail with this key to this recipient.
pub(super) fn fingerprint(recipient: &str, deduplication_key: &str) -> String {
    let said = format!("{}\0{deduplication_key}", recipient.to_lowercase());
    hex::encode(Sha256::digest(said.as_bytes()))
}

/// Delivers e-mails.
pub trait Mailer: Send + Sync {
    /// Delivers an e-mail. The call may be repeated if it is unknown whether it succeeded; a mailer
    /// that recognizes the [`fingerprint`](Letter::fingerprint) then does nothing.
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a>;
}

/// The future of [`Mailer::deliver`].
pub type Mailing<'a> = Pin<Box<dyn Future<Output = Result<(), MailError>> + Send + 'a>>;

/// Why an e-mail was not delivered. The reason is stored, so it must not contain the content or the
/// recipient.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// A later attempt may succeed.
    #[error("{0}")]
    Later(&'static str),
    /// No attempt will succeed: there is no such recipient.
    #[error("{0}")]
    Never(&'static str),
}
