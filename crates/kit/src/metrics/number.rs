//! Numbers that are counted, shared by whoever counts and whoever tells.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only grows.
#[derive(Clone, Debug, Default)]
pub struct Counter(Arc<AtomicU64>);

impl Counter {
    /// Adds to it.
    pub fn add(&self, count: u64) {
        self.0.fetch_add(count, Ordering::Relaxed);
    }

    /// What it is.
    pub fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A number that goes up and down, such as the length of a queue when somebody last looked.
#[derive(Clone, Debug, Default)]
pub struct Level(Arc<AtomicU64>);

impl Level {
    /// What it is now.
    pub fn set(&self, value: u64) {
        self.0.store(value, Ordering::Relaxed);
    }

    /// What it was last.
    pub fn value(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}
