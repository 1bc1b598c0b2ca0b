//! What a failed operation on the table means for the caller. No error is left out on purpose: a new
//! one does not compile until somebody has decided what clients see.

use monotable::model::backend::{BackendError, Reason};
use monotable::model::{Error, OperationError};

use super::{KEY_REUSED, Problem, ProblemKind, VERSION_CONFLICT};

impl Problem {
    /// Something has changed since it was read: the command is run again, or its caller reads again and
    /// retries.
    pub fn changed() -> Self {
        Self::conflict(
            VERSION_CONFLICT,
            "Somebody else changed this at the same time; try it again.",
        )
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
            Error::NotFound { .. } => Self::not_found("NOT_FOUND", "There is no such thing."),
            Error::ConditionFailed { .. }
            | Error::Held { .. }
            | Error::NotHeld { .. }
            | Error::Locked { .. }
            | Error::OutOfSequence { .. } => {
                Self::conflict("CONFLICT", "The state of things does not allow it.")
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
                "The cursor is altered, expired or of another list; start without one.",
            ),
            Error::Key { .. } => Self::invalid("VALIDATION", text),
            // A stale row explains what failed beside it.
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
    let problem = Problem::unavailable("The storage can't answer now; try again.");
    Problem { internal: Some(text), ..problem }
}

/// Whether a request did nothing because others worked on the same rows, or there were too many.
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
