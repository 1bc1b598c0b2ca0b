//! Problems: the errors of requests to all services.

mod storage;

use std::fmt::Display;

use serde_json::{Map, Value};

/// Why a request was refused or failed. Each service writes it in its own form.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The kind of the problem, which decides the status.
    pub kind: ProblemKind,
    /// The code for programs, such as `NUMBER_TAKEN`.
    pub code: &'static str,
    /// One sentence for people.
    pub message: String,
    /// More for programs, such as the id of the active game.
    pub details: Map<String, Value>,
    /// When to retry.
    pub retry_after_seconds: Option<u64>,
    /// Details that only the log may contain.
    pub internal: Option<String>,
    /// Whether the storage was busy with other requests and did nothing.
    pub is_contention: bool,
}

/// Kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProblemKind {
    /// Malformed or invalid: 400.
    Invalid,
    /// Authentication is missing or invalid: 401.
    Unauthenticated,
    /// A payment failed: 402.
    Payment,
    /// The caller is not authorized: 403.
    Forbidden,
    /// Unknown, deleted, or hidden from the caller: 404.
    NotFound,
    /// The path exists, but not with this method: 405.
    Method,
    /// A conflict with the current state: 409.
    Conflict,
    /// `If-Match` contains another version: 412.
    Precondition,
    /// The body is too large: 413.
    TooLarge,
    /// The body's media type is not accepted: 415.
    MediaType,
    /// The request lacks a required precondition: 428.
    PreconditionRequired,
    /// Too many requests: 429.
    RateLimited,
    /// An internal error: 500.
    Internal,
    /// A dependency is unavailable: 503.
    Unavailable,
}

impl ProblemKind {
    /// Returns the HTTP status.
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

/// An invalid field of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldProblem {
    /// The path of the field, such as `lineup[2].playerId`.
    pub field: String,
    /// The error.
    pub message: String,
}

impl FieldProblem {
    /// Creates the error of a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

impl Problem {
    /// Creates a problem of a kind, with its code and a sentence for people.
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

    /// Writes a problem in the default form of services: its code, a sentence, the id of the
    /// request, and details.
    pub fn plain_form(&self, request_id: &str) -> Value {
        let mut form = self.details.clone();
        form.insert("code".to_owned(), self.code.into());
        form.insert("message".to_owned(), self.message.clone().into());
        form.insert("requestId".to_owned(), request_id.into());
        Value::Object(form)
    }

    /// Creates a 400.
    pub fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Invalid, code, message)
    }

    /// Creates a 400 with every invalid field.
    pub fn fields(code: &'static str, fields: &[FieldProblem]) -> Self {
        let told: Vec<String> =
            fields.iter().map(|field| format!("{}: {}", field.field, field.message)).collect();
        let listed = fields
            .iter()
            .map(|field| serde_json::json!({ "field": field.field, "message": field.message }))
            .collect();
        Self::invalid(code, told.join("; ")).with(FIELDS, Value::Array(listed))
    }

    /// Creates a 400 `VALIDATION` for one field.
    pub fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::fields("VALIDATION", &[FieldProblem::new(field, message)])
    }

    /// Returns the invalid fields.
    pub(crate) fn field_problems(&self) -> Vec<FieldProblem> {
        let listed = self.details.get(FIELDS).and_then(Value::as_array);
        let text = |value: &Value, name: &str| value.get(name)?.as_str().map(str::to_owned);
        let fields = listed.into_iter().flatten();
        let fields = fields.filter_map(|one| {
            Some(FieldProblem { field: text(one, "field")?, message: text(one, "message")? })
        });
        fields.collect()
    }

    /// Creates a 401.
    pub fn unauthenticated(message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Unauthenticated, "UNAUTHENTICATED", message)
    }

    /// Creates a 403.
    pub fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Forbidden, code, message)
    }

    /// Creates a 404.
    pub fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ProblemKind::NotFound, code, message)
    }

    /// Creates a 409.
    pub fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(ProblemKind::Conflict, code, message)
    }

    /// Creates a 503 with a retry after one second.
    pub fn unavailable(message: impl Into<String>) -> Self {
        let mut problem = Self::new(ProblemKind::Unavailable, "UNAVAILABLE", message);
        problem.retry_after_seconds = Some(1);
        problem
    }

    /// Creates a 500. The text, or the error, is for the log; the client only learns that the error
    /// is internal.
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

    /// Returns the details as a list, for services whose problems have one: every invalid field,
    /// and each other detail as an object of its own.
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

    /// Returns the HTTP status.
    pub fn status(&self) -> u16 {
        self.kind.status()
    }

    /// Returns whether the same request would always be refused again, so that the refusal may be
    /// recorded for its idempotency key. What conflicts with the current state may be allowed
    /// later.
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

    /// Returns whether another writer changed a row meanwhile, so that the command may be retried
    /// from the start.
    pub fn is_version_conflict(&self) -> bool {
        self.code == VERSION_CONFLICT
    }

    /// Returns whether the storage was busy with requests for the same rows and did nothing, so
    /// that the command may be retried from the start.
    pub fn is_contention(&self) -> bool {
        self.is_contention
    }
}

/// Returns the code of a problem in the form of a service: at the top, or in `error`.
pub fn code_of(form: &Value) -> Option<&str> {
    form["code"].as_str().or_else(|| form["error"]["code"].as_str())
}

/// Returns the text for people in the form of a service that has one, such as a game whose players
/// don't read programmers' messages.
pub(crate) fn display_of(form: &Value) -> Option<&str> {
    form["displayMessage"].as_str()
}

/// The detail that contains the invalid fields of a request.
const FIELDS: &str = "fields";
const VERSION_CONFLICT: &str = "VERSION_CONFLICT";
const KEY_REUSED: &str = "IDEMPOTENCY_KEY_REUSED";
