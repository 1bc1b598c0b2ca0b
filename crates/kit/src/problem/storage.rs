//! What a failed operation on the table means for whoever asked. No error is left out on purpose: a new
//! one does not compile until somebody has decided what clients see.

use monotable::model::{Error, OperationError};

use super::{KEY_REUSED, Problem, ProblemKind, VERSION_CONFLICT};

/// The problem of a failed operation. What a command expects to fail, it says in `known`, which is asked
/// for each failed operation of a transaction, and for the error itself (as operation 0) otherwise.
pub fn refusal(error: Error, known: impl Fn(usize, &Error) -> Option<Problem>) -> Problem {
    match error {
        Error::Transaction { failures } => {
            let told = failures
                .iter()
                .find_map(|OperationError { operation, error, .. }| known(*operation, error));
            told.unwrap_or_else(|| {
                // A stale row explains what failed beside it.
                let first = failures
                    .iter()
                    .position(|failure| matches!(failure.error, Error::VersionConflict { .. }));
                match failures.into_iter().nth(first.unwrap_or(0)) {
                    Some(failure) => Problem::from(failure.error),
                    None => Problem::internal("a transaction failed without a failed operation"),
                }
            })
        }
        error => known(0, &error).unwrap_or_else(|| Problem::from(error)),
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::VersionConflict { .. } => Self::conflict(
                VERSION_CONFLICT,
                "Somebody else changed this at the same time; try it again.",
            ),
            Error::Exists { .. } => Self::conflict("ALREADY_EXISTS", "It exists already."),
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
            Error::Transaction { .. } => refusal(error, |_, _| None),
            Error::Backend(_) | Error::Incomplete { .. } => {
                let mut problem = Self::unavailable("The storage can't answer now; try again.");
                problem.internal = Some(text);
                problem
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn failed(operation: usize, error: Error) -> OperationError {
        OperationError { operation, label: String::new(), error }
    }

    fn code_of(failures: Vec<OperationError>) -> &'static str {
        let known = |operation: usize, error: &Error| {
            let is_number = operation == 1 && matches!(error, Error::Exists { .. });
            is_number.then(|| Problem::conflict("NUMBER_TAKEN", "The number is taken."))
        };
        refusal(Error::Transaction { failures }, known).code
    }

    #[test]
    fn what_a_command_expects_comes_before_what_the_error_says() {
        let stale = || failed(0, Error::VersionConflict { entity: "Team", key: String::new() });
        let taken = || failed(1, Error::Exists { entity: "Number" });
        assert_eq!(code_of(vec![stale(), taken()]), "NUMBER_TAKEN");
        assert_eq!(code_of(vec![failed(2, Error::Exists { entity: "Team" })]), "ALREADY_EXISTS");
    }

    #[test]
    fn a_stale_row_explains_what_failed_beside_it() {
        let stale = failed(3, Error::VersionConflict { entity: "Team", key: String::new() });
        let other = failed(0, Error::ConditionFailed { entity: "Game", row: None });
        assert_eq!(code_of(vec![other, stale]), "VERSION_CONFLICT");
    }

    #[test]
    fn what_is_our_own_fault_is_told_to_the_log_alone() {
        let problem = Problem::from(Error::Incomplete { unprocessed: 73 });
        assert_eq!(problem.status(), 503);
        assert!(problem.internal.is_some_and(|text| text.contains("73")));
        assert!(!problem.message.contains("73"));
    }
}
