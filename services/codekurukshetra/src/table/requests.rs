//! What requests leave behind.

use monotable::model::key::encode_free_text;
use monotable::prelude::*;
use monotable_kit::{OfRequest, RecordKeys, RecordScope};

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
