//! Resumable jobs: work in steps, whose progress is written together with their effects.
//!
//! A worker leases the row of a job. Every step and every new lease increments the version, so that
//! a worker that has lost its lease cannot write any more.

mod run;
mod step;

pub use run::{JobRun, RunJob};
pub use step::Step;

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::time::Duration;

use monotable_design::meta::RuleKind;
use monotable_types::Item;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::key::RuleKey;
use super::operation::{InTransaction, RuleOperation};
use super::row::RuleRow;
use super::run::RunRule;
use super::value;
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::write::{self, Label, Plan, Planned, PlannedWrite};

/// The default lease of a worker for a step.
const LEASE: Duration = Duration::from_secs(30);

/// The key of a job: `#[rule(Job, …)]`.
pub trait JobKey: RuleKey {
    /// Returns the job with this key. `C` is its cursor: the state that a step needs to continue.
    fn job<C: JobCursor>(self) -> Job<Self, C> {
        let rule = RuleRow::of(RuleKind::Job, &self);
        let rows = JobRow { rule, lease: LEASE, cursor: PhantomData };
        Job { rows, key: PhantomData }
    }
}

/// The cursor of a job: the state that a step needs to continue.
pub trait JobCursor: Serialize + DeserializeOwned + Clone + Send + 'static {}

impl<C: Serialize + DeserializeOwned + Clone + Send + 'static> JobCursor for C {}

/// A job that continues where it stopped. `C` is its cursor: the state that a step needs to
/// continue.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use monotable_model::backend::Embedded;
/// use monotable_model::rows::{CounterKey as _, JobKey as _, Step};
/// use monotable_model::{Entity, RuleKey, table};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Job, pk = "job#purge", sk = "game#{game_id}")]
/// pub struct Purge {
///     pub game_id: String,
/// }
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Counter, pk = "job#purge", sk = "deleted")]
/// pub struct Deleted {}
/// # #[derive(Entity, Clone, Serialize, Deserialize)]
/// # #[key(pk = "GAME#{game_id}", sk = "METADATA")]
/// # pub struct Game {
/// #     #[immutable]
/// #     pub game_id: String,
/// # }
///
/// table! {
///     pub League {
///         name = "league"; key(PK, SK); type_attribute = ItemType; entities(Game); rules(Purge, Deleted);
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), monotable_model::Error> {
/// let db = League::open(Embedded::memory()).await?;
/// let job = Purge { game_id: "g1".to_owned() }.job::<u32>();
/// db.run(job.start(0)).await?; // or with the command: tx.add(job.start(0))
/// let run = job.run(async |page| {
///     let deleted = Deleted {}.counter().add(25);
///     Ok(if page < 9 { Step::next(page + 1).add(deleted) } else { Step::done().add(deleted) })
/// });
/// assert_eq!(db.run(run).await?.steps, 10);
/// # Ok(())
/// # }
/// ```
pub struct Job<K, C> {
    rows: JobRow<C>,
    key: PhantomData<fn() -> K>,
}

impl<K, C> fmt::Debug for Job<K, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rows.fmt(formatter)
    }
}

impl<K, C> Clone for Job<K, C> {
    fn clone(&self) -> Self {
        Self { rows: self.rows.clone(), key: PhantomData }
    }
}

/// The row of a job.
struct JobRow<C> {
    rule: RuleRow,
    lease: Duration,
    cursor: PhantomData<fn() -> C>,
}

impl<C> fmt::Debug for JobRow<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Job")
            .field("key", &self.rule.key)
            .field("lease", &self.lease)
            .finish_non_exhaustive()
    }
}

impl<C> Clone for JobRow<C> {
    fn clone(&self) -> Self {
        Self { rule: self.rule.clone(), lease: self.lease, cursor: PhantomData }
    }
}

/// Whether a job has work left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Work is left.
    Running,
    /// All work is done.
    Done,
}

/// The progress of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobStatus<C> {
    /// Whether the job has work left.
    pub state: JobState,
    /// The cursor of the next step, or the last one.
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

impl<K: JobKey, C: JobCursor> Job<K, C> {
    /// Sets how long a worker has for a step, in whole seconds; 30 by default. After that another
    /// worker may take over the job.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.rows.lease = lease;
        self
    }

    /// Writes the row of a job that starts at this cursor; fails with [`Error::Exists`] if there is
    /// one.
    pub fn start(&self, cursor: C) -> RuleOperation<K, StartJob<C>> {
        RuleOperation::new(StartJob { job: self.rows.clone(), cursor })
    }

    /// Returns the progress of the job; `None` if it was never started.
    pub fn status(&self) -> RuleOperation<K, ReadJob<C>> {
        RuleOperation::new(ReadJob { job: self.rows.clone() })
    }

    /// Does the rest of the job, step by step. `step` is called with the cursor and returns what to
    /// write and the next cursor; both are written in one transaction. A step whose transaction
    /// fails is run again, so it must have no effect other than what it returns.
    ///
    /// It fails with [`Error::Locked`] if another worker has the job, [`Error::NotFound`] if it was
    /// never started, and with errors of a step or its transaction; then the job can be run again.
    pub fn run<T, F, R>(&self, step: F) -> RunJob<K, C, F>
    where
        F: FnMut(C) -> R + Send,
        R: Future<Output = Result<Step<T, C>>> + Send,
    {
        RunJob { job: self.rows.clone(), step, key: PhantomData }
    }
}

impl<C: JobCursor> JobRow<C> {
    /// Returns the row of a job with this progress.
    fn row(&self, context: &Context, old: Item, progress: &Progress<C>) -> Result<Item> {
        let encoded = value::encode(context.table, &self.rule, progress)?;
        let mut row = value::replace(old, encoded);
        row.extend(self.rule.row(context)?);
        Ok(row)
    }
}

/// Writes the row of a new job. Made by [`Job::start`].
#[derive(Debug)]
pub struct StartJob<C> {
    job: JobRow<C>,
    cursor: C,
}

impl<C: JobCursor> StartJob<C> {
    fn planned(&self, context: &Context) -> Result<PlannedWrite> {
        let rule = &self.job.rule;
        let progress = Progress { state: JobState::Running, cursor: self.cursor.clone() };
        let mut row = self.job.row(context, Item::new(), &progress)?;
        row.insert(rule.attributes.version.to_owned(), 1.into());
        let condition = rule.absent(context);
        let failure = Box::new(|_| Error::Exists { entity: "job" });
        Ok(rule.write(context, Action::Put(row), condition, failure))
    }
}

impl<C: JobCursor> InTransaction for StartJob<C> {
    type Output = ();
}

impl<C: JobCursor> Planned for StartJob<C> {
    fn label(&self) -> Label {
        Label::new("start", self.job.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.planned(context)?]))
    }
}

impl<C: JobCursor> RunRule for StartJob<C> {
    type Output = ();

    async fn run(self, context: &Context) -> Result<()> {
        write::single(context, vec![self.planned(context)?]).await.map(drop)
    }
}

/// Reads the progress of a job. Made by [`Job::status`].
#[derive(Debug)]
pub struct ReadJob<C> {
    job: JobRow<C>,
}

impl<C: JobCursor> RunRule for ReadJob<C> {
    type Output = Option<JobStatus<C>>;

    async fn run(self, context: &Context) -> Result<Option<JobStatus<C>>> {
        let rule = &self.job.rule;
        let Some(row) = rule.read(context).await? else { return Ok(None) };
        let version = rule.count(&row, rule.attributes.version)?;
        let Progress { state, cursor } = value::decode(context.table, rule, row)?;
        Ok(Some(JobStatus { state, cursor, version }))
    }
}
