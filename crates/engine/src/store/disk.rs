//! The store on disk: a log of commits and a tree of table files, in a directory that is verified before
//! it is opened.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use lsm_tree::InternalValue;
use tempfile::TempDir;

use super::checkpoint::{CHECKPOINT_KEY, Checkpoint};
use super::directory::{self, Format, LOG, MARKER, OLD_ROWS, TABLES};
use super::failure::{damaged, describe};
use super::history::Retired;
use super::inspection::{Condition, Inspection};
use super::log::{Kind, Log, Writer};
use super::nonce::Nonce;
use super::scrub::Scrub;
use super::sealed::{SealedRows, seal_all};
use super::space::Space;
use super::synced::Synced;
use super::tables::{Reader, Tables};
use super::workers::Workers;
use super::{
    Compaction, Key, NewestRows, Order, Rows, Scrubbed, Snapshot, Store, StoreError, Writes,
    closed, copy, old,
};
use crate::check::CheckDepth;
use crate::clock::Clock;
use crate::error::Error;
use crate::layout::row_key::RowRange;
use crate::options::{Durability, Options};

/// The size of the rows in memory at which they are flushed to table files. If the process ends
/// before that, their log is replayed at the next opening, so this also bounds the time to reopen.
const MEMORY_BYTES_MAX: u64 = 16 << 20;

/// A store in a directory, held by this process alone.
pub(crate) struct DiskStore {
    /// Stopped before anything else is closed; `None` in a copy.
    workers: Option<Workers>,
    tables: Arc<Tables>,
    log: Option<Mutex<LogEnd>>,
    syncs_commits: bool,
    clock: Arc<dyn Clock>,
    directory: PathBuf,
    nonce: Nonce,
    scrub: Scrub,
    space: Space,
    held: Arc<Held>,
}

/// The end of the log, where commits are written.
struct LogEnd {
    writer: Writer,
    /// Whether an operation failed, so that the state on disk is unknown.
    has_failed: bool,
}

/// What is released with the last reader: the marker file, which is locked, and the files of a
/// copy.
struct Held {
    _copy: Option<TempDir>,
    _lock: File,
}

impl Drop for DiskStore {
    fn drop(&mut self) {
        drop(self.workers.take());
        let Some(log) = self.log.take() else {
            return;
        };
        let mut log = log.into_inner().unwrap_or_else(PoisonError::into_inner);
        if !log.has_failed && log.writer.sync().is_ok() {
            drop(log);
            // Without a record the next opening proceeds as after a crash.
            let _ = closed::write(&self.directory, self.nonce);
        }
    }
}

impl DiskStore {
    /// Returns whether there is a database in `path`, even if it has lost its marker.
    pub(crate) fn exists(path: &Path) -> bool {
        path.join(MARKER).exists()
            || [LOG, TABLES, OLD_ROWS].iter().any(|name| path.join(name).is_dir())
    }

    /// Opens the database in `path`, creating it if there is none.
    pub(crate) fn open(path: &Path, options: &Options) -> Result<Self, Error> {
        if !Self::exists(path) {
            create(path)?;
        }
        // Also if the database existed: the process that created it may have died before this.
        directory::sync_parent(path)?;
        // Only the holder of the lock may touch the files.
        let mut lock = directory::lock(path)?;
        let nonce = match Format::read(path)? {
            Format::Old(nonce) => {
                let nonce = old::convert(path, nonce)?;
                // The old lock was on the file that has been replaced.
                lock = directory::lock(path)?;
                nonce
            }
            Format::Current(nonce) => nonce,
        };
        old::remove(path)?;
        let inspection = Inspection::read(path, nonce)?;
        let recovered =
            Recovered::read(path, &inspection, &path.join(TABLES), options.cache_bytes, nonce)?;
        // The log is not changed before everything has been verified.
        closed::remove(path)?;
        if !inspection.was_closed {
            inspection.log.recover()?;
        }
        let retired = Retired::new(path, options.keeps_history)?;
        for segment in &recovered.obsolete {
            retired.retire(segment)?;
        }
        let mut writer = Writer::resume(&inspection.log, nonce)?;
        writer.record_in(Synced::open(path, nonce, writer.newest())?);
        let tables = recovered.tables;
        let space = Space::default();
        space.count(0, tables.removals());
        Ok(Self {
            workers: Some(Workers::start(&tables, recovered.sealed, retired)?),
            tables,
            log: Some(Mutex::new(LogEnd { writer, has_failed: false })),
            syncs_commits: options.durability == Durability::Full,
            clock: Arc::clone(&options.clock),
            // The process may be in another directory when it closes the store.
            directory: std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
            nonce,
            scrub: Scrub::default(),
            space,
            held: Arc::new(Held { _copy: None, _lock: lock }),
        })
    }

