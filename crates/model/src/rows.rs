//! Business rules that a table keeps as rows of their own: records, guards, counters, rate windows,
//! locks, idempotency records, logs and jobs.
//!
//! The key of a rule is declared with `#[derive(RuleKey)]` and listed in `rules(…)` of the
//! `table!`. So the compiler compares it with the keys of entities and of other rules, and a rule
//! runs only on a table that declares its key. A key constructs its rule: `ActiveGame { team_id
//! }.guard()`. It runs alone with [`Store::run`](crate::Store::run) or as an operation of a
//! transaction with [`Transact::add`](crate::Transact::add). All rules treat an expired row as
//! absent, whether or not it has been removed.
//!
//! ```
//! # extern crate monotable_model as monotable;
//! use monotable_model::backend::Embedded;
//! use monotable_model::rows::{CounterKey as _, GuardKey as _};
//! use monotable_model::{Entity, Error, RuleKey, create, table};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Entity, Clone, Serialize, Deserialize)]
//! #[key(pk = "GAME#{game_id}", sk = "METADATA")]
//! pub struct Game {
//!     #[immutable]
//!     pub game_id: String,
//! }
//!
//! /// The game that a team plays now.
//! #[derive(RuleKey, Clone, Debug)]
//! #[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME")]
//! pub struct ActiveGame {
//!     pub team_id: String,
//! }
//!
//! /// The games that a team has played.
//! #[derive(RuleKey, Clone, Debug)]
//! #[rule(Counter, pk = "TEAM#{team_id}", sk = "PLAYED")]
//! pub struct Played {
//!     pub team_id: String,
//! }
//!
//! table! {
//!     pub League {
//!         name = "league"; key(PK, SK); type_attribute = ItemType; ttl = ttl;
//!         entities(Game);
//!         rules(ActiveGame, Played);
//!     }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! let db = League::open(Embedded::memory()).await?;
//! let team_id = "t1".to_owned();
//! let active = ActiveGame { team_id: team_id.clone() }.guard();
//! let played = Played { team_id }.counter();
//!
//! // A team has one active game at a time, and plays at most 40.
//! let game = Game { game_id: "g1".to_owned() };
//! db.transact().with(create(game)).with(active.hold("g1")).with(played.add(1).at_most(40)).await?;
//!
//! let refused = db.run(active.hold("g2")).await.unwrap_err();
//! assert_eq!(refused.to_string(), "TEAM#t1 / ACTIVE_GAME is held by g1");
//! assert_eq!(db.run(played.value()).await?, 1);
//! # Ok(())
//! # }
//! ```
//!
//! | rule | row |
//! |---|---|
//! | [`Record`], [`Records`] | a value with a version |
//! | [`Guard`] | its holder |
//! | [`Counter`] | a number within limits |
//! | [`RateWindow`] | a number for each window of time |
//! | [`Lock`] | the holder's token, the end of its lease, the fence |
//! | [`IdempotencyRecord`] | the hash of a request and its response |
//! | [`Log`] | one row for each event, and a snapshot |
//! | [`Job`] | its progress, and the end of the worker's lease |

mod canonical;
mod counter;
mod guard;
mod idempotency;
mod job;
mod key;
mod lease;
mod lock;
mod log;
mod operation;
mod rate;
mod record;
mod row;
mod run;
mod store;
mod sweep;
mod token;
mod value;

pub use canonical::request_hash;
pub use counter::{Add, Counter, CounterKey, CounterValue};
pub use guard::{Guard, GuardKey, Hold, Holder, Release};
pub use idempotency::{
    IdempotencyKey, IdempotencyRecord, Once, ReadResponse, Respond, check_idempotency_key,
};
pub use job::{
    Job, JobCursor, JobKey, JobRun, JobState, JobStatus, ReadJob, RunJob, StartJob, Step,
};
pub use key::RuleKey;
pub use lock::{Acquire, CheckFence, Extend, Held, Lock, LockKey, Unlock};
pub use log::{
    Append, Log, LogEntry, LogKey, LogPage, LogValue, ReadLog, ReadSnapshot, ReplayLog, Replayed,
    Snapshot,
};
pub use operation::{InTransaction, RuleOperation};
pub use rate::{Admitted, Hit, Rate, RateWindow, RateWindowKey, UndoHit};
#[doc(hidden)]
pub use record::records;
pub use record::{
    CreateRecord, DeleteRecord, ReadRecord, ReadRecords, Record, RecordEntry, RecordKey,
    RecordPage, Records, Stored, UnreadableRecord, WriteRecord, Written,
};
pub use run::RunRule;
pub use store::{RuleStore, RuleTransact};
pub(crate) use sweep::delete_expired;
