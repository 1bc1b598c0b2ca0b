//! Exports of tables into buckets, in AWS's formats, with AWS's manifests.

mod files;
mod filter;
mod job;
mod line;
mod manifest;
mod read;
mod run;
mod time;

pub use filter::ExportFilter;
pub use job::{ExportFormat, ExportJob, ExportRequest, ExportStatus, ListExports};
pub use read::ExportFolder;
pub use time::{ExportTime, ExportView, Incremental};
