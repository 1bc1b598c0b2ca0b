//! Replies and problems as HTTP responses.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::Body;
use axum::response::Response;
use bytes::Bytes;
use futures_core::Stream;
use http::header::{
    CACHE_CONTROL, CONTENT_TYPE, ETAG, REFERRER_POLICY, RETRY_AFTER, SET_COOKIE, WWW_AUTHENTICATE,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use http_body::Frame;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::head::has_version;
use crate::pieces::Pieces;
use crate::problem::{Problem, ProblemKind};
use crate::reply::{Reply, ReplyBody};

/// Returns the response of a reply; without a body if the client has this version already.
pub(crate) fn reply(mut reply: Reply, method: &Method, request: &HeaderMap) -> Response {
    let further = std::mem::take(&mut reply.headers);
    let (version, differs_by_viewer) = (reply.version, reply.differs_by_viewer);
    let known_hash = reply.hash.take();
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let is_read = matches!(*method, Method::GET | Method::HEAD) && status == StatusCode::OK;
    let (content_type, body) = written(reply.sent());
    let etag = match (&body, version) {
        (Written::Whole(text), Some(version)) if differs_by_viewer => {
            Some(format!("\"{version}-{}\"", hash(text)))
        }
        (_, Some(version)) => Some(format!("\"{version}\"")),
        // Without a version the tag is weak: no write can be conditional on it.
        (Written::Whole(text), None) if is_read => {
            let hash = known_hash.unwrap_or_else(|| hash(text).into());
            Some(format!("W/\"{hash}\""))
        }
        (Written::Whole(_) | Written::Pieces(_), None) => None,
    };
    let is_known = is_read && etag.as_ref().is_some_and(|etag| has_version(request, etag));
    let mut response = match (is_known, body) {
        (true, _) => plain(StatusCode::NOT_MODIFIED, None, Body::empty()),
        (false, Written::Whole(text)) => plain(status, content_type, Body::from(text)),
        (false, Written::Pieces(pieces)) => plain(status, content_type, Body::new(pieces)),
    };
    let headers = response.headers_mut();
    if let Some(etag) = etag.and_then(|etag| HeaderValue::try_from(etag).ok()) {
        headers.insert(ETAG, etag);
    }
    for (name, value) in further {
        if name == SET_COOKIE {
            headers.append(name, value);
        } else {
            headers.insert(name, value);
        }
    }
    response
}

/// Returns the hash of a body, for its `ETag`.
pub(crate) fn hash(body: &[u8]) -> String {
    hex::encode(&Sha256::digest(body)[..8])
}

/// Adds when to send the request of a problem again, if that may help.
pub(super) fn add_retry_after(response: &mut Response, problem: &Problem) {
    if let Some(seconds) = problem.retry_after_seconds {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
}

/// Returns the response of a problem, whose body the service has written in its own form.
pub(super) fn problem(problem: &Problem, body: &Value) -> Response {
    let status =
        StatusCode::from_u16(problem.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = plain(status, Some(JSON), Body::from(body.to_string()));
    add_retry_after(&mut response, problem);
    let headers = response.headers_mut();
    if problem.kind == ProblemKind::Unauthenticated {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

const JSON: &str = "application/json";

/// Returns a response with the headers that every response has.
fn plain(status: StatusCode, content_type: Option<&'static str>, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    if let Some(content_type) = content_type {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A path may contain a secret, such as that of a share link.
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// A body as it is sent.
enum Written {
    Whole(Bytes),
    Pieces(PiecesBody),
}

fn written(body: ReplyBody) -> (Option<&'static str>, Written) {
    match body {
        ReplyBody::Empty => (None, Written::Whole(Bytes::new())),
        ReplyBody::Json(text) => (Some(JSON), Written::Whole(text.into())),
        ReplyBody::Text { content_type, text } => (Some(content_type), Written::Whole(text.into())),
        ReplyBody::Bytes { content_type, bytes } => (Some(content_type), Written::Whole(bytes)),
        ReplyBody::Events(events) => {
            (Some("text/event-stream"), Written::Pieces(PiecesBody::Events(events)))
        }
        ReplyBody::Pieces { content_type, pieces } => {
            (Some(content_type), Written::Pieces(PiecesBody::Text(pieces)))
        }
    }
}

/// A body that ends with its stream, or is aborted.
enum PiecesBody {
    Events(Pin<Box<dyn Stream<Item = Bytes> + Send>>),
    Text(Pieces),
}

impl http_body::Body for PiecesBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<io::Result<Frame<Bytes>>>> {
        match &mut *self {
            Self::Events(events) => {
                events.as_mut().poll_next(context).map(|piece| Some(Ok(Frame::data(piece?))))
            }
            Self::Text(pieces) => {
                let next = Pin::new(pieces).poll_next(context);
                next.map(|piece| Some(piece?.map(Frame::data)))
            }
        }
    }
}
