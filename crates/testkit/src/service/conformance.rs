//! Responses are checked against the document of the service: the status is one that the operation lists,
//! the body has its schema, and the code of a refusal is one that the operation lists.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use http::Method;
use monotable_kit::{Field, Route, Schema, Service};
use serde_json::Value;

use super::Response;

/// The operations of a service, and what its OpenAPI document lists for each.
pub(super) struct Document {
    routes: Vec<Route>,
    /// By name of the operation and status: the codes of refusals.
    listed: BTreeMap<(String, u16), BTreeSet<String>>,
}

/// The form of a response that a request asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The one that the document shows.
    Documented,
    /// One for older clients.
    Older,
}

/// The documents that were made so far: making one takes longer than a test.
static DOCUMENTS: Mutex<BTreeMap<&'static str, Arc<Document>>> = Mutex::new(BTreeMap::new());

impl Document {
    pub(super) fn of(service: &Service) -> Arc<Self> {
        let mut documents = DOCUMENTS.lock().unwrap_or_else(PoisonError::into_inner);
        let document =
            documents.entry(service.name).or_insert_with(|| Arc::new(Self::new(service)));
        Arc::clone(document)
    }

    fn new(service: &Service) -> Self {
        let document = service.openapi();
        let mut listed = BTreeMap::new();
        let paths = document["paths"].as_object().into_iter().flatten();
        let operations = paths.flat_map(|(_, methods)| methods.as_object().into_iter().flatten());
        for (_, operation) in operations {
            let name = operation["operationId"].as_str().expect("a name").to_owned();
            for (status, response) in operation["responses"].as_object().into_iter().flatten() {
                let examples = response["content"]["application/json"]["examples"].as_object();
                let codes = examples.into_iter().flat_map(|examples| examples.keys().cloned());
                let status = status.parse().expect("a status");
                listed.insert((name.clone(), status), codes.collect());
            }
        }
        Self { routes: service.routes.clone(), listed }
    }

    pub(super) fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// Returns the route of a request, if there is one; a path without parameters is preferred.
    pub(super) fn route(&self, method: &Method, path: &str) -> Option<&Route> {
        let path = path.split('?').next().unwrap_or(path);
        let fits = |route: &&Route| route.method == *method && fits(route.path, path);
        self.routes.iter().filter(fits).min_by_key(|route| route.path.matches('{').count())
    }

    /// Fails if a response is not one that the document describes.
    pub(super) fn check(&self, route: &Route, response: &Response, form: Form) {
        let Response { status, text, .. } = response;
        // 405, and refusals of requests that no document describes, come from the router itself.
        let about = || format!("{} {} responded {status} {text}", route.method, route.path);
        let Some(codes) = self.listed.get(&(route.operation.to_owned(), *status)) else {
            panic!("{}: the document does not list the status", about())
        };
        let body = response.value();
        if *status >= 400 {
            let code = body["code"].as_str().unwrap_or_default();
            assert!(codes.contains(code), "{}: the document lists {codes:?}", about());
            return;
        }
        let answer = route.answers.iter().find(|answer| answer.status == *status);
        let Some(kind) = answer.and_then(|answer| answer.schema.clone()) else { return };
        let is_json = response.header("content-type").starts_with("application/json");
        if !is_json || form == Form::Older {
            return;
        }
        let schema = Schema::bare("", Field::new(BODY, kind));
        match schema.check(body.clone()) {
            // What the check would change is not in the form that the document shows.
            Ok(checked) if checked.get(BODY).is_some_and(|checked| same(checked, &body)) => {}
            Ok(checked) => panic!("{}: it is not {:?}", about(), checked.get(BODY)),
            Err(problem) => panic!("{}: {problem:?}", about()),
        }
    }
}

/// The name of a body in problems with it.
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

fn fits(template: &str, path: &str) -> bool {
    let (mut parts, mut given) = (template.split('/'), path.split('/'));
    loop {
        match (parts.next(), given.next()) {
            (None, None) => return true,
            (Some(part), Some(text)) if part == text => {}
            (Some(part), Some(text)) if part.starts_with('{') && !text.is_empty() => {}
            _ => return false,
        }
    }
}
