//! The table, and its access patterns.

use monotable::prelude::*;
use monotable_kit::{AuthKey, CountsCalls, KeepsRequests};

use crate::kv::Key;
use crate::table::{
    AllianceId, AllianceMessage, Budget, Calls, Due, DueHour, EventRow, Idempotency, Invite,
    InviteCode, Lobbies, MatchId, MatchLock, MatchRequest, MatchRow, MatchRowKey, MatchWork,
    MyMatch, Profile, RateCounter, RateRoute, RateSubject, RequestKey, RequestScope, Reservation,
    SecretRow, Settled, ShardedEventRow, SummaryRow, Task, TaskId, TaskKind, UserId,
};

table! {
    /// Turn-based matches on a key-value table.
    pub BtlRun {
        name = "btlrun_kv";
        key(pk, sk);
        type_attribute = none;
        ttl = ttl;
        codec = value_row;
        stamps Stamps(version = ver);
        entities(
            MatchRow, EventRow, ShardedEventRow, SummaryRow, SecretRow, AllianceMessage, Invite,
            Profile, MyMatch, Lobbies, RateCounter, MatchLock, Idempotency, Budget, Settled, Reservation,
            Due, Task
        );
        rules(Calls, MatchWork, MatchRequest, Key, AuthKey);
        patterns(BtlRunReads);
    }
}

impl CountsCalls for BtlRun {
    type Key = Calls;

    fn calls(subject: &str, name: &'static str) -> Calls {
        Calls { subject: subject.to_owned(), route: RateRoute::of(name) }
    }
}

impl KeepsRequests for BtlRun {
    type Key = MatchRequest;
}

/// The access patterns of the application.
#[access_patterns(BtlRun)]
pub trait BtlRunReads {
    /// Match state.
    #[get(pk = "match#{match_id}", sk = "state", consistent)]
    fn match_state(&self, match_id: &MatchId) -> One<MatchRow>;
    /// Match state for viewers, eventually consistent.
    #[get(pk = "match#{match_id}", sk = "state")]
    fn match_state_lately(&self, match_id: &MatchId) -> One<MatchRow>;
    /// Events after a sequence number, page by page.
    #[query(pk = "match#{match_id}", sk = after("log#{seq:06}"), consistent)]
    fn events_after(&self, match_id: &MatchId, seq: u32) -> Rows<EventRow>;
    /// Events after a sequence number of a match that spreads its log, in order.
    #[query(
        pk = "match#{match_id}#shard{shard}",
        sk = after("log#{seq:06}"),
        shards = 4,
        consistent
    )]
    fn sharded_events_after(&self, match_id: &MatchId, seq: u32) -> Rows<ShardedEventRow>;
    /// Several states.
    #[batch_get]
    fn match_states(&self, keys: &[MatchRowKey]) -> Many<MatchRow>;
    /// Match of an invite.
    #[get(pk = "invite#{code}", sk = "meta", consistent)]
    fn invite(&self, code: &InviteCode) -> One<Invite>;
    /// Summaries of a match.
    #[query(pk = "match#{match_id}", sk = begins_with("summary#"))]
    fn summaries(&self, match_id: &MatchId) -> Rows<SummaryRow>;
    /// The summary of a day.
    #[get(pk = "match#{match_id}", sk = "summary#{number}")]
    fn summary(&self, match_id: &MatchId, number: u32) -> One<SummaryRow>;
    /// Secrets of a match.
    #[get(pk = "match#{match_id}", sk = "secret", consistent)]
    fn secret(&self, match_id: &MatchId) -> One<SecretRow>;
    /// Messages among allies after a sequence number.
    #[query(pk = "match#{match_id}", sk = after("ally#{alliance_id}#{seq:06}"), consistent)]
    fn messages_after(
        &self,
        match_id: &MatchId,
        alliance_id: &AllianceId,
        seq: u32,
    ) -> Rows<AllianceMessage>;
    /// All messages among allies of a match.
    #[query(pk = "match#{match_id}", sk = begins_with("ally#"), consistent)]
    fn messages(&self, match_id: &MatchId) -> Rows<AllianceMessage>;
    /// The last message among allies.
    #[query(pk = "match#{match_id}", sk = begins_with("ally#{alliance_id}#"), descending, consistent)]
    fn last_messages(&self, match_id: &MatchId, alliance_id: &AllianceId) -> Rows<AllianceMessage>;
    /// A player's profile.
    #[get(pk = "user#{user_id}", sk = "profile", consistent)]
    fn profile(&self, user_id: &UserId) -> One<Profile>;
    /// Matches of a user, newest first.
    #[query(pk = "user#{user_id}", sk = begins_with("match#"), descending, consistent)]
    fn my_matches(&self, user_id: &UserId) -> Rows<MyMatch>;
    /// A match of a user.
    #[get(pk = "user#{user_id}", sk = "match#{created_at}#{match_id}", consistent)]
    fn my_match(&self, user_id: &UserId, created_at: Timestamp, match_id: &MatchId)
    -> One<MyMatch>;
    /// The lobbies that a user has opened.
    #[get(pk = "user#{user_id}", sk = "lobbies", consistent)]
    fn lobbies(&self, user_id: &UserId) -> One<Lobbies>;
    /// A rate counter.
    #[get(pk = "rate#{subject}", sk = "{route}#{window}")]
    fn rate(&self, subject: &RateSubject, route: &RateRoute, window: u64) -> One<RateCounter>;
    /// The lock for work on a match.
    #[get(pk = "lock#match#{match_id}", sk = "v", consistent)]
    fn lock(&self, match_id: &MatchId) -> One<MatchLock>;
    /// The response to a request with an idempotency key.
    #[get(pk = "idem#{holder}", sk = "{key}", consistent)]
    fn idempotency(&self, holder: &RequestScope, key: &RequestKey) -> One<Idempotency>;
    /// The responses to the requests of a user or for a match.
    #[query(pk = "idem#{holder}", consistent)]
    fn requests(&self, holder: &RequestScope) -> Rows<Idempotency>;
    /// The token budget of a match.
    #[get(pk = "budget#{match_id}", sk = "tokens", consistent)]
    fn budget(&self, match_id: &MatchId) -> One<Budget>;
    /// The tokens that a match has really used.
    #[get(pk = "budget#{match_id}", sk = "settled", consistent)]
    fn settled(&self, match_id: &MatchId) -> One<Settled>;
    /// Reservations of a match.
    #[query(pk = "budget#{match_id}", sk = begins_with("res#"), consistent)]
    fn reservations(&self, match_id: &MatchId) -> Rows<Reservation>;
    /// Matches that are due in an hour, up to a moment.
    #[query(pk = "due#{hour}", sk = ..="{until_ms:013}", consistent)]
    fn due(&self, hour: &DueHour, until_ms: u64) -> Rows<Due>;
    /// A piece of scheduled work.
    #[get(pk = "task#{kind}", sk = "{task_id}", consistent)]
    fn task(&self, kind: &TaskKind, task_id: &TaskId) -> One<Task>;
    /// Scheduled work of a kind.
    #[query(pk = "task#{kind}", consistent)]
    fn tasks(&self, kind: &TaskKind) -> Rows<Task>;
    /// Every match, for the backfill.
    #[scan(admin, consistent, rows = LegacyRow)]
    fn legacy_rows(&self) -> Rows<(MatchRow, EventRow, ShardedEventRow)>;
}
