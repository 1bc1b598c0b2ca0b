//! The one error of the modelling layer: what went wrong in the terms of the model.

use std::fmt;

use thiserror::Error as ThisError;

use crate::backend::BackendError;
use crate::codec::CodecError;
use crate::key::KeyError;
use crate::write::{Handle, Label, Position};
use monotable_types::Item;

/// The result of a typed operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a typed operation did not happen.
#[derive(Clone, Debug, PartialEq, ThisError)]
pub enum Error {
    /// There is a row with the same key.
    #[error("{entity} exists already")]
    Exists {
        /// The entity.
        entity: &'static str,
    },
    /// The key holds a row of another type, which is not replaced. Only entities that share their keys on
    /// purpose meet it.
    #[error(
        "{entity} can't be written: its key holds a row of type {found}; delete that row first, or choose another key"
    )]
    OtherType {
        /// The entity.
        entity: &'static str,
        /// The type of the row.
        found: String,
    },
    /// There is no such row, or it has expired.
    #[error("there is no such {entity}")]
    NotFound {
        /// The entity.
        entity: &'static str,
    },
    /// Another row has the value of a unique constraint.
    #[error("{entity}: another one has the same {constraint}")]
    UniqueTaken {
        /// The entity.
        entity: &'static str,
        /// The constraint's name.
        constraint: &'static str,
    },
    /// Somebody changed the row since it was read.
    #[error("{entity} {key} has changed; read it again and retry")]
    VersionConflict {
        /// The entity.
        entity: &'static str,
        /// Its partition and sort key.
        key: String,
    },
    /// A condition that was asked for did not hold.
    #[error("a condition on {entity} did not hold")]
    ConditionFailed {
        /// The entity.
        entity: &'static str,
        /// The row that the condition saw, if it was asked for.
        row: Option<Box<Item>>,
    },
    /// An edit changed a part of the primary key.
    #[error("{entity}: an edit can't change its key; use `rekey`")]
    KeyChanged {
        /// The entity.
        entity: &'static str,
    },
    /// An edit changed a field that never changes.
    #[error("{entity}: `{field}` is immutable")]
    Immutable {
        /// The entity.
        entity: &'static str,
        /// The field.
        field: &'static str,
    },
    /// One or more operations of a transaction failed; nothing happened.
    #[error("the transaction did not happen: {}", list(.failures))]
    Transaction {
        /// Those that failed, in order.
        failures: Vec<OperationError>,
    },
    /// A counter would pass its limit, or a window is full.
    #[error("{what} has reached its limit")]
    LimitReached {
        /// What was counted.
        what: String,
        /// When a window is full: the seconds until the next one.
        retry_after_seconds: Option<u64>,
    },
    /// Somebody else holds a guard.
    #[error("{guard} is held by {}", .holder.as_deref().unwrap_or("somebody else"))]
    Held {
        /// The partition and sort key of the guard.
        guard: String,
        /// Who holds it, where the backend tells.
        holder: Option<String>,
    },
    /// Nobody holds a guard that was to be given up.
    #[error("nobody holds {guard}")]
    NotHeld {
        /// The partition and sort key of the guard.
        guard: String,
    },
    /// A lock is held by somebody else, or was lost.
    #[error("the lock {what} is held by somebody else")]
    Locked {
        /// The lock.
        what: String,
    },
    /// The idempotency key or token belongs to another request.
    #[error("the idempotency key was used before for another request")]
    IdempotencyReused,
    /// The same request was answered before; nothing happened now.
    #[error("the request was done before and answered with status {status}")]
    Replay {
        /// The status of the answer.
        status: u16,
        /// Its body.
        body: String,
    },
    /// An append to a log does not continue it.
    #[error("the log {log} goes on with another number than {expected}; read it again")]
    OutOfSequence {
        /// The log.
        log: String,
        /// The number that the append expected to be next.
        expected: u64,
    },
    /// Some of a batch did not happen although it was tried again.
    #[error("{unprocessed} rows of a batch were not processed; try them again")]
    Incomplete {
        /// How many.
        unprocessed: usize,
    },
    /// The cursor was altered, has expired, or belongs to another query.
    #[error("the cursor is not valid for this query; start from the first page")]
    InvalidCursor,
    /// A value can't stand in a key.
    #[error("{entity}: {error}")]
    Key {
        /// The entity.
        entity: &'static str,
        /// Why.
        error: KeyError,
    },
    /// A value can't be written.
    #[error("{entity} can't be written: {error}")]
    Encode {
        /// The entity.
        entity: &'static str,
        /// Why.
        error: CodecError,
    },
    /// A row can't be read.
    #[error("a row of {entity} can't be read: {message}")]
    Decode {
        /// The entity.
        entity: &'static str,
        /// Which row by its primary key, and why.
        message: String,
    },
    /// The rows of a query do not make the value folded from them.
    #[error("{what} can't be folded: {message}")]
    Fold {
        /// The aggregate.
        what: &'static str,
        /// Why.
        message: String,
    },
    /// What was asked breaks a rule that only shows while the program runs: the backend can't do what the
    /// model needs, or a rule kept as a row has a key of an entity.
    #[error("[{rule}] {message}")]
    Unsupported {
        /// The rule's code.
        rule: &'static str,
        /// What is wrong, and what to do.
        message: String,
    },
    /// The live table is not the declared one.
    #[error(
        "table `{table}` is not as declared: {}; create or change the table, or open another one",
        .differences.join("; ")
    )]
    TableDiffers {
        /// Its name.
        table: String,
        /// What is different.
        differences: Vec<String>,
    },
    /// The model was opened with settings that can't work; the text says what to do.
    #[error("{0}")]
    Settings(String),
    /// The backend failed or refused.
    #[error(transparent)]
    Backend(BackendError),
}

/// One failed operation of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub struct OperationError {
    /// Which one it was.
    at: Position,
    /// What it was: `create Team`.
    pub label: Label,
    /// The partition and sort key of its row; empty if a value can't stand in a key.
    pub key: String,
    /// Why it failed.
    pub error: Error,
}

impl OperationError {
    pub(crate) fn new(at: Position, label: Label, key: String, error: Error) -> Self {
        Self { at, label, key, error }
    }

    /// Returns whether this is the failure of an operation.
    pub fn is<O>(&self, handle: Handle<O>) -> bool {
        self.at == handle.at
    }
}

impl fmt::Display for OperationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { label, key, error, .. } = self;
        match key.is_empty() {
            true => write!(formatter, "{label}: {error}"),
            false => write!(formatter, "{label} {key}: {error}"),
        }
    }
}

fn list(failures: &[OperationError]) -> String {
    let texts: Vec<String> = failures.iter().map(OperationError::to_string).collect();
    texts.join("; ")
}

impl Error {
    /// Returns the error of one operation of a transaction that failed, by its handle.
    pub fn of<O>(&self, handle: Handle<O>) -> Option<&Self> {
        self.failures().iter().find(|failure| failure.is(handle)).map(|failure| &failure.error)
    }

    /// Returns the operations of a transaction that failed; none for other errors.
    pub fn failures(&self) -> &[OperationError] {
        match self {
            Self::Transaction { failures } => failures,
            _ => &[],
        }
    }

    /// Returns whether another writer changed a row first, so that the caller should read again and
    /// retry: a version conflict, or a transaction in which nothing else failed.
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
