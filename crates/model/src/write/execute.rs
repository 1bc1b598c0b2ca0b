//! Runs plans: one write as it is, several as a transaction, and tells failures by operation.

use std::sync::Arc;

use monotable_types::Item;
use monotable_types::limits::TRANSACT_MAX;

use super::look::read;
use super::plan::{Failure, PlannedWrite};
use super::row;
use crate::backend::request::{Action, Transaction, Write, WriteAnswer};
use crate::backend::{BackendError, Reason, Reply};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::retry::Retry;

/// Why the writes of several operations did not happen.
pub(super) enum Failed {
    /// These operations failed, each for a reason.
    Operations(Vec<(usize, Error)>),
    /// Two operations write the same row.
    Twice { first: usize, second: usize, key: String },
    /// The whole failed.
    Whole(Error),
}

/// Runs the writes of one operation and makes its result.
pub(super) fn then<T: Send + 'static>(
    context: Arc<Context>,
    writes: Vec<PlannedWrite>,
    finish: impl FnOnce(&Context, WriteAnswer) -> Result<T> + Send + 'static,
) -> Reply<T, Error> {
    Reply::pending(async move {
        let answer = single(&context, writes).await?;
        finish(&context, answer)
    })
}

/// Runs the writes of one operation.
pub(crate) async fn single(context: &Context, writes: Vec<PlannedWrite>) -> Result<WriteAnswer> {
    match all(context, vec![writes], None).await {
        Ok(answer) => Ok(answer),
        Err(Failed::Whole(error)) => Err(error),
        Err(Failed::Operations(failures)) => Err(match failures.into_iter().next() {
            Some((_, error)) => error,
            None => refused("the transaction was cancelled without a reason".to_owned()),
        }),
        Err(Failed::Twice { key, .. }) => {
            Err(refused(format!("one operation writes the row {key} twice")))
        }
    }
}

