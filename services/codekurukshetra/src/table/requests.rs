//! What requests and sign-in leave behind.

use monotable::model::key::encode_free_text;
use monotable::prelude::*;
use monotable_kit::{AuthKey, OfRequest, RecordKeys, RecordScope};

use crate::table::ScopeId;

/// The response to a request with an `Idempotency-Key`. Only hashes are in the key of the row: a scope contains the
/// user, and clients choose their keys.
#[derive(RuleKey, Clone, Debug, PartialEq, Eq)]
#[rule(Idempotency, pk = "IDEM#{scope}", sk = "{key}", type = "idempotency")]
pub struct RequestKey {
    scope: ScopeId,
    key: ScopeId,
}

impl OfRequest for RequestKey {
    fn of_request(request: &RecordScope) -> RecordKeys<Self> {
        RecordKeys::Own(Self {
            scope: ScopeId::of_word(request.hash()),
            key: ScopeId::of_word(request.key_hash()),
        })
    }
}

/// The same as a row, for removing what has expired.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "idempotency", rule = RequestKey)]
#[key(pk = "IDEM#{scope_hash}", sk = "{key_hash}")]
pub struct RequestRecord {
    /// A hash of what the key is unique within.
    #[key_only]
    pub scope_hash: ScopeId,
    /// A hash of the key.
    #[key_only]
    pub key_hash: ScopeId,
    /// When it expires.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The calls of a route in each window of time, which are limited.
#[derive(RuleKey, Clone, Debug)]
#[rule(RateWindow, pk = "RATE#{subject}", sk = "{route}#{window}", type = "rate")]
pub struct Calls {
    subject: String,
    route: ScopeId,
}

impl Calls {
    /// Returns the key of a subject's calls of a route.
    pub fn new(subject: &str, route: &str) -> Self {
        Self { subject: encode_free_text(subject), route: ScopeId::of_word(route.to_owned()) }
    }
}

/// The same as a row, for removing what has expired.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    type = "rate",
    rule = Calls,
    allow(K04, because = "windows are counted, never read in order")
)]
#[key(pk = "RATE#{subject}", sk = "{route}#{window}")]
pub struct CallCount {
    /// A user or an address.
    #[key_only]
    #[immutable]
    pub subject: String,
    /// The route.
    #[key_only]
    pub route: ScopeId,
    /// The number of the window.
    #[key_only]
    #[immutable]
    pub window: u64,
    /// When it expires.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// A row of sign-in, for removing what has expired.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "auth", rule = AuthKey)]
#[key(pk = "AUTH_{kind}#{id}", sk = "METADATA")]
pub struct AuthRow {
    /// A link, a session, an address, a subject or a count.
    #[key_only]
    pub kind: ScopeId,
    /// The id of a link or a session, or a hash.
    #[key_only]
    pub id: ScopeId,
    /// When it expires.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}
