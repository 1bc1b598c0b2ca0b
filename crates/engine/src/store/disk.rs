//! The store on disk: one fjall keyspace, a checksum behind every value, a directory made atomically.
//!
//! fjall's own block checksums cover its files; ours covers the value from the moment we hand it over
//! until we get it back, and binds it to its key.

use std::fs::{self, File, TryLockError};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use fjall::compaction::Leveled;
use fjall::config::{
    BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry,
    PinningPolicy,
};
use fjall::{
    CompressionType, Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode,
    Readable as _,
};
use xxhash_rust::xxh3::xxh3_64;

use super::journal;
use super::{Key, NewestRows, Order, Rows, Snapshot, Store, StoreError, Writes};
use crate::error::Error;
use crate::layout::row_key::RowRange;
use crate::options::Durability;

/// Names a Monotable directory and the version of what is in it.
const MARKER: &str = "MONOTABLE";
const MARKER_TEXT: &str = "monotable database, format 1\n";
/// The folder that belongs to fjall.
const ROWS: &str = "rows";
const CHECKSUM_BYTES: usize = 4;

/// Sealed journals are replayed at open, so their size bounds the time to reopen after a crash.
const JOURNAL_BYTES_MAX: u64 = 64 << 20;
const MEMTABLE_BYTES_MAX: u64 = 16 << 20;
const OPEN_FILES_MAX: usize = 256;
/// fjall's first worker never compacts, and with a second one alone it spins; three do not.
const WORKER_THREADS: usize = 3;
/// Tables are synced once, at their end, and a commit's sync waits behind that: small tables keep
/// the wait short.
const TABLE_BYTES: u64 = 32 << 20;
/// Small memtables want more of them merged at once: with four, the default, half as much again is
/// written.
const LEVEL_0_TABLES: u8 = 8;
const SEALED_MEMTABLES_MAX: usize = 3;
const FLUSH_POLL: Duration = Duration::from_millis(1);

/// A store in a directory, held by this process alone.
pub(crate) struct DiskStore {
    database: Database,
    keyspace: Keyspace,
    persist: PersistMode,
    /// The marker file, locked; the last field, so that it is let go last.
    _lock: File,
}

impl DiskStore {
    /// Whether there is a database in `path`.
    pub(crate) fn exists(path: &Path) -> bool {
        path.join(MARKER).exists()
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
        sync_parent(path)?;
        let lock = lock_marker(path)?;
        check_marker(path)?;
        // Only the holder of the lock may touch the journals.
        journal::repair(&path.join(ROWS))?;
        let (database, keyspace) = open_rows(&path.join(ROWS), cache_bytes).map_err(|error| {
            Error::Open(format!("the database in {} can't be opened: {error}", path.display()))
        })?;
        let persist = match durability {
            Durability::Full => PersistMode::SyncData,
            Durability::Relaxed { .. } => PersistMode::Buffer,
        };
        Ok(Self { database, keyspace, persist, _lock: lock })
    }
}

impl DiskStore {
    /// Waits while flushing is behind.
    ///
    /// At four sealed memtables fjall itself waits inside a commit, forever if its flush failed; so
    /// we wait earlier, and ask whether it is still alive.
    fn wait_for_flush(&self) -> Result<(), StoreError> {
        while self.keyspace.sealed_memtable_count() >= SEALED_MEMTABLES_MAX {
            self.database.persist(PersistMode::Buffer).map_err(write_error)?;
            std::thread::sleep(FLUSH_POLL);
        }
        Ok(())
    }
}

/// Makes a new database beside `path` and moves it there whole, so that a crash leaves either
/// nothing or a database.
fn create(path: &Path, cache_bytes: u64) -> Result<(), Error> {
    let refuse = |text: String| Error::Open(text);
    if path.is_file() {
        return Err(refuse(format!("{} is a file; give a directory", path.display())));
    }
    let has_contents = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
    if has_contents {
        return Err(refuse(format!(
            "{} holds files but no Monotable database; give an empty or new directory",
            path.display()
        )));
    }
    build_and_move(path, cache_bytes).map_err(|error| {
        refuse(format!("a database can't be created in {}: {error}", path.display()))
    })
}

fn build_and_move(path: &Path, cache_bytes: u64) -> Result<(), Box<dyn std::error::Error>> {
    let path = std::path::absolute(path)?;
    let parent = path.parent().ok_or("the root directory can't be a database")?;
    let name = path.file_name().ok_or("the path has no last part")?;
    fs::create_dir_all(parent)?;
    let mut draft_name = name.to_owned();
    draft_name.push(format!(".creating-{}", std::process::id()));
    let draft = parent.join(draft_name);
    // A draft with our process id is what a crashed process of the same id left behind.
    if draft.exists() {
        fs::remove_dir_all(&draft)?;
    }
    fs::create_dir(&draft)?;
    drop(open_rows(&draft.join(ROWS), cache_bytes)?);
    let mut marker = File::create(draft.join(MARKER))?;
    marker.write_all(MARKER_TEXT.as_bytes())?;
    marker.sync_all()?;
    sync_tree(&draft)?;
    if let Err(error) = fs::rename(&draft, &path) {
        fs::remove_dir_all(&draft)?;
        // Another process may have been faster; then its database is the one to open.
        return if path.join(MARKER).exists() { Ok(()) } else { Err(error.into()) };
    }
    Ok(())
}

/// Makes the directory's own name durable.
fn sync_parent(path: &Path) -> Result<(), Error> {
    let sync = || {
        let path = std::path::absolute(path)?;
        path.parent().map_or(Ok(()), |parent| File::open(parent)?.sync_all())
    };
    sync().map_err(|error: std::io::Error| {
        Error::Open(format!("the directory above {} can't be synced: {error}", path.display()))
    })
}

