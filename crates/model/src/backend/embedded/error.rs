//! Converts the engine's errors to those of a backend. No `_` arm on purpose: a new variant does
//! not compile until someone has decided what callers can do about it.

use monotable_engine::{CancellationReason, Error};

use crate::backend::{BackendError, Reason};

/// Converts an error of the engine; `table` is the table of the request.
pub(super) fn failure(error: Error, table: &str) -> BackendError {
    match error {
        Error::ConditionalCheckFailed { item } => BackendError::ConditionFailed { row: item },
        Error::TransactionCanceled { reasons } => {
            BackendError::Cancelled { reasons: reasons.into_iter().map(reason).collect() }
        }
        Error::TransactionConflict => BackendError::Conflict,
        Error::IdempotentParameterMismatch => BackendError::TokenReused,
        Error::ProvisionedThroughputExceeded
        | Error::IndexThroughputExceeded
        | Error::LimitExceeded(_) => BackendError::Throttled(error.to_string()),
        Error::ResourceNotFound(_) => BackendError::NoTable(table.to_owned()),
        Error::ResourceInUse(_) => BackendError::TableExists(table.to_owned()),
        Error::Validation(_)
        | Error::ExpiredIterator(_)
        | Error::TrimmedDataAccess(_)
        | Error::PolicyNotFound(_)
        | Error::AccessDenied(_) => BackendError::Refused(error.to_string()),
        Error::Open(_) | Error::Corrupted(_) | Error::Poisoned(_) | Error::Storage(_) => {
            BackendError::Failed(error.to_string())
        }
    }
}

fn reason(reason: CancellationReason) -> Reason {
    match reason {
        CancellationReason::None => Reason::Fine,
        CancellationReason::Failed { error } => match *error {
            Error::ConditionalCheckFailed { item } => Reason::ConditionFailed { row: item },
            Error::TransactionConflict => Reason::Conflict,
            Error::ProvisionedThroughputExceeded | Error::IndexThroughputExceeded => {
                Reason::Throttled
            }
            Error::Validation(_)
            | Error::ResourceNotFound(_)
            | Error::ResourceInUse(_)
            | Error::LimitExceeded(_)
            | Error::TransactionCanceled { .. }
            | Error::IdempotentParameterMismatch
            | Error::ExpiredIterator(_)
            | Error::TrimmedDataAccess(_)
            | Error::PolicyNotFound(_)
            | Error::AccessDenied(_)
            | Error::Open(_)
            | Error::Corrupted(_)
            | Error::Poisoned(_)
            | Error::Storage(_) => Reason::Refused(error.to_string()),
        },
    }
}
