//! The store on disk: one fjall keyspace in a directory that is verified before it is opened.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use fjall::{Database, Keyspace, OwnedWriteBatch, PersistMode, Readable as _};
use tempfile::TempDir;

use super::directory::{self, Format, MARKER, ROWS};
use super::failure::{describe, read_error, write_error};
use super::inspection::{Condition, Inspection};
use super::mark::{MARK_KEY, Mark, Nonce};
use super::sealed::{seal, unseal};
use super::settings::{self, WORKER_THREADS};
use super::synced::Synced;
use super::{Key, NewestRows, Order, Rows, Snapshot, Store, StoreError, Writes, closed, copy};
use crate::error::Error;
use crate::layout::row_key::RowRange;
use crate::options::Durability;

const SEALED_MEMTABLES_MAX: usize = 3;
const FLUSH_POLL: Duration = Duration::from_millis(1);

/// A store in a directory, held by this process alone.
pub(crate) struct DiskStore {
    database: Database,
    keyspace: Keyspace,
    persist: PersistMode,
    directory: PathBuf,
    nonce: Nonce,
    /// The number of the newest commit, and of the newest one that is synced.
    newest: AtomicU64,
    synced: AtomicU64,
    /// Where the latter is recorded, unless the store is a copy or new.
    record: Option<Synced>,
    /// Behind the store's own fields, so that it is dropped when they are closed.
    closing: Option<Closing>,
    /// The files of a store that is a copy.
    _copy: Option<TempDir>,
    /// The marker file, locked; the last field, so that it is let go last.
    _lock: File,
}

/// Records the shutdown when it is dropped, if everything was synced before.
struct Closing {
    directory: PathBuf,
    nonce: Nonce,
    is_synced: bool,
}

impl Drop for Closing {
    fn drop(&mut self) {
        if self.is_synced {
            // Without a record the next opening proceeds as after a crash.
            let _ = closed::write(&self.directory, self.nonce);
        }
    }
}

impl Drop for DiskStore {
    fn drop(&mut self) {
        if let Some(closing) = &mut self.closing {
            closing.is_synced = self.database.persist(PersistMode::SyncAll).is_ok();
        }
    }
}

impl DiskStore {
    /// Whether there is a database in `path`, even if it has lost its marker.
    pub(crate) fn exists(path: &Path) -> bool {
        path.join(MARKER).exists() || path.join(ROWS).is_dir()
    }

    /// Opens the database in `path`, creating it if there is none.
    pub(crate) fn open(
        path: &Path,
        durability: Durability,
        cache_bytes: u64,
    ) -> Result<Self, Error> {
        if !Self::exists(path) {
            create(path, cache_bytes)?;
        }
        // Also when the database was there: who created it may have died before this.
        directory::sync_parent(path)?;
        // Only the holder of the lock may touch the files.
        let lock = directory::lock(path)?;
        let inspection = Inspection::read(path)?;
        closed::remove(path)?;
        inspection.log.cut_torn_end()?;
        let opened = open_rows(&path.join(ROWS), cache_bytes, WORKER_THREADS)
            .map_err(|reason| inspection.explain(path, &reason))?;
        let newest = newest_mark(&opened.keyspace, &inspection)?;
        let persist = match durability {
            Durability::Full => PersistMode::SyncData,
            Durability::Relaxed { .. } => PersistMode::Buffer,
        };
        let mut store = match inspection.format {
            Format::One => Self::upgrade(path, opened, newest, lock)?,
            Format::Two(nonce) => Self::new(path, opened, nonce, newest, lock),
        };
        store.persist = persist;
        store.record = Some(Synced::open(path, store.nonce, store.newest.load(Ordering::Relaxed))?);
        Ok(store)
    }

    /// Opens a copy of the database in `path` without changing the original, and returns the condition of
    /// its files. The copy is removed with the store.
    pub(crate) fn open_copy(path: &Path, cache_bytes: u64) -> Result<(Self, Condition), Error> {
        let lock = directory::lock(path)?;
        let inspection = Inspection::read(path)?;
        inspection.check_tables()?;
        let copy = copy::make(path, &inspection)?;
        // Without workers nothing is flushed or compacted.
        let opened = open_rows(copy.path(), cache_bytes, 0)
            .map_err(|reason| inspection.explain(path, &reason))?;
        let newest = newest_mark(&opened.keyspace, &inspection)?;
        let nonce = inspection.format.nonce().unwrap_or(Nonce([0; 16]));
        let mut store = Self::new(path, opened, nonce, newest, lock);
        (store.closing, store._copy) = (None, Some(copy));
        Ok((store, inspection.condition()))
    }

