//! How the engine opens fjall: a copy of `crates/engine/src/store/disk.rs`, held equal by a test.

use std::path::Path;
use std::sync::Arc;

use fjall::compaction::Leveled;
use fjall::config::{
    BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry,
    PinningPolicy,
};
use fjall::{CompressionType, Database, Keyspace, KeyspaceCreateOptions};

const JOURNAL_BYTES_MAX: u64 = 64 << 20;
const MEMTABLE_BYTES_MAX: u64 = 16 << 20;
const OPEN_FILES_MAX: usize = 256;
const WORKER_THREADS: usize = 3;
const TABLE_BYTES: u64 = 32 << 20;
const LEVEL_0_TABLES: u8 = 8;

/// Opens the one keyspace of a directory, creating it if there is none.
pub(super) fn open_rows(
    path: &Path,
    cache_bytes: u64,
) -> Result<(Database, Keyspace), fjall::Error> {
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

#[cfg(test)]
mod tests {
    /// The constants and settings of a source file: everything that could make the stores differ.
    fn settings(source: &str) -> Vec<&str> {
        let code = source.split("#[cfg(test)]").next().unwrap_or_default();
        // The engine opens the copy that it checks without workers, and everything else with them.
        let workers = |line| match line {
            ".worker_threads_unchecked(workers)" => ".worker_threads(WORKER_THREADS)",
            line => line,
        };
        let lines = code.lines().map(str::trim).map(workers);
        let constant = |line: &str| {
            [
                "JOURNAL_BYTES_MAX",
                "MEMTABLE_BYTES_MAX",
                "OPEN_FILES_MAX",
                "WORKER_THREADS",
                "TABLE_BYTES",
            ]
            .iter()
            .any(|name| line.starts_with(&format!("const {name}:")))
        };
        let constants = lines.clone().filter(|line| constant(line));
        let body = |start: &'static str| {
            let lines = lines.clone().skip_while(move |line| !line.starts_with(start));
            lines.skip(1).take_while(|line| !line.starts_with("Ok(") && *line != "}")
        };
        let opening = body("let database = Database::builder(path)");
        constants.chain(opening).chain(body("KeyspaceCreateOptions::default()")).collect()
    }

    #[test]
    fn the_bare_store_is_opened_like_the_engines() {
        let ours = settings(include_str!("settings.rs"));
        let engine = settings(include_str!("../../../../engine/src/store/disk.rs"));
        assert!(ours.len() > 15, "{ours:?}");
        assert_eq!(ours, engine);
    }
}
