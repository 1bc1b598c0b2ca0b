//! Writes: every typed change becomes a [`Plan`] of conditional writes, and one executor runs it.
//!
//! An operation knows its entity and the rows derived from it (sentinels of unique constraints,
//! mirrors); the executor knows backends and retries and nothing of entities. Only the values that
//! callers hold have the type of the entity; everything behind `erased` is compiled once.

mod batch;
mod change;
mod check;
mod create;
mod delete;
mod edit;
mod erased;
mod execute;
mod foreign_sentinels;
mod index_keys;
mod mirror;
mod operation;
mod outcome;
mod plan;
mod presence;
mod put;
mod read_rows;
mod rekey;
mod row;
mod send;
mod store;
mod transact;
mod transfers;
mod unchanged;
mod unique;
mod unreadable;
mod update;
mod verify;

pub use batch::{Batch, Incomplete};
pub(crate) use change::under_own_key;
pub use check::{Check, CheckAbsent, CheckAbsentPlan, CheckPlan, check, check_absent};
pub use create::{Create, CreatePlan, create};
pub use delete::{Delete, DeleteByKey, DeleteByKeyPlan, DeletePlan, delete, delete_by_key};
pub use edit::{Edit, EditPlan, edit};
pub(crate) use execute::{single, together};
pub use mirror::MirrorSink;
pub use operation::{Change, Conditional, Leaves, Operation, Run};
pub use outcome::{Handle, Outcome};
pub(crate) use outcome::{Position, TransactionId};
pub use plan::{Failure, Label, Plan, Planned, PlannedWrite};
pub(crate) use presence::{Presence, expired};
pub use put::{Put, PutPlan, put};
pub(crate) use read_rows::read;
pub use rekey::{Rekey, RekeyPlan, rekey};
pub(crate) use row::key_text;
pub use transact::Transact;
pub(crate) use unchanged::unchanged;
pub(crate) use unique::{OWNER, key as sentinel_key};
pub use update::{IntoUpdate, Update, UpdatePlan};
pub(crate) use verify::repair_own;
pub use verify::{Drift, DriftKind};
