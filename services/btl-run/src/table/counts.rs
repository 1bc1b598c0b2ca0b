//! Counters, locks, recorded responses and due matches.

use monotable::model::key::encode_free_text;
use monotable::prelude::*;
use monotable_kit::{OfRequest, RecordKeys, RecordScope};

use crate::table::{
    DueHour, MatchId, RateRoute, RateSubject, RequestKey, RequestScope, ReservationId, Stamps,
    TaskId, TaskKind,
};

/// The calls of a route by one caller in a window.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    codec = value_row,
    rule = Calls,
    allow(K04, because = "windows are counted, never read in order"),
    allow(L03, because = "the counter is the whole row, so nothing outlives it"),
    allow(W02, because = "the first call of a window makes its row")
)]
#[key(pk = "rate#{subject}", sk = "{route}#{window}")]
pub struct RateCounter {
    /// A user, a token or an address.
    #[key_only]
    pub subject: RateSubject,
    /// The route.
    #[key_only]
    pub route: RateRoute,
    /// The number of the window.
    #[key_only]
    #[immutable]
    pub window: u64,
    /// The calls.
    #[value]
    #[counter]
    pub count: u64,
    /// Ten seconds after the window.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The calls of a route in each window of time, which are limited.
#[derive(RuleKey, Clone, Debug)]
#[rule(RateWindow, pk = "rate#{subject}", sk = "{route}#{window}")]
pub struct Calls {
    /// A user, a token or an address.
    pub subject: String,
    /// The route.
    pub route: RateRoute,
}

/// The lock for work on a match. It only avoids duplicate work: correctness depends on versions.
/// The end of its lease is the expiry of its row, as other programs write it.
#[derive(RuleKey, Clone, Debug)]
#[rule(Lock, pk = "lock#match#{match_id}", sk = "v", lease = ttl)]
pub struct MatchWork {
    /// The match.
    pub match_id: MatchId,
}

/// The response to a request for a match or, before it exists, of a user.
#[derive(RuleKey, Clone, Debug)]
#[rule(
    Idempotency,
    pk = "idem#{holder}",
    sk = "{key}",
    allow(K11, because = "an empty `Idempotency-Key` is refused")
)]
pub struct MatchRequest {
    /// The id of a match, or `user:` and the id of a user.
    pub holder: String,
    /// The `Idempotency-Key`; followed by a hash of the scope if another scope has the same key.
    pub key: String,
}

impl OfRequest for MatchRequest {
    fn of_request(scope: &RecordScope) -> RecordKeys<Self> {
        let holder = match (scope.path.get("id"), &scope.principal) {
            (Some(match_id), _) => encode_free_text(match_id),
            (None, Some(user)) => format!("user:{}", encode_free_text(&user.id)),
            (None, None) => "user:".to_owned(),
        };
        let key = encode_free_text(&scope.key);
        let second = Self { holder: holder.clone(), key: format!("{key}#{}", scope.hash()) };
        RecordKeys::Shared { first: Self { holder, key }, second }
    }
}

/// The holder of the lock for work on a match. It only avoids duplicate work: correctness depends
/// on versions.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row, rule = MatchWork)]
#[key(pk = "lock#match#{match_id}", sk = "v")]
pub struct MatchLock {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The holder's token.
    #[value]
    pub owner: String,
    /// The fence.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
    /// The end of the lease.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The response to a request with an idempotency key. Its scope is the id of a match or, before it
/// exists, `user:` and the id of a user.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row, rule = MatchRequest)]
#[key(pk = "idem#{holder}", sk = "{idempotency_key}")]
pub struct Idempotency {
    /// The scope in which the key is unique.
    #[key_only]
    pub holder: RequestScope,
    /// The key.
    #[key_only]
    pub idempotency_key: RequestKey,
    /// The hash of the request.
    pub hash: String,
    /// The status of the response.
    pub status: u16,
    /// The body of the response.
    pub body: String,
    /// The request: the caller and the operation.
    #[serde(default)]
    pub scope: String,
    /// A day later.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The tokens of a match: what narrators used, and what is reserved for them.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    codec = value_row,
    allow(L03, because = "it ends with all rows of its match")
)]
#[key(pk = "budget#{match_id}", sk = "tokens")]
pub struct Budget {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// Used and reserved tokens.
    #[value]
    #[counter]
    pub tokens: u64,
    /// The number of writes: one for each reservation, and one at its end.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The tokens that narrators have used: together with the open reservations they give the correct
/// budget, so that a reservation of a crashed process can be released.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    codec = value_row,
    allow(L03, because = "it ends with all rows of its match")
)]
#[key(pk = "budget#{match_id}", sk = "settled")]
pub struct Settled {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// Used tokens.
    #[value]
    #[counter]
    pub tokens: u64,
    /// The time when an ended match is deleted.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// Tokens reserved for one call of a narrator.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "budget#{match_id}", sk = "res#{reservation_id}")]
pub struct Reservation {
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// The call.
    #[key_only]
    pub reservation_id: ReservationId,
    /// The tokens.
    #[value]
    pub tokens: u64,
    /// The time after which its owner counts as crashed.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// A match whose open turn must be resolved at a time.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    codec = value_row,
    allow(K05, because = "13 digits of milliseconds last until the year 2286"),
    allow(W01, because = "rows for the same match and time are equal")
)]
#[key(pk = "due#{hour}", sk = "{cutoff_ms:013}#{match_id}")]
pub struct Due {
    /// The hour, `yyyymmddHH` in UTC.
    #[key_only]
    pub hour: DueHour,
    /// The time, in milliseconds since 1970.
    #[key_only]
    #[immutable]
    pub cutoff_ms: u64,
    /// The match.
    #[key_only]
    pub match_id: MatchId,
    /// Two days later.
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// Work in idempotent steps.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "task#{kind}", sk = "{task_id}")]
pub struct Task {
    /// The kind of work.
    #[key_only]
    pub kind: TaskKind,
    /// The subject of the task.
    #[key_only]
    pub task_id: TaskId,
    /// The time when it was created, in milliseconds since 1970.
    #[serde(rename = "createdAt")]
    pub created_at: i64,
    /// The position from which the next step continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cursor: Option<String>,
    /// The number of writes.
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}
