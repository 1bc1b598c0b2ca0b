//! The handle, and the state that all jobs share: the database, the directories and the
//! threads. Unfinished jobs continue when it is opened.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use monotable_engine::{
    Database, DatabaseSnapshot, EndLoad, ItemFilter, RecordChange, WriteRecords,
};

use crate::backup::{BackupJob, RestoreJob, Store};
use crate::bucket::Buckets;
use crate::bulk::BulkJob;
use crate::codec::ItemCodec;
use crate::error::{Error, Result};
use crate::export::ExportJob;
use crate::id::Ids;
use crate::import::{ImportJob, ImportStatus};
use crate::jobs::{Control, Jobs};
use crate::record::{self, Record};
use crate::schedule::Attempts;

/// The options for opening a lifecycle.
#[derive(Clone)]
pub struct LifecycleOptions {
    /// The directory of the backups, which is created when it is needed. Without it backups are in
    /// a temporary directory, which is removed when the lifecycle is dropped.
    pub backups: Option<PathBuf>,
    /// The directory of the database, if it keeps its log, so that tables can be restored to points in time.
    pub history: Option<PathBuf>,
    /// The directory whose subdirectories are buckets.
    pub buckets: Option<PathBuf>,
    /// Directories that backups of all tables contain besides the tables.
    pub attached: Vec<Attached>,
    /// Reads and writes DynamoDB's JSON.
    pub codec: Arc<dyn ItemCodec>,
}

/// A directory of files that belongs to a backup of all tables, such as the files of services.
#[derive(Clone, Debug)]
pub struct Attached {
    /// The name of the directory in a restored database.
    pub name: String,
    /// Its path. It need not exist.
    pub directory: PathBuf,
}

/// Selects the jobs that run when a lifecycle is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnfinishedJobs {
    /// Unfinished jobs of earlier processes.
    Resume,
    /// None: they stay unfinished until a lifecycle is opened with `Resume`.
    Leave,
}

/// Backups, restores, exports and imports of one database. Clones are handles to the same one; when
/// the last one is dropped the jobs stop, and continue when it is opened again.
#[derive(Clone)]
pub struct Lifecycle(Arc<Owner>);

struct Owner(Arc<Shared>);

impl Drop for Owner {
    fn drop(&mut self) {
        self.0.jobs.stop();
    }
}

/// The state that all jobs share.
pub(crate) struct Shared {
    pub(crate) database: Database,
    pub(crate) options: LifecycleOptions,
    pub(crate) backups: Store,
    pub(crate) buckets: Buckets,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) ids: Ids,
    /// The snapshots of jobs that have not started.
    snapshots: Mutex<BTreeMap<String, DatabaseSnapshot>>,
    /// The filters of exports that have not started.
    filters: Mutex<BTreeMap<String, ItemFilter>>,
    /// The failures since it was opened, newest last.
    failures: Mutex<Vec<String>>,
    /// The attempts of the schedule.
    attempts: Mutex<Attempts>,
    this: std::sync::Weak<Shared>,
    /// Removed when it is dropped.
    _temporary: Option<tempfile::TempDir>,
}

/// The limit of failures that are kept for reports.
const FAILURES_MAX: usize = 100;

impl Lifecycle {
    /// Opens the lifecycle of a database, and resumes unfinished jobs.
    ///
    /// # Errors
    /// Fails if a record can't be read, or if no temporary directory can be created.
    pub fn open(database: Database, options: LifecycleOptions) -> Result<Self> {
        Self::open_with(database, options, UnfinishedJobs::Resume)
    }

    /// Opens the lifecycle of a database.
    ///
    /// # Errors
    /// Fails if a record can't be read, or if no temporary directory can be created.
    pub fn open_with(
        database: Database,
        options: LifecycleOptions,
        unfinished: UnfinishedJobs,
    ) -> Result<Self> {
        let (root, temporary) = match &options.backups {
            Some(root) => (root.clone(), None),
            None => {
                let made = tempfile::Builder::new().prefix("monotable-backups-").tempdir();
                let made = made.map_err(|error| {
                    Error::Io(format!("a temporary directory can't be created: {error}"))
                })?;
                (made.path().to_owned(), Some(made))
            }
        };
        let shared = Arc::new_cyclic(|this| Shared {
            database,
            backups: Store::new(root),
            buckets: Buckets(options.buckets.clone()),
            options,
            jobs: Arc::default(),
            ids: Ids::default(),
            snapshots: Mutex::default(),
            filters: Mutex::default(),
            failures: Mutex::default(),
            attempts: Mutex::default(),
            this: this.clone(),
            _temporary: temporary,
        });
        shared.tidy_backups()?;
        if unfinished == UnfinishedJobs::Resume {
            shared.resume_jobs()?;
        }
        Ok(Self(Arc::new(Owner(shared))))
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.0.0
    }

    /// Returns the database.
    pub fn database(&self) -> &Database {
        &self.shared().database
    }

    /// Returns the directory of the backups.
    pub fn backup_directory(&self) -> &Path {
        &self.shared().backups.root
    }

    /// Waits until all jobs have ended.
    pub fn finish_jobs(&self) {
        self.shared().jobs.wait();
    }

    /// Returns the progress of all running and waiting jobs.
    pub fn running_jobs(&self) -> Vec<Arc<Control>> {
        self.shared().jobs.controls()
    }

