//! Backups, restores, exports and imports: long jobs over the tables of an embedded database, which are recorded in the
//! database itself, go on after a crash, and never stop writers.
//!
//! A [`Lifecycle`] belongs to one [`Database`](monotable_engine::Database). What a request asks for is recorded
//! first and then done on threads of its own; what became of it is read from the record. Items pass through the
//! engine's [`Loader`](monotable_engine::Loader) and [`TableSnapshot`](monotable_engine::TableSnapshot) only. DynamoDB's
//! JSON is not known here: an [`ItemCodec`] is given.

mod backup;
mod bucket;
mod bulk;
mod codec;
mod disk;
mod error;
mod export;
mod id;
mod import;
mod ion;
mod jobs;
mod lifecycle;
mod moment;
mod page;
mod past;
mod record;
mod schedule;
mod token;
mod transfer;

pub use backup::{
    BackupDescription, BackupFilter, BackupKind, BackupPage, BackupSet, BackupSetSummary,
    BackupStatus, ContinuousBackups, Drill, ListBackups, RecoveryWindow, RestoreFromBackup,
    RestoreOverrides, RestoreToPointInTime, SetTable,
};
pub use bulk::{BulkJob, BulkRequest, BulkStatus};
pub use codec::{ItemCodec, LineError};
pub use error::{Error, Refusal, Result};
pub use export::{
    ExportFilter, ExportFolder, ExportFormat, ExportJob, ExportRequest, ExportStatus, ExportTime,
    ExportView, Incremental, ListExports,
};
pub use import::{
    Compression, CsvOptions, ImportFormat, ImportJob, ImportRequest, ImportStatus, ListImports,
};
pub use jobs::Control;
pub use lifecycle::{Attached, Lifecycle, LifecycleOptions, UnfinishedJobs};
pub use page::Page;
pub use schedule::{BackupHealth, KeptHistory, Schedule, Scheduler};
pub use token::Token;
