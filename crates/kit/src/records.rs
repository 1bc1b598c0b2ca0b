//! The recorded responses to requests with an `Idempotency-Key`.
//!
//! The record of a request that has an effect is written in the transaction of the effect, by
//! [`Request::commit`](crate::Request::commit). This module reads it before a request is handled, and writes
//! it when a request is refused.

use std::collections::BTreeMap;
use std::fmt::Write;

use http::{HeaderName, HeaderValue, Method};
use monotable::model::key::{KeyError, KeyPart, PartKind, PartText, encode_free_text};
use monotable::model::rows::{
    IdempotencyKey, IdempotencyRecord, Once, check_idempotency_key, request_hash,
};
use monotable::model::{HoldsRule, RuleKey, Store};
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::box_future::BoxFuture;
use crate::call::Principal;
use crate::problem::Problem;
use crate::reply::{Reply, ReplyBody, with_fields};
use crate::sealed::Sealer;

/// The storage of recorded responses: implemented by every store of a table that [`KeepsRequests`].
pub trait Records: Send + Sync {
    /// Returns the recorded response to the request, as status and body; 409 if another request
    /// used the key.
    fn answered<'a>(&'a self, request: &'a RecordedRequest)
    -> BoxFuture<'a, Option<(u16, String)>>;

    /// Records the response to a request that had no effect. If another one was recorded meanwhile,
    /// returns that response.
    fn answer<'a>(
        &'a self,
        request: &'a RecordedRequest,
        status: u16,
        body: String,
    ) -> BoxFuture<'a, Once<()>>;
}

impl<T: KeepsRequests> Records for Store<T> {
    fn answered<'a>(
        &'a self,
        request: &'a RecordedRequest,
    ) -> BoxFuture<'a, Option<(u16, String)>> {
        Box::pin(async { Ok(self.run(request.record_in::<T>()?.response()).await?) })
    }

    fn answer<'a>(
        &'a self,
        request: &'a RecordedRequest,
        status: u16,
        body: String,
    ) -> BoxFuture<'a, Once<()>> {
        Box::pin(
            async move { Ok(self.run(request.record_in::<T>()?.respond(status, body)).await?) },
        )
    }
}

/// A table that records the responses to requests with an `Idempotency-Key`. It lists the key in
/// `rules(…)`:
///
/// ```ignore
/// impl KeepsRequests for League {
///     type Key = RequestKey;
/// }
/// ```
pub trait KeepsRequests: HoldsRule<Self::Key> {
    /// The rule key of the records: [`RequestKey`], unless other programs use another one.
    type Key: OfRequest;
}

/// A rule key under which the response to a request is recorded.
pub trait OfRequest: IdempotencyKey {
    /// Returns the key of a request.
    fn of_request(scope: &RecordScope) -> RecordKeys<Self>;
}

/// The key of a request's record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecordKeys<K> {
    /// A row that only requests of the same scope have.
    Own(K),
    /// A row that requests of another scope may have, too, because its key contains only the
    /// `Idempotency-Key`. The second of two such requests gets another row, whose key contains the
    /// scope.
    Shared {
        /// The key without the scope.
        first: K,
        /// The key with the scope.
        second: K,
    },
}

/// The response to a request with an `Idempotency-Key`. Each principal has a partition; the keys of
/// clients appear in row keys only as hashes.
#[derive(RuleKey, Clone, Debug, PartialEq, Eq)]
#[rule(Idempotency, pk = "IDEMPOTENCY#{principal}", sk = "{scope}#{key}")]
pub struct RequestKey {
    principal: PrincipalText,
    scope: WordText,
    key: WordText,
}

impl OfRequest for RequestKey {
    fn of_request(request: &RecordScope) -> RecordKeys<Self> {
        RecordKeys::Own(Self {
            principal: PrincipalText(request.principal_text()),
            scope: WordText(request.hash()),
            key: WordText(request.key_hash()),
        })
    }
}

/// A principal as a part of keys, percent-encoded. An anonymous caller has an empty one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PrincipalText(String);

impl PartText for PrincipalText {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        text.push_str(&self.0);
        Ok(())
    }
}

impl KeyPart for PrincipalText {
    const KIND: PartKind = PartKind::TEXT;

    fn parse(text: &str) -> Result<Self, KeyError> {
        Ok(Self(text.to_owned()))
    }
}

/// Letters and digits, such as a hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordText(pub(crate) String);

impl PartText for WordText {
    fn write(&self, _pad: u8, text: &mut String) -> Result<(), KeyError> {
        text.push_str(&self.0);
        Ok(())
    }
}

impl KeyPart for WordText {
    const KIND: PartKind = PartKind::WORD;

    fn parse(text: &str) -> Result<Self, KeyError> {
        Ok(Self(text.to_owned()))
    }
}

/// The scope of an `Idempotency-Key`: a principal, and a route with the values of its path.
#[derive(Clone, Debug)]
pub struct RecordScope {
    /// The principal of the request, if one is known.
    pub principal: Option<Principal>,
    /// The method of the route.
    pub method: Method,
    /// The path of the route, with `{names}`.
    pub route: &'static str,
    /// The values of the path's names.
    pub path: BTreeMap<String, String>,
    /// The key, without spaces around it.
    pub key: String,
    /// For an anonymous request, the hash of its content. Anonymous callers share all keys, so only
    /// the same request with the same key is a repeat.
    anonymous_request: Option<String>,
}

