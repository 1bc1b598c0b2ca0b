//! What a route answers with.

use std::pin::Pin;

use bytes::Bytes;
use futures_core::Stream;
use http::{HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::Value;

/// The answer to a request.
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// What it says.
    pub body: ReplyBody,
    /// The version of what is shown, for `ETag`.
    pub version: Option<u64>,
    /// What it says besides, to whoever asked first.
    pub(crate) told_once: Vec<(&'static str, Value)>,
    /// Further headers.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// What an answer says.
pub enum ReplyBody {
    /// Nothing.
    Empty,
    /// JSON.
    Json(Value),
    /// JSON that was written before.
    JsonText(String),
    /// A text of another type.
    Text {
        /// Its media type, such as `text/csv; charset=utf-8`.
        content_type: &'static str,
        /// The text.
        text: String,
    },
    /// Server-sent events, as they come.
    Events(Pin<Box<dyn Stream<Item = Bytes> + Send>>),
}

impl Reply {
    /// 200 with what a value looks like as JSON.
    pub fn ok(value: &impl Serialize) -> Self {
        Self::json(200, value)
    }

    /// 201 with what a value looks like as JSON.
    pub fn created(value: &impl Serialize) -> Self {
        Self::json(201, value)
    }

    /// A status with what a value looks like as JSON.
    pub fn json(status: u16, value: &impl Serialize) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => Self::new(status, ReplyBody::Json(value)),
            Err(error) => unreachable!("what services show has a form in JSON: {error}"),
        }
    }

    /// 204.
    pub fn no_content() -> Self {
        Self::new(204, ReplyBody::Empty)
    }

    /// 200 with a text of a media type.
    pub fn text(content_type: &'static str, text: String) -> Self {
        Self::new(200, ReplyBody::Text { content_type, text })
    }

    /// A status and a body.
    pub fn new(status: u16, body: ReplyBody) -> Self {
        Self { status, body, version: None, told_once: Vec::new(), headers: Vec::new() }
    }

    /// Tells the version of what is shown.
    #[must_use]
    pub fn version(mut self, version: u64) -> Self {
        self.version = Some(version);
        self
    }

    /// Adds a field to an object that is answered, such as a secret. It is sent and not kept: repeats of
    /// the request get the object without it. What is no object, or was answered before, stays as it is.
    #[must_use]
    pub fn told_once(mut self, field: &'static str, value: impl Into<Value>) -> Self {
        self.told_once.push((field, value.into()));
        self
    }

    /// What it says, with what is told once.
    pub fn sent(self) -> ReplyBody {
        match self.body {
            ReplyBody::Json(Value::Object(mut object)) => {
                let told = self.told_once.into_iter();
                object.extend(told.map(|(field, value)| (field.to_owned(), value)));
                ReplyBody::Json(Value::Object(object))
            }
            body => body,
        }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }
}
