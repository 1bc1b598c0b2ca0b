//! The SDK's errors in the terms of a backend.

use aws_sdk_dynamodb::Error;
use aws_sdk_dynamodb::error::{BuildError, DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::CancellationReason;
use monotable_types::Item;

use super::value::{SdkItem, item_from_sdk};
use crate::backend::{BackendError, Reason};

/// What an error of the SDK means to the caller; `table` is what the request was about.
pub(super) fn failure<E>(error: SdkError<E>, table: &str) -> BackendError
where
    E: std::error::Error + 'static,
    Error: From<SdkError<E>>,
{
    let status = error.raw_response().map(|response| response.status().as_u16());
    match error {
        // Nothing was sent.
        SdkError::ConstructionFailure(_) => {
            BackendError::Refused(DisplayErrorContext(&error).to_string())
        }
        SdkError::TimeoutError(_) | SdkError::DispatchFailure(_) | SdkError::ResponseError(_) => {
            BackendError::Failed(DisplayErrorContext(&error).to_string())
        }
        error => answered(error.into(), status, table),
    }
}

/// What the store said. Two exceptions carry more than their name; the others go by it, because the
/// SDK has a type only for those that DynamoDB's model lists for the operation.
fn answered(error: Error, status: Option<u16>, table: &str) -> BackendError {
    match error {
        Error::ConditionalCheckFailedException(failed) => match failed.item.map(saw).transpose() {
            Ok(row) => BackendError::ConditionFailed { row: row.flatten() },
            Err(malformed) => malformed,
        },
        Error::TransactionCanceledException(cancelled) => {
            let reasons = cancelled.cancellation_reasons.unwrap_or_default().into_iter();
            match reasons.map(reason).collect() {
                Ok(reasons) => BackendError::Cancelled { reasons },
                Err(malformed) => malformed,
            }
        }
        error => named(&error, status, table),
    }
}

fn named(error: &Error, status: Option<u16>, table: &str) -> BackendError {
    match error.code().unwrap_or_default() {
        // The first transaction with the token is not done yet: its result can be asked for again.
        "TransactionConflictException"
        | "TransactionInProgressException"
        | "ReplicatedWriteConflictException" => BackendError::Conflict,
        "IdempotentParameterMismatchException" => BackendError::TokenReused,
        "ProvisionedThroughputExceededException"
        | "RequestLimitExceeded"
        | "ThrottlingException"
        | "LimitExceededException" => BackendError::Throttled(text(error)),
        "ResourceNotFoundException" => BackendError::NoTable(table.to_owned()),
        "ResourceInUseException" => BackendError::TableExists(table.to_owned()),
        _ => match status {
            Some(400..=499) => BackendError::Refused(text(error)),
            _ => BackendError::Failed(text(error)),
        },
    }
}

/// The exception's name and its message.
fn text(error: &Error) -> String {
    match (error.code(), error.message()) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(only), None) | (None, Some(only)) => only.to_owned(),
        (None, None) => DisplayErrorContext(error).to_string(),
    }
}

/// The row that a failed condition saw; there is none where there was no row.
fn saw(item: SdkItem) -> Result<Option<Box<Item>>, BackendError> {
    let item = item_from_sdk(item)?;
    Ok((!item.is_empty()).then(|| Box::new(item)))
}

/// The codes of DynamoDB's `CancellationReason`.
fn reason(reason: CancellationReason) -> Result<Reason, BackendError> {
    Ok(match reason.code() {
        None | Some("None") => Reason::Fine,
        Some("ConditionalCheckFailed") => {
            let row = reason.item.map(saw).transpose()?;
            Reason::ConditionFailed { row: row.flatten() }
        }
        Some("TransactionConflict") => Reason::Conflict,
        Some("ProvisionedThroughputExceeded" | "ThrottlingError" | "RequestLimitExceeded") => {
            Reason::Throttled
        }
        Some(code) => Reason::Refused(match reason.message() {
            Some(message) => format!("{code}: {message}"),
            None => code.to_owned(),
        }),
    })
}

/// A request that the SDK can't even build is one that lacks a part.
pub(super) fn unbuildable(error: BuildError) -> BackendError {
    BackendError::Refused(error.to_string())
}
