//! How fjall is opened: the only place with its settings.

use std::path::Path;
use std::sync::Arc;

use fjall::compaction::Leveled;
use fjall::config::{
    BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry,
    PinningPolicy,
};
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions};

/// Sealed journals are replayed at open, so their size bounds the time to reopen after a crash.
const JOURNAL_BYTES_MAX: u64 = 64 << 20;
const MEMTABLE_BYTES_MAX: u64 = 16 << 20;
const OPEN_FILES_MAX: usize = 256;
/// fjall's first worker never compacts, and with a second one alone it spins; three do not.
pub(super) const WORKER_THREADS: usize = 3;
/// Tables are synced once, at their end, and a commit's sync waits behind that: small tables keep
/// the wait short.
const TABLE_BYTES: u64 = 32 << 20;
/// Small memtables want more of them merged at once: with four, the default, half as much again is
/// written.
const LEVEL_0_TABLES: u8 = 8;

/// Opens the one keyspace of a directory, creating it if there is none.
pub(super) fn open(
    path: &Path,
    cache_bytes: u64,
    workers: usize,
) -> Result<(Database, Keyspace), fjall::Error> {
    let database = Database::builder(path)
        .cache_size(cache_bytes)
        .max_journaling_size(JOURNAL_BYTES_MAX)
        .max_cached_files(Some(OPEN_FILES_MAX))
        .worker_threads_unchecked(workers)
        .manual_journal_persist(true)
        .journal_compression(CompressionType::None)
        .open()?;
    let keyspace = database.keyspace("rows", rows_options)?;
    Ok((database, keyspace))
}

/// Opens fjall as the engine does, without the engine: what the engine's benchmark compares it with.
///
/// # Errors
/// If fjall can't open the directory.
pub fn open_bare_store(
    path: &Path,
    cache_bytes: u64,
) -> Result<(Database, Keyspace), fjall::Error> {
    open(path, cache_bytes, WORKER_THREADS)
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
