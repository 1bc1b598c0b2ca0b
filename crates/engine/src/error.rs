//! The engine's only error type, with the exception names and messages of DynamoDB.

use monotable_expression::ExpressionError;
use monotable_types::{BrokenConstraints, Item};
use thiserror::Error as ThisError;

/// The result of an engine operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an operation was not performed. `Display` writes DynamoDB's message, [`Error::code`] returns
/// its exception name.
///
/// ```
/// use monotable_engine::{Database, GetItem, item};
///
/// let db = Database::memory();
/// let error = db.get_item(GetItem::new("nowhere", item! { "PK" => "a" })).unwrap_err();
/// assert_eq!(error.code(), "ResourceNotFoundException");
/// assert_eq!(error.to_string(), "Requested resource not found");
/// ```
#[derive(Clone, Debug, PartialEq, ThisError)]
pub enum Error {
    /// The request is malformed or breaks a rule; nothing happened.
    #[error("{0}")]
    Validation(String),
    /// The condition was false.
    #[error("The conditional request failed")]
    ConditionalCheckFailed {
        /// The item that the condition was evaluated on, if the request asked for it.
        item: Option<Box<Item>>,
    },
    /// No such table, index, stream or shard.
    #[error("{0}")]
    ResourceNotFound(String),
    /// The table exists already, or its state does not allow the change.
    #[error("{0}")]
    ResourceInUse(String),
    /// Too many tables, indexes or simultaneous changes.
    #[error("{0}")]
    LimitExceeded(String),
    /// At least one action of the transaction failed; nothing happened.
    #[error("{}", cancellation_message(.reasons))]
    TransactionCanceled {
        /// One reason per action, in the order of the request.
        reasons: Vec<CancellationReason>,
    },
    /// A transaction is working on the item (fault mode).
    #[error("Transaction is ongoing for the item")]
    TransactionConflict,
    /// The client token was used before with another request.
    #[error(
        "The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical"
    )]
    IdempotentParameterMismatch,
    /// The partition is throttled (fault mode); try again later.
    #[error(
        "The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API."
    )]
    ProvisionedThroughputExceeded,
    /// The partition of a global index is throttled (fault mode); try again later.
    #[error(
        "The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API"
    )]
    IndexThroughputExceeded,
    /// The shard iterator is older than 15 minutes.
    #[error("Iterator expired. {0}")]
    ExpiredIterator(String),
    /// The requested stream records are older than the retention of 24 hours.
    #[error("{0}")]
    TrimmedDataAccess(String),
    /// The resource has no policy, or its revision is not the one that the request expects.
    #[error("{0}")]
    PolicyNotFound(String),
    /// The resource belongs to another account.
    #[error("{0}")]
    AccessDenied(String),
    /// The database directory can't be used; the text contains the reason and what to do.
    #[error("{0}")]
    Open(String),
    /// Stored bytes failed their checksum or can't be decoded.
    #[error("stored data is damaged: {0}")]
    Corrupted(String),
    /// A write or sync failed earlier, so the state on disk is unknown; reopen the database.
    #[error("the database stopped accepting writes after a storage failure; reopen it ({0})")]
    Poisoned(String),
    /// Reading from the store failed.
    #[error("reading from the store failed: {0}")]
    Storage(String),
}

impl Error {
    pub(crate) fn validation(message: impl Into<String>) -> Self {
        Self::Validation(message.into())
    }

    pub(crate) fn table_not_found() -> Self {
        Self::ResourceNotFound("Requested resource not found".to_owned())
    }

    pub(crate) fn index_not_found(name: &str) -> Self {
        Self::Validation(format!("The table does not have the specified index: {name}"))
    }

    /// Returns the error in the form in which operations on one item report invalid requests.
    #[must_use]
    pub fn enveloped(self) -> Self {
        match self {
            Self::Validation(text) => {
                Self::Validation(format!("1 validation error detected: {text}"))
            }
            other => other,
        }
    }

    /// Returns whether the error of one action cancels its transaction, rather than being a failure
    /// of the request or of the database.
    pub(crate) fn cancels_transaction(&self) -> bool {
        matches!(
            self,
            Self::Validation(_)
                | Self::ConditionalCheckFailed { .. }
                | Self::TransactionConflict
                | Self::ProvisionedThroughputExceeded
                | Self::IndexThroughputExceeded
        )
    }

    /// DynamoDB's name for the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Validation(_) => "ValidationException",
            Self::ConditionalCheckFailed { .. } => "ConditionalCheckFailedException",
            Self::ResourceNotFound(_) => "ResourceNotFoundException",
            Self::ResourceInUse(_) => "ResourceInUseException",
            Self::LimitExceeded(_) => "LimitExceededException",
            Self::TransactionCanceled { .. } => "TransactionCanceledException",
            Self::TransactionConflict => "TransactionConflictException",
            Self::IdempotentParameterMismatch => "IdempotentParameterMismatchException",
            Self::ProvisionedThroughputExceeded | Self::IndexThroughputExceeded => {
                "ProvisionedThroughputExceededException"
            }
            Self::ExpiredIterator(_) => "ExpiredIteratorException",
            Self::TrimmedDataAccess(_) => "TrimmedDataAccessException",
            Self::PolicyNotFound(_) => "PolicyNotFoundException",
            Self::AccessDenied(_) => "AccessDeniedException",
            Self::Open(_) | Self::Corrupted(_) | Self::Poisoned(_) | Self::Storage(_) => {
                "InternalServerError"
            }
        }
    }
}

impl From<BrokenConstraints> for Error {
    fn from(broken: BrokenConstraints) -> Self {
        Self::Validation(broken.to_string())
    }
}

impl From<ExpressionError> for Error {
    fn from(error: ExpressionError) -> Self {
        Self::Validation(error.to_string())
    }
}

/// The result of one action of a failed transaction.
#[derive(Clone, Debug, PartialEq)]
pub enum CancellationReason {
    /// The action was valid; another one failed.
    None,
    /// The action failed.
    Failed {
        /// DynamoDB's error for the action alone.
        error: Box<Error>,
    },
}

impl CancellationReason {
    /// DynamoDB's code for the reason, as it appears in `CancellationReasons`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::None => "None",
            Self::Failed { error } => match error.as_ref() {
                Error::ConditionalCheckFailed { .. } => "ConditionalCheckFailed",
                Error::TransactionConflict => "TransactionConflict",
                Error::ProvisionedThroughputExceeded | Error::IndexThroughputExceeded => {
                    "ThrottlingError"
                }
                _ => "ValidationError",
            },
        }
    }

    /// Returns the message of the reason, if the action failed.
    pub fn message(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Failed { error } => Some(error.to_string()),
        }
    }

    /// Returns the item that the failed condition was evaluated on, if the action asked for it.
    pub fn item(&self) -> Option<&Item> {
        match self {
            Self::Failed { error } => match error.as_ref() {
                Error::ConditionalCheckFailed { item } => item.as_deref(),
                _ => None,
            },
            Self::None => None,
        }
    }
}

fn cancellation_message(reasons: &[CancellationReason]) -> String {
    let codes: Vec<&str> = reasons.iter().map(CancellationReason::code).collect();
    format!(
        "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
        codes.join(", ")
    )
}
