//! Replies of routes.

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures_core::Stream;
use http::header::SET_COOKIE;
use http::{HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::pieces::Pieces;

/// The reply to a request.
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The body.
    pub body: ReplyBody,
    /// The version of what is shown, for `ETag`.
    pub version: Option<u64>,
    /// The hash of the body, if it is known already.
    pub(crate) hash: Option<Arc<str>>,
    /// Whether different callers see a version differently.
    pub(crate) differs_by_viewer: bool,
    /// Secret fields of the object.
    pub(crate) secrets: Map<String, Value>,
    /// Further headers.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// The body of a reply.
pub enum ReplyBody {
    /// Nothing.
    Empty,
    /// JSON, as its text.
    Json(String),
    /// A text of another type.
    Text {
        /// Its media type, such as `text/csv; charset=utf-8`.
        content_type: &'static str,
        /// The text.
        text: String,
    },
    /// A file.
    Bytes {
        /// Its media type, such as `image/jpeg`.
        content_type: &'static str,
        /// Its content.
        bytes: Bytes,
    },
    /// Server-sent events, as they come.
    Events(Pin<Box<dyn Stream<Item = Bytes> + Send>>),
    /// A text of another type that is generated while it is sent.
    Pieces {
        /// Its media type, such as `text/csv; charset=utf-8`.
        content_type: &'static str,
        /// The text.
        pieces: Pieces,
    },
}

impl Reply {
    /// Creates a 200 with a value as JSON.
    pub fn ok(value: &impl Serialize) -> Self {
        Self::json(200, value)
    }

    /// Creates a 201 with a value as JSON.
    pub fn created(value: &impl Serialize) -> Self {
        Self::json(201, value)
    }

    /// Creates a reply with a status and a value as JSON.
    pub fn json(status: u16, value: &impl Serialize) -> Self {
        Self::new(status, ReplyBody::Json(json_text(value)))
    }

    /// Creates a 204.
    pub fn no_content() -> Self {
        Self::new(204, ReplyBody::Empty)
    }

    /// Creates a 200 with a text of a media type.
    pub fn text(content_type: &'static str, text: String) -> Self {
        Self::new(200, ReplyBody::Text { content_type, text })
    }

    /// Creates a reply with a status and a body.
    pub fn new(status: u16, body: ReplyBody) -> Self {
        Self {
            status,
            body,
            version: None,
            hash: None,
            differs_by_viewer: false,
            secrets: Map::new(),
            headers: Vec::new(),
        }
    }

    /// Sets the version of what is shown.
    #[must_use]
    pub fn version(mut self, version: u64) -> Self {
        self.version = Some(version);
        self
    }

    /// Declares that callers see the same version differently, so that the `ETag` also depends on
    /// the body.
    #[must_use]
    pub fn differs_by_viewer(mut self) -> Self {
        self.differs_by_viewer = true;
        self
    }

    /// Adds a secret field, such as a token, to the object. In the response that
    /// [`Request::commit`](crate::Request::commit) records for repeats, it is encrypted.
    #[must_use]
    pub fn secret(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.secrets.insert(field.to_owned(), value.into());
        self
    }

    /// Returns the body with its secret fields.
    pub fn sent(self) -> ReplyBody {
        match self.body {
            ReplyBody::Json(text) => ReplyBody::Json(with_fields(text, self.secrets)),
            body => body,
        }
    }

    /// Puts JSON into the envelope of services that send one. A recorded refusal has the service's
    /// own form already.
    pub(crate) fn enveloped(mut self) -> Self {
        if self.status < 400
            && let ReplyBody::Json(text) = &mut self.body
        {
            let data = with_fields(std::mem::take(text), std::mem::take(&mut self.secrets));
            *text = format!("{{\"success\":true,\"data\":{data}}}");
        }
        self
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    /// Sets cookies.
    #[must_use]
    pub fn cookies(self, cookies: impl IntoIterator<Item = HeaderValue>) -> Self {
        cookies.into_iter().fold(self, |reply, cookie| reply.header(SET_COOKIE, cookie))
    }
}

/// Returns a value as JSON.
pub(crate) fn shown(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_else(|error| formless(&error))
}

/// Returns the JSON text of a value.
pub(crate) fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_else(|error| formless(&error))
}

/// Appends the JSON text of a value.
pub(crate) fn write_json(value: &impl Serialize, text: &mut Vec<u8>) {
    serde_json::to_writer(text, value).unwrap_or_else(|error| formless(&error));
}

/// Returns the JSON text of an object with further fields. Other values are not changed.
pub(crate) fn with_fields(mut text: String, fields: Map<String, Value>) -> String {
    if fields.is_empty() || !text.ends_with('}') {
        return text;
    }
    text.pop();
    if !text.ends_with('{') {
        text.push(',');
    }
    text + &Value::Object(fields).to_string()[1..]
}

pub(crate) fn formless<T>(error: &dyn std::fmt::Display) -> T {
    unreachable!("what services show has a form in JSON: {error}")
}