    /// Resumes the unfinished import or bulk operation into a table. Returns its ARN, if there is
    /// one.
    ///
    /// # Errors
    /// Fails if a record can't be read.
    pub fn resume_transfer(&self, table_name: &str) -> Result<Option<String>> {
        let shared = &self.0.0;
        let imports = record::all::<ImportJob>(&shared.database)?;
        let import = imports
            .into_iter()
            .find(|job| job.table_name == table_name && job.status == ImportStatus::InProgress);
        if let Some(job) = import {
            shared.start(job.key());
            return Ok(Some(job.arn()));
        }
        let bulks = record::all::<BulkJob>(&shared.database)?;
        let bulk =
            bulks.into_iter().find(|job| job.table_name == table_name && job.is_unfinished());
        Ok(bulk.map(|job| {
            shared.start(job.key());
            job.arn()
        }))
    }

    /// Returns the failures since it was opened, oldest first.
    pub fn failures(&self) -> Vec<String> {
        self.shared().failures.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Starts a job when it is dropped, so that the job of a cancelled request is started too.
pub(crate) struct Starting {
    shared: Arc<Shared>,
    key: String,
}

impl Drop for Starting {
    fn drop(&mut self) {
        self.shared.start(std::mem::take(&mut self.key));
    }
}

impl Shared {
    /// Starts a job after its record is written, or after writing was cancelled.
    pub(crate) fn start_with<R: Record>(
        &self,
        job: &R,
        snapshot: Option<DatabaseSnapshot>,
    ) -> Option<Starting> {
        let key = job.key();
        if let Some(snapshot) = snapshot {
            self.lock_snapshots().insert(key.clone(), snapshot);
        }
        self.this.upgrade().map(|shared| Starting { shared, key })
    }

    fn lock_snapshots(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, DatabaseSnapshot>> {
        self.snapshots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the attempts of the schedule.
    pub(crate) fn attempts(&self) -> std::sync::MutexGuard<'_, Attempts> {
        self.attempts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the filters of exports that have not started.
    pub(crate) fn filters(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, ItemFilter>> {
        self.filters.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues the job with this key.
    fn start(self: &Arc<Self>, key: String) {
        let shared = Arc::clone(self);
        let name = key.clone();
        self.jobs.start(&name, move |control| {
            let snapshot = shared.lock_snapshots().remove(&key);
            match shared.run(&key, snapshot, control) {
                Ok(()) | Err(Error::Interrupted) => {}
                Err(error) => shared.report(&key, &error),
            }
        });
    }

    fn run(&self, key: &str, snapshot: Option<DatabaseSnapshot>, control: &Control) -> Result<()> {
        // Waits for the record of the job, if it is still being written.
        self.database.write_records(WriteRecords::default())?;
        if let Some(id) = key.strip_prefix(BackupJob::PREFIX) {
            return self.run_backup(id, snapshot, control);
        }
        if let Some(id) = key.strip_prefix(RestoreJob::PREFIX) {
            return self.run_restore(id, control);
        }
        if let Some(id) = key.strip_prefix(ExportJob::PREFIX) {
            return self.run_export(id, snapshot, control);
        }
        if let Some(id) = key.strip_prefix(ImportJob::PREFIX) {
            return self.run_import(id, control);
        }
        if let Some(id) = key.strip_prefix(BulkJob::PREFIX) {
            return self.run_bulk(id, control);
        }
        Ok(())
    }

    fn report(&self, key: &str, error: &Error) {
        log::error!("the job {key} failed: {error}");
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        if failures.len() == FAILURES_MAX {
            failures.remove(0);
        }
        failures.push(format!("{key}: {error}"));
    }

    /// Continues the jobs of earlier processes.
    fn resume_jobs(self: &Arc<Self>) -> Result<()> {
        for job in record::all::<BackupJob>(&self.database)? {
            if job.failure.is_none() {
                self.start(job.key());
            }
        }
        let restores = record::all::<RestoreJob>(&self.database)?;
        for job in restores.iter().filter(|job| job.failure.is_none()) {
            self.start(job.key());
        }
        for job in record::all::<ExportJob>(&self.database)? {
            if job.is_in_progress() {
                self.start(job.key());
            }
        }
        for job in record::all::<ImportJob>(&self.database)? {
            if job.status == ImportStatus::InProgress {
                self.start(job.key());
            }
        }
        for job in record::all::<BulkJob>(&self.database)? {
            if job.is_unfinished() {
                self.start(job.key());
            }
        }
        self.remove_leftovers()
    }

    /// Removes unfinished tables without a job.
    fn remove_leftovers(&self) -> Result<()> {
        let mut after = None;
        loop {
            let request =
                monotable_engine::ListTables { exclusive_start_table_name: after, limit: None };
            let page = self.database.list_tables(request)?;
            for name in page.table_names {
                let described = self
                    .database
                    .describe_table(monotable_engine::DescribeTable::new(name.as_str()))?;
                let load = described.table.load.filter(|load| load.in_progress);
                let Some(load) = load else { continue };
                if self.database.records(&load.job)?.iter().any(|(key, _)| *key == load.job) {
                    continue;
                }
                let record = RecordChange { key: load.job.clone(), value: None };
                let end = EndLoad { table_name: name, job: load.job, is_whole: false, record };
                self.database.end_load(end)?;
            }
            match page.last_evaluated_table_name {
                Some(last) => after = Some(last),
                None => return Ok(()),
            }
        }
    }
}
