//! Runs plans, again where that helps: after failures that pass, and where somebody else was faster.
//! What may have happened is never sent again.

use std::sync::Arc;

use monotable_types::Item;

use super::handover;
use super::look::read;
use super::others;
use super::plan::PlannedWrite;
use super::send::{Failed, Failures, Request, did_not_happen, passes};
use crate::backend::request::{Action, WriteAnswer};
use crate::backend::{BackendError, Reply};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::retry::Retry;

/// The writes of an operation, and its result if they happen.
pub(super) type Planned<T> = (Vec<PlannedWrite>, T);

/// Runs one operation. When its writes did not happen for a reason that passes, it is planned again from
/// its result, which costs less than a copy of every write would.
pub(super) async fn run<T>(
    context: &Context,
    planned: Planned<T>,
    again: impl Fn(T) -> Result<Planned<T>>,
) -> Result<(T, WriteAnswer)> {
    let (writes, result) = planned;
    let (reply, failures) = begin(context, writes)?;
    finish(context, reply.await, failures, result, again).await
}

/// The same for an operation that outlives its caller. Where the backend answers at once, and does not
/// ask for another attempt, nothing is allocated for the future.
pub(super) fn reply<T: Send + 'static>(
    context: Arc<Context>,
    planned: Planned<T>,
    again: impl Fn(&Context, T) -> Result<Planned<T>> + Send + 'static,
) -> Reply<T, Error> {
    let (writes, result) = planned;
    let (reply, failures) = match begin(&context, writes) {
        Ok(begun) => begun,
        Err(error) => return Reply::ready(Err(error)),
    };
    let answer = match reply.now() {
        Ok(Ok(_)) => return Reply::ready(Ok(result)),
        Ok(Err(error)) => Reply::ready(Err(error)),
        Err(reply) => reply,
    };
    Reply::pending(async move {
        let at = Arc::clone(&context);
        let again = move |result| again(&at, result);
        let (result, _) = finish(&context, answer.await, failures, result, again).await?;
        Ok(result)
    })
}

fn begin(context: &Context, writes: Vec<PlannedWrite>) -> Result<(Reply<WriteAnswer>, Failures)> {
    let (request, failures) = Request::new(context, [writes], None).map_err(Failed::of_one)?;
    Ok((request.send(context), failures))
}

/// Goes on from the first answer to an operation.
async fn finish<T>(
    context: &Context,
    mut answer: Result<WriteAnswer, BackendError>,
    mut failures: Failures,
    mut result: T,
    again: impl Fn(T) -> Result<Planned<T>>,
) -> Result<(T, WriteAnswer)> {
    let mut retry = Retry::new();
    let mut is_taken = false;
    loop {
        let error = match answer {
            Ok(answer) => return Ok((result, answer)),
            Err(error) => Failed::new(error, failures).of_one(),
        };
        let is_first = !is_taken && matches!(error, Error::UniqueTaken { .. });
        is_taken |= is_first;
        let passes = passes(&error) && retry.pause(context, false).await.unwrap_or(false);
        if !is_first && !passes {
            return Err(error);
        }
        let (mut writes, planned) = again(result)?;
        result = planned;
        if is_taken && !others::leave(context, std::slice::from_mut(&mut writes)).await? && is_first
        {
            return Err(error);
        }
        let begun = begin(context, writes)?;
        failures = begun.1;
        answer = begun.0.await;
    }
}

/// Runs an operation that reads first, again when somebody else was faster.
pub(super) async fn settle<T>(
    context: &Context,
    key: Item,
    plan: impl Fn(Option<Item>) -> Result<Planned<T>>,
) -> Result<T> {
    let mut retry = Retry::new();
    loop {
        let seen = read(context, key.clone()).await?;
        let planned = plan(seen.clone())?;
        match run(context, planned, |_| plan(seen.clone())).await {
            Ok((result, _)) => return Ok(result),
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
    plan: impl Fn(Option<Option<Item>>) -> Result<Planned<T>>,
) -> Result<T> {
    if !reads_first {
        let planned = plan(None)?;
        if !is_check(&planned.0) {
            match run(context, planned, |_| plan(None)).await {
                Err(Error::VersionConflict { .. }) => {}
                result => return result.map(|(result, _)| result),
            }
        }
    }
    let stored = read(context, key).await?;
    let (writes, result) = plan(Some(stored.clone()))?;
    if is_check(&writes) {
        return holds(writes, stored).map(|()| result);
    }
    let (result, _) = run(context, (writes, result), |_| plan(Some(stored.clone()))).await?;
    Ok(result)
}

/// Whether writes are but a check. Alone that is a read, which costs less than a transaction.
fn is_check(writes: &[PlannedWrite]) -> bool {
    matches!(writes, [planned] if matches!(planned.write.action, Action::Check(_)))
}

/// Holds the conditions of checks against the row that was read.
fn holds(checks: Vec<PlannedWrite>, stored: Option<Item>) -> Result<()> {
    let row = stored.unwrap_or_default();
    for PlannedWrite { write, failure, .. } in checks {
        if write.condition.is_some_and(|condition| !condition.evaluate(&row)) {
            return Err(failure(Some(row).filter(|row| !row.is_empty()).map(Box::new)));
        }
    }
    Ok(())
}

/// Runs the writes of several operations, all or nothing and once: who planned them can plan them again,
/// which costs less than a copy of every write would.
pub(super) async fn all(
    context: &Context,
    plans: Vec<Vec<PlannedWrite>>,
    token: Option<String>,
) -> Result<WriteAnswer, Failed> {
    let (plans, taken) =
        if plans.len() > 1 { handover::join(context, plans) } else { (plans, Vec::new()) };
    let (request, failures) = Request::new(context, plans, token)?;
    if !taken.is_empty() {
        return Err(Failed::Operations(taken));
    }
    let answer = request.telling_units().send(context).await;
    answer.map_err(|error| Failed::new(error, failures))
}

/// Runs writes that belong together and can't be planned again.
pub(crate) async fn single(context: &Context, writes: Vec<PlannedWrite>) -> Result<WriteAnswer> {
    let (request, failures) = Request::new(context, [writes], None).map_err(Failed::of_one)?;
    if !context.backend.capabilities().retries {
        let answer = request.send(context).await;
        return answer.map_err(|error| Failed::new(error, failures).of_one());
    }
    let mut retry = Retry::new();
    loop {
        let error = match request.clone().send(context).await {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        if !did_not_happen(&error) || !retry.pause(context, false).await.unwrap_or(false) {
            return Err(Failed::new(error, failures).of_one());
        }
    }
}
