//! The rule keys of the tables, and the rules that the tests use.

use monotable_model::rows::{
    Counter, CounterKey as _, Guard, GuardKey as _, Lock, LockKey as _, Rate, RateWindow,
    RateWindowKey as _, Record, RecordKey as _,
};
use monotable_model::{HoldsRule, Id, RuleKey, Table};
use serde::{Deserialize, Serialize};

/// A text between other parts of a key.
#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Name(String);

/// The game that a team plays now.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME")]
pub struct ActiveGame {
    pub team_id: String,
}

/// A guard with attributes of other names.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{team_id}", sk = "NAMED", value = owner, expiry = "until", type = "ACTIVE")]
pub struct NamedGuard {
    pub team_id: String,
}

/// A guard that only goes with other operations.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "SLOT#{name}", sk = "GUARD")]
pub struct Slot {
    pub name: String,
}

/// A guard in a table without sort key.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{team_id}")]
pub struct FlatGuard {
    pub team_id: String,
}

/// The lock of a game, whose rows an entity reads.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "GAME#{game_id}", sk = "LOCK", value = owner, type = "GameLock")]
pub struct GameLockGuard {
    pub game_id: String,
}

/// The tokens of a match.
#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "budget#{match_id}", sk = "tokens")]
pub struct Tokens {
    pub match_id: String,
}

/// The calls of a route.
#[derive(RuleKey, Clone, Debug)]
#[rule(RateWindow, pk = "rate#{subject}", sk = "{route}#{window}")]
pub struct Calls {
    pub subject: Name,
    pub route: Name,
}

/// The calls of a subject in a table without sort key.
#[derive(RuleKey, Clone, Debug)]
#[rule(RateWindow, pk = "rate#{subject}#{window}", value = hits)]
pub struct FlatCalls {
    pub subject: Name,
}

/// The lock of a match.
#[derive(RuleKey, Clone, Debug)]
#[rule(Lock, pk = "lock#match#{match_id}", sk = "v")]
pub struct MatchLock {
    pub match_id: String,
}

/// A lock whose row expires with its lease.
#[derive(RuleKey, Clone, Debug)]
#[rule(Lock, pk = "lease#match#{match_id}", sk = "v", lease = ttl)]
pub struct MatchLease {
    pub match_id: String,
}

/// The work of providing for a game.
#[derive(RuleKey, Clone, Debug)]
#[rule(Job, pk = "job#provision", sk = "game#{game_id}")]
pub struct Provision {
    pub game_id: String,
}

/// A job with attributes of other names.
#[derive(RuleKey, Clone, Debug)]
#[rule(Job, pk = "job#named", sk = "game", value = progress, version = rev, lease = until)]
pub struct NamedJob {}

/// The steps that were done.
#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "job#provision", sk = "done")]
pub struct Done {}

/// A level of a game.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "game#{game_id}", sk = "level#{level:010}")]
pub struct Level {
    pub game_id: String,
    pub level: u32,
}

/// The log of a match.
#[derive(RuleKey, Clone, Debug)]
#[rule(Log, pk = "match#{match_id}", sk = "log#{seq:06}", snapshot = "state")]
pub struct MatchLog {
    pub match_id: String,
}

/// A log with few numbers.
#[derive(RuleKey, Clone, Debug)]
#[rule(Log, pk = "short", sk = "log#{seq:01}", snapshot = "state")]
pub struct ShortLog;

/// A request for a match.
#[derive(RuleKey, Clone, Debug)]
#[rule(
    Idempotency,
    pk = "idem#{match_id}",
    sk = "{key}",
    allow(K11, because = "the key is not empty")
)]
pub struct JoinRequest {
    pub match_id: String,
    pub key: String,
}

/// A request in a table without sort key.
#[derive(RuleKey, Clone, Debug)]
#[rule(Idempotency, pk = "idem#{match_id}#{key}", value = record)]
pub struct FlatRequest {
    pub match_id: Name,
    pub key: Name,
}

/// A value under any name, on which one may count as well.
#[derive(RuleKey, Clone, Debug)]
#[rule(
    Record,
    Guard,
    Counter,
    pk = "settings#{user_id}",
    sk = "{name}",
    formerly = value,
    allow(K11, because = "names are not empty")
)]
pub struct Setting {
    pub user_id: String,
    pub name: String,
}

/// A table with all of these keys.
pub trait RuleTable:
    Table
    + HoldsRule<ActiveGame>
    + HoldsRule<Slot>
    + HoldsRule<Tokens>
    + HoldsRule<Calls>
    + HoldsRule<MatchLock>
    + HoldsRule<Provision>
    + HoldsRule<Done>
    + HoldsRule<Level>
    + HoldsRule<MatchLog>
    + HoldsRule<JoinRequest>
    + HoldsRule<Setting>
{
}

impl<T> RuleTable for T where
    T: Table
        + HoldsRule<ActiveGame>
        + HoldsRule<Slot>
        + HoldsRule<Tokens>
        + HoldsRule<Calls>
        + HoldsRule<MatchLock>
        + HoldsRule<Provision>
        + HoldsRule<Done>
        + HoldsRule<Level>
        + HoldsRule<MatchLog>
        + HoldsRule<JoinRequest>
        + HoldsRule<Setting>
{
}

pub fn slot(name: &str) -> Guard<Slot> {
    Slot { name: name.to_owned() }.guard()
}

pub fn tokens(match_id: &str) -> Counter<Tokens> {
    Tokens { match_id: match_id.to_owned() }.counter()
}

pub fn calls(subject: &str, route: &str, window: RateWindow) -> Rate<Calls> {
    let name = |text: &str| Name::new(text).unwrap();
    Calls { subject: name(subject), route: name(route) }.rate(window)
}

pub fn match_lock() -> Lock<MatchLock> {
    MatchLock { match_id: "m1".to_owned() }.lock()
}

pub fn match_lease() -> Lock<MatchLease> {
    MatchLease { match_id: "m1".to_owned() }.lock()
}

pub fn setting(user_id: &str, name: &str) -> Setting {
    Setting { user_id: user_id.to_owned(), name: name.to_owned() }
}

pub fn record<T>(user_id: &str, name: &str) -> Record<Setting, T> {
    setting(user_id, name).record()
}
