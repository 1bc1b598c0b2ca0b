//! Every test runs on both stores, memory and disk, with a clock that the test sets.

use std::fs;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use monotable::{Clock, Database, Faults, ManualClock, Options};

/// When every test starts: 2025-11-15T12:00:00Z, after all instants in the seeds' examples.
pub(crate) const START_SECONDS: u64 = 1_763_208_000;

/// An empty database and its clock.
pub(crate) struct TestDatabase {
    database: Database,
    clock: Arc<ManualClock>,
}

impl TestDatabase {
    /// Returns the time, as items carry it.
    pub(crate) fn now_seconds(&self) -> u64 {
        self.clock.now_ms() / 1000
    }

    /// Lets time pass.
    pub(crate) fn advance_seconds(&self, seconds: u64) {
        self.clock.advance_ms(seconds * 1000);
    }
}

impl Deref for TestDatabase {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.database
    }
}

/// Runs a test in memory, then on disk.
pub(crate) fn on_both_stores(test: impl Fn(&TestDatabase)) {
    on_both_stores_with(&Faults::default(), test);
}

/// Runs a test in memory, then on disk, with production troubles. Afterwards every index, count and
/// checksum must agree with the items.
pub(crate) fn on_both_stores_with(faults: &Faults, test: impl Fn(&TestDatabase)) {
    // Shown when the test fails.
    println!("store: memory");
    run(&test, faults, Database::memory_with);
    println!("store: disk");
    let directory = TemporaryDirectory::new();
    run(&test, faults, |options| Database::open(directory.path(), options).unwrap());
}

fn run(test: impl Fn(&TestDatabase), faults: &Faults, open: impl FnOnce(Options) -> Database) {
    let clock = Arc::new(ManualClock::new(START_SECONDS * 1000));
    let options = Options {
        clock: clock.clone(),
        faults: faults.clone(),
        seed: 7,
        region: "us-east-1".to_owned(),
        account: "123456789012".to_owned(),
        ..Options::default()
    };
    let database = TestDatabase { database: open(options), clock };
    test(&database);
    let report = database.check().unwrap();
    assert!(report.is_clean(), "{report:#?}");
}

/// A directory below the build directory that is removed with the test.
struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("monotable-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // A directory that cannot be removed stays in the build directory, where it does no harm.
        drop(fs::remove_dir_all(&self.0));
    }
}
