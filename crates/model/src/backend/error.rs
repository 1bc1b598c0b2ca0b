//! What a backend answers when it does not do what was asked.

use monotable_types::Item;
use thiserror::Error as ThisError;

/// Why a request to a backend failed.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
pub enum BackendError {
    /// The condition did not hold.
    #[error("the condition did not hold")]
    ConditionFailed {
        /// The row that it saw, if the request asked for it.
        row: Option<Box<Item>>,
    },
    /// The transaction did not happen; one reason an action, in order.
    #[error("the transaction was cancelled")]
    Cancelled {
        /// Why, action by action.
        reasons: Vec<Reason>,
    },
    /// Another request works on the row; trying again may help.
    #[error("another request is working on the same row; try again")]
    Conflict,
    /// Too much was asked for at once; trying later may help.
    #[error("the backend is throttling; try again later ({0})")]
    Throttled(String),
    /// The token belongs to another transaction.
    #[error("the idempotency token was used before with another transaction")]
    TokenReused,
    /// There is no such table.
    #[error("there is no table `{0}`")]
    NoTable(String),
    /// There is a table of this name already.
    #[error("there is a table `{0}` already")]
    TableExists(String),
    /// The backend refused the request as malformed or too large.
    #[error("the backend refused the request: {0}")]
    Refused(String),
    /// The backend could not be reached or failed; whether a write happened is unknown.
    #[error("the backend failed: {0}")]
    Failed(String),
}

/// Why one action of a transaction failed, or that it did not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It was fine.
    Fine,
    /// Its condition did not hold.
    ConditionFailed {
        /// The row that it saw, if the action asked for it.
        row: Option<Box<Item>>,
    },
    /// Another request works on the row.
    Conflict,
    /// Too much was asked for at once.
    Throttled,
    /// The action was malformed.
    Refused(String),
}