    /// Opens a copy of the database in `path` without changing the original, and returns the condition of
    /// its files. The copy is removed with the store, which can't be changed.
    pub(crate) fn open_copy(
        path: &Path,
        options: &Options,
        depth: CheckDepth,
    ) -> Result<(Self, Condition), Error> {
        let lock = directory::lock(path)?;
        let (copy, tables, nonce, condition) = match Format::read(path)? {
            Format::Old(nonce) => {
                let (copy, tables, condition) =
                    old::open_copy(path, nonce, options.cache_bytes, depth)?;
                (copy, tables, nonce.unwrap_or(Nonce([0; 16])), condition)
            }
            Format::Current(nonce) => {
                let inspection = Inspection::read(path, nonce)?;
                if depth == CheckDepth::UntilDamage {
                    inspection.check_tables()?;
                }
                let copy = copy::make(&inspection.files)?;
                let recovered =
                    Recovered::read(path, &inspection, copy.path(), options.cache_bytes, nonce)?;
                (copy, recovered.tables, nonce, inspection.condition())
            }
        };
        let store = Self {
            workers: None,
            tables,
            log: None,
            syncs_commits: true,
            clock: Arc::clone(&options.clock),
            directory: path.to_owned(),
            nonce,
            scrub: Scrub::default(),
            space: Space::default(),
            held: Arc::new(Held { _copy: Some(copy), _lock: lock }),
        };
        Ok((store, condition))
    }

    /// Writes what is in memory to table files.
    pub(crate) fn flush(&self) -> Result<(), StoreError> {
        self.change(|log| {
            log.writer.add_end(self.tables.next_sequence(), self.clock.now_ms())?;
            log.writer.write()?;
            self.seal(log)
        })?;
        self.workers.as_ref().map_or(Ok(()), Workers::wait_for_flush)
    }

    /// Changes the log, unless an earlier change has failed.
    fn change(
        &self,
        change: impl FnOnce(&mut LogEnd) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let Some(log) = &self.log else {
            return Err(StoreError::Write("a copy for a check can't be changed".to_owned()));
        };
        let mut log: MutexGuard<'_, LogEnd> = log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.has_failed {
            return Err(StoreError::Write("an earlier write or sync failed".to_owned()));
        }
        let result = change(&mut log);
        log.has_failed = result.is_err();
        result
    }

    /// Seals the rows in memory after the end of their segment, and continues in a new one.
    fn seal(&self, log: &mut LogEnd) -> Result<(), StoreError> {
        log.writer.sync()?;
        let checkpoint = Checkpoint {
            nonce: self.nonce,
            number: log.writer.newest(),
            checksum: log.writer.checksum(),
        };
        let segment = log.writer.path().to_owned();
        log.writer.next_segment()?;
        seal_memory(&self.tables, checkpoint, log.writer.sequence());
        if let Some(workers) = &self.workers {
            workers.add_sealed(segment);
        }
        Ok(())
    }

    fn snapshot(&self) -> DiskSnapshot {
        DiskSnapshot { reader: self.tables.read(), _held: Arc::clone(&self.held) }
    }
}

/// Seals the rows in memory, with a row that records how far they reach in the log.
fn seal_memory(tables: &Tables, checkpoint: Checkpoint, sequence: u64) {
    let key = Bytes::copy_from_slice(&CHECKPOINT_KEY);
    tables.active().insert(key, Some(checkpoint.to_sealed()), sequence);
    tables.rotate();
}

