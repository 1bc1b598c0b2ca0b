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
        error => match answered(error.into(), table) {
            Ok(failure) => failure,
            Err(text) => match status {
                Some(400..=499) => BackendError::Refused(text),
                _ => BackendError::Failed(text),
            },
        },
    }
}

/// An error that the SDK has a type for; the text of one that it has not. DynamoDB's model names the
/// exceptions of an operation, and leaves out those that every operation has.
fn answered(error: Error, table: &str) -> Result<BackendError, String> {
    let text = text(&error);
    Ok(match error {
        Error::ConditionalCheckFailedException(failed) => {
            return match failed.item.map(saw).transpose() {
                Ok(row) => Ok(BackendError::ConditionFailed { row: row.flatten() }),
                Err(malformed) => Ok(malformed),
            };
        }
        Error::TransactionCanceledException(cancelled) => {
            let reasons = cancelled.cancellation_reasons.unwrap_or_default();
            let reasons = reasons.into_iter().map(reason).collect::<Result<_, _>>();
            return Ok(match reasons {
                Ok(reasons) => BackendError::Cancelled { reasons },
                Err(malformed) => malformed,
            });
        }
        // The first one with the token is not done yet: it can be asked for its result again.
        Error::TransactionConflictException(_)
        | Error::TransactionInProgressException(_)
        | Error::ReplicatedWriteConflictException(_) => BackendError::Conflict,
        Error::IdempotentParameterMismatchException(_) => BackendError::TokenReused,
        Error::ProvisionedThroughputExceededException(_)
        | Error::RequestLimitExceeded(_)
        | Error::ThrottlingException(_)
        | Error::LimitExceededException(_) => BackendError::Throttled(text),
        Error::ResourceNotFoundException(_) | Error::TableNotFoundException(_) => {
            BackendError::NoTable(table.to_owned())
        }
        Error::ResourceInUseException(_)
        | Error::TableInUseException(_)
        | Error::TableAlreadyExistsException(_) => BackendError::TableExists(table.to_owned()),
        Error::InternalServerError(_) => BackendError::Failed(text),
        Error::ItemCollectionSizeLimitExceededException(_) => BackendError::Refused(text),
        _ => return Err(text),
    })
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
