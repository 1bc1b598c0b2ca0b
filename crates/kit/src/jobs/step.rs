//! One step of a job: its writes, and the cursor of the next step.

use std::future::Future;

use monotable::model::{Store, Table, Transact};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::JobTicket;
use crate::box_future::BoxFuture;
use crate::problem::Problem;

/// The result of a step. Its transaction can have 99 rows, because the ticket is in it too.
pub struct JobStep<T, C> {
    pub(super) transaction: Transact<T>,
    pub(super) next: Option<C>,
}

impl<T: Table, C> JobStep<T, C> {
    /// Writes, and continues at a cursor in the next step.
    pub fn next(transaction: Transact<T>, cursor: C) -> Self {
        Self { transaction, next: Some(cursor) }
    }

    /// Writes, and ends the job.
    pub fn done(transaction: Transact<T>) -> Self {
        Self { transaction, next: None }
    }
}

/// A step whose cursor is a text.
type Stepping<T> = BoxFuture<'static, JobStep<T, String>>;

/// Runs the next step of a ticket.
pub(super) type Runner<T> = Box<dyn Fn(Store<T>, JobTicket) -> Stepping<T> + Send + Sync>;

/// Parses the argument and the cursor of a ticket for a function that has types for them.
pub(super) fn runner<T, A, C, F, R>(step: F) -> Runner<T>
where
    T: Table,
    A: DeserializeOwned,
    C: Serialize + DeserializeOwned,
    F: Fn(Store<T>, A, Option<C>) -> R + Send + Sync + 'static,
    R: Future<Output = Result<JobStep<T, C>, Problem>> + Send + 'static,
{
    Box::new(move |db, ticket| {
        let started = read(&ticket.argument).and_then(|argument| {
            let cursor = ticket.cursor.as_deref().map(read).transpose()?;
            Ok(step(db, argument, cursor))
        });
        Box::pin(async move {
            let JobStep { transaction, next } = started?.await?;
            let next = next.map(|cursor| serde_json::to_string(&cursor)).transpose();
            Ok(JobStep { transaction, next: next.map_err(unreadable)? })
        })
    })
}

fn read<V: DeserializeOwned>(text: &str) -> Result<V, Problem> {
    serde_json::from_str(text).map_err(unreadable)
}

fn unreadable(error: serde_json::Error) -> Problem {
    Problem::internal(format!("a ticket does not match its kind: {error}"))
}
