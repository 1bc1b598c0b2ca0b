//! The modelling layer.

pub mod backend;
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
mod settings;
mod shape;
mod store;
mod table;
pub mod time;
mod write;

pub use condition::{Comparand, Condition, Path, Size};
pub use write::{
    Batch, Create, Drift, DriftKind, Failure, Incomplete, IntoUpdate, MirrorSink, Operation, Plan,
    PlannedWrite, Receipt, Transact, Update,
};
