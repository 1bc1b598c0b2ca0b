//! What a database must do to be measured.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::{Result, Workload};

/// Whether acknowledged writes are synced to disk or kept in memory only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// On disk.
    Durable,
    /// In memory.
    Memory,
}

impl fmt::Display for Mode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Durable => "durable",
            Self::Memory => "memory",
        })
    }
}

impl FromStr for Mode {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "durable" => Ok(Self::Durable),
            "memory" => Ok(Self::Memory),
            _ => Err(format!("unknown mode '{text}'; use durable or memory")),
        }
    }
}

/// A loaded database that can be called from many threads.
pub trait Subject: Sync {
    /// A request, ready to be sent.
    type Request;

    /// Builds a request. This is the caller's work, so it is not timed.
    ///
    /// `number` is the item's number, or the first one, or the partition's or group's number.
    fn prepare(&self, workload: Workload, number: u64) -> Self::Request;

    /// Performs the request and returns how many items it read or wrote.
    fn perform(&self, workload: Workload, request: Self::Request) -> Result<u64>;
}

/// Which items a database holds.
#[derive(Debug)]
pub struct Table {
    items: u64,
    items_max: u64,
    next: AtomicU64,
}

impl Table {
    /// Returns a table that holds the items numbered from 0 to `items`, and may grow a little.
    pub fn new(items: u64) -> Self {
        // A small table may grow to six times its size: less would be over in milliseconds.
        let items_max = items + items.max(50_000);
        Self { items, items_max, next: AtomicU64::new(items) }
    }

    /// Returns a table that holds the items numbered from 0 to `items`, with new ones from `next`
    /// on.
    pub const fn growing(items: u64, next: u64) -> Self {
        Self { items, items_max: u64::MAX, next: AtomicU64::new(next) }
    }

    /// Returns how many items were loaded.
    pub const fn items(&self) -> u64 {
        self.items
    }

    /// Takes numbers of items that have not been written yet; `None` if the table has grown too
    /// much for its nominal size.
    pub fn take(&self, items: u64) -> Option<u64> {
        let first = self.next.fetch_add(items, Ordering::Relaxed);
        (first + items <= self.items_max).then_some(first)
    }

    /// Returns whether the table can take hardly any more items.
    pub fn is_full(&self) -> bool {
        let next = self.next.load(Ordering::Relaxed);
        next.saturating_add((self.items_max - self.items) / 10) >= self.items_max
    }
}