fn sync_tree(directory: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path: PathBuf = entry?.path();
        if path.is_dir() {
            sync_tree(&path)?;
        } else {
            File::open(&path)?.sync_all()?;
        }
    }
    File::open(directory)?.sync_all()
}

/// Takes the directory for this process. The lock goes with the process, however it ends.
fn lock_marker(path: &Path) -> Result<File, Error> {
    let unreadable = |error: std::io::Error| {
        Error::Open(format!("{}/{MARKER} can't be locked: {error}", path.display()))
    };
    let marker = File::open(path.join(MARKER)).map_err(unreadable)?;
    match marker.try_lock() {
        Ok(()) => Ok(marker),
        Err(TryLockError::WouldBlock) => Err(Error::Open(format!(
            "the database in {} is in use by another process; stop that process, or choose another \
             directory",
            path.display()
        ))),
        Err(TryLockError::Error(error)) => Err(unreadable(error)),
    }
}

fn check_marker(path: &Path) -> Result<(), Error> {
    let text = fs::read_to_string(path.join(MARKER)).map_err(|error| {
        Error::Open(format!("{}/{MARKER} can't be read: {error}", path.display()))
    })?;
    if text == MARKER_TEXT {
        return Ok(());
    }
    Err(Error::Open(format!(
        "the database in {} has the format \"{}\", which this version does not know; open it with \
         the version that wrote it, or a later one",
        path.display(),
        text.trim_end()
    )))
}

fn open_rows(path: &Path, cache_bytes: u64) -> Result<(Database, Keyspace), fjall::Error> {
    let database = Database::builder(path)
        .cache_size(cache_bytes)
        .max_journaling_size(JOURNAL_BYTES_MAX)
        .max_cached_files(Some(OPEN_FILES_MAX))
        .worker_threads(WORKER_THREADS)
        .manual_journal_persist(true)
        .journal_compression(CompressionType::None)
        .open()?;
    let keyspace = database.keyspace("rows", rows_options)?;
    Ok((database, keyspace))
}

fn rows_options() -> KeyspaceCreateOptions {
    KeyspaceCreateOptions::default()
        .max_memtable_size(MEMTABLE_BYTES_MAX)
        .data_block_size_policy(BlockSizePolicy::all(4 << 10))
        .data_block_compression_policy(CompressionPolicy::disabled())
        .filter_policy(FilterPolicy::all(FilterPolicyEntry::Bloom(
            BloomConstructionPolicy::BitsPerKey(10.0),
        )))
        .filter_block_pinning_policy(PinningPolicy::all(true))
        .index_block_pinning_policy(PinningPolicy::all(true))
        .compaction_strategy(Arc::new(
            Leveled::default()
                .with_l0_threshold(LEVEL_0_TABLES)
                .with_table_target_size(TABLE_BYTES),
        ))
}

/// Binds a value to its key. Two plain hashes, because a seeded one of a long value first derives a
/// secret from its seed.
fn checksum(key: &[u8], value: &[u8]) -> [u8; CHECKSUM_BYTES] {
    ((xxh3_64(value) ^ xxh3_64(key).rotate_left(32)) as u32).to_le_bytes()
}

fn seal(key: &[u8], value: &[u8]) -> Bytes {
    let mut sealed = Vec::with_capacity(value.len() + CHECKSUM_BYTES);
    sealed.extend_from_slice(value);
    sealed.extend_from_slice(&checksum(key, value));
    sealed.into()
}

fn unseal(key: &[u8], sealed: Bytes) -> Result<Bytes, StoreError> {
    if let Some(length) = sealed.len().checked_sub(CHECKSUM_BYTES) {
        let (value, expected) = sealed.split_at(length);
        if checksum(key, value) == expected {
            return Ok(sealed.slice(0..length));
        }
    }
    Err(StoreError::Damaged(format!(
        "a record of {} bytes failed its checksum (key {})",
        sealed.len(),
        key.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    )))
}

fn read_error(error: fjall::Error) -> StoreError {
    StoreError::Read(error.to_string())
}

fn write_error(error: fjall::Error) -> StoreError {
    StoreError::Write(error.to_string())
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
        let mut batch = OwnedWriteBatch::with_capacity(self.database.clone(), writes.len())
            .durability(Some(self.persist));
        for (key, value) in writes {
            match value {
                Some(value) => {
                    let sealed = seal(&key, &value);
                    batch.insert(&self.keyspace, key, sealed);
                }
                None => batch.remove(&self.keyspace, key),
            }
        }
        batch.commit().map_err(write_error)?;
        publish(self.newest());
        Ok(())
    }

    fn sync(&self) -> Result<(), StoreError> {
        self.database.persist(PersistMode::SyncData).map_err(write_error)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_value_opens_only_whole_and_under_its_key() {
        let sealed = seal(b"key", b"value");
        assert_eq!(unseal(b"key", sealed.clone()), Ok(Bytes::from_static(b"value")));
        assert!(matches!(unseal(b"kez", sealed.clone()), Err(StoreError::Damaged(_))));
        for place in 0..sealed.len() {
            let mut damaged = sealed.to_vec();
            damaged[place] ^= 1;
            assert!(
                matches!(unseal(b"key", damaged.into()), Err(StoreError::Damaged(_))),
                "{place}"
            );
        }
        for length in 0..sealed.len() {
            let cut = sealed.slice(..length);
            assert!(matches!(unseal(b"key", cut), Err(StoreError::Damaged(_))), "{length}");
        }
    }
}
