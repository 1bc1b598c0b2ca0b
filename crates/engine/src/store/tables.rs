//! The settings of the tree of table files, and how it is opened and read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lsm_tree::compaction::Leveled;
use lsm_tree::config::{
    BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry,
    PinningPolicy, RestartIntervalPolicy,
};
use lsm_tree::{
    AbstractTree as _, AnyTree, Cache, Config, DescriptorTable, InternalValue, Memtable,
    SequenceNumberCounter, Table, Tree, ValueType,
};

use super::StoreError;
use super::failure::{describe, panicked, read_error};
use super::sealed::unseal;
use bytes::Bytes;

const OPEN_FILES_MAX: usize = 256;
/// Tables are synced once, at their end, and a commit's sync waits for that: small tables keep the
/// wait short.
const TABLE_BYTES: u64 = 32 << 20;
/// Small memtables are better merged in larger numbers: with four, the default, half as much again
/// is written.
const LEVEL_0_TABLES: u8 = 8;

/// The tree of table files, and the rows in memory that are not in them yet.
pub(super) struct Tables {
    tree: Tree,
    /// The source of sequence numbers for commits and the tree's own changes.
    sequences: SequenceNumberCounter,
    readers: Mutex<Readers>,
    /// The directory to name in messages: for a copy, that of the original.
    directory: PathBuf,
}

/// A file that the tree uses.
pub(super) struct LiveFile {
    /// The path to read, and the path to name in messages.
    pub(super) path: PathBuf,
    pub(super) shown_path: PathBuf,
    /// XXH3-128 of all of its bytes.
    pub(super) checksum: u128,
    pub(super) first_key: Bytes,
    pub(super) last_key: Bytes,
}

/// Which state readers see. The tree's own newest state is not used: the end of a flush moves it
/// while a commit is half done.
#[derive(Default)]
struct Readers {
    /// Rows with sequence numbers below this one are committed.
    published: u64,
    /// The number of snapshots at each sequence number.
    counts: std::collections::BTreeMap<u64, usize>,
}

impl Tables {
    /// Opens or creates the tree in a directory whose files have been verified, or returns why that
    /// is impossible. Everything known to make it panic is found by the inspection; an unknown
    /// cause must not end the process. A copy of a tree knows the directory of the original.
    pub(super) fn open(
        path: &Path,
        original: &Path,
        cache_bytes: u64,
    ) -> Result<Arc<Self>, String> {
        let sequences = SequenceNumberCounter::new(1);
        let open = || config(path, &sequences, cache_bytes).open();
        match catch_unwind(AssertUnwindSafe(open)) {
            Ok(Ok(AnyTree::Standard(tree))) => {
                let next = tree.get_highest_persisted_seqno().map_or(1, |highest| highest + 1);
                sequences.fetch_max(next);
                let readers = Readers { published: next, ..Readers::default() };
                let directory = original.to_owned();
                Ok(Arc::new(Self { tree, sequences, readers: Mutex::new(readers), directory }))
            }
            Ok(Ok(AnyTree::Blob(_))) => Err("it has files of an unknown kind".to_owned()),
            Ok(Err(error)) => Err(describe(&error)),
            Err(_) => Err(panicked()),
        }
    }

    /// Returns whether nothing was ever written to a table file.
    pub(super) fn is_empty(&self) -> bool {
        self.tree.table_count() == 0
    }

    /// Takes the next sequence number.
    pub(super) fn next_sequence(&self) -> u64 {
        self.sequences.next()
    }

    /// Reserves the sequence numbers up to that of a frame of the log.
    pub(super) fn skip_to(&self, sequence: u64) {
        self.sequences.fetch_max(sequence + 1);
    }

    /// Returns the rows in memory that are still changed. They stay the same until
    /// [`Self::rotate`].
    pub(super) fn active(&self) -> ActiveRows {
        ActiveRows(self.tree.active_memtable())
    }

    /// Lets readers see everything in memory. No commit may be half done.
    pub(super) fn publish(&self) {
        self.readers().published = self.sequences.get();
    }

    /// Seals the rows in memory, so that they can be flushed.
    pub(super) fn rotate(&self) {
        self.tree.rotate_memtable();
    }

    /// Writes the sealed rows to table files and registers these.
    pub(super) fn flush(&self) -> Result<(), lsm_tree::Error> {
        let lock = self.tree.get_flush_lock();
        self.tree.flush(&lock, self.oldest_read()).map(drop)
    }

    /// Merges table files where that is due, and returns whether it did.
    pub(super) fn compact(&self) -> Result<bool, lsm_tree::Error> {
        let strategy = Leveled::default()
            .with_l0_threshold(LEVEL_0_TABLES)
            .with_table_target_size(TABLE_BYTES);
        let before = self.tree.current_version().id();
        self.tree.compact(Arc::new(strategy), self.oldest_read())?;
        Ok(self.tree.current_version().id() != before)
    }

