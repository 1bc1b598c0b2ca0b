//! The backend suite on the engine in this process, in memory and on disk.
//!
//! The same suite runs on DynamoDB's protocol through the official SDK, against our own endpoint and
//! an independent implementation: clients/rust/tests/it/backends.rs.

mod embedded;
mod suite;

use std::path::PathBuf;
use std::sync::Arc;

use monotable_engine::Options;
use monotable_model::backend::Embedded;

#[tokio::test]
async fn the_engine_in_memory_passes_the_suite() {
    suite::run(Arc::new(Embedded::memory()), &[]).await.expect_all_passed();
}

#[tokio::test]
async fn the_engine_on_disk_passes_the_suite() {
    let directory = Directory::new();
    let backend = Embedded::open(&directory.0, Options::default()).unwrap();
    suite::run(Arc::new(backend), &[]).await.expect_all_passed();
}

/// A directory that is removed with the test.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        let name = format!("monotable-backends-{}", std::process::id());
        Self(std::env::temp_dir().join(name))
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
