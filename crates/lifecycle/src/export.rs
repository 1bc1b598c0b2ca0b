//! Exports of tables into buckets, in AWS's formats, with AWS's manifests.

mod files;
mod filter;
mod job;
mod manifest;
mod read;

pub use filter::ExportFilter;
pub use job::{ExportFormat, ExportJob, ExportRequest, ExportStatus, ExportView, ListExports};
pub use read::ExportFolder;
