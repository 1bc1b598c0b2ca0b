//! The OpenAPI 3.1 document of a service. `pages::docs` shows it to people.
//!
//! Both are generated from the routes, so that they can't differ from the router.

mod json_schema;
mod operation;
mod refusals;
mod responses;

use serde_json::{Map, Value, json};

pub(crate) use self::operation::path_names;
pub(crate) use self::refusals::{common_refusals, declared_refusals, problem_example};

use self::json_schema::Schemas;
use crate::http::operations;
use crate::problem::Problem;
use crate::route::{Route, Service, TokenScheme};

/// What holds for every route.
pub(crate) const CONVENTIONS: [&str; 6] = [
    "Requests and responses are JSON in UTF-8. Unknown and read-only fields are rejected, and the error \
     lists every invalid field.",
    "Every response has an `X-Request-Id`; a request may bring its own (1 to 64 letters, digits and `._-`).",
    "Responses to `GET` have an `ETag`: send it as `If-None-Match` to skip an unchanged response.",
    "Where a resource has a version, its `ETag` begins with it: send it as `If-Match` to reject concurrent \
     changes.",
    "A request with an `Idempotency-Key` has its effect once, and repeats within 24 hours get the same \
     response, secrets included. Without a token, anyone with the key and the request gets that response: \
     use a random key, such as a UUID.",
    "Clients over the rate limit get 429 with `Retry-After`.",
];

/// How to send a token.
pub(crate) const AUTHENTICATION: &str = "\
Send a token as `Authorization: Bearer <token>`. Routes marked \"no token needed\" also work without \
one; where the response depends on the caller, a token shows more.";

impl Service {
    /// Returns the OpenAPI 3.1 document of the service.
    pub fn openapi(&self) -> Value {
        let mut schemas = Schemas::default();
        let mut paths: Map<String, Value> = Map::new();
        let routes = self.documented();
        for route in &routes {
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
                "description": format!(
                    "{}\n\n{}\n\n{AUTHENTICATION}",
                    self.description,
                    CONVENTIONS.join(" "),
                ),
                "version": env!("CARGO_PKG_VERSION"),
            },
            "servers": [{ "url": format!("/{}", self.name) }],
            "tags": chapters(&routes).iter().map(|name| json!({ "name": name })).collect::<Vec<_>>(),
            "security": self.security(),
            "paths": paths,
            "components": {
                "schemas": components,
                "headers": {
                    "RequestId": {
                        "description": "The id of the request, which is in the log as well.",
                        "schema": { "type": "string" },
                    },
                    "ETag": {
                        "description": "The version of the response, for `If-None-Match`.",
                        "schema": { "type": "string" },
                    },
                },
                "securitySchemes": self.security_schemes(),
            },
        })
    }

    /// Returns the routes of its API, and those that every service has.
    pub(crate) fn documented(&self) -> Vec<Route> {
        let own = self.routes.iter().filter(|route| !route.is_page());
        own.cloned().chain(operations::described()).collect()
    }

    /// Returns the accepted kinds of tokens, of which a request needs one.
    fn security(&self) -> Vec<Value> {
        self.tokens.iter().map(|token| json!({ token.name: [] })).collect()
    }

    fn security_schemes(&self) -> Map<String, Value> {
        let scheme = |token: &TokenScheme| {
            let scheme = json!({
                "type": "http", "scheme": "bearer", "bearerFormat": token.format,
                "description": token.about,
            });
            (token.name.to_owned(), scheme)
        };
        self.tokens.iter().map(scheme).collect()
    }

    /// Returns the schema of the service's problems: their fixed fields, and those of their
    /// details.
    fn problem_schema(&self) -> Value {
        let form = |problem: &Problem| (self.problem_form)(problem, "r1");
        let bare = json_schema::of_sample(&form(&Problem::internal("")));
        let mut schema = json_schema::of_sample(&form(&Problem::field("name", "is invalid")));
        schema["required"] = bare["required"].clone();
        schema["description"] =
            "Why a request was rejected, or failed. Details depend on the code.".into();
        schema
    }
}

/// Returns the chapters in the order in which routes name them.
pub(crate) fn chapters(routes: &[Route]) -> Vec<&'static str> {
    let mut chapters: Vec<&'static str> = Vec::new();
    for route in routes {
        if !chapters.contains(&route.chapter) {
            chapters.push(route.chapter);
        }
    }
    chapters
}
