//! Routes a request: authentication, access, operation, response.

use std::time::Instant;

use monotable_wire::sigv4::{Identity, SignedRequest, verify};
use monotable_wire::{Failure, Observation, Operation, Request};

use crate::access::{Access, Peer, Route};
use crate::backlog::ResponseSize;
use crate::body_memory::BodyShare;
use crate::clock::unix_seconds;
use crate::encoding::{Coding, ContentEncoding, DecodeError};
use crate::http::{Head, Response, ResponseHead};
use crate::limits::HEADERS_MAX;
use crate::pages;
use crate::refusal::Refusal;
use crate::request_log::LoggedRequest;
use crate::worker::{Storage, Worker};

const JSON: &str = "application/json";
const AMZ_JSON: &str = "application/x-amz-json-1.0";

/// A request that was received.
#[derive(Clone, Copy)]
pub(crate) struct Incoming<'a> {
    pub(crate) head: &'a Head,
    pub(crate) head_bytes: &'a [u8],
    pub(crate) body: &'a [u8],
    pub(crate) peer: Peer,
}

impl<'a> Incoming<'a> {
    pub(crate) fn method(&self) -> &'a [u8] {
        &self.head_bytes[self.head.method.clone()]
    }

    /// Returns the operation in `X-Amz-Target`.
    fn operation(&self) -> Option<Operation> {
        let target = self.head.amz_target.clone()?;
        Operation::from_target(&self.head_bytes[target])
    }

    /// Returns path and query.
    pub(crate) fn target(&self) -> &'a [u8] {
        &self.head_bytes[self.head.target.clone()]
    }

    /// Returns the path without the query string.
    pub(crate) fn path(&self) -> &'a [u8] {
        let target = self.target();
        let end = target.iter().position(|&byte| byte == b'?').unwrap_or(target.len());
        &target[..end]
    }

    /// Returns whether a browser requests a page.
    pub(crate) fn is_for_page(&self) -> bool {
        self.head.accepts_html && matches!(self.method(), b"GET" | b"HEAD")
    }

    /// Returns the host in the request.
    pub(crate) fn host_bytes(&self) -> Option<&'a [u8]> {
        self.head.host.clone().map(|range| &self.head_bytes[range])
    }

    /// Does the same; empty if it is not text.
    fn host(&self) -> &'a str {
        std::str::from_utf8(self.host_bytes().unwrap_or_default()).unwrap_or_default()
    }

    fn content_type(&self) -> &'a [u8] {
        let Some(range) = self.head.content_type.clone() else {
            return b"";
        };
        let value = &self.head_bytes[range];
        let end = value.iter().position(|&byte| byte == b';').unwrap_or(value.len());
        value[..end].trim_ascii()
    }
}

/// The result of a route, besides the body.
pub(crate) struct Outcome {
    pub(crate) status: u16,
    pub(crate) content_type: &'static str,
    /// Whether it is a response of DynamoDB, which has an id and a checksum.
    pub(crate) is_aws: bool,
}

/// The bytes to send, and whether the connection continues afterwards.
pub(crate) struct Answer<'a> {
    pub(crate) response: &'a [u8],
    pub(crate) keep_alive: bool,
}

/// Returns how large the response to a request can become; `None` if it is always small.
pub(crate) fn response_size(incoming: Incoming<'_>) -> Option<ResponseSize> {
    Some(match incoming.operation()? {
        Operation::BatchExecuteStatement
        | Operation::BatchGetItem
        | Operation::ExecuteStatement
        | Operation::ExecuteTransaction
        | Operation::GetRecords
        | Operation::Query
        | Operation::Scan
        | Operation::TransactGetItems => ResponseSize::Page,
        _ => ResponseSize::Item,
    })
}

/// Responds to a request. The memory of its decoded body is added to `share`.
pub(crate) async fn answer<'b>(
    worker: &Worker,
    incoming: Incoming<'_>,
    route: &Route,
    share: &mut BodyShare,
    output: &'b mut Vec<u8>,
) -> Result<Answer<'b>, Refusal> {
    let mut response = Response::new(output);
    let outcome = match (incoming.method(), incoming.path()) {
        _ if let Route::Closed(closed) = route => pages::closed(*closed, response.body()),
        (b"POST", b"/") => answer_operation(worker, incoming, share, response.body()).await?,
        (b"GET" | b"HEAD", path) => pages::answer(worker, path, response.body()),
        _ => pages::unknown(response.body()),
    };
    // A shutdown that started meanwhile must be announced, or the client sends its next request
    // into it.
    let keep_alive = incoming.head.keep_alive && !worker.is_stopping();
    let coding = response.compress(incoming.head.accept_encoding);
    let response = finish(worker, response, outcome, coding, keep_alive);
    Ok(Answer { response, keep_alive })
}

/// Responds to a refused request; the connection is closed afterwards.
pub(crate) fn refuse<'b>(worker: &Worker, refusal: Refusal, output: &'b mut Vec<u8>) -> &'b [u8] {
    if let Some(log) = &worker.shared().config.request_log {
        log.log(&LoggedRequest {
            key_name: None,
            operation: None,
            observation: &Observation::default(),
            status: refusal.status(),
            code: None,
            latency: None,
        });
    }
    let mut response = Response::new(output);
    let body = response.body();
    body.extend_from_slice(b"{\"message\":\"");
    body.extend_from_slice(refusal.message().as_bytes());
    body.extend_from_slice(b"\"}");
    let outcome = Outcome { status: refusal.status(), content_type: JSON, is_aws: false };
    finish(worker, response, outcome, None, false)
}

