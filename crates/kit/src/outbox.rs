//! The outbox: e-mails that a command schedules and a worker delivers.
//!
//! A command creates an [`OutboxMessage`] in its transaction, so that no e-mail is sent about
//! something that did not happen, and no request waits for mail. The worker delivers at least once:
//! if it is killed, it or another worker continues when the lease of the message has expired. Two
//! equal e-mails to the same recipient are delivered once. This module neither knows how mail is
//! transported nor logs its content, and rows keep the text of an e-mail encrypted, because it may
//! contain a token.

mod file;
mod mailer;
mod message;
mod report;
mod sealed;
mod worker;

use monotable::model::{Holds, Rows, Store, Table};

pub use file::FileMailer;
pub use mailer::{Letter, MailError, Mailer, Mailing};
pub use message::{
    CreationStamp, DeadLetter, DeadLetterKey, DeadLetterUpdate, Delivered, DeliveredKey,
    DeliveredUpdate, Lane, LetterId, MessageId, OutboxMessage, OutboxMessageKey,
    OutboxMessageUpdate, dead_letter, delivered, outbox_message,
};
pub use report::OutboxReport;
pub use sealed::{LetterSealer, SealedLetter};
pub use worker::Outbox;

/// A table with an outbox, and the patterns that list it: `#[query(pk = "OUTBOX#{lane}")] fn
/// outbox(&self, lane: &Lane) -> Rows<OutboxMessage>;` and `#[query(pk = "DELIVERED#{lane}")] fn
/// delivered(&self, lane: &Lane) -> Rows<Delivered>;`.
pub trait OutboxTable: Table + Holds<OutboxMessage> + Holds<DeadLetter> + Holds<Delivered> {
    /// Returns the messages of a lane that were not delivered yet.
    fn outbox(db: &Store<Self>, lane: &Lane) -> Rows<OutboxMessage>;

    /// Returns the e-mails of a lane that were delivered.
    fn delivered(db: &Store<Self>, lane: &Lane) -> Rows<Delivered>;
}
