//! What carries e-mails.

use std::future::Future;
use std::pin::Pin;

use monotable::prelude::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What is delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Letter {
    /// Where to: an e-mail address, or whatever the mailer takes.
    pub recipient: String,
    /// What it is about, in one line.
    pub subject: String,
    /// What it says.
    pub text: String,
    /// What makes it the same e-mail when it comes again, such as `invite-0197…`. Each recipient gets
    /// it once.
    pub deduplication_key: String,
}

impl Letter {
    /// What tells this e-mail to this recipient from all others. It shows nothing of either, and does
    /// not depend on the text.
    pub fn fingerprint(&self) -> String {
        fingerprint(&self.recipient, &self.deduplication_key)
    }
}

/// The [fingerprint](Letter::fingerprint) of an e-mail with this key to this recipient.
pub(super) fn fingerprint(recipient: &str, deduplication_key: &str) -> String {
    let said = format!("{}\0{deduplication_key}", recipient.to_lowercase());
    hex::encode(Sha256::digest(said.as_bytes()))
}

/// Carries e-mails, by mail or otherwise.
pub trait Mailer: Send + Sync {
    /// Delivers an e-mail. It may come again, when nobody knows whether it was delivered; a mailer
    /// that can tell by its [`fingerprint`](Letter::fingerprint) does nothing then.
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a>;
}

/// What [`Mailer::deliver`] waits for.
pub type Mailing<'a> = Pin<Box<dyn Future<Output = Result<(), MailError>> + Send + 'a>>;

/// Why an e-mail was not delivered. It is stored, so that it says nothing of what is in the e-mail, or
/// to whom it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailError {
    /// It may go better later.
    #[error("{0}")]
    Later(&'static str),
    /// It never will: there is no such recipient.
    #[error("{0}")]
    Never(&'static str),
}
