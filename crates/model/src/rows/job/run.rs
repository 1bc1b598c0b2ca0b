//! Running a job: lease, steps, and what is left behind when one fails.

use std::fmt;
use std::future::Future;

use monotable_expression::{Update, attribute_not_exists, path};
use monotable_types::Item;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Job, JobState, Progress, Step};
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::{Error, OperationError, Result};
use crate::rows::place::Place;
use crate::rows::run::Run;
use crate::rows::value;
use crate::write::{self, Operation, Plan, PlannedWrite};

/// Runs a job. Made by [`Job::run`].
pub struct RunJob<C, F> {
    pub(super) job: Job<C>,
    pub(super) step: F,
}

impl<C, F> fmt::Debug for RunJob<C, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunJob").field("job", &self.job).finish_non_exhaustive()
    }
}

/// What a run of a job did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRun {
    /// The steps done by this run.
    pub steps: u64,
}

/// A job that this worker has leased.
struct Leased<C> {
    row: Item,
    version: u64,
    cursor: C,
}

impl<C, F, R> Run for RunJob<C, F>
where
    C: Serialize + DeserializeOwned + Clone + Send + 'static,
    F: FnMut(C) -> R + Send,
    R: Future<Output = Result<Step<C>>> + Send,
{
    type Output = JobRun;

    async fn run(mut self, context: &Context) -> Result<JobRun> {
        let mut steps = 0;
        let Some(mut leased) = self.job.acquire(context).await? else {
            return Ok(JobRun { steps });
        };
        loop {
            let step = match (self.step)(leased.cursor.clone()).await {
                Ok(step) => step,
                Err(error) => {
                    self.job.give_back(context, leased.version).await;
                    return Err(error);
                }
            };
            let is_last = step.next.is_none();
            let version = leased.version;
            leased = match self.job.commit(context, leased, step).await {
                Ok(leased) => leased,
                Err(error) => {
                    self.job.give_back(context, version).await;
                    return Err(error);
                }
            };
            steps += 1;
            if is_last {
                return Ok(JobRun { steps });
            }
        }
    }
}

impl<C: Serialize + DeserializeOwned + Clone + Send + 'static> Job<C> {
    /// Leases the job; `None` if it is done.
    async fn acquire(&self, context: &Context) -> Result<Option<Leased<C>>> {
        let place = &self.place;
        let layout = place.layout;
        let Some(mut row) = place.read(context).await? else {
            return Err(Error::NotFound { entity: "job" });
        };
        let progress: Progress<C> = value::decode(context.table, place, row.clone())?;
        if progress.state == JobState::Done {
            return Ok(None);
        }
        let seen = place.count(&row, layout.version)?;
        let ends_at = place.lease_end(context, self.lease)?.as_seconds();
        let version = seen + 1;
        let is_free = attribute_not_exists(layout.lease).or(place.lease_has_ended(context));
        let condition = path(layout.version).eq(seen).and(is_free);
        let update = Update::new().set(layout.lease, ends_at).set(layout.version, version);
        let action = Action::Update(place.key_item(context)?, update);
        let write = place.write(context, action, condition, place.locked());
        write::single(context, vec![write]).await?;
        row.insert(layout.lease.to_owned(), ends_at.into());
        row.insert(layout.version.to_owned(), version.into());
        Ok(Some(Leased { row, version, cursor: progress.cursor }))
    }

    /// Writes what a step tells, and how far the job is behind it.
    async fn commit(
        &self,
        context: &Context,
        leased: Leased<C>,
        step: Step<C>,
    ) -> Result<Leased<C>> {
        let layout = self.place.layout;
        let state = if step.next.is_some() { JobState::Running } else { JobState::Done };
        let progress = Progress { state, cursor: step.next.unwrap_or(leased.cursor) };
        let mut row = self.row(context, leased.row, &progress)?;
        let version = leased.version + 1;
        row.insert(layout.version.to_owned(), version.into());
        match state {
            JobState::Running => {
                let ends_at = self.place.lease_end(context, self.lease)?;
                row.insert(layout.lease.to_owned(), ends_at.as_seconds().into());
            }
            JobState::Done => {
                row.remove(layout.lease);
            }
        }
        let advance = Advance { place: self.place.clone(), row: row.clone(), seen: leased.version };
        let mut operations = step.operations;
        operations.push(Box::new(advance));
        match write::transact(context, operations, None).await {
            Ok(_) => Ok(Leased { row, version, cursor: progress.cursor }),
            Err(Error::Transaction { failures }) => Err(lost(failures)),
            Err(error) => Err(error),
        }
    }

    /// Lets others have the job at once. If that fails too, they have it when the lease ends.
    async fn give_back(&self, context: &Context, version: u64) {
        let layout = self.place.layout;
        let Ok(key) = self.place.key_item(context) else { return };
        let update = Update::new().remove(layout.lease);
        let condition = path(layout.version).eq(version);
        let action = Action::Update(key, update);
        let write = self.place.write(context, action, condition, self.place.locked());
        let _ = write::single(context, vec![write]).await;
    }
}

/// The error of a step: if the job was lost, that is why whatever else failed.
fn lost(failures: Vec<OperationError>) -> Error {
    let lost = failures.iter().find(|failure| matches!(failure.error, Error::Locked { .. }));
    match lost {
        Some(lost) => lost.error.clone(),
        None => Error::Transaction { failures },
    }
}

/// Writes how far a job is.
struct Advance {
    place: Place,
    row: Item,
    seen: u64,
}

impl Advance {
    fn planned(&self, context: &Context) -> PlannedWrite {
        let condition = path(self.place.layout.version).eq(self.seen);
        self.place.write(context, Action::Put(self.row.clone()), condition, self.place.locked())
    }
}

impl Operation for Advance {
    fn label(&self) -> String {
        format!("advance {}", self.place.name())
    }

    fn plan(&self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.planned(context)]))
    }
}
