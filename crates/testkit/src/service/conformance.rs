//! Responses are checked against the service's declaration: the operation lists the status and the
//! code of a refusal, and the body has its schema.

use monotable_kit::{Field, Route, Schema, Service, code_of};
use serde_json::Value;

use super::Response;

/// The form of a response that a request asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The documented form.
    Documented,
    /// A form for older clients.
    Older,
}

/// Fails if a response is not one that the route declares.
pub(super) fn check(service: &Service, route: &Route, response: &Response, form: Form) {
    let Response { status, text, .. } = response;
    let about = || format!("{} {} responded {status} {text}", route.method, route.path);
    if let Err(problem) = service.check_response(&route.method, route.path, *status, text) {
        panic!("{}: {problem}", about());
    }
    let body = response.value();
    if *status >= 400 {
        let has_code = code_of(&body).is_some();
        assert!(route.is_page() || has_code, "{}: it has no code", about());
        return;
    }
    let answer = route.answers.iter().find(|answer| answer.status == *status);
    let Some(kind) = answer.and_then(|answer| answer.schema.clone()) else { return };
    let is_json = response.header("content-type").starts_with("application/json");
    if !is_json || form == Form::Older {
        return;
    }
    let body = if route.is_enveloped {
        assert_eq!(body["success"], true, "{}: it has no envelope", about());
        body["data"].clone()
    } else {
        body
    };
    let schema = Schema::bare("", Field::new(BODY, kind));
    match schema.check(body.clone()) {
        // A value that the check would change is not in the documented form.
        Ok(checked) if checked.get(BODY).is_some_and(|checked| same(checked, &body)) => {}
        Ok(checked) => panic!("{}: it is not {:?}", about(), checked.get(BODY)),
        Err(problem) => panic!("{}: {problem:?}", about()),
    }
}

/// The name of a body in error messages.
const BODY: &str = "body";

/// Returns whether two values differ only in how they write whole numbers and times.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_same = |(name, value): (&String, &Value)| {
                other.get(name).is_some_and(|other| same(value, other))
            };
            one.len() == other.len() && one.iter().all(is_same)
        }
        (one, other) => one == other,
    }
}
