//! The error type of the modelling layer, in the terms of the model.

use std::fmt;

use thiserror::Error as ThisError;

use crate::backend::BackendError;
use crate::codec::CodecError;
use crate::key::KeyError;
use crate::write::{Handle, Label, Position};
use monotable_types::Item;

/// The result of a typed operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The reason why a typed operation failed.
#[derive(Clone, Debug, PartialEq, ThisError)]
pub enum Error {
    /// A row with the same key already exists.
    #[error("{entity} exists already")]
    Exists {
        /// The entity.
        entity: &'static str,
    },
    /// The key contains a row of another type, which is not replaced. Only entities that
    /// deliberately share their keys can get this error.
    #[error(
        "{entity} can't be written: its key holds a row of type {found}; delete that row first, or choose another key"
    )]
    OtherType {
        /// The entity.
        entity: &'static str,
        /// The type of the existing row.
        found: String,
    },
    /// The row does not exist, or it has expired.
    #[error("the {entity} does not exist")]
    NotFound {
        /// The entity.
        entity: &'static str,
    },
    /// Another row already has the value of a unique constraint.
    #[error("{entity}: another one has the same {constraint}")]
    UniqueTaken {
        /// The entity.
        entity: &'static str,
        /// The name of the constraint.
        constraint: &'static str,
    },
    /// The row was changed since it was read.
    #[error("{entity} {key} has changed; read it again and retry")]
    VersionConflict {
        /// The entity.
        entity: &'static str,
        /// The partition and sort key of the row.
        key: String,
    },
    /// A condition did not hold.
    #[error("a condition on {entity} did not hold")]
    ConditionFailed {
        /// The entity.
        entity: &'static str,
        /// The row that the condition was evaluated on, if it was requested.
        row: Option<Box<Item>>,
    },
    /// An edit changed a part of the primary key.
    #[error("{entity}: an edit can't change its key; use `rekey`")]
    KeyChanged {
        /// The entity.
        entity: &'static str,
    },
    /// An edit changed an immutable field.
    #[error("{entity}: `{field}` is immutable")]
    Immutable {
        /// The entity.
        entity: &'static str,
        /// The field.
        field: &'static str,
    },
    /// One or more operations of a transaction failed, so nothing was written.
    #[error("the transaction did not happen: {}", list(.failures))]
    Transaction {
        /// The failed operations, in order.
        failures: Vec<OperationError>,
    },
    /// A counter would exceed its limit, or a rate window is full.
    #[error("{what} has reached its limit")]
    LimitReached {
        /// What is counted.
        what: String,
        /// For a rate window: the seconds until the next one.
        retry_after_seconds: Option<u64>,
    },
    /// Another holder has the guard.
    #[error("{guard} is held by {}", .holder.as_deref().unwrap_or("somebody else"))]
    Held {
        /// The partition and sort key of the guard.
        guard: String,
        /// The holder, if the backend reports it.
        holder: Option<String>,
    },
    /// The guard to be released is not held.
    #[error("{guard} is not held")]
    NotHeld {
        /// The partition and sort key of the guard.
        guard: String,
    },
    /// The lock is held by another holder, or was lost.
    #[error("another holder has the lock {what}")]
    Locked {
        /// The lock.
        what: String,
    },
    /// The idempotency key or token belongs to another request.
    #[error("the idempotency key was used before for another request")]
    IdempotencyReused,
    /// The same request was completed before; nothing was written now.
    #[error("the request was completed before with status {status}")]
    Replay {
        /// The status of the stored response.
        status: u16,
        /// The body of the stored response.
        body: String,
    },
    /// An append does not continue the log.
    #[error("event {expected} is not the next one of the log {log}; read it again")]
    OutOfSequence {
        /// The log.
        log: String,
        /// The sequence number that the append expected.
        expected: u64,
    },
    /// Some writes of a batch failed after several retries.
    #[error("{unprocessed} rows of a batch were not processed; try them again")]
    Incomplete {
        /// The number of unprocessed writes.
        unprocessed: usize,
    },
    /// The cursor was altered, has expired, or belongs to another query.
    #[error("the cursor is not valid for this query; start from the first page")]
    InvalidCursor,
    /// A value is not valid in a key.
    #[error("{entity}: {error}")]
    Key {
        /// The entity.
        entity: &'static str,
        /// The reason.
        error: KeyError,
    },
    /// A value cannot be encoded.
    #[error("{entity} can't be written: {error}")]
    Encode {
        /// The entity.
        entity: &'static str,
        /// The reason.
        error: CodecError,
    },
    /// A row cannot be decoded.
    #[error("a row of {entity} can't be read: {message}")]
    Decode {
        /// The entity.
        entity: &'static str,
        /// The primary key of the row, and the reason.
        message: String,
    },
    /// The rows of a query cannot be folded into the value.
    #[error("{what} can't be folded: {message}")]
    Fold {
        /// The aggregate.
        what: &'static str,
        /// The reason.
        message: String,
    },
    /// The operation breaks a rule that only shows at run time: the backend lacks a capability that
    /// the model needs, or a rule kept as a row has a key of an entity.
    #[error("[{rule}] {message}")]
    Unsupported {
        /// The code of the rule.
        rule: &'static str,
        /// The problem, and what to do.
        message: String,
    },
    /// The existing table differs from the declaration.
    #[error(
        "table `{table}` is not as declared: {}; create or change the table, or open another one",
        .differences.join("; ")
    )]
    TableDiffers {
        /// The name of the table.
        table: String,
        /// The differences.
        differences: Vec<String>,
    },
    /// The settings of the model are invalid; the text contains what to do.
    #[error("{0}")]
    Settings(String),
    /// The backend failed or refused.
    #[error(transparent)]
    Backend(BackendError),
}