/// Returns how much memory rows will take.
fn memory_bytes(rows: &SealedRows) -> u64 {
    let row = |(key, value): &(Bytes, Option<Bytes>)| {
        key.len() + value.as_ref().map_or(0, Bytes::len) + size_of::<InternalValue>()
    };
    rows.iter().map(row).sum::<usize>() as u64
}

/// Creates a new database. It is closed when it is moved to its final path.
fn create(path: &Path) -> Result<(), Error> {
    let nonce = random_nonce()?;
    directory::create(path, nonce, |draft| {
        let tables = draft.join(TABLES);
        drop(Tables::open(&tables, &tables, 0).map_err(Error::Open)?);
        let log = draft.join(LOG);
        directory::create_directory(&log)?;
        drop(Writer::create(&log, nonce)?);
        closed::write(draft, nonce)
    })
}

pub(super) fn random_nonce() -> Result<Nonce, Error> {
    Nonce::random().map_err(|error| {
        Error::Open(format!("the operating system gives no random numbers: {error}"))
    })
}

/// The tables, with the part of the log that is not in them.
struct Recovered {
    tables: Arc<Tables>,
    /// Segments whose rows are in table files.
    obsolete: Vec<PathBuf>,
    /// Segments whose rows are sealed in memory.
    sealed: Vec<PathBuf>,
}

impl Recovered {
    /// Opens the tables and replays the log after them.
    fn read(
        path: &Path,
        inspection: &Inspection,
        directory: &Path,
        cache_bytes: u64,
        nonce: Nonce,
    ) -> Result<Self, Error> {
        let tables = Tables::open(directory, &path.join(TABLES), cache_bytes)
            .map_err(|reason| inspection.explain(path, &reason))?;
        let checkpoint = match reached(&tables, nonce) {
            Err(Error::Storage(reason)) => return Err(inspection.explain(path, &reason)),
            checkpoint => checkpoint?,
        };
        follows(&inspection.log, checkpoint)?;
        let segments = inspection.log.segments.iter();
        let obsolete = segments.filter(|segment| segment.head.first <= checkpoint.number);
        let obsolete = obsolete.map(|segment| segment.path.clone()).collect();
        let mut sealed = Vec::new();
        inspection.log.replay(checkpoint.number, |segment, frame| {
            let (number, sequence) = (frame.head.number, frame.head.sequence);
            tables.skip_to(sequence);
            if frame.head.kind == Kind::End {
                let checkpoint = Checkpoint { nonce, number, checksum: frame.checksum };
                seal_memory(&tables, checkpoint, sequence);
                sealed.push(segment.path.clone());
                return Ok(());
            }
            let active = tables.active();
            for row in frame.rows() {
                let (key, value) =
                    row.map_err(|error| damaged(&segment.path, &format!("damaged: {error}")))?;
                let value = value.map(Bytes::copy_from_slice);
                active.insert(Bytes::copy_from_slice(key), value, sequence);
            }
            Ok(())
        })?;
        tables.publish();
        Ok(Self { tables, obsolete, sealed })
    }
}

/// Returns how far the tables reach in the log.
fn reached(tables: &Arc<Tables>, nonce: Nonce) -> Result<Checkpoint, Error> {
    let row = tables.read().get(&CHECKPOINT_KEY)?;
    let checkpoint = match row.as_deref().map(Checkpoint::from_value) {
        Some(checkpoint) => checkpoint,
        None if tables.is_empty() => Some(Checkpoint::start(nonce)),
        None => None,
    };
    checkpoint.filter(|checkpoint| checkpoint.nonce == nonce).ok_or_else(do_not_belong_together)
}

