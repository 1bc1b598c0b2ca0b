//! Runs a job: leases it, runs its steps, and releases it when a step fails.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;

use monotable_expression::{Update, attribute_not_exists, path};
use monotable_types::Item;

use super::{JobCursor, JobRow, JobState, Progress, Step};
use crate::backend::request::Action;
use crate::context::Context;
use crate::error::{Error, OperationError, Result};
use crate::rows::key::RuleKey;
use crate::rows::row::RuleRow;
use crate::rows::value;
use crate::table::HoldsRule;
use crate::write::{self, Label, Plan, Planned, PlannedWrite, Run, TransactionId};

/// Runs a job. Made by [`Job::run`](super::Job::run).
#[must_use = "a job does nothing until it is run"]
pub struct RunJob<K, C, F> {
    pub(super) job: JobRow<C>,
    pub(super) step: F,
    pub(super) key: PhantomData<fn() -> K>,
}

impl<K, C, F> fmt::Debug for RunJob<K, C, F> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RunJob").field("job", &self.job).finish_non_exhaustive()
    }
}

/// The result of a run of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JobRun {
    /// The number of steps that this run completed.
    pub steps: u64,
}

/// A job that this worker has leased.
struct Leased<C> {
    row: Item,
    version: u64,
    cursor: C,
}

impl<T, K, C, F, R> Run<T> for RunJob<K, C, F>
where
    T: HoldsRule<K>,
    K: RuleKey,
    C: JobCursor,
    F: FnMut(C) -> R + Send,
    R: Future<Output = Result<Step<T, C>>> + Send,
{
    type Output = JobRun;

    async fn run_in(mut self, context: &Arc<Context>) -> Result<JobRun> {
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

impl<C: JobCursor> JobRow<C> {
    /// Leases the job; `None` if it is done.
    async fn acquire(&self, context: &Context) -> Result<Option<Leased<C>>> {
        let rule = &self.rule;
        let attributes = rule.attributes;
        let Some(mut row) = rule.read(context).await? else {
            return Err(Error::NotFound { entity: "job" });
        };
        let progress: Progress<C> = value::decode(context.table, rule, row.clone())?;
        if progress.state == JobState::Done {
            return Ok(None);
        }
        let seen = rule.count(&row, attributes.version)?;
        let ends_at = rule.lease_end(context, self.lease)?.as_seconds();
        let version = seen + 1;
        let is_free = attribute_not_exists(attributes.lease).or(rule.lease_has_ended(context));
        let condition = path(attributes.version).eq(seen).and(is_free);
        let update = Update::new().set(attributes.lease, ends_at).set(attributes.version, version);
        let action = Action::Update(rule.key_item(context)?, update);
        let write = rule.write(context, action, condition, rule.locked());
        write::single(context, vec![write]).await?;
        row.insert(attributes.lease.to_owned(), ends_at.into());
        row.insert(attributes.version.to_owned(), version.into());
        Ok(Some(Leased { row, version, cursor: progress.cursor }))
    }

    /// Writes what a step returned, and the progress of the job.
    async fn commit<T>(
        &self,
        context: &Context,
        leased: Leased<C>,
        step: Step<T, C>,
    ) -> Result<Leased<C>> {
        let attributes = self.rule.attributes;
        let state = if step.next.is_some() { JobState::Running } else { JobState::Done };
        let progress = Progress { state, cursor: step.next.unwrap_or(leased.cursor) };
        let mut row = self.row(context, leased.row, &progress)?;
        let version = leased.version + 1;
        row.insert(attributes.version.to_owned(), version.into());
        match state {
            JobState::Running => {
                let ends_at = self.rule.lease_end(context, self.lease)?;
                row.insert(attributes.lease.to_owned(), ends_at.as_seconds().into());
            }
            JobState::Done => {
                row.remove(attributes.lease);
            }
        }
        let advance = Advance { rule: self.rule.clone(), row: row.clone(), seen: leased.version };
        let mut operations = step.operations;
        operations.push(Box::new(advance));
        match write::together(context, TransactionId::next(), operations, None).await {
            Ok(_) => Ok(Leased { row, version, cursor: progress.cursor }),
            Err(Error::Transaction { failures }) => Err(lost(failures)),
            Err(error) => Err(error),
        }
    }

    /// Releases the job, so that another worker can have it at once. If that fails too, the lease
    /// ends by itself.
    async fn give_back(&self, context: &Context, version: u64) {
        let attributes = self.rule.attributes;
        let Ok(key) = self.rule.key_item(context) else { return };
        let update = Update::new().remove(attributes.lease);
        let condition = path(attributes.version).eq(version);
        let action = Action::Update(key, update);
        let write = self.rule.write(context, action, condition, self.rule.locked());
        let _ = write::single(context, vec![write]).await;
    }
}

/// Returns the error of a step: the loss of the job takes precedence over other failures.
fn lost(failures: Vec<OperationError>) -> Error {
    let lost = failures.iter().find(|failure| matches!(failure.error, Error::Locked { .. }));
    match lost {
        Some(lost) => lost.error.clone(),
        None => Error::Transaction { failures },
    }
}

/// Writes the progress of a job.
struct Advance {
    rule: RuleRow,
    row: Item,
    seen: u64,
}

impl Advance {
    fn planned(&self, context: &Context) -> PlannedWrite {
        let condition = path(self.rule.attributes.version).eq(self.seen);
        self.rule.write(context, Action::Put(self.row.clone()), condition, self.rule.locked())
    }
}

impl Planned for Advance {
    fn label(&self) -> Label {
        Label::new("advance", self.rule.kind)
    }

    fn plan(&mut self, context: &Context, _row: Option<Item>) -> Result<Plan> {
        Ok(Plan::new(vec![self.planned(context)]))
    }
}
