//! Everything that can be wrong with a request, whichever service it was for.

use monotable::model::{Error, OperationError};
use serde_json::{Map, Value};

/// Why a request is refused, or failed. Each service writes it in its own form.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What sort of problem it is, which decides the status.
    pub kind: ProblemKind,
    /// The code that programs look at, such as `NUMBER_TAKEN`.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
    /// More for programs, such as the id of the game that is running.
    pub details: Map<String, Value>,
    /// When it is worth trying again.
    pub retry_after_seconds: Option<u64>,
    /// What only the log may know.
    pub internal: Option<String>,
}

/// Sorts of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// Malformed or invalid: 400.
    Invalid,
    /// Nobody known: 401.
    Unauthenticated,
    /// A payment failed: 402.
    Payment,
    /// Somebody who may not: 403.
    Forbidden,
    /// Unknown, deleted, or hidden from the caller: 404.
    NotFound,
    /// There is such a path, but not with this method: 405.
    Method,
    /// The state of things, or another value, is in the way: 409.
    Conflict,
    /// `If-Match` names another version: 412.
    Precondition,
    /// The body is too large: 413.
    TooLarge,
    /// The body is of a type that is not taken: 415.
    MediaType,
    /// Too many requests: 429.
    RateLimited,
    /// Our own fault: 500.
    Internal,
    /// Something that is needed is down: 503.
    Unavailable,
}

impl ProblemKind {
    /// The HTTP status.
    pub fn status(self) -> u16 {
        match self {
            Self::Invalid => 400,
            Self::Unauthenticated => 401,
            Self::Payment => 402,
            Self::Forbidden => 403,
            Self::NotFound => 404,
            Self::Method => 405,
            Self::Conflict => 409,
            Self::Precondition => 412,
            Self::TooLarge => 413,
            Self::MediaType => 415,
            Self::RateLimited => 429,
            Self::Internal => 500,
            Self::Unavailable => 503,
        }
    }
}

/// A field of a request that is not as it must be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    /// Where it is, such as `lineup[2].playerId`.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl FieldProblem {
    /// What is wrong with a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

impl Problem {
    /// A problem of a sort, with its code and a sentence for people.
    pub fn new(kind: ProblemKind, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            kind,
            code,
            message: message.into(),
            details: Map::new(),
            retry_after_seconds: None,
            internal: None,
        }
    }

    /// 400.
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Invalid, code, message)
    }

    /// 400 with every field that is not as it must be.
    pub fn fields(code: &'static str, fields: &[FieldProblem]) -> Self {
        let told: Vec<String> =
            fields.iter().map(|field| format!("{}: {}", field.field, field.message)).collect();
        let listed = fields
            .iter()
            .map(|field| serde_json::json!({ "field": field.field, "message": field.message }))
            .collect();
        Self::invalid(code, told.join("; ")).with("fields", Value::Array(listed))
    }

    /// 400 `VALIDATION` for one field.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::fields("VALIDATION", &[FieldProblem::new(field, message)])
    }

    /// 401.
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Unauthenticated, "UNAUTHENTICATED", message)
    }

    /// 403.
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Forbidden, code, message)
    }

    /// 404.
    pub fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ProblemKind::NotFound, code, message)
    }

    /// 409.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Conflict, code, message)
    }

    /// 500. The text is for the log; the client learns only that it was our fault.
    pub fn internal(text: impl Into<String>) -> Self {
        let mut problem =
            Self::new(ProblemKind::Internal, "INTERNAL", "Something went wrong on our side.");
        problem.internal = Some(text.into());
        problem
    }

    /// Adds a detail for programs.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.kind.status()
    }

    /// Whether the same request at the same state of things would be refused again, so that the
    /// refusal may be remembered for its idempotency key.
    pub fn is_deterministic(&self) -> bool {
        match self.kind {
            ProblemKind::Invalid
            | ProblemKind::Payment
            | ProblemKind::Forbidden
            | ProblemKind::NotFound
            | ProblemKind::Conflict => !matches!(self.code, VERSION_CONFLICT | KEY_REUSED),
            ProblemKind::Unauthenticated
            | ProblemKind::Method
            | ProblemKind::Precondition
            | ProblemKind::TooLarge
            | ProblemKind::MediaType
            | ProblemKind::RateLimited
            | ProblemKind::Internal
            | ProblemKind::Unavailable => false,
        }
    }

    /// Whether somebody else changed a row meanwhile, so that it may be tried again from the start.
    pub fn is_version_conflict(&self) -> bool {
        self.code == VERSION_CONFLICT
    }
}

const VERSION_CONFLICT: &str = "VERSION_CONFLICT";
const KEY_REUSED: &str = "IDEMPOTENCY_KEY_REUSED";

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
            Error::VersionConflict { .. } => {
                Self::conflict(VERSION_CONFLICT, "Somebody else changed this; read it again.")
            }
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
                let mut problem = Self::new(
                    ProblemKind::Unavailable,
                    "UNAVAILABLE",
                    "The storage can't answer now; try again.",
                );
                problem.retry_after_seconds = Some(1);
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