    fn new(
        path: &Path,
        opened: OpenedRows,
        nonce: Nonce,
        newest: Option<Mark>,
        lock: File,
    ) -> Self {
        let number = newest.map_or(0, |mark| mark.number);
        // The process may be in another directory when it closes the store.
        let directory = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self {
            database: opened.database,
            keyspace: opened.keyspace,
            persist: PersistMode::SyncData,
            directory: directory.clone(),
            nonce,
            newest: AtomicU64::new(number),
            // Opening has synced the journals.
            synced: AtomicU64::new(number),
            record: None,
            closing: Some(Closing { directory, nonce, is_synced: false }),
            _copy: None,
            _lock: lock,
        }
    }

    /// Gives a database of format 1 its nonce. The first mark is durable before the marker names the
    /// new format, so that from then on every batch without a mark is in front of one that has it.
    fn upgrade(
        path: &Path,
        opened: OpenedRows,
        newest: Option<Mark>,
        old_lock: File,
    ) -> Result<Self, Error> {
        // A mark is there if an earlier upgrade was cut off.
        let nonce = newest.map_or_else(random_nonce, |mark| Ok(mark.nonce))?;
        let mut store = Self::new(path, opened, nonce, newest, old_lock);
        store.commit(Writes::new(), &mut |_| {})?;
        directory::replace(&path.join(MARKER), directory::marker_text(nonce).as_bytes())?;
        // The old lock was on the file that has been replaced.
        store._lock = directory::lock(path)?;
        Ok(store)
    }

    /// Writes what is in memory to table files.
    pub(crate) fn flush(&self) -> Result<(), StoreError> {
        self.keyspace
            .rotate_memtable_and_wait()
            .map_err(|error| write_error(&self.directory, &error))
    }

    /// Waits while flushing is behind.
    ///
    /// At four sealed memtables fjall itself waits inside a commit, forever if its flush failed; so
    /// we wait earlier, and ask whether it is still alive.
    fn wait_for_flush(&self) -> Result<(), StoreError> {
        while self.keyspace.sealed_memtable_count() >= SEALED_MEMTABLES_MAX {
            self.database
                .persist(PersistMode::Buffer)
                .map_err(|error| write_error(&self.directory, &error))?;
            std::thread::sleep(FLUSH_POLL);
        }
        Ok(())
    }

    /// Remembers that everything up to this commit is synced.
    fn note_synced(&self, number: u64) -> Result<(), StoreError> {
        self.synced.store(number, Ordering::Relaxed);
        self.record.as_ref().map_or(Ok(()), |record| record.record(number))
    }

    /// The mark of the next commit.
    fn next_mark(&self) -> Mark {
        Mark {
            nonce: self.nonce,
            number: self.newest.load(Ordering::Relaxed) + 1,
            synced: self.synced.load(Ordering::Relaxed),
            sequence_min: self.database.seqno(),
        }
    }
}

/// Makes a new database. It is closed when it is moved to its place.
fn create(path: &Path, cache_bytes: u64) -> Result<(), Error> {
    let nonce = random_nonce()?;
    directory::create(path, nonce, |draft, lock| {
        let opened =
            open_rows(&draft.join(ROWS), cache_bytes, WORKER_THREADS).map_err(Error::Open)?;
        let store = DiskStore::new(draft, opened, nonce, None, lock);
        Ok(store.commit(Writes::new(), &mut |_| {})?)
    })
}

fn random_nonce() -> Result<Nonce, Error> {
    Nonce::random().map_err(|error| {
        Error::Open(format!("the operating system gives no random numbers: {error}"))
    })
}