    /// Returns the files that are in use.
    pub(super) fn files(&self) -> Vec<LiveFile> {
        let live = |table: &Table| {
            let name = table.path.file_name().unwrap_or_default();
            let keys = &table.metadata.key_range;
            LiveFile {
                path: table.path.to_path_buf(),
                shown_path: self.directory.join("tables").join(name),
                checksum: table.checksum().into_u128(),
                first_key: Bytes::copy_from_slice(keys.min()),
                last_key: Bytes::copy_from_slice(keys.max()),
            }
        };
        self.tree.current_version().iter_tables().map(live).collect()
    }

    /// Returns whether a file is still in use.
    pub(super) fn has_file(&self, live: &LiveFile) -> bool {
        self.tree.current_version().iter_tables().any(|table| *table.path == live.path)
    }

    /// Merges all table files, which removes all traces of removed rows.
    pub(super) fn merge_all(&self) -> Result<(), lsm_tree::Error> {
        self.tree.major_compact(TABLE_BYTES, self.oldest_read())
    }

    /// Drops the states that no reader needs, and with them files that have been merged.
    pub(super) fn forget_unread(&self) -> Result<(), lsm_tree::Error> {
        let oldest = self.oldest_read();
        let path = &self.tree.tree_config().path;
        self.tree.get_version_history_lock().maintenance(path, oldest)
    }

    /// Returns the approximate number of rows and removals, in table files and in memory.
    pub(super) fn entries(&self) -> u64 {
        self.tree.approximate_len() as u64
    }

    /// Returns the number of removals in table files.
    pub(super) fn removals(&self) -> u64 {
        self.tree.tombstone_count()
    }

    /// Returns the bytes of the table files that are read.
    pub(super) fn bytes(&self) -> u64 {
        self.tree.disk_space()
    }

    /// Returns the number of runs of tables that a read has to search before they are merged.
    pub(super) fn unmerged_runs(&self) -> usize {
        self.tree.l0_run_count()
    }

    /// Takes a snapshot of the newest published rows.
    pub(super) fn read(self: &Arc<Self>) -> Reader {
        let mut readers = self.readers();
        let sequence = readers.published;
        *readers.counts.entry(sequence).or_default() += 1;
        Reader { tables: Arc::clone(self), sequence }
    }

    /// Returns the sequence number of the oldest snapshot; 0 if there is none.
    fn oldest_read(&self) -> u64 {
        self.readers().counts.first_key_value().map_or(0, |(sequence, _)| *sequence)
    }

    fn readers(&self) -> MutexGuard<'_, Readers> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn config(path: &Path, sequences: &SequenceNumberCounter, cache_bytes: u64) -> Config {
    Config::new(path, sequences.clone(), SequenceNumberCounter::default())
        .use_cache(Arc::new(Cache::with_capacity_bytes(cache_bytes)))
        .use_descriptor_table(Some(Arc::new(DescriptorTable::new(OPEN_FILES_MAX))))
        .data_block_size_policy(BlockSizePolicy::all(4 << 10))
        .data_block_restart_interval_policy(RestartIntervalPolicy::new([10, 16]))
        .data_block_compression_policy(CompressionPolicy::disabled())
        .filter_policy(FilterPolicy::all(FilterPolicyEntry::Bloom(
            BloomConstructionPolicy::BitsPerKey(10.0),
        )))
        .filter_block_pinning_policy(PinningPolicy::all(true))
        .index_block_pinning_policy(PinningPolicy::all(true))
}

/// Rows in memory.
pub(super) struct ActiveRows(Arc<Memtable>);

impl ActiveRows {
    /// Adds a row, or its removal.
    pub(super) fn insert(&self, key: Bytes, value: Option<Bytes>, sequence: u64) {
        let row = match value {
            Some(value) => InternalValue::from_components(key, value, sequence, ValueType::Value),
            None => InternalValue::new_tombstone(key, sequence),
        };
        self.0.insert(row);
    }

    /// Returns their approximate size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.0.size()
    }
}

/// The rows as they were at one moment.
pub(super) struct Reader {
    tables: Arc<Tables>,
    sequence: u64,
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut readers = self.tables.readers();
        if let Some(count) = readers.counts.get_mut(&self.sequence) {
            *count -= 1;
            if *count == 0 {
                readers.counts.remove(&self.sequence);
            }
        }
    }
}

impl Reader {
    /// Returns the value of one key.
    pub(super) fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        match self.tables.tree.get(key, self.sequence).map_err(|error| read_error(&error))? {
            Some(sealed) => unseal(key, sealed.into()).map(Some),
            None => Ok(None),
        }
    }

    /// Iterates over the rows of a range from both ends.
    pub(super) fn range(
        &self,
        bounds: (std::ops::Bound<&[u8]>, std::ops::Bound<&[u8]>),
    ) -> impl DoubleEndedIterator<Item = Result<(Bytes, Bytes), StoreError>> + use<> {
        let rows = self.tables.tree.range::<&[u8], _>(bounds, self.sequence, None);
        rows.map(|guard| {
            let (key, sealed) =
                lsm_tree::Guard::into_inner(guard).map_err(|error| read_error(&error))?;
            let value = unseal(&key, sealed.into())?;
            Ok((key.into(), value))
        })
    }
}
