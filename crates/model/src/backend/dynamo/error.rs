//! Converts the SDK's errors to those of a backend.

use aws_sdk_dynamodb::Error;
use aws_sdk_dynamodb::error::{BuildError, DisplayErrorContext, ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::types::CancellationReason;
use monotable_types::Item;

use super::value::{SdkItem, item_from_sdk};
use crate::backend::{BackendError, Reason};

/// Converts an error of the SDK; `table` is the table of the request.
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
        error => service_error(error.into(), status, table),
    }
}

/// Converts an error that the service returned. Two exceptions carry more than their name; the
/// others are identified by name, because the SDK has types only for those that DynamoDB's model
/// lists for the operation.
fn service_error(error: Error, status: Option<u16>, table: &str) -> BackendError {
    match error {
        Error::ConditionalCheckFailedException(failed) => {
            match failed.item.map(existing_row).transpose() {
                Ok(row) => BackendError::ConditionFailed { row: row.flatten() },
                Err(malformed) => malformed,
            }
        }
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
        // The first transaction with the token is still running; its result can be requested again.
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

/// Returns the name and the message of the exception.
fn text(error: &Error) -> String {
    match (error.code(), error.message()) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(only), None) | (None, Some(only)) => only.to_owned(),
        (None, None) => DisplayErrorContext(error).to_string(),
    }
}

/// Returns the row that a failed condition was evaluated on, if there was one.
fn existing_row(item: SdkItem) -> Result<Option<Box<Item>>, BackendError> {
    let item = item_from_sdk(item)?;
    Ok((!item.is_empty()).then(|| Box::new(item)))
}

/// Converts a `CancellationReason` of DynamoDB.
fn reason(reason: CancellationReason) -> Result<Reason, BackendError> {
    Ok(match reason.code() {
        None | Some("None") => Reason::Fine,
        Some("ConditionalCheckFailed") => {
            let row = reason.item.map(existing_row).transpose()?;
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

/// Converts the error of a request that lacks a required part, so that the SDK cannot build it.
pub(super) fn unbuildable(error: BuildError) -> BackendError {
    BackendError::Refused(error.to_string())
}
