//! Maps errors of the table to problems. There is no `_` arm on purpose: a new error does not
//! compile until someone has decided what clients see.

use monotable::model::backend::{BackendError, Reason};
use monotable::model::{Error, OperationError};

use super::{KEY_REUSED, Problem, ProblemKind, VERSION_CONFLICT};

impl Problem {
    /// Creates the problem of a change since the read: the command is run again, or its caller
    /// fetches the resource again and retries.
    pub fn changed() -> Self {
        Self::conflict(VERSION_CONFLICT, "Somebody else changed this at the same time; try again.")
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::VersionConflict { .. } => Self::changed(),
            Error::Exists { .. } | Error::OtherType { .. } => {
                Self::conflict("ALREADY_EXISTS", "It exists already.")
            }
            Error::UniqueTaken { .. } => Self::conflict("ALREADY_TAKEN", "It is taken already."),
            Error::NotFound { .. } => Self::not_found("NOT_FOUND", "It does not exist."),
            Error::ConditionFailed { .. }
            | Error::Held { .. }
            | Error::NotHeld { .. }
            | Error::Locked { .. }
            | Error::OutOfSequence { .. } => {
                Self::conflict("CONFLICT", "The current state does not allow it.")
            }
            Error::LimitReached { retry_after_seconds, .. } => {
                let mut problem =
                    Self::new(ProblemKind::RateLimited, "LIMIT_REACHED", "That is too many.");
                problem.retry_after_seconds = retry_after_seconds;
                problem
            }
            Error::IdempotencyReused => {
                Self::conflict(KEY_REUSED, "The Idempotency-Key was used for another request.")
            }
            Error::InvalidCursor => Self::invalid(
                "INVALID_CURSOR",
                "The cursor was altered, has expired or belongs to another list; start without one.",
            ),
            Error::Key { .. } => Self::invalid("VALIDATION", text),
            // A stale row explains the other failures.
            Error::Transaction { failures } => {
                let is_stale = |failure: &OperationError| {
                    matches!(failure.error, Error::VersionConflict { .. })
                };
                let first = failures.iter().position(is_stale).unwrap_or(0);
                match failures.into_iter().nth(first) {
                    Some(failure) => failure.error.into(),
                    None => Self::internal("a transaction failed without a failed operation"),
                }
            }
            Error::Backend(error) => Self { is_contention: is_contention(&error), ..busy(text) },
            Error::Incomplete { .. } => busy(text),
            Error::Encode { .. }
            | Error::KeyChanged { .. }
            | Error::Immutable { .. }
            | Error::Replay { .. }
            | Error::Decode { .. }
            | Error::Fold { .. }
            | Error::Unsupported { .. }
            | Error::TableDiffers { .. }
            | Error::Settings(_) => Self::internal(text),
        }
    }
}

fn busy(text: String) -> Problem {
    let problem = Problem::unavailable("The storage is not available now; try again.");
    Problem { internal: Some(text), ..problem }
}

/// Returns whether a request did nothing because of concurrent requests for the same rows, or of
/// throttling.
fn is_contention(error: &BackendError) -> bool {
    match error {
        BackendError::Conflict | BackendError::Throttled(_) => true,
        BackendError::Cancelled { reasons } => reasons.iter().all(|reason| match reason {
            Reason::Fine | Reason::Conflict | Reason::Throttled => true,
            Reason::ConditionFailed { .. } | Reason::Refused(_) => false,
        }),
        BackendError::ConditionFailed { .. }
        | BackendError::TokenReused
        | BackendError::NoTable(_)
        | BackendError::TableExists(_)
        | BackendError::Refused(_)
        | BackendError::Failed(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_certainly_did_nothing_is_contention() {
        let problem = |error| Problem::from(Error::Backend(error));
        let cancelled = |reason| BackendError::Cancelled { reasons: vec![Reason::Fine, reason] };
        assert!(problem(BackendError::Conflict).is_contention());
        assert!(problem(cancelled(Reason::Conflict)).is_contention());
        assert!(!problem(cancelled(Reason::ConditionFailed { row: None })).is_contention());
        assert!(!problem(BackendError::Failed("cut".to_owned())).is_contention());
    }

    #[test]
    fn what_is_our_own_fault_is_told_to_the_log_alone() {
        let problem = Problem::from(Error::Incomplete { unprocessed: 73 });
        assert_eq!(problem.status(), 503);
        assert!(problem.internal.is_some_and(|text| text.contains("73")));
        assert!(!problem.message.contains("73"));
    }
}
