//! Resumable jobs: work in steps, whose progress is written together with what the steps write.
//!
//! A worker leases the row of a job. Every step, and every new lease, has the next version, so that a
//! worker that lost its lease can't write any more.

mod run;
mod step;

pub use run::{JobRun, RunJob};
pub use step::Step;

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::time::Duration;

use monotable_types::Item;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::key::RowKey;
use super::layout::Layout;
use super::place::Place;
use super::run::Run;
use super::value;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::write::{self, Operation, Plan, PlannedWrite};

/// How long a worker has for a step unless told otherwise.
const LEASE: Duration = Duration::from_secs(30);

/// A job that goes on where it stopped. `C` is its cursor: what a step must know to go on.
///
/// ```
/// use monotable_model::rows::{Counter, Job, Step};
///
/// let job = Job::<u32>::new("job#purge", "game#g1");
/// let start = job.start(0); // db.run(start).await?, or with the command: db.transact().….add(start)
/// let run = job.run(async |page| {
///     let deleted = Counter::new("job#purge", "deleted").add(25);
///     Ok(if page < 9 { Step::next(page + 1).add(deleted) } else { Step::done().add(deleted) })
/// }); // db.run(run).await?
/// # let _ = (start, run);
/// ```
pub struct Job<C> {
    place: Place,
    lease: Duration,
    cursor: PhantomData<fn() -> C>,
}

impl<C> fmt::Debug for Job<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Job")
            .field("key", &self.place.key)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

impl<C> Clone for Job<C> {
    fn clone(&self) -> Self {
        Self { place: self.place.clone(), lease: self.lease, cursor: PhantomData }
    }
}

/// Whether a job has work left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// It has.
    Running,
    /// It has not.
    Done,
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStatus<C> {
    /// Whether it has work left.
    pub state: JobState,
    /// Where it goes on, or where it ended.
    pub cursor: C,
    /// The number of steps and leases so far.
    pub version: u64,
}

/// The value of the row.
#[derive(Serialize, Deserialize)]
struct Progress<C> {
    state: JobState,
    cursor: C,
}

impl<C: Serialize + DeserializeOwned + Clone + Send + 'static> Job<C> {
    /// The job under this partition and sort key.
    pub fn new(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        Self::at(RowKey::new(partition, sort))
    }

    /// The job under this key.
    pub fn at(key: RowKey) -> Self {
        Self { place: Place::new("job", key), lease: LEASE, cursor: PhantomData }
    }

    /// Names the row's attributes.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.place.layout = layout;
        self
    }

    /// Sets how long a worker has for a step, in whole seconds; 30 unless set. After that another may
    /// take the job over.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// Writes the row of a job that starts at this cursor; [`Error::Exists`] if there is one.
    pub fn start(&self, cursor: C) -> StartJob<C> {
        StartJob { job: self.clone(), cursor }
    }

    /// How far the job is; `None` if it was never started.
    pub fn status(&self) -> ReadJob<C> {
        ReadJob { job: self.clone() }
    }

    /// Does the rest of the job, step by step. `step` is given the cursor and tells what to write and
    /// where to go on; both are written in one transaction. A step that was tried and not written is
    /// done again, so that it must have no effect but what it tells.
    ///
    /// It is [`Error::Locked`] if another worker has the job, [`Error::NotFound`] if it was never
    /// started, and whatever a step or its transaction fails with; then the job can be run again.
    pub fn run<F, R>(&self, step: F) -> RunJob<C, F>
    where
        F: FnMut(C) -> R + Send,
        R: Future<Output = Result<Step<C>>> + Send,
    {
        RunJob { job: self.clone(), step }
    }

    /// The row of a job with this progress.
    fn row(&self, context: &Context, old: Item, progress: &Progress<C>) -> Result<Item> {
        let encoded = value::encode(context.table, &self.place, progress)?;
        let mut row = value::replace(old, encoded);
        row.extend(self.place.row(context)?);
        Ok(row)
    }
}

/// Writes the row of a new job. Made by [`Job::start`].
#[derive(Debug)]
pub struct StartJob<C> {
    job: Job<C>,
    cursor: C,
}

impl<C: Serialize + DeserializeOwned + Clone + Send + 'static> StartJob<C> {
    fn planned(&self, context: &Context) -> Result<PlannedWrite> {
        let place = &self.job.place;
        let progress = Progress { state: JobState::Running, cursor: self.cursor.clone() };
        let mut row = self.job.row(context, Item::new(), &progress)?;
        row.insert(place.layout.version.to_owned(), 1.into());
        let condition = place.absent(context);
        let failure = Box::new(|_| Error::Exists { entity: "job" });
        Ok(place.write(context, Action::Put(row), condition, failure))
    }
}

impl<C: Serialize + DeserializeOwned + Clone + Send + 'static> Operation for StartJob<C> {
    fn label(&self) -> String {
        format!("start {}", self.job.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.planned(context)?]))
    }
}

impl<C: Serialize + DeserializeOwned + Clone + Send + 'static> Run for StartJob<C> {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        write::single(context, vec![self.planned(context)?]).await.map(drop)
    }
}

/// Asks how far a job is. Made by [`Job::status`].
#[derive(Debug)]
pub struct ReadJob<C> {
    job: Job<C>,
}

impl<C: Serialize + DeserializeOwned + Clone + Send + 'static> Run for ReadJob<C> {
    type Output = Option<JobStatus<C>>;

    async fn run(self, context: &Context) -> Result<Option<JobStatus<C>>> {
        let place = &self.job.place;
        let Some(row) = place.read(context).await? else { return Ok(None) };
        let version = place.count(&row, place.layout.version)?;
        let Progress { state, cursor } = value::decode(context.table, place, row)?;
        Ok(Some(JobStatus { state, cursor, version }))
    }
}
