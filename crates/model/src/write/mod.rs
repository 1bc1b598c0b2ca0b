//! Writes: every typed change becomes a [`Plan`] of conditional writes, and one executor runs it.
//!
//! An operation knows its entity and the rows that exist because of it (sentinels of unique
//! constraints, mirrors); the executor knows backends and retries and nothing of entities.

mod batch;
mod change;
mod check;
mod create;
mod delete;
mod edit;
mod execute;
mod handover;
mod index_keys;
mod look;
mod mirror;
mod others;
mod plan;
mod presence;
mod put;
mod rekey;
mod row;
mod send;
mod store;
mod transact;
mod unchanged;
mod unique;
mod unreadable;
mod update;
mod verify;

pub use batch::{Batch, Incomplete};
pub use create::Create;
pub(crate) use execute::single;
pub(crate) use look::read;
pub use mirror::MirrorSink;
pub use plan::{Failure, Operation, Plan, PlannedWrite};
pub(crate) use presence::{Presence, expired};
pub(crate) use row::key_text;
pub(crate) use transact::run as transact;
pub use transact::{Receipt, Transact};
pub(crate) use unique::{OWNER, key as sentinel_key};
pub use update::{IntoUpdate, Update};
pub(crate) use verify::repair_own;
pub use verify::{Drift, DriftKind};
