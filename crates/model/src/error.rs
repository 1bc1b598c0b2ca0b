//! The one error of the modelling layer: what went wrong in the terms of the model.

use thiserror::Error as ThisError;

use crate::backend::BackendError;
use crate::codec::CodecError;
use crate::key::KeyError;
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
    #[error("{entity} {key} was changed by somebody else; read it again")]
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
    /// The backend can't do what the model needs.
    #[error("[{rule}] {message}")]
    Unsupported {
        /// The rule's code.
        rule: &'static str,
        /// What is needed and where it can be had.
        message: String,
    },
    /// The live table is not the declared one.
    #[error("table `{table}` is not as declared: {}", .differences.join("; "))]
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
    /// Its position in the transaction, from 0.
    pub operation: usize,
    /// What it was, such as `create Team`.
    pub label: String,
    /// Why it failed.
    pub error: Error,
}

fn list(failures: &[OperationError]) -> String {
    let texts: Vec<String> = failures
        .iter()
        .map(|failure| format!("{} ({}): {}", failure.operation, failure.label, failure.error))
        .collect();
    texts.join("; ")
}

impl From<BackendError> for Error {
    fn from(error: BackendError) -> Self {
        match error {
            BackendError::TokenReused => Self::IdempotencyReused,
            error => Self::Backend(error),
        }
    }
}
