//! Answers and problems as HTTP responses.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_core::Stream;
use http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, REFERRER_POLICY, RETRY_AFTER, WWW_AUTHENTICATE,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body::Frame;
use serde_json::Value;

use super::head::has_version;
use crate::problem::{Problem, ProblemKind};
use crate::reply::{Reply, ReplyBody};

/// The response of a reply; without a body if the client has it already.
pub(super) fn reply(mut reply: Reply, method: &Method, request: &HeaderMap) -> Response {
    let etag = reply.version.map(|version| format!("\"{version}\""));
    let is_read = matches!(*method, Method::GET | Method::HEAD);
    let is_known = is_read
        && reply.status == 200
        && etag.as_ref().is_some_and(|etag| has_version(request, etag));
    let further = std::mem::take(&mut reply.headers);
    let mut response = match is_known {
        true => plain(StatusCode::NOT_MODIFIED, None, Body::empty()),
        false => {
            let status = StatusCode::from_u16(reply.status);
            let (content_type, body) = written(reply.sent());
            plain(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), content_type, body)
        }
    };
    let headers = response.headers_mut();
    if let Some(etag) = etag.and_then(|etag| HeaderValue::try_from(etag).ok()) {
        headers.insert(ETAG, etag);
    }
    for (name, value) in further {
        headers.insert(name, value);
    }
    response
}

/// The response of a problem, whose body the service has written in its own form.
pub(super) fn problem(problem: &Problem, body: &Value) -> Response {
    let status =
        StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = plain(status, Some(JSON), Body::from(body.to_string()));
    let headers = response.headers_mut();
    if let Some(seconds) = problem.retry_after_seconds {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    if problem.kind == ProblemKind::Unauthenticated {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

const JSON: &str = "application/json";

/// A response with the headers that every one has.
fn plain(status: StatusCode, content_type: Option<&'static str>, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if let Some(content_type) = content_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A path may hold a secret, such as that of a link which somebody shares.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn written(body: ReplyBody) -> (Option<&'static str>, Body) {
    match body {
        ReplyBody::Empty => (None, Body::empty()),
        ReplyBody::Json(value) => (Some(JSON), Body::from(value.to_string())),
        ReplyBody::JsonText(text) => (Some(JSON), Body::from(text)),
        ReplyBody::Text { content_type, text } => (Some(content_type), Body::from(text)),
        ReplyBody::Events(events) => (Some("text/event-stream"), Body::new(EventBody(events))),
    }
}

/// Server-sent events as a body that ends when the stream does.
struct EventBody(Pin<Box<dyn Stream<Item = Bytes> + Send>>);

impl http_body::Body for EventBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let next = self.0.as_mut().poll_next(context);
        next.map(|event| event.map(|bytes| Ok(Frame::data(bytes))))
    }
}
