//! Reads files of items from a bucket: finds, decompresses and parses them.

mod csv;
mod job;
mod lines;
mod source;

pub(crate) use job::ErrorLog;
pub use job::{CsvOptions, ImportFormat, ImportJob, ImportRequest, ImportStatus, ListImports};
pub use source::Compression;
pub(crate) use source::{Objects, Problem, Source};
