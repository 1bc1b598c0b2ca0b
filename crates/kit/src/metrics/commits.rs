//! The counters of a route's transactions.

use monotable::model::{Error, OperationError};

use super::Counter;

/// Counts the transactions of a route that failed because of stored data.
#[derive(Clone, Debug, Default)]
pub struct CommitCounts {
    /// All of them.
    pub(super) failures: Counter,
    /// Those that failed because of a version conflict.
    pub(super) conflicts: Counter,
}

impl CommitCounts {
    /// Counts a failed transaction.
    pub(crate) fn failed(&self, is_version_conflict: bool) {
        self.failures.add(1);
        self.conflicts.add(u64::from(is_version_conflict));
    }
}

/// Returns whether an error is about the stored data, and not about the request or the storage.
pub(crate) fn is_condition_failure(error: &Error) -> bool {
    match error {
        Error::Transaction { failures } => {
            failures.iter().any(|OperationError { error, .. }| is_condition_failure(error))
        }
        Error::VersionConflict { .. }
        | Error::Exists { .. }
        | Error::OtherType { .. }
        | Error::UniqueTaken { .. }
        | Error::NotFound { .. }
        | Error::ConditionFailed { .. }
        | Error::Held { .. }
        | Error::NotHeld { .. }
        | Error::Locked { .. }
        | Error::OutOfSequence { .. }
        | Error::LimitReached { .. } => true,
        Error::IdempotencyReused
        | Error::InvalidCursor
        | Error::Key { .. }
        | Error::Backend(_)
        | Error::Incomplete { .. }
        | Error::Encode { .. }
        | Error::KeyChanged { .. }
        | Error::Immutable { .. }
        | Error::Replay { .. }
        | Error::Decode { .. }
        | Error::Fold { .. }
        | Error::Unsupported { .. }
        | Error::TableDiffers { .. }
        | Error::Settings(_) => false,
    }
}
