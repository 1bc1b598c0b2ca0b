//! Sample data, written through the operations of a service.

use serde_json::{Map, Value};

use crate::body::{Body, Path};
use crate::call::{Principal, Request};
use crate::operation::{Answering, Call};
use crate::problem::{Problem, ProblemKind};
use crate::reply::{Reply, ReplyBody};
use crate::view::Answer;

/// Returns a person of the sample data: `demo-NAME` with the address `NAME@demo.example`.
pub fn person(name: &str) -> Principal {
    Principal {
        id: format!("demo-{name}"),
        email: Some(format!("{name}@demo.example")),
        email_verified: true,
        roles: Vec::new(),
    }
}

/// Returns a request of a person. Fields of the body that are null are left out.
pub fn request(person: &Principal, path: &[(&str, &str)], body: Value) -> Request {
    let body: Map<String, Value> = match body {
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => Map::new(),
    };
    Request {
        request_id: "demo".to_owned(),
        principal: Some(person.clone()),
        path: path.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        body,
        ..Request::default()
    }
}

/// Runs an operation for a person of the sample data. A conflict means that it was done at an
/// earlier start.
///
/// # Errors
/// Returns all other refusals of the operation.
pub async fn act<S, P: Path, B: Body, Q: Body, R>(
    app: &S,
    person: &Principal,
    operation: impl for<'a> Fn(&'a S, &'a Call<P, B, Q>) -> Answering<'a, Answer<R>>,
    path: &[(&str, &str)],
    body: Value,
) -> Result<(), Problem> {
    match operation(app, &Call::of(request(person, path, body))?).await {
        Err(problem) if problem.kind != ProblemKind::Conflict => Err(problem),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Returns the JSON of a reply; null if it has none.
pub fn body_of(reply: Reply) -> Value {
    match reply.sent() {
        ReplyBody::Json(text) => serde_json::from_str(&text).unwrap_or_default(),
        _ => Value::Null,
    }
}