impl RecordScope {
    /// Creates the scope of a request with this key, by a principal, for a route with the values of
    /// its path.
    pub fn new(
        principal: Option<&Principal>,
        method: &Method,
        route: &'static str,
        path: &BTreeMap<String, String>,
        key: &str,
    ) -> Self {
        Self {
            principal: principal.cloned(),
            method: method.clone(),
            route,
            path: path.clone(),
            key: key.trim().to_owned(),
            anonymous_request: None,
        }
    }

    /// Returns the scope as text: `u1 POST /teams/{teamId}/players teamId=t1`.
    pub fn text(&self) -> String {
        // Values contain no spaces, so no two requests have the same text.
        let mut text = format!("{} {} {}", self.principal_text(), self.method, self.route);
        for (name, value) in &self.path {
            // Writing to a text does not fail.
            let _ = write!(text, " {name}={}", encode_free_text(value));
        }
        if let Some(hash) = &self.anonymous_request {
            let _ = write!(text, " request {hash}");
        }
        text
    }

    /// Returns a hash of the scope, for keys that contain it.
    pub fn hash(&self) -> String {
        hash_text::<8>(&self.text())
    }

    /// Returns a hash of the key, for keys that contain it: clients choose theirs.
    pub fn key_hash(&self) -> String {
        hash_text::<16>(&self.key)
    }

    /// Returns the principal as a part of keys; empty for an anonymous caller.
    fn principal_text(&self) -> String {
        encode_free_text(self.principal.as_ref().map_or("", |principal| &principal.id))
    }
}

/// A request with an `Idempotency-Key`.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    scope: RecordScope,
    hash: String,
}

impl RecordedRequest {
    /// Creates a request with its content.
    ///
    /// # Errors
    /// Returns 400 if the key does not consist of 1 to 128 visible ASCII characters.
    pub fn new(mut scope: RecordScope, content: &impl Serialize) -> Result<Self, Problem> {
        if check_idempotency_key(&scope.key).is_err() {
            let message = "must be 1 to 128 visible ASCII characters";
            return Err(Problem::field("Idempotency-Key", message));
        }
        if scope.principal.is_none() {
            scope.anonymous_request = Some(request_hash("", content)?);
        }
        let hash = request_hash(&scope.text(), content)?;
        Ok(Self { scope, hash })
    }

    /// Returns the hash of the request, with its scope.
    pub fn request_hash(&self) -> &str {
        &self.hash
    }

    /// Returns the record of the request in a table.
    ///
    /// # Errors
    /// Fails if the key can't be part of the table's keys.
    pub fn record_in<T: KeepsRequests>(&self) -> Result<IdempotencyRecord<T::Key>, Problem> {
        let record = |key: T::Key| key.idempotency(&self.scope.key, self.scope.text(), &*self.hash);
        Ok(match T::Key::of_request(&self.scope) {
            RecordKeys::Own(key) => record(key)?,
            RecordKeys::Shared { first, second } => record(first)?.or_at(&second),
        })
    }
}

/// Returns the first bytes of a text's hash, as text.
pub(crate) fn hash_text<const BYTES: usize>(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes())[..BYTES])
}

/// The separator between a recorded response and its sealed secrets. No JSON text contains such a
/// line.
const SEALED: &str = "\nsealed ";

/// The header of responses that are replayed.
const REPLAY: HeaderName = HeaderName::from_static("idempotent-replay");

/// The record of one request, and how its response is written in it.
#[derive(Clone, Debug)]
pub struct RequestRecord {
    pub(crate) record: RecordedRequest,
    sealer: Sealer,
}

impl RequestRecord {
    pub(crate) fn new(record: RecordedRequest, sealer: Sealer) -> Self {
        Self { record, sealer }
    }

    /// Returns the status and the text that are recorded.
    pub(crate) fn kept(&self, reply: &Reply) -> (u16, String) {
        let mut text = match &reply.body {
            ReplyBody::Json(text) => text.clone(),
            ReplyBody::Empty
            | ReplyBody::Text { .. }
            | ReplyBody::Bytes { .. }
            | ReplyBody::Events(_)
            | ReplyBody::Pieces { .. } => String::new(),
        };
        if !reply.secrets.is_empty() {
            let secrets = Value::Object(reply.secrets.clone()).to_string();
            text += SEALED;
            text += &self.sealer.seal(self.record.request_hash(), &secrets);
        }
        (reply.status, text)
    }

    /// Returns the recorded response. Secrets that were sealed with another key are left out.
    pub(crate) fn replayed(&self, status: u16, text: &str) -> Reply {
        let (text, sealed) = match text.rsplit_once(SEALED) {
            Some((text, sealed)) => (text, Some(sealed)),
            None => (text, None),
        };
        let secrets =
            sealed.and_then(|sealed| self.sealer.open(self.record.request_hash(), sealed));
        let secrets: Option<Map<String, Value>> =
            secrets.and_then(|secrets| serde_json::from_str(&secrets).ok());
        let body = match text {
            "" => ReplyBody::Empty,
            text => ReplyBody::Json(with_fields(text.to_owned(), secrets.unwrap_or_default())),
        };
        Reply::new(status, body).header(REPLAY, HeaderValue::from_static("true"))
    }
}

impl Reply {
    /// Returns whether the response is replayed, so that the request had no effect now.
    pub fn is_replay(&self) -> bool {
        self.headers.iter().any(|(name, _)| *name == REPLAY)
    }
}
