//! Filling a subject before it is measured, and where it may put its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::{Progress, Result, Subject, Workload, settle};

/// Callers that load together, so that they share syncs.
const LOADERS: usize = 32;
/// How long flushes and compactions may continue after loading.
const SETTLE_MAX: Duration = Duration::from_secs(60);

/// Writes the items numbered from 0 to `items` through the subject's own batches.
pub fn load<S: Subject>(subject: &S, name: &str, items: u64) -> Result<()> {
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        let loaders: Vec<_> = (0..LOADERS)
            .map(|loader| {
                let next = &next;
                scope.spawn(move || -> Result<()> {
                    let mut progress = Progress::start(format!("loading {name}"), items);
                    loop {
                        let first = next.fetch_add(Workload::Batch.items(), Ordering::Relaxed);
                        if first >= items {
                            return Ok(());
                        }
                        let request = subject.prepare(Workload::Batch, first);
                        subject.perform(Workload::Batch, request)?;
                        if loader == 0 {
                            progress.tell(first);
                        }
                    }
                })
            })
            .collect();
        loaders.into_iter().try_for_each(|loader| loader.join().map_err(|_| "a loader panicked")?)
    })?;
    settle(SETTLE_MAX);
    Ok(())
}

/// A directory that is made empty and goes when it is dropped.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes `parent/name`, replacing what an earlier run has left there.
    pub fn new(parent: &Path, name: &str) -> Result<Self> {
        let path = parent.join(name);
        if path.exists() {
            fs::remove_dir_all(&path)?;
        }
        fs::create_dir_all(&path)?;
        Ok(Self(path))
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
