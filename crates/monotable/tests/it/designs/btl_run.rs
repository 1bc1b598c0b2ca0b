//! btl.run: matches on a key-value table, every row a value with content type, version and expiry.

use std::collections::BTreeMap;

use monotable::prelude::*;

ids!(
    MatchId,
    UserId,
    InviteCode,
    RequestScope,
    RequestKey,
    AllianceId,
    ReservationId,
    Route,
    DueHour
);

/// The state of a match.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "match#{match_id}", sk = "state")]
pub struct MatchState {
    #[serde(rename = "matchId")]
    pub match_id: MatchId,
    pub status: String,
    pub day: u32,
    pub turn: u32,
    #[serde(default)]
    pub roster: Vec<String>,
    #[version]
    #[serde(default)]
    pub ver: u64,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// What happened in a match, one after the other.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row, allow(K05, because = "a match ends at 999,999 events"))]
#[key(pk = "match#{match_id}", sk = "log#{seq:06}")]
pub struct Event {
    #[key_only]
    pub match_id: MatchId,
    #[immutable]
    pub seq: u32,
    #[serde(rename = "type")]
    pub event_type: String,
    pub timestamp: u64,
    #[serde(default)]
    pub data: BTreeMap<String, String>,
}

/// What happened in a match that spreads its log.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row, allow(K05, because = "a match ends at 999,999 events"))]
#[key(pk = "match#{match_id}#shard{shard}", sk = "log#{seq:06}", shards = 4, by = seq)]
pub struct ShardedEvent {
    #[key_only]
    pub match_id: MatchId,
    #[immutable]
    pub seq: u32,
    #[serde(rename = "type")]
    pub event_type: String,
    pub timestamp: u64,
}

/// The story of a day. Days are not padded in the seed, so they are sorted by the reader.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row, allow(K04, because = "the seed writes days without zeros; readers sort"))]
#[key(pk = "match#{match_id}", sk = "summary#{day}")]
pub struct Summary {
    #[key_only]
    pub match_id: MatchId,
    #[immutable]
    pub day: u8,
    pub narration: String,
}

/// What nobody may see before the match ends.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "match#{match_id}", sk = "secret")]
pub struct Secret {
    #[key_only]
    pub match_id: MatchId,
    pub seed: String,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// A message among allies.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row, allow(K05, because = "a match has fewer messages than 999,999"))]
#[key(pk = "match#{match_id}", sk = "ally#{alliance_id}#{seq:06}")]
pub struct AllianceMessage {
    #[key_only]
    pub match_id: MatchId,
    pub alliance_id: AllianceId,
    #[immutable]
    pub seq: u32,
    pub text: String,
}

/// A code to join a match with.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "invite#{code}", sk = "meta")]
pub struct Invite {
    #[key_only]
    pub code: InviteCode,
    #[serde(rename = "matchId")]
    pub match_id: MatchId,
    #[version]
    #[serde(default)]
    pub ver: u64,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// A player's profile.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "user#{user_id}", sk = "profile")]
pub struct Profile {
    #[serde(rename = "userId")]
    pub user_id: UserId,
    #[serde(rename = "displayName")]
    pub display_name: String,
    #[version]
    #[serde(default)]
    pub ver: u64,
}

/// A match of a user, newest last.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "user#{user_id}", sk = "match#{created_at}#{match_id}")]
pub struct MyMatch {
    #[key_only]
    pub user_id: UserId,
    #[key_only]
    #[immutable]
    pub created_at: Timestamp,
    #[key_only]
    pub match_id: MatchId,
    pub role: String,
}

/// How often a user called a route in a window.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    codec = value_row,
    allow(K04, because = "windows are counted, never read in order"),
    allow(L03, because = "the counter is the whole row, so nothing outlives it"),
    allow(W02, because = "the first call of a window makes its row")
)]
#[key(pk = "rate#{user_id}", sk = "{route}#{window}")]
pub struct RateCounter {
    #[key_only]
    pub user_id: UserId,
    #[key_only]
    pub route: Route,
    #[key_only]
    #[immutable]
    pub window: u64,
    #[value]
    #[counter]
    pub count: u64,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// Who works on a match.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "lock#match#{match_id}", sk = "v")]
pub struct MatchLock {
    #[key_only]
    pub match_id: MatchId,
    #[value]
    pub owner: String,
    #[version]
    #[serde(default)]
    pub ver: u64,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The answer to a request that came with a key. Its scope is the id of a match or, when a match is
/// created, `user:` and the id of who creates it.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "idem#{scope}", sk = "{idempotency_key}")]
pub struct Idempotency {
    #[key_only]
    pub scope: RequestScope,
    #[key_only]
    pub idempotency_key: RequestKey,
    pub hash: String,
    pub status: u16,
    pub body: String,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// The tokens that a match has used and reserved.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "budget#{match_id}", sk = "tokens")]
pub struct Budget {
    #[key_only]
    pub match_id: MatchId,
    #[value]
    #[counter]
    pub tokens: u64,
}

/// Tokens reserved for one call.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(codec = value_row)]
#[key(pk = "budget#{match_id}", sk = "res#{reservation_id}")]
pub struct Reservation {
    #[key_only]
    pub match_id: MatchId,
    #[key_only]
    pub reservation_id: ReservationId,
    #[value]
    pub tokens: u64,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

/// A match that is due in an hour.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    codec = value_row,
    allow(K05, because = "13 digits of milliseconds last until the year 2286")
)]
#[key(pk = "due#{hour}", sk = "{cutoff_ms:013}#{match_id}")]
pub struct Due {
    #[key_only]
    pub hour: DueHour,
    #[key_only]
    #[immutable]
    pub cutoff_ms: u64,
    #[key_only]
    pub match_id: MatchId,
    #[ttl]
    pub ttl: Option<EpochSeconds>,
}

table! {
    /// Turn-based matches on a key-value table.
    pub BtlRun {
        name = "btlrun_kv";
        key(pk, sk);
        type_attribute = none;
        ttl = ttl;
        codec = value_row;
        entities(
            MatchState, Event, ShardedEvent, Summary, Secret, AllianceMessage, Invite, Profile, MyMatch,
            RateCounter, MatchLock, Idempotency, Budget, Reservation, Due
        );
        patterns(BtlRunReads);
    }
}

/// The questions of the application.
#[access_patterns(BtlRun)]
pub trait BtlRunReads {
    /// Match state.
    #[get(pk = "match#{match_id}", sk = "state")]
    fn match_state(&self, match_id: &MatchId) -> One<MatchState>;
    /// Events after a sequence number, page by page.
    #[query(pk = "match#{match_id}", sk = after("log#{seq:06}"))]
    fn events_after(&self, match_id: &MatchId, seq: u32) -> Rows<Event>;
    /// All events of a match that spreads its log, in order.
    #[query(pk = "match#{match_id}#shard{shard}", sk = begins_with("log#"), shards = 4)]
    fn sharded_events(&self, match_id: &MatchId) -> Rows<ShardedEvent>;
    /// Several states.
    #[batch_get]
    fn match_states(&self, keys: &[MatchStateKey]) -> Many<MatchState>;
    /// Match of an invite.
    #[get(pk = "invite#{code}", sk = "meta")]
    fn invite(&self, code: &InviteCode) -> One<Invite>;
    /// Summaries of a match.
    #[query(pk = "match#{match_id}", sk = begins_with("summary#"))]
    fn summaries(&self, match_id: &MatchId) -> Rows<Summary>;
    /// Secrets of a match.
    #[get(pk = "match#{match_id}", sk = "secret")]
    fn secret(&self, match_id: &MatchId) -> One<Secret>;
    /// Messages among allies.
    #[query(pk = "match#{match_id}", sk = begins_with("ally#{alliance_id}#"))]
    fn messages(&self, match_id: &MatchId, alliance_id: &AllianceId) -> Rows<AllianceMessage>;
    /// A player's profile.
    #[get(pk = "user#{user_id}", sk = "profile")]
    fn profile(&self, user_id: &UserId) -> One<Profile>;
    /// Matches of a user, newest first.
    #[query(pk = "user#{user_id}", sk = begins_with("match#"), descending)]
    fn my_matches(&self, user_id: &UserId) -> Rows<MyMatch>;
    /// A rate counter.
    #[get(pk = "rate#{user_id}", sk = "{route}#{window}")]
    fn rate(&self, user_id: &UserId, route: &Route, window: u64) -> One<RateCounter>;
    /// Who works on a match.
    #[get(pk = "lock#match#{match_id}", sk = "v", consistent)]
    fn lock(&self, match_id: &MatchId) -> One<MatchLock>;
    /// The answer to a request that came with a key.
    #[get(pk = "idem#{scope}", sk = "{key}", consistent)]
    fn idempotency(&self, scope: &RequestScope, key: &RequestKey) -> One<Idempotency>;
    /// The token budget of a match.
    #[get(pk = "budget#{match_id}", sk = "tokens")]
    fn budget(&self, match_id: &MatchId) -> One<Budget>;
    /// Reservations of a match.
    #[query(pk = "budget#{match_id}", sk = begins_with("res#"))]
    fn reservations(&self, match_id: &MatchId) -> Rows<Reservation>;
    /// Matches that are due in an hour, up to a moment.
    #[query(pk = "due#{hour}", sk = ..="{until_ms:013}")]
    fn due(&self, hour: &DueHour, until_ms: u64) -> Rows<Due>;
}
