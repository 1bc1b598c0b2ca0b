//! The bare store on disk: fjall with the engine's settings as far as it has them, and the least group
//! commit there is.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle, Thread};

use arc_swap::ArcSwap;
use fjall::compaction::Leveled;
use fjall::config::{
    BlockSizePolicy, BloomConstructionPolicy, CompressionPolicy, FilterPolicy, FilterPolicyEntry,
    PinningPolicy,
};
use fjall::{
    Database, Keyspace, KeyspaceCreateOptions, OwnedWriteBatch, PersistMode, Readable as _, Slice,
};
use monotable_bench::{Result, Scratch, Subject, Workload};

use super::read::{Snapshot, read};
use super::rows::{CHECKSUM_BYTES, counts_row, incremented, request};
use super::{Layout, Request};

/// As the engine's default.
const CACHE_BYTES: u64 = 64 << 20;
/// As the engine's committer.
const BATCH_JOBS_MAX: usize = 512;
const QUEUE_JOBS_MAX: usize = 4096;
const JOURNAL_BYTES_MAX: u64 = 64 << 20;
const MEMTABLE_BYTES_MAX: u64 = 16 << 20;
const OPEN_FILES_MAX: usize = 256;
/// The first worker never compacts, and with a second one alone it spins; three do not.
const WORKER_THREADS: usize = 3;
const TABLE_BYTES: u64 = 32 << 20;
const LEVEL_0_TABLES: u8 = 8;

/// The store.
pub(crate) struct BareDisk {
    layout: Layout,
    newest: Arc<ArcSwap<DiskSnapshot>>,
    jobs: Option<SyncSender<Job>>,
    committer: Option<JoinHandle<()>>,
    _directory: Scratch,
}

/// A write and its waiting caller.
struct Job {
    request: Request,
    outcome: Arc<Outcome>,
    caller: Thread,
}

/// 0 while the write is on its way, then 1 for success or 2 for failure.
#[derive(Default)]
struct Outcome(AtomicU8);

const SUCCESS: u8 = 1;
const FAILURE: u8 = 2;

struct DiskSnapshot {
    snapshot: fjall::Snapshot,
    keyspace: Keyspace,
}

fn open(path: &Path) -> Result<(Database, Keyspace)> {
    let database = Database::builder(path)
        .cache_size(CACHE_BYTES)
        .max_journaling_size(JOURNAL_BYTES_MAX)
        .max_cached_files(Some(OPEN_FILES_MAX))
        .worker_threads_unchecked(WORKER_THREADS)
        .manual_journal_persist(true)
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

impl BareDisk {
    /// Returns a store in a new directory below `parent`.
    pub(crate) fn create(parent: &Path, layout: Layout, name: &str) -> Result<Self> {
        let directory = Scratch::new(parent, name)?;
        let (database, keyspace) = open(directory.path())?;
        let newest = Arc::new(ArcSwap::from_pointee(DiskSnapshot {
            snapshot: database.snapshot(),
            keyspace: keyspace.clone(),
        }));
        let (jobs, queue) = sync_channel(QUEUE_JOBS_MAX);
        let committer = Committer { database, keyspace, newest: Arc::clone(&newest), commits: 0 };
        let committer = thread::Builder::new()
            .name("bare-commit".to_owned())
            .spawn(move || committer.run(&queue))?;
        Ok(Self {
            layout,
            newest,
            jobs: Some(jobs),
            committer: Some(committer),
            _directory: directory,
        })
    }

    fn write(&self, request: Request) -> Result<()> {
        let outcome = Arc::new(Outcome::default());
        let job = Job { request, outcome: Arc::clone(&outcome), caller: thread::current() };
        self.jobs.as_ref().ok_or("closed")?.send(job).map_err(|_| "the committer stopped")?;
        loop {
            match outcome.0.load(Ordering::Acquire) {
                SUCCESS => return Ok(()),
                FAILURE => return Err("a commit failed".into()),
                _ => thread::park(),
            }
        }
    }
}

impl Drop for BareDisk {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(committer) = self.committer.take() {
            let _ = committer.join();
        }
    }
}

/// The committer thread.
struct Committer {
    database: Database,
    keyspace: Keyspace,
    newest: Arc<ArcSwap<DiskSnapshot>>,
    commits: u64,
}

impl Committer {
    fn run(mut self, queue: &Receiver<Job>) {
        while let Ok(first) = queue.recv() {
            let mut waiting = Vec::new();
            let result = self.commit(first, queue, &mut waiting);
            if let Err(error) = &result {
                eprintln!("bare store: {error}");
            }
            let outcome = if result.is_ok() { SUCCESS } else { FAILURE };
            for (place, caller) in waiting {
                let place: Arc<Outcome> = place;
                place.0.store(outcome, Ordering::Release);
                Thread::unpark(&caller);
            }
        }
    }

    fn commit(
        &mut self,
        first: Job,
        queue: &Receiver<Job>,
        waiting: &mut Vec<(Arc<Outcome>, Thread)>,
    ) -> Result<()> {
        let mut batch = OwnedWriteBatch::with_capacity(self.database.clone(), 16)
            .durability(Some(PersistMode::SyncData));
        // Rows changed in this batch, which a second change must start from and replace.
        let mut changed: HashMap<Slice, (Slice, Vec<Slice>)> = HashMap::new();
        let mut next = Some(first);
        while let Some(Job { request, outcome, caller }) = next {
            waiting.push((outcome, caller));
            match request {
                Request::Write(rows) => {
                    for (key, value) in rows {
                        batch.insert(&self.keyspace, key, value);
                    }
                }
                Request::Increment { key, copies } => {
                    let value = match changed.get(&key) {
                        Some((value, _)) => incremented(value),
                        None => incremented(&self.keyspace.get(&key)?.ok_or("no such row")?),
                    };
                    changed.insert(key, (value, copies));
                }
                Request::Get(_) | Request::Partition(_) | Request::Group(_) => {
                    return Err("this is not a write".into());
                }
            }
            next = if waiting.len() < BATCH_JOBS_MAX { queue.try_recv().ok() } else { None };
        }
        for (key, (value, copies)) in changed {
            for copy in copies {
                batch.insert(&self.keyspace, copy, value.clone());
            }
            batch.insert(&self.keyspace, key, value);
        }
        self.commits += 1;
        let (key, value) = counts_row(self.commits);
        batch.insert(&self.keyspace, key, value);
        batch.commit()?;
        self.newest.store(Arc::new(DiskSnapshot {
            snapshot: self.database.snapshot(),
            keyspace: self.keyspace.clone(),
        }));
        Ok(())
    }
}

impl Subject for BareDisk {
    type Request = Request;

    fn prepare(&self, workload: Workload, number: u64) -> Request {
        request(workload, number, self.layout, CHECKSUM_BYTES)
    }

    fn perform(&self, workload: Workload, request: Request) -> Result<u64> {
        match request {
            write @ (Request::Write(_) | Request::Increment { .. }) => {
                self.write(write)?;
                Ok(workload.items())
            }
            reading => read(&**self.newest.load(), &reading, self.layout),
        }
    }
}

impl Snapshot for DiskSnapshot {
    fn get(&self, key: &[u8]) -> Result<Option<Slice>> {
        Ok(self.snapshot.get(&self.keyspace, key)?)
    }

    fn rows(&self, prefix: &[u8]) -> impl Iterator<Item = Result<(Slice, Slice)>> {
        self.snapshot.prefix(&self.keyspace, prefix).map(|guard| Ok(guard.into_inner()?))
    }
}
