//! The modelling layer.

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
pub use monotable_model_derive::{Aggregate, Entity, Id, KeyWord, access_patterns, table};
pub use read::{All, Cursor, Fold, Many, One, Page, Response, RowStream, Rows};
pub use settings::Settings;
pub use store::Store;
pub use table::{Holds, PatternSet, Reads, Table};
pub use write::{
    Batch, Create, Drift, DriftKind, Failure, Incomplete, IntoUpdate, MirrorSink, Operation, Plan,
    PlannedWrite, Receipt, Transact, Update,
};