/// The newest mark in the store, which must be the one of the newest batch in its journals.
fn newest_mark(keyspace: &Keyspace, inspection: &Inspection) -> Result<Option<Mark>, Error> {
    let sealed = keyspace.get(MARK_KEY).map_err(|error| Error::from(read_error(error)))?;
    let mark = match sealed {
        Some(sealed) => Mark::from_value(&unseal(&MARK_KEY, sealed.into())?),
        None => None,
    };
    let nonce = inspection.format.nonce();
    let is_foreign = nonce.is_some() && mark.map(|mark| mark.nonce) != nonce;
    let is_behind = inspection.log.newest.is_some() && mark != inspection.log.newest;
    if is_foreign || is_behind {
        return Err(Error::Corrupted(
            "the tables and the journals do not belong together; restore the database from a backup"
                .to_owned(),
        ));
    }
    inspection.log.check_end(mark, inspection.synced)?;
    Ok(mark)
}

/// The open database of fjall.
struct OpenedRows {
    database: Database,
    keyspace: Keyspace,
}

/// Opens or creates fjall's database, or returns the reason why it can't be opened. Everything known to
/// make fjall panic is found by the inspection; anything unknown must not take the process down.
fn open_rows(path: &Path, cache_bytes: u64, workers: usize) -> Result<OpenedRows, String> {
    let open = || settings::open(path, cache_bytes, workers);
    match catch_unwind(AssertUnwindSafe(open)) {
        Ok(Ok((database, keyspace))) => Ok(OpenedRows { database, keyspace }),
        Ok(Err(error)) => Err(describe(&error)),
        Err(_) => Err("a file of it is damaged in a way that the store can't handle".to_owned()),
    }
}

impl Store for DiskStore {
    fn newest(&self) -> NewestRows {
        NewestRows::Published(Arc::new(DiskSnapshot {
            snapshot: self.database.snapshot(),
            keyspace: self.keyspace.clone(),
        }))
    }

    fn commit(
        &self,
        writes: Writes,
        publish: &mut dyn FnMut(NewestRows),
    ) -> Result<(), StoreError> {
        self.wait_for_flush()?;
        let mut batch = OwnedWriteBatch::with_capacity(self.database.clone(), writes.len() + 1)
            .durability(Some(self.persist));
        let mark = self.next_mark();
        batch.insert(&self.keyspace, MARK_KEY, mark.to_sealed());
        for (key, value) in writes {
            match value {
                Some(value) => {
                    let sealed = seal(&key, &value);
                    batch.insert(&self.keyspace, key, sealed);
                }
                None => batch.remove(&self.keyspace, key),
            }
        }
        batch.commit().map_err(|error| write_error(&self.directory, &error))?;
        self.newest.store(mark.number, Ordering::Relaxed);
        if self.persist == PersistMode::SyncData {
            self.note_synced(mark.number)?;
        }
        publish(self.newest());
        Ok(())
    }

    fn sync(&self) -> Result<(), StoreError> {
        let newest = self.newest.load(Ordering::Relaxed);
        self.database
            .persist(PersistMode::SyncData)
            .map_err(|error| write_error(&self.directory, &error))?;
        self.note_synced(newest)
    }

    fn is_durable(&self) -> bool {
        true
    }

    fn disk_bytes(&self) -> Option<u64> {
        self.database.disk_space().ok()
    }
}

struct DiskSnapshot {
    snapshot: fjall::Snapshot,
    keyspace: Keyspace,
}

impl Snapshot for DiskSnapshot {
    fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        match self.snapshot.get(&self.keyspace, key).map_err(read_error)? {
            Some(sealed) => unseal(key, sealed.into()).map(Some),
            None => Ok(None),
        }
    }

    fn range(&self, range: &RowRange, order: Order) -> Rows<'_> {
        if range.is_empty() {
            return Box::new(std::iter::empty());
        }
        let bounds =
            (range.lower.as_ref().map(Vec::as_slice), range.upper.as_ref().map(Vec::as_slice));
        let rows = self.snapshot.range::<&[u8], _>(&self.keyspace, bounds);
        let open = |guard: fjall::Guard| {
            let (key, sealed) = guard.into_inner().map_err(read_error)?;
            let value = unseal(&key, sealed.into())?;
            Ok((Key::Owned(key.into()), value))
        };
        match order {
            Order::Ascending => Box::new(rows.map(open)),
            Order::Descending => Box::new(rows.rev().map(open)),
        }
    }
}