/// Runs an operation that reads first, again when somebody else was faster.
pub(super) async fn settle<T>(
    context: &Context,
    key: Item,
    plan: impl Fn(Option<Item>) -> Result<(Vec<PlannedWrite>, T)>,
) -> Result<T> {
    let mut retry = Retry::new();
    loop {
        let seen = read(context, key.clone()).await?;
        let (writes, result) = plan(seen)?;
        match single(context, writes).await {
            Ok(_) => return Ok(result),
            Err(conflict @ Error::VersionConflict { .. }) => {
                if !retry.pause(context, false).await? {
                    return Err(conflict);
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// Runs an operation on an entity that was read before. Where its conditions fail although it says what
/// is stored, because attributes are stored in another form than they are written in now, it runs
/// again with conditions on what is stored.
pub(super) async fn confirm<T>(
    context: &Context,
    key: Item,
    reads_first: bool,
    plan: impl Fn(Option<Option<Item>>) -> Result<(Vec<PlannedWrite>, T)>,
) -> Result<T> {
    if !reads_first {
        let (writes, result) = plan(None)?;
        match single(context, writes).await {
            Err(Error::VersionConflict { .. }) => {}
            answer => return answer.map(|_| result),
        }
    }
    let stored = read(context, key).await?;
    let (writes, result) = plan(Some(stored))?;
    single(context, writes).await?;
    Ok(result)
}

/// Runs the writes of several operations, all or nothing.
pub(super) async fn all(
    context: &Context,
    plans: Vec<Vec<PlannedWrite>>,
    token: Option<String>,
) -> Result<WriteAnswer, Failed> {
    let mut writes = Vec::new();
    let mut failures = Vec::new();
    for (operation, planned) in plans.into_iter().enumerate() {
        for planned in planned {
            writes.push(planned.write);
            failures.push((operation, planned.failure));
        }
    }
    let is_alone = writes.len() == 1 && token.is_none();
    let answer =
        match writes.first() {
            None => return Ok(WriteAnswer::default()),
            Some(Write {
                action: Action::Put(_) | Action::Update(..) | Action::Delete(_), ..
            }) if is_alone => send(context, || context.backend.write(writes[0].clone())).await,
            Some(_) => {
                check(context, &writes, &failures)?;
                let transaction = || Transaction { writes: writes.clone(), token: token.clone() };
                send(context, || context.backend.transact(transaction())).await
            }
        };
    answer.map_err(|error| failed(error, failures))
}

/// Refuses what no backend takes, before anything is sent.
fn check(context: &Context, writes: &[Write], failures: &[(usize, Failure)]) -> Result<(), Failed> {
    let capabilities = context.backend.capabilities();
    if !capabilities.transactions {
        return Err(Failed::Whole(Error::Unsupported {
            rule: "R01",
            message: format!(
                "a write of several rows needs transactions, which {} does not have",
                capabilities.name
            ),
        }));
    }
    if writes.len() > TRANSACT_MAX {
        return Err(Failed::Whole(refused(format!(
            "a transaction writes at most {TRANSACT_MAX} rows, with those of unique constraints and mirrors; this one has {}, so split it",
            writes.len()
        ))));
    }
    let keys: Vec<Item> = writes.iter().map(|write| key_of(context, write)).collect();
    for (second, key) in keys.iter().enumerate() {
        let is_same =
            |first: &usize| keys[*first] == *key && writes[*first].table == writes[second].table;
        if let Some(first) = (0..second).find(is_same) {
            return Err(Failed::Twice {
                first: failures[first].0,
                second: failures[second].0,
                key: row::key_text(context, key),
            });
        }
    }
    Ok(())
}

fn key_of(context: &Context, write: &Write) -> Item {
    match &write.action {
        Action::Put(row) => row::key_of(context, row),
        Action::Update(key, _) | Action::Delete(key) | Action::Check(key) => key.clone(),
    }
}

/// Sends a request until it passes or fails for good. What may have happened is never sent again.
async fn send(
    context: &Context,
    request: impl Fn() -> Reply<WriteAnswer>,
) -> Result<WriteAnswer, BackendError> {
    let mut retry = Retry::new();
    loop {
        match request().await {
            Err(error) if did_not_happen(&error) => {
                if !retry.pause(context, false).await.unwrap_or(false) {
                    return Err(error);
                }
            }
            result => return result,
        }
    }
}

/// Whether a request certainly did nothing, for a reason that passes.
fn did_not_happen(error: &BackendError) -> bool {
    match error {
        BackendError::Conflict | BackendError::Throttled(_) => true,
        BackendError::Cancelled { reasons } => {
            let passes = |reason: &Reason| matches!(reason, Reason::Conflict | Reason::Throttled);
            reasons.iter().any(passes)
                && reasons.iter().all(|reason| matches!(reason, Reason::Fine) || passes(reason))
        }
        BackendError::ConditionFailed { .. }
        | BackendError::TokenReused
        | BackendError::NoTable(_)
        | BackendError::TableExists(_)
        | BackendError::Refused(_)
        | BackendError::Failed(_) => false,
    }
}

fn failed(error: BackendError, failures: Vec<(usize, Failure)>) -> Failed {
    let reasons = match error {
        BackendError::ConditionFailed { row } => vec![Reason::ConditionFailed { row }],
        BackendError::Cancelled { reasons } if reasons.len() == failures.len() => reasons,
        error => return Failed::Whole(error.into()),
    };
    let mut errors: Vec<(usize, Error)> = Vec::new();
    for ((operation, failure), reason) in failures.into_iter().zip(reasons) {
        let error = match reason {
            Reason::Fine => continue,
            Reason::ConditionFailed { row } => failure(row),
            Reason::Conflict => BackendError::Conflict.into(),
            Reason::Throttled => {
                BackendError::Throttled("an action of a transaction".to_owned()).into()
            }
            Reason::Refused(message) => refused(message),
        };
        // The first row of an operation tells most, unless another one tells something that lasts.
        match errors.iter_mut().find(|(known, _)| *known == operation) {
            None => errors.push((operation, error)),
            Some((_, known)) if passes(known) && !passes(&error) => *known = error,
            Some(_) => {}
        }
    }
    Failed::Operations(errors)
}

fn passes(error: &Error) -> bool {
    matches!(error, Error::Backend(BackendError::Conflict | BackendError::Throttled(_)))
}

pub(super) fn refused(message: String) -> Error {
    Error::Backend(BackendError::Refused(message))
}
