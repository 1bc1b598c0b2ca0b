//! The interface of stores: an ordered map of bytes with atomic batches and snapshots.
//!
//! Two implementations: [`disk`] on a log and a tree of table files, [`memory`] on an ordered map.
//! Code above this interface knows neither. There is one writer at a time, the committer.

mod checkpoint;
mod closed;
mod copy;
mod directory;
pub(crate) mod disk;
mod failure;
mod history;
mod inspection;
mod log;
mod manifest;
pub(crate) mod memory;
mod nonce;
mod old;
mod scrub;
mod sealed;
mod space;
mod synced;
mod tables;
mod workers;

pub use history::{History, LogBeginning, LoggedChange, LoggedCommit};
pub(crate) use inspection::Condition;
pub use inspection::Unfinished;
pub(crate) use scrub::{DamagedFile, Scrubbed};

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use thiserror::Error;

use self::memory::LiveRows;
use crate::layout::row_key::RowRange;

/// The changes of a batch: a value for a key, or `None` to remove it.
pub(crate) type Writes = BTreeMap<Bytes, Option<Bytes>>;

/// Which end of a range comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Ascending,
    Descending,
}

/// Why a store operation failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum StoreError {
    /// A record's checksum is wrong.
    #[error("{0}")]
    Damaged(String),
    /// Reading failed.
    #[error("{0}")]
    Read(String),
    /// Writing failed; the state on disk is unknown.
    #[error("{0}")]
    Write(String),
}

impl From<StoreError> for crate::error::Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Damaged(text) => Self::Corrupted(text),
            StoreError::Read(text) => Self::Storage(text),
            StoreError::Write(text) => Self::Poisoned(text),
        }
    }
}

/// The key of a row, borrowed from the snapshot where the store supports that: most readers only
/// compare it.
pub(crate) enum Key<'a> {
    Lent(&'a [u8]),
    Owned(Bytes),
}

impl Key<'_> {
    /// Returns a copy that can be kept. The key itself is a slice of a block: keeping it would keep
    /// the whole block, values included, in memory.
    pub(crate) fn to_bytes(&self) -> Bytes {
        Bytes::copy_from_slice(self)
    }
}

impl std::ops::Deref for Key<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Lent(key) => key,
            Self::Owned(key) => key,
        }
    }
}

/// The rows of a range, in order.
pub(crate) type Rows<'a> = Box<dyn Iterator<Item = Result<(Key<'a>, Bytes), StoreError>> + 'a>;

/// The store as it was at one moment.
pub(crate) trait Snapshot: Send + Sync {
    /// Returns the value of one key.
    fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError>;

    /// Returns the rows of a range.
    fn range(&self, range: &RowRange, order: Order) -> Rows<'_>;
}

/// The newest rows of a store.
#[derive(Clone)]
pub(crate) enum NewestRows {
    /// A snapshot that every commit replaces.
    Published(Arc<dyn Snapshot>),
    /// Rows that change in place: reading single rows costs the writer nothing.
    Live(Arc<LiveRows>),
}

impl NewestRows {
    /// Returns the value of one key.
    pub(crate) fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        match self {
            Self::Published(snapshot) => snapshot.get(key),
            Self::Live(rows) => Ok(rows.get(key)),
        }
    }

    /// Returns a snapshot of the current rows, for reads of more than one row.
    pub(crate) fn snapshot(&self) -> Arc<dyn Snapshot> {
        match self {
            Self::Published(snapshot) => Arc::clone(snapshot),
            Self::Live(rows) => rows.snapshot_with(|| ()).0,
        }
    }
}

/// An ordered map of bytes.
pub(crate) trait Store: Send + Sync {
    /// Returns the newest committed rows.
    fn newest(&self) -> NewestRows;

    /// Applies a batch atomically. When it has the configured durability, and before any reader of
    /// live rows sees it, the new rows are passed to `publish`. An error after that means that no
    /// other batch can be applied.
    fn commit(&self, writes: Writes, publish: &mut dyn FnMut(NewestRows))
    -> Result<(), StoreError>;

    /// Makes everything committed durable.
    fn sync(&self) -> Result<(), StoreError>;

    /// Returns whether committed rows survive the process.
    fn is_durable(&self) -> bool;

    /// Returns the bytes used on disk; `None` for a store in memory.
    fn disk_bytes(&self) -> Option<u64>;

    /// Returns how far table files are merged; `None` for a store in memory.
    fn compaction(&self) -> Option<Compaction>;

    /// Starts to free the space of removed rows, if that is worthwhile; called every second.
    /// Returns whether it is done and the rows have to be published again, so that no reader needs
    /// the old files.
    fn reclaim(&self) -> Result<bool, StoreError>;

    /// Removes files that no reader needs.
    fn remove_unread(&self) -> Result<(), StoreError>;

    /// Continues to verify the files for about `bytes_max` bytes, up to the end of a pass.
    fn scrub(&self, bytes_max: usize);

    /// Returns the result of verifying the files.
    fn scrubbed(&self) -> Scrubbed;
}

/// How far the table files of a database are merged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compaction {
    /// The number of merges since the database was opened.
    pub merges: u64,
    /// The number of runs of tables that wait to be merged. Reads search all of them.
    pub unmerged_runs: u64,
    /// At this number of runs, writes wait for the merges.
    pub unmerged_runs_max: u64,
}