/// One failed operation of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationError {
    /// The position of the operation.
    at: Position,
    /// The operation, for messages: `create Team`.
    pub label: Label,
    /// The partition and sort key of the row; empty if a value is not valid in a key.
    pub key: String,
    /// The reason of the failure.
    pub error: Error,
}

impl OperationError {
    pub(crate) fn new(at: Position, label: Label, key: String, error: Error) -> Self {
        Self { at, label, key, error }
    }

    /// Returns whether this is the failure of the operation with this handle.
    pub fn is<O>(&self, handle: Handle<O>) -> bool {
        self.at == handle.at
    }
}

impl fmt::Display for OperationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, key, error, .. } = self;
        if key.is_empty() {
            write!(formatter, "{label}: {error}")
        } else {
            write!(formatter, "{label} {key}: {error}")
        }
    }
}

fn list(failures: &[OperationError]) -> String {
    let texts: Vec<String> = failures.iter().map(OperationError::to_string).collect();
    texts.join("; ")
}

/// The only difference of a table that does not exist.
pub(crate) const MISSING_TABLE: &str = "the table does not exist";

impl Error {
    /// Returns whether the table of the model does not exist.
    pub fn is_missing_table(&self) -> bool {
        matches!(self, Self::TableDiffers { differences, .. } if *differences == [MISSING_TABLE])
    }

    /// Returns the error of one operation of a failed transaction, by its handle.
    pub fn of<O>(&self, handle: Handle<O>) -> Option<&Self> {
        self.failures().iter().find(|failure| failure.is(handle)).map(|failure| &failure.error)
    }

    /// Returns the failed operations of a transaction; empty for other errors.
    pub fn failures(&self) -> &[OperationError] {
        match self {
            Self::Transaction { failures } => failures,
            _ => &[],
        }
    }

    /// Returns whether another writer changed a row first, so that the caller should read again and
    /// retry. This is a version conflict, or a transaction in which nothing else failed.
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::VersionConflict { .. } => true,
            Self::Transaction { failures } => {
                failures.iter().all(|failure| failure.error.is_conflict())
            }
            _ => false,
        }
    }
}

impl From<BackendError> for Error {
    fn from(error: BackendError) -> Self {
        match error {
            BackendError::TokenReused => Self::IdempotencyReused,
            error => Self::Backend(error),
        }
    }
}