/// Checks that the log continues where the tables end.
fn follows(log: &Log, checkpoint: Checkpoint) -> Result<(), Error> {
    let next = checkpoint.number + 1;
    let oldest = &log.segments[0];
    if oldest.head.first > next {
        return Err(damaged(&oldest.path, "not the oldest segment: earlier ones are missing"));
    }
    if log.position.next < next {
        let newest = log.newest();
        let missing = next - log.position.next;
        return Err(damaged(
            &newest.path,
            &format!("damaged at byte {}: {missing} synced frames are missing", newest.end),
        ));
    }
    let segment = log.segments.iter().find(|segment| segment.head.first == next);
    match segment {
        Some(segment) if segment.head.previous == checkpoint.checksum => Ok(()),
        _ => Err(do_not_belong_together()),
    }
}

fn do_not_belong_together() -> Error {
    Error::Corrupted(
        "the tables and the log do not belong together; restore the database from a backup"
            .to_owned(),
    )
}

impl Store for DiskStore {
    fn newest(&self) -> NewestRows {
        NewestRows::Published(Arc::new(self.snapshot()))
    }

    fn commit(
        &self,
        writes: Writes,
        publish: &mut dyn FnMut(NewestRows),
    ) -> Result<(), StoreError> {
        self.workers.as_ref().map_or(Ok(()), Workers::wait_for_room)?;
        let rows = seal_all(writes);
        let removed = rows.iter().filter(|(_, value)| value.is_none()).count();
        self.space.count(rows.len() as u64, removed as u64);
        self.change(|log| {
            let active = self.tables.active();
            let sequence = self.tables.next_sequence();
            let time_ms = self.clock.now_ms();
            log.writer.add_commit(sequence, time_ms, &rows)?;
            let is_full = active.bytes() + memory_bytes(&rows) >= MEMORY_BYTES_MAX;
            if is_full {
                log.writer.add_end(self.tables.next_sequence(), time_ms)?;
            }
            log.writer.write()?;
            if self.syncs_commits {
                log.writer.sync()?;
            }
            for (key, value) in rows {
                active.insert(key, value, sequence);
            }
            self.tables.publish();
            publish(self.newest());
            if is_full {
                self.seal(log)?;
            }
            Ok(())
        })
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.change(|log| log.writer.sync())
    }

    fn is_durable(&self) -> bool {
        true
    }

    fn disk_bytes(&self) -> Option<u64> {
        directory::bytes_on_disk(&self.directory).ok()
    }

    fn compaction(&self) -> Option<Compaction> {
        self.workers.as_ref().map(Workers::compaction)
    }

    fn reclaim(&self) -> Result<bool, StoreError> {
        let Some(workers) = self.workers.as_ref().filter(|workers| !workers.is_merging_all())
        else {
            return Ok(false);
        };
        if workers.has_merged_all() {
            return Ok(true);
        }
        if self.space.is_merge_worthwhile(self.tables.entries(), self.tables.bytes()) {
            self.space.begin_merge();
            self.flush()?;
            workers.merge_all();
        }
        Ok(false)
    }

    fn remove_unread(&self) -> Result<(), StoreError> {
        let forgotten = self.tables.forget_unread();
        forgotten.map_err(|error| StoreError::Write(describe(&error)))
    }

    fn scrub(&self, bytes_max: usize) {
        self.scrub.advance(&self.tables, bytes_max);
    }

    fn scrubbed(&self) -> Scrubbed {
        self.scrub.scrubbed()
    }
}

struct DiskSnapshot {
    reader: Reader,
    /// Dropped after the reader, which may remove files when it is dropped.
    _held: Arc<Held>,
}

impl Snapshot for DiskSnapshot {
    fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        self.reader.get(key)
    }

    fn range(&self, range: &RowRange, order: Order) -> Rows<'_> {
        if range.is_empty() {
            return Box::new(std::iter::empty());
        }
        let bounds =
            (range.lower.as_ref().map(Vec::as_slice), range.upper.as_ref().map(Vec::as_slice));
        let rows = self.reader.range(bounds);
        let own = |row: Result<(Bytes, Bytes), StoreError>| {
            row.map(|(key, value)| (Key::Owned(key), value))
        };
        match order {
            Order::Ascending => Box::new(rows.map(own)),
            Order::Descending => Box::new(rows.rev().map(own)),
        }
    }
}

#[cfg(test)]
mod tests;
