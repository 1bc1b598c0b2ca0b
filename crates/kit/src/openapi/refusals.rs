//! How a route can refuse: what it says itself, and what the steps before it may say.

use std::collections::BTreeMap;

use http::Method;
use serde_json::Value;

use crate::problem::{Problem, ProblemKind};
use crate::route::{Route, Service};

/// Codes by status, as the service sends them, each with an example.
pub(super) fn refusals(service: &Service, route: &Route) -> BTreeMap<u16, BTreeMap<String, Value>> {
    let mut refusals: BTreeMap<u16, BTreeMap<String, Value>> = BTreeMap::new();
    let made = own(route).into_iter().chain(route.refusals.iter().copied());
    let made = made.map(|(status, code)| example(status, code));
    for problem in made.chain(route.declared.iter().cloned()) {
        let form = (service.problem_form)(&problem, EXAMPLE_ID);
        let code = form["code"].as_str().unwrap_or(problem.code).to_owned();
        refusals.entry(problem.status()).or_default().insert(code, form);
    }
    refusals
}

/// The id of a request in examples.
const EXAMPLE_ID: &str = "01997f3e-7a0c-7000-8000-000000000001";

/// What the steps before the route may say.
fn own(route: &Route) -> Vec<(u16, &'static str)> {
    let mut refusals = vec![(400, "VALIDATION"), (400, "UNKNOWN_FIELD")];
    if let Some(schema) = &route.body {
        refusals.push((400, "MALFORMED_JSON"));
        if !schema.read_only.is_empty() {
            refusals.push((400, "READ_ONLY_FIELD"));
        }
        if schema.must_say_something || !route.body_optional {
            refusals.push((400, "EMPTY_BODY"));
        }
    }
    if route.query.fields.iter().any(|field| field.name == "nextToken") {
        refusals.push((400, "INVALID_CURSOR"));
    }
    // Where no token is needed, one that is not valid may be refused all the same.
    if !route.is_unlimited {
        refusals.push((401, "UNAUTHENTICATED"));
    }
    if !route.is_for_browsers {
        refusals.push((403, "NOT_FROM_BROWSERS"));
    }
    if route.needs_idempotency_key {
        refusals.push((400, "IDEMPOTENCY_KEY_REQUIRED"));
    }
    if route.takes_idempotency_key {
        refusals.push((409, "IDEMPOTENCY_KEY_REUSED"));
    }
    if route.takes_if_match {
        refusals.push((412, "PRECONDITION_FAILED"));
    }
    if route.method != Method::GET {
        refusals.extend([(413, "BODY_TOO_LARGE"), (415, "UNSUPPORTED_MEDIA_TYPE")]);
    }
    if !route.is_unlimited {
        refusals.push((429, "RATE_LIMITED"));
    }
    refusals.extend([(500, "INTERNAL"), (503, "UNAVAILABLE")]);
    refusals
}

/// A problem with this status and code, as an example.
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
    // The code in words is what a sentence would say at least.
    let words = code.to_ascii_lowercase().replace('_', " ");
    let mut message = words[..1].to_ascii_uppercase();
    message.push_str(&words[1..]);
    message.push('.');
    Problem::new(kind, code, message)
}

/// What a status means.
pub(super) fn meaning(status: u16) -> &'static str {
    match status {
        400 => "The request is malformed or invalid.",
        401 => "A valid token is missing.",
        402 => "The payment failed.",
        403 => "The caller is not allowed to do this.",
        404 => "The resource does not exist, or is hidden from the caller.",
        409 => "The current state does not allow it.",
        412 => "`If-Match` names another version.",
        413 => "The body is too large.",
        415 => "The body is not JSON.",
        428 => "The request must say which state it means.",
        429 => "Too many requests; `Retry-After` says when to try again.",
        500 => "Something went wrong on our side.",
        503 => "A dependency is down; try again.",
        _ => "Refused.",
    }
}
