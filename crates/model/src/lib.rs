//! Typed models over a store with DynamoDB's semantics: entities, tables and access patterns.
//!
//! Programs use this crate through `monotable`, whose documentation and guide cover all of it. The
//! macros ([`Entity`], [`table!`], [`access_patterns`]) turn declarations into constants and
//! requests; this crate implements those requests.
//!
//! | | |
//! |---|---|
//! | [`Store`] | an open table: the handle for patterns and writes |
//! | [`One`], [`Rows`], [`All`], [`Fold`], [`Many`] | what a pattern returns: a request that is awaited, paged or streamed |
//! | [`Update`], [`Transact`], [`Batch`], [`Condition`] | writes and their conditions |
//! | [`rows`] | rules kept as rows: records, guards, counters, rate windows, locks, idempotency, logs, jobs |
//! | [`backend`] | where tables are stored: the engine in this process, DynamoDB, Alternator |
//! | [`key`], [`time`], [`codec`] | fields in keys, times that sort, rows as Rust values |
//!
//! Nothing here knows HTTP or DynamoDB's JSON.

pub mod backend;
mod backfill;
pub mod codec;
#[doc(hidden)]
pub mod codegen;
mod condition;
mod context;
mod entity;
mod error;
pub mod key;
mod read;
mod retry;
pub mod rows;
mod settings;
mod shape;
mod stamps;
mod store;
mod table;
pub mod time;
mod write;

pub use backfill::Backfilled;
pub use condition::{Comparand, Condition, Path, Size};
pub use context::Context;
pub use entity::{
    Aggregate, Editable, Entity, EntityKey, Expiry, MirrorOf, Moment, Replaceable, RowSet,
    Upsertable,
};
pub use error::{Error, OperationError, Result};
pub use monotable_model_derive::{
    Aggregate, Entity, Id, KeyWord, RuleKey, access_patterns, ids, stamps, table,
};
pub use read::{All, Cursor, Fold, Many, One, Page, Response, RowStream, Rows};
pub use rows::RuleKey;
pub use settings::Settings;
pub use stamps::{HasCreated, HasExpires, HasUpdated, HasVersion, StampSet, StampValues};
pub use store::Store;
pub use table::{Holds, HoldsRule, PatternSet, Reads, Table};
pub use write::{
    Batch, Change, Check, CheckAbsent, CheckAbsentPlan, CheckPlan, Conditional, Create, CreatePlan,
    Delete, DeleteByKey, DeleteByKeyPlan, DeletePlan, Drift, DriftKind, Edit, EditPlan, Failure,
    Handle, Incomplete, IntoUpdate, Label, Leaves, MirrorSink, Operation, Outcome, Plan, Planned,
    PlannedWrite, Put, PutPlan, Rekey, RekeyPlan, Run, Transact, Update, UpdatePlan, check,
    check_absent, create, delete, delete_by_key, edit, put, rekey,
};
