//! Business rules that a table keeps as rows of their own: records, guards, counters, rate windows,
//! locks, idempotency records, logs and jobs.
//!
//! Every rule is a value with a key that the caller chose. It runs alone by
//! [`Store::run`](crate::Store::run) or as an operation of a transaction by
//! [`Transact::add`](crate::Transact::add). A row that has expired is absent for each of them, whether
//! or not it was removed yet. Nothing here knows entities.
//!
//! ```
//! # extern crate monotable_model as monotable;
//! use monotable_model::backend::Embedded;
//! use monotable_model::rows::{Counter, Guard};
//! use monotable_model::{Entity, Error, table};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Entity, Clone, Serialize, Deserialize)]
//! #[key(pk = "GAME#{game_id}", sk = "METADATA")]
//! pub struct Game {
//!     #[immutable]
//!     pub game_id: String,
//! }
//!
//! table! {
//!     pub League { name = "league"; key(PK, SK); type_attribute = ItemType; ttl = ttl; entities(Game); }
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Error> {
//! let db = League::open(Embedded::memory()).await?;
//! let active = Guard::new("TEAM#t1", "ACTIVE_GAME");
//! let played = Counter::new("TEAM#t1", "PLAYED");
//!
//! // A team has one active game at a time, and plays at most 40.
//! let game = Game { game_id: "g1".to_owned() };
//! db.transact().create(&game).add(active.hold("g1")).add(played.add(1).at_most(40)).await?;
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
//! | [`Record`], [`Records`] | a value under a key of the caller's choice, with a version |
//! | [`Guard`] | who holds it |
//! | [`Counter`] | a number within limits |
//! | [`RateWindow`] | a number a window of time |
//! | [`Lock`] | the holder's token, the end of its lease, the fence |
//! | [`IdempotencyRecord`] | the hash of a request and its answer |
//! | [`Log`] | one event a row, and a snapshot |
//! | [`Job`] | how far it is, and the end of the worker's lease |

mod canonical;
mod counter;
mod guard;
mod idempotency;
mod job;
mod key;
mod layout;
mod lease;
mod lock;
mod log;
mod place;
mod rate;
mod record;
mod run;
mod token;
mod value;

pub use canonical::request_hash;
pub use counter::{Add, Counter, CounterValue};
pub use guard::{Guard, Hold, Holder, Release};
pub use idempotency::{Answer, Answered, IdempotencyRecord, Once};
pub use job::{Job, JobRun, JobState, JobStatus, ReadJob, RunJob, StartJob, Step};
pub use key::RowKey;
pub use layout::Layout;
pub use lock::{Acquire, CheckFence, Extend, Held, Lock, Unlock};
pub use log::{
    Append, Log, LogEntry, LogPage, ReadLog, ReadSnapshot, ReplayLog, Replayed, Snapshot,
};
pub use rate::{Admitted, Hit, RateWindow};
pub use record::{
    CreateRecord, DeleteRecord, ReadRecord, ReadRecords, Record, RecordEntry, RecordPage, Records,
    Stored, WriteRecord, Written,
};
pub use run::Run;