fn finish<'b>(
    worker: &Worker,
    response: Response<'b>,
    outcome: Outcome,
    coding: Option<Coding>,
    keep_alive: bool,
) -> &'b [u8] {
    let request_id = outcome.is_aws.then(|| worker.request_ids.next());
    worker.date.with(|date| {
        response.finish(ResponseHead {
            status: outcome.status,
            content_type: outcome.content_type,
            date,
            request_id: request_id.as_ref().map(|id| id.as_str()),
            with_checksum: outcome.is_aws,
            keep_alive,
            coding,
        })
    })
}

/// Responds to an operation of DynamoDB.
async fn answer_operation(
    worker: &Worker,
    incoming: Incoming<'_>,
    share: &mut BodyShare,
    body: &mut Vec<u8>,
) -> Result<Outcome, Refusal> {
    let content_type = match incoming.content_type() {
        b"application/x-amz-json-1.0" => AMZ_JSON,
        b"application/json" => JSON,
        _ if incoming.body.is_empty() => JSON,
        // As AWS does.
        _ => return Ok(pages::unknown(body)),
    };
    let Some(storage) = &worker.shared().storage else { return Ok(pages::unknown(body)) };
    let start = Instant::now();
    let operation = incoming.operation();
    let log = worker.shared().config.request_log.as_deref();
    let mut note = log.map(|_| Note::default());
    let result = match operation {
        Some(operation) => {
            let noted = note.as_mut();
            call(worker, storage, incoming, operation, noted, share, body).await?
        }
        None => {
            let failure = match incoming.head.content_encoding {
                ContentEncoding::Identity => Failure::unknown_operation(incoming.body),
                // It is not worth decoding.
                ContentEncoding::Coded(_) | ContentEncoding::Unknown => Failure::UnknownOperation,
            };
            failure.write(body);
            Err(failure)
        }
    };
    let code = result.as_ref().err().map(Failure::code);
    let latency = start.elapsed();
    match operation {
        Some(operation) => {
            worker.metrics().count(operation, latency, result.as_ref().err());
        }
        None => worker.metrics().count_refused(),
    }
    if let Some(details) = result.as_ref().err().and_then(Failure::internal_details) {
        log::error!("{}: {details}", operation.map_or("request", Operation::name));
    }
    let status = result.map_or_else(|failure| failure.status(), |()| 200);
    if let (Some(log), Some(Note { key_name, observation })) = (log, &note) {
        log.log(&LoggedRequest {
            key_name: key_name.as_deref(),
            operation,
            observation,
            status,
            code,
            latency: Some(latency),
        });
    }
    Ok(Outcome { status, content_type, is_aws: true })
}

/// The log entry of a request while it is processed.
#[derive(Default)]
struct Note {
    key_name: Option<String>,
    observation: Observation,
}

async fn call(
    worker: &Worker,
    storage: &Storage,
    incoming: Incoming<'_>,
    operation: Operation,
    note: Option<&mut Note>,
    share: &mut BodyShare,
    body: &mut Vec<u8>,
) -> Result<Result<(), Failure>, Refusal> {
    let shared = worker.shared();
    let keys = match &shared.config.access {
        Access::Local | Access::Anyone => None,
        Access::Signed(keys) => Some(keys.load()),
    };
    let identity = match keys.as_deref().map(|keys| identify(incoming, keys)).transpose() {
        Ok(identity) => identity,
        Err(failure) => {
            failure.write(body);
            return Ok(Err(failure));
        }
    };
    let observation = note.map(|note| {
        note.key_name = identity.as_ref().map(|identity| identity.key.name().to_owned());
        &mut note.observation
    });
    // After the signature check, which covers the bytes as they were sent.
    let bytes_max = shared.config.limits.body_bytes_max;
    let encoding = incoming.head.content_encoding;
    let decoded = match encoding.decode(incoming.body, bytes_max, worker, share).await {
        Ok(decoded) => decoded,
        Err(error) => {
            let failure = undecodable(error)?;
            failure.write(body);
            return Ok(Err(failure));
        }
    };
    let request = Request { host: incoming.host(), body: &decoded, identity: identity.as_ref() };
    Ok(storage.endpoint.call_observed(operation, request, body, observation).await)
}

/// Returns the failure for a body that does not match its encoding.
fn undecodable(error: DecodeError) -> Result<Failure, Refusal> {
    let message = match error {
        DecodeError::Unknown => "Content-Encoding must be gzip or deflate",
        DecodeError::Broken => "The body is not encoded as Content-Encoding says",
        DecodeError::TooLarge | DecodeError::Busy => return Err(error.into()),
    };
    Ok(Failure::Serialization(Some(message.to_owned())))
}

/// Returns the key that signed the request.
fn identify<'k>(
    incoming: Incoming<'_>,
    keys: &'k monotable_wire::sigv4::KeyRing,
) -> Result<Identity<'k>, Failure> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut request = httparse::Request::new(&mut headers);
    if request.parse(incoming.head_bytes).is_err() {
        unreachable!("the head was parsed before");
    }
    let pairs: Vec<(&str, &[u8])> =
        request.headers.iter().map(|header| (header.name, header.value)).collect();
    let target = std::str::from_utf8(incoming.target()).unwrap_or_default();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let signed = SignedRequest {
        method: request.method.unwrap_or_default(),
        path,
        query,
        headers: &pairs,
        body: incoming.body,
    };
    let now = i64::try_from(unix_seconds()).unwrap_or(i64::MAX);
    Ok(verify(&signed, keys, now)?)
}
