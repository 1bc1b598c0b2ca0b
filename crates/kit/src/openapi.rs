//! What a service answers, as a document: for programs in OpenAPI 3.1, for people as a page.
//!
//! Both are made of the routes themselves, once, so that they say what the router does.

mod json_schema;
mod operation;
mod page;
mod refusals;

use serde_json::{Map, Value, json};

pub(crate) use self::page::{STYLE, page};

use self::json_schema::Schemas;
use crate::problem::Problem;
use crate::route::Service;
use crate::state::State;

/// What holds for every route, told once.
const CONVENTIONS: &str = "\
Requests and answers are JSON in UTF-8. Unknown and read-only fields are refused by name, and every \
field that is wrong is named at once. Every answer has an `X-Request-Id`; a request may bring its own \
(1 to 64 letters, digits and `._-`). What has a version says it as `ETag`: `If-None-Match` saves \
reading it again, and `If-Match` makes sure that nobody changed it meanwhile. A request with an \
`Idempotency-Key` has its effect once, and its repeats within 24 hours get the same answer. Who asks \
too often gets 429 with `Retry-After`.";

impl<S: State> Service<S> {
    /// The OpenAPI 3.1 document of the service.
    pub fn openapi(&self) -> Value {
        let mut schemas = Schemas::default();
        let mut paths: Map<String, Value> = Map::new();
        for route in &self.routes {
            let path = paths.entry(route.path.to_owned()).or_insert_with(|| json!({}));
            let method = route.method.as_str().to_ascii_lowercase();
            path[method] = operation::operation(self, route, &mut schemas);
        }
        let mut components = schemas.into_components();
        components.insert("Problem".to_owned(), self.problem_schema());
        json!({
            "openapi": "3.1.0",
            "info": {
                "title": self.title,
                "description": format!("{}\n\n{CONVENTIONS}", self.description),
                "version": env!("CARGO_PKG_VERSION"),
            },
            "servers": [{ "url": format!("/{}", self.name) }],
            "tags": self.chapters().map(|name| json!({ "name": name })).collect::<Vec<_>>(),
            "security": [{ "bearer": [] }],
            "paths": paths,
            "components": {
                "schemas": components,
                "headers": { "RequestId": {
                    "description": "The id of the request, which is in the log as well.",
                    "schema": { "type": "string" },
                } },
                "securitySchemes": { "bearer": {
                    "type": "http", "scheme": "bearer", "bearerFormat": "JWT",
                    "description": "A signed token that says who asks.",
                } },
            },
        })
    }

    /// The chapters in the order in which routes name them.
    fn chapters(&self) -> impl Iterator<Item = &'static str> {
        let mut chapters: Vec<&'static str> = Vec::new();
        for route in &self.routes {
            if !chapters.contains(&route.chapter) {
                chapters.push(route.chapter);
            }
        }
        chapters.into_iter()
    }

    /// What every problem of the service looks like, as one of them does.
    fn problem_schema(&self) -> Value {
        let sample = Problem::internal("");
        let mut schema = json_schema::of_sample(&(self.problem_form)(&sample, "r1"));
        schema["description"] = "Why a request is refused, or failed.".into();
        schema
    }
}
