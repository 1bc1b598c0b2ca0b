//! Everything that can be wrong with a request, whichever service it was for.

mod storage;

use std::fmt::Display;

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
    /// Whether the storage was busy with other requests and did nothing.
    pub is_contention: bool,
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
    /// The request does not say which state it means: 428.
    PreconditionRequired,
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
            Self::PreconditionRequired => 428,
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
            is_contention: false,
        }
    }

    /// Writes a problem in the form of services without one of their own: its code, a sentence, the id of
    /// the request, and details.
    pub fn plain_form(&self, request_id: &str) -> Value {
        let mut form = self.details.clone();
        form.insert("code".to_owned(), self.code.into());
        form.insert("message".to_owned(), self.message.clone().into());
        form.insert("requestId".to_owned(), request_id.into());
        Value::Object(form)
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
        Self::invalid(code, told.join("; ")).with(FIELDS, Value::Array(listed))
    }

    /// 400 `VALIDATION` for one field.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::fields("VALIDATION", &[FieldProblem::new(field, message)])
    }

    /// Returns the fields that are not as they must be.
    pub(crate) fn field_problems(&self) -> Vec<FieldProblem> {
        let listed = self.details.get(FIELDS).and_then(Value::as_array);
        let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
        let fields = listed.into_iter().flatten();
        let fields = fields.filter_map(|one| {
            Some(FieldProblem { field: text(one, "field")?, message: text(one, "message")? })
        });
        fields.collect()
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

    /// 503, worth trying again in a second.
    pub fn unavailable(message: impl Into<String>) -> Self {
        let mut problem = Self::new(ProblemKind::Unavailable, "UNAVAILABLE", message);
        problem.retry_after_seconds = Some(1);
        problem
    }

    /// 500. The text, or the error, is for the log; the client learns only that it was our fault.
    pub fn internal(text: impl Display) -> Self {
        let mut problem =
            Self::new(ProblemKind::Internal, "INTERNAL", "Something went wrong on our side.");
        problem.internal = Some(text.to_string());
        problem
    }

    /// Adds a detail for programs.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// The details as a list, for services whose problems have one: every field that is not as it must
    /// be, and each other detail as an object of its own.
    pub fn details_list(&self) -> Vec<Value> {
        let mut list = Vec::new();
        for (name, value) in &self.details {
            match value {
                Value::Array(fields) if name == FIELDS => list.extend_from_slice(fields),
                value => list.push(Value::Object(Map::from_iter([(name.clone(), value.clone())]))),
            }
        }
        list
    }

    /// The HTTP status.
    pub fn status(&self) -> u16 {
        self.kind.status()
    }

    /// Whether the same request would be refused again whatever happens meanwhile, so that the refusal
    /// may be remembered for its idempotency key. What the state of things refuses, it may allow later.
    pub fn is_deterministic(&self) -> bool {
        match self.kind {
            ProblemKind::Invalid | ProblemKind::Payment => true,
            ProblemKind::Unauthenticated
            | ProblemKind::Forbidden
            | ProblemKind::NotFound
            | ProblemKind::Conflict
            | ProblemKind::Method
            | ProblemKind::Precondition
            | ProblemKind::TooLarge
            | ProblemKind::MediaType
            | ProblemKind::PreconditionRequired
            | ProblemKind::RateLimited
            | ProblemKind::Internal
            | ProblemKind::Unavailable => false,
        }
    }

    /// Whether somebody else changed a row meanwhile, so that it may be tried again from the start.
    pub fn is_version_conflict(&self) -> bool {
        self.code == VERSION_CONFLICT
    }

    /// Whether the storage was busy with requests for the same rows and did nothing, so that it may be tried again
    /// from the start.
    pub fn is_contention(&self) -> bool {
        self.is_contention
    }
}

/// Returns the code of a problem in the form of a service: at the top, or in `error`.
pub fn code_of(form: &Value) -> Option<&str> {
    form["code"].as_str().or_else(|| form["error"]["code"].as_str())
}

/// Returns the text for people in the form of a service that has one, such as a game whose players are no programmers.
pub(crate) fn display_of(form: &Value) -> Option<&str> {
    form["displayMessage"].as_str()
}

/// The detail that holds the fields of a request that are not as they must be.
const FIELDS: &str = "fields";
const VERSION_CONFLICT: &str = "VERSION_CONFLICT";
const KEY_REUSED: &str = "IDEMPOTENCY_KEY_REUSED";
