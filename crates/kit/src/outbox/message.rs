//! The rows of an outbox: what is to be delivered, what was, and what can't be.

use monotable::prelude::*;

use super::mailer::Letter;
use super::sealed::{LetterSealer, SealedLetter};
use crate::jobs::PromiseStamps;
use crate::problem::Problem;

ids! {
    /// A queue of messages: those of one lane are delivered by one mailer, such as `mail`.
    Lane,
    /// A message. Ids that sort by time are delivered in that order.
    MessageId,
    /// A letter to a recipient, by its [`fingerprint`](Letter::fingerprint).
    LetterId,
}

stamps!(pub CreationStamp(created = createdAt));

/// A letter that is promised. List it in `entities(…)` of the table, and create it in the transaction
/// of the command.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "OUTBOX_MESSAGE")]
#[key(pk = "OUTBOX#{lane}", sk = "{message_id}")]
pub struct OutboxMessage {
    /// Where it queues.
    pub lane: Lane,
    /// Its own id.
    pub message_id: MessageId,
    /// What is delivered, with its text sealed.
    pub letter: SealedLetter,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is to be delivered, or when the lease of the worker that delivers it is over.
    pub due_at: Timestamp,
    /// Why it was not delivered the last time.
    pub last_error: Option<String>,
    /// Its version, when it was promised, and when a worker last wrote it.
    #[stamps]
    #[serde(skip)]
    pub stamps: PromiseStamps,
}

/// A letter that was tried too often, or that nobody takes. It stays until somebody looks at it.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "DEAD_LETTER")]
#[key(pk = "DEADLETTER#{lane}", sk = "{message_id}")]
pub struct DeadLetter {
    /// Where it queued.
    pub lane: Lane,
    /// The message's own id.
    pub message_id: MessageId,
    /// What was not delivered, with its text sealed.
    pub letter: SealedLetter,
    /// How often it was tried.
    pub attempts: u32,
    /// Why it was not delivered the last time.
    pub last_error: Option<String>,
    /// When it was given up.
    #[stamps]
    #[serde(skip)]
    pub stamps: CreationStamp,
}

/// A letter that was delivered: kept for a while, so that it is not delivered again.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "DELIVERED")]
#[key(pk = "DELIVERED#{lane}", sk = "{letter_id}")]
pub struct Delivered {
    /// Where it queued.
    pub lane: Lane,
    /// Which letter to whom.
    pub letter_id: LetterId,
    /// When it was delivered.
    #[stamps]
    #[serde(skip)]
    pub stamps: CreationStamp,
}

impl OutboxMessage {
    /// Promises a letter, to be delivered at once by a worker with the same key.
    ///
    /// # Errors
    /// If the lane or the id can't stand in a key.
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

    /// Returns the letter as it is delivered; `None` if it was sealed with another key.
    pub(super) fn open(&self, sealer: &LetterSealer) -> Option<Letter> {
        self.letter.open(&sealed_for(&self.lane, &self.message_id), sealer)
    }

    /// Returns the letter as rows keep it; one that an older program promised is sealed now.
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
    /// Returns the letter that was not delivered; `None` if it was sealed with another key.
    pub fn open(&self, sealer: &LetterSealer) -> Option<Letter> {
        self.letter.open(&sealed_for(&self.lane, &self.message_id), sealer)
    }
}

/// The message whose letter is sealed: in another one its text can't be opened.
fn sealed_for(lane: &Lane, message_id: &MessageId) -> String {
    format!("{} {}", lane.as_str(), message_id.as_str())
}
