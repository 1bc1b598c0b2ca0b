//! The refusals of a route: its own, and those of the steps before it.

use std::collections::BTreeMap;

use http::Method;
use monotable::model::Error;
use serde_json::Value;

use crate::problem::{FieldProblem, Problem, ProblemKind, code_of};
use crate::route::{Route, Service};
use crate::sign_in::csrf_token_wrong;

/// Returns the codes by status, as the service sends them, each with an example.
pub(super) fn refusals(service: &Service, route: &Route) -> BTreeMap<u16, BTreeMap<String, Value>> {
    let mut refusals: BTreeMap<u16, BTreeMap<String, Value>> = BTreeMap::new();
    for problem in own(route).into_iter().chain(declared(route)) {
        let form = (service.problem_form)(&problem, EXAMPLE_ID);
        refusals.entry(problem.status()).or_default().insert(code(&problem, &form), form);
    }
    refusals
}

/// Returns the refusals that a route declares, each with its code as the service sends it.
pub(crate) fn declared_refusals(
    service: &Service,
    route: &Route,
) -> impl Iterator<Item = (Problem, String)> {
    with_codes(service, declared(route).collect())
}

/// Returns the refusals that any route may return, each with its code as the service sends it.
pub(crate) fn common_refusals(service: &Service) -> impl Iterator<Item = (Problem, String)> {
    let mut common: Vec<Problem> = Vec::new();
    for problem in service.documented().iter().flat_map(own) {
        if common.iter().all(|known| known.code != problem.code) {
            common.push(problem);
        }
    }
    common.sort_by_key(Problem::status);
    with_codes(service, common)
}

/// Returns a problem as the service writes it.
pub(crate) fn problem_example(service: &Service) -> Value {
    (service.problem_form)(&validation(), EXAMPLE_ID)
}

fn with_codes(
    service: &Service,
    problems: Vec<Problem>,
) -> impl Iterator<Item = (Problem, String)> {
    let form = service.problem_form;
    problems.into_iter().map(move |problem| {
        let code = code(&problem, &form(&problem, EXAMPLE_ID));
        (problem, code)
    })
}

fn code(problem: &Problem, form: &Value) -> String {
    code_of(form).unwrap_or(problem.code).to_owned()
}

/// The id of a request in examples.
const EXAMPLE_ID: &str = "01997f3e-7a0c-7000-8000-000000000001";

fn declared(route: &Route) -> impl Iterator<Item = Problem> {
    let made = route.refusals.iter().map(|(status, code)| example(*status, code));
    made.chain(route.declared.iter().cloned())
}

fn validation() -> Problem {
    Problem::field("name", "must be a text of 1 to 50 characters")
}

/// Returns the refusals of the steps before the route, with the texts that clients get.
fn own(route: &Route) -> Vec<Problem> {
    let invalid = Problem::invalid;
    let field = |code, name, text| Problem::fields(code, &[FieldProblem::new(name, text)]);
    let mut refusals = vec![validation(), field("UNKNOWN_FIELD", "nmae", "is unknown")];
    if let Some(schema) = &route.body {
        let text = "The body ends in the middle of a value (line 1, column 9).";
        refusals.push(invalid("MALFORMED_JSON", text));
        if let Some(name) = schema.read_only.first() {
            refusals.push(field("READ_ONLY_FIELD", name, "can't be written"));
        }
        if schema.must_say_something || !route.body_optional {
            let text = "The request needs a body: an object as JSON.";
            refusals.push(invalid("EMPTY_BODY", text));
        }
    }
    if route.query.fields.iter().any(|field| field.name == "nextToken") {
        refusals.push(Error::InvalidCursor.into());
    }
    // An invalid token may be refused even where no token is needed.
    if !route.is_unlimited {
        refusals.push(Problem::unauthenticated("Sign in first."));
    }
    if !route.is_for_browsers {
        let text = "This is for programs; browsers may not use it.";
        refusals.push(Problem::forbidden("NOT_FROM_BROWSERS", text));
    }
    if route.needs_idempotency_key {
        let text = "Send an Idempotency-Key: a new one for each new request, and the same one for a retry.";
        refusals.push(invalid("IDEMPOTENCY_KEY_REQUIRED", text));
    }
    if route.takes_idempotency_key {
        refusals.push(Error::IdempotencyReused.into());
    }
    if route.takes_if_match {
        let text = "The resource has changed. Fetch it again and retry.";
        refusals.push(Problem::new(ProblemKind::Precondition, "PRECONDITION_FAILED", text));
    }
    if route.method != Method::GET {
        if !route.changes_nothing {
            refusals.push(Problem::changed());
            refusals.push(csrf_token_wrong());
        }
        let text = format!("The body is larger than {} bytes.", route.body_bytes_max);
        refusals.push(Problem::new(ProblemKind::TooLarge, "BODY_TOO_LARGE", text));
        let text = "The body must be JSON, with the Content-Type application/json.";
        refusals.push(Problem::new(ProblemKind::MediaType, "UNSUPPORTED_MEDIA_TYPE", text));
    }
    if !route.is_unlimited {
        let text = "Too many requests. Try again in 1 s.";
        refusals.push(Problem::new(ProblemKind::RateLimited, "RATE_LIMITED", text));
    }
    refusals.push(Problem::internal(""));
    refusals.push(Problem::unavailable("The storage is not available now; try again."));
    refusals
}

/// Returns a problem with this status and code, as an example.
fn example(status: u16, code: &'static str) -> Problem {
    let kind = match status {
        401 => ProblemKind::Unauthenticated,
        402 => ProblemKind::Payment,
        403 => ProblemKind::Forbidden,
        404 => ProblemKind::NotFound,
        405 => ProblemKind::Method,
        409 => ProblemKind::Conflict,
        412 => ProblemKind::Precondition,
        413 => ProblemKind::TooLarge,
        415 => ProblemKind::MediaType,
        428 => ProblemKind::PreconditionRequired,
        429 => ProblemKind::RateLimited,
        500 => ProblemKind::Internal,
        503 => ProblemKind::Unavailable,
        _ => ProblemKind::Invalid,
    };
    // Without a text, the words of the code are the message.
    let words = code.to_ascii_lowercase().replace('_', " ");
    let mut message = words[..1].to_ascii_uppercase();
    message.push_str(&words[1..]);
    message.push('.');
    Problem::new(kind, code, message)
}

/// Returns the meaning of a status.
pub(super) fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The request is malformed or invalid.",
        401 => "A valid token is missing.",
        402 => "The payment failed.",
        403 => "The caller is not allowed to do this.",
        404 => "The resource does not exist, or is hidden from the caller.",
        409 => "The current state does not allow it.",
        412 => "`If-Match` contains another version.",
        413 => "The body is too large.",
        415 => "The body is not JSON.",
        428 => "The request needs a precondition, such as `If-Match`.",
        429 => "Too many requests; `Retry-After` contains the seconds to wait.",
        500 => "Something went wrong on our side.",
        503 => "A dependency is down; try again.",
        _ => "Refused.",
    }
}
