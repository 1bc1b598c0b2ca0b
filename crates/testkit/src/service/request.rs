//! Requests of actors, and the responses that they get.

use http::{HeaderMap, Method};
use monotable_kit::code_of;
use serde_json::Value;

/// The sender of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor<'a> {
    /// A client without a token.
    Nobody,
    /// A client with a token of the issuer that the service accepts.
    User(&'a str),
    /// The bearer of this token.
    Token(&'a str),
}

/// A user by name; the empty name is an anonymous client.
impl<'a> From<&'a str> for Actor<'a> {
    fn from(name: &'a str) -> Self {
        if name.is_empty() { Self::Nobody } else { Self::User(name) }
    }
}

impl<'a> From<&'a String> for Actor<'a> {
    fn from(name: &'a String) -> Self {
        name.as_str().into()
    }
}

/// A request, apart from its sender.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The method.
    pub method: Method,
    /// The path after the service's name, with its query.
    pub path: &'a str,
    /// The body; null for none.
    pub body: Value,
    /// Headers besides those of the sender and the body.
    pub headers: &'a [(&'a str, &'a str)],
}

impl<'a> Request<'a> {
    /// Parses `POST /games`.
    ///
    /// # Panics
    /// Panics if the text is not a method and a path.
    pub fn new(route: &'a str, body: Value) -> Self {
        let (method, path) = route.split_once(' ').expect("a method and a path");
        Self { method: method.parse().expect("a method"), path, body, headers: &[] }
    }

    /// Sends the request with an `Idempotency-Key` and other headers.
    #[must_use]
    pub fn headers(mut self, headers: &'a [(&'a str, &'a str)]) -> Self {
        self.headers = headers;
        self
    }
}

/// A response of the service.
#[derive(Clone, Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; empty if it is a stream of events.
    pub text: String,
}

impl Response {
    /// Returns the body as JSON.
    ///
    /// # Panics
    /// Panics if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).expect("a body of JSON")
    }

    /// Returns the body as JSON; null if it is not.
    pub fn value(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_default()
    }

    /// Returns status and code, such as `409 NUMBER_TAKEN`, or `200 -`.
    pub fn outcome(&self) -> String {
        let value = self.value();
        // Pages have it in an attribute.
        let of_page = || self.text.split("data-code=\"").nth(1)?.split('"').next();
        format!("{} {}", self.status, code_of(&value).or_else(of_page).unwrap_or("-"))
    }

    /// Returns a header; empty if it is absent.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("a header of text"))
    }

    /// Returns whether the storage did not respond, and clients learn when to try again.
    pub fn is_unavailable(&self) -> bool {
        self.status == 503 && !self.header("retry-after").is_empty()
    }

    /// Returns whether the request succeeded.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}
