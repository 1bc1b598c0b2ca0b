//! The errors of a backend.

use monotable_types::Item;
use thiserror::Error as ThisError;

/// The reason why a request to a backend failed.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum BackendError {
    /// The condition did not hold.
    #[error("the condition did not hold")]
    ConditionFailed {
        /// The row that the condition was evaluated on, if the request asked for it.
        row: Option<Box<Item>>,
    },
    /// The transaction was cancelled; there is one reason per action, in order.
    #[error("the transaction was cancelled")]
    Cancelled {
        /// The reasons, in the order of the actions.
        reasons: Vec<Reason>,
    },
    /// Another request is using the row; a retry may succeed.
    #[error("another request is working on the same row; try again")]
    Conflict,
    /// The rate of requests is too high; a later retry may succeed.
    #[error("the backend is throttling; try again later ({0})")]
    Throttled(String),
    /// The token belongs to another transaction.
    #[error("the idempotency token was used before with another transaction")]
    TokenReused,
    /// The table does not exist.
    #[error("the table `{0}` does not exist")]
    NoTable(String),
    /// A table with this name already exists.
    #[error("there is a table `{0}` already")]
    TableExists(String),
    /// The backend refused the request as malformed or too large.
    #[error("the backend refused the request: {0}")]
    Refused(String),
    /// The backend could not be reached or failed; whether the write was executed is unknown.
    #[error("the backend failed: {0}")]
    Failed(String),
}

/// The result of one action of a cancelled transaction: its failure, or that it did not fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The action itself did not fail.
    Fine,
    /// Its condition did not hold.
    ConditionFailed {
        /// The row that the condition was evaluated on, if the action asked for it.
        row: Option<Box<Item>>,
    },
    /// Another request is using the row.
    Conflict,
    /// The rate of requests is too high.
    Throttled,
    /// The action was malformed.
    Refused(String),
}
