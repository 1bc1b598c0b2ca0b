//! The rows of an outbox: messages to deliver, delivered e-mails, and undeliverable ones.

use monotable::prelude::*;

use super::mailer::Letter;
use super::sealed::{LetterSealer, SealedLetter};
use crate::jobs::PromiseStamps;
use crate::problem::Problem;

ids! {
    /// A queue of messages that one mailer delivers, such as `mail`.
    Lane,
    /// The id of a message. Ids that sort by time are delivered in that order.
    MessageId,
    /// An e-mail to a recipient, by its [`fingerprint`](Letter::fingerprint).
    LetterId,
}

stamps!(pub CreationStamp(created = createdAt));

/// A scheduled e-mail. List it in `entities(…)` of the table, and create it in the transaction of
/// the command.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "OUTBOX_MESSAGE")]
#[key(pk = "OUTBOX#{lane}", sk = "{message_id}")]
pub struct OutboxMessage {
    /// The lane of the message.
    pub lane: Lane,
    /// The id of the message.
    pub message_id: MessageId,
    /// The e-mail, with its text sealed.
    pub letter: SealedLetter,
    /// The number of attempts.
    pub attempts: u32,
    /// The time at which it is due, or at which the lease of its worker expires.
    pub due_at: Timestamp,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// Its version, when it was created, and when a worker last wrote it.
    #[stamps]
    #[serde(skip)]
    pub stamps: PromiseStamps,
}

/// An e-mail that was tried too often, or that no mailer accepts. It stays until an operator
/// deletes it.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "DEAD_LETTER")]
#[key(pk = "DEADLETTER#{lane}", sk = "{message_id}")]
pub struct DeadLetter {
    /// The lane of the message.
    pub lane: Lane,
    /// The id of the message.
    pub message_id: MessageId,
    /// The e-mail, with its text sealed.
    pub letter: SealedLetter,
    /// The number of attempts.
    pub attempts: u32,
    /// Why the last attempt failed.
    pub last_error: Option<String>,
    /// When it was given up.
    #[stamps]
    #[serde(skip)]
    pub stamps: CreationStamp,
}

/// A delivered e-mail: kept for a while, so that it is not delivered again.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "DELIVERED")]
#[key(pk = "DELIVERED#{lane}", sk = "{letter_id}")]
pub struct Delivered {
    /// The lane of the message.
    pub lane: Lane,
    /// The e-mail and its recipient.
    pub letter_id: LetterId,
    /// When it was delivered.
    #[stamps]
    #[serde(skip)]
    pub stamps: CreationStamp,
}

impl OutboxMessage {
    /// Creates a message for an e-mail, which a worker with the same key delivers at once.
    ///
    /// # Errors
    /// Fails if the lane or the id can't be part of a key.
    pub fn new(
        lane: &str,
        message_id: &str,
        letter: Letter,
        sealer: &LetterSealer,
        now: Timestamp,
    ) -> Result<Self, Problem> {
        let internal = |error: &dyn std::fmt::Display| Problem::internal(error.to_string());
        let lane = Lane::new(lane).map_err(|error| internal(&error))?;
        let message_id = MessageId::new(message_id).map_err(|error| internal(&error))?;
        Ok(Self {
            letter: SealedLetter::seal(letter, &sealed_for(&lane, &message_id), sealer),
            lane,
            message_id,
            attempts: 0,
            due_at: now,
            last_error: None,
            stamps: PromiseStamps::default(),
        })
    }

    pub(super) fn letter_id(&self) -> Result<LetterId, Problem> {
        LetterId::new(self.letter.fingerprint())
            .map_err(|error| Problem::internal(error.to_string()))
    }

    pub(super) fn delivered(&self) -> Result<Delivered, Problem> {
        let (lane, letter_id) = (self.lane.clone(), self.letter_id()?);
        Ok(Delivered { lane, letter_id, stamps: CreationStamp::default() })
    }

    /// Returns the e-mail as it is delivered; `None` if it was sealed with another key.
    pub(super) fn open(&self, sealer: &LetterSealer) -> Option<Letter> {
        self.letter.open(&sealed_for(&self.lane, &self.message_id), sealer)
    }

    /// Returns the e-mail as rows store it; one that an older program stored is sealed now.
    pub(super) fn sealed(&self, sealer: &LetterSealer) -> SealedLetter {
        self.letter.clone().sealed(&sealed_for(&self.lane, &self.message_id), sealer)
    }

    pub(super) fn dead(&self, error: Option<String>, sealer: &LetterSealer) -> DeadLetter {
        DeadLetter {
            lane: self.lane.clone(),
            message_id: self.message_id.clone(),
            letter: self.sealed(sealer),
            attempts: self.attempts,
            last_error: error,
            stamps: CreationStamp::default(),
        }
    }
}

impl DeadLetter {
    /// Returns the e-mail that was not delivered; `None` if it was sealed with another key.
    pub fn open(&self, sealer: &LetterSealer) -> Option<Letter> {
        self.letter.open(&sealed_for(&self.lane, &self.message_id), sealer)
    }
}

/// Returns the context of a message: in another one its text can't be opened.
fn sealed_for(lane: &Lane, message_id: &MessageId) -> String {
    format!("{} {}", lane.as_str(), message_id.as_str())
}
