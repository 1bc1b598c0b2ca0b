//! The request for the writes of operations, a single write or a transaction, and what its failure
//! means to each operation.

use std::collections::HashMap;

use monotable_types::limits::TRANSACT_MAX;
use monotable_types::{AttributeValue, Item};

use super::plan::{Failure, PlannedWrite};
use super::row;
use crate::backend::request::{Action, Transaction, Write, WriteResponse};
use crate::backend::{BackendError, Reason, Reply};
use crate::context::Context;
use crate::error::{Error, Result};
use crate::retry::Cause;

/// Writes that are sent together.
#[derive(Clone)]
#[expect(clippy::large_enum_variant, reason = "a box would cost more than the space that it saves")]
pub(super) enum Request {
    /// No writes.
    Nothing,
    /// A single write.
    Alone(Write),
    /// Several writes, or some that must be checked, or with a token.
    Together(Transaction),
}

/// The operation of each write, and what its failure means.
pub(super) type Failures = Vec<(usize, Failure)>;

impl Request {
    /// Returns the request for the writes of operations.
    ///
    /// # Errors
    ///
    /// No backend accepts the request.
    pub(super) fn new(
        context: &Context,
        plans: Vec<Vec<PlannedWrite>>,
        token: Option<String>,
    ) -> Result<(Self, Failures), Failed> {
        let count = plans.iter().map(Vec::len).sum();
        let mut writes = Vec::with_capacity(count);
        let mut failures = Vec::with_capacity(count);
        for (operation, planned) in plans.into_iter().enumerate() {
            for planned in planned {
                writes.push(planned.write);
                failures.push((operation, planned.failure));
            }
        }
        let is_check = |write: &Write| matches!(write.action, Action::Check(_));
        let request = match writes.pop() {
            None => Self::Nothing,
            Some(alone) if writes.is_empty() && token.is_none() && !is_check(&alone) => {
                Self::Alone(alone)
            }
            Some(last) => {
                writes.push(last);
                writes.iter_mut().for_each(check_only);
                check(context, &writes, &failures)?;
                Self::Together(Transaction { writes, token })
            }
        };
        Ok((request, failures))
    }

    /// Requests the consumed units as well.
    pub(super) fn reporting_units(mut self) -> Self {
        if let Self::Alone(write) = &mut self {
            write.returns_units = true;
        }
        self
    }

    /// Sends the request once.
    pub(super) fn send(self, context: &Context) -> Reply<WriteResponse> {
        match self {
            Self::Nothing => Reply::ready(Ok(WriteResponse::default())),
            Self::Alone(write) => context.backend.write(write),
            Self::Together(transaction) => context.backend.transact(transaction),
        }
    }
}

/// An update without changes still has its condition, and transactions accept no such update.
fn check_only(write: &mut Write) {
    if let Action::Update(key, update) = &mut write.action
        && update.is_empty()
        && write.condition.is_some()
    {
        write.action = Action::Check(std::mem::take(key));
    }
}

/// Checks for errors that every backend reports, before anything is sent.
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
    let mut seen: HashMap<Key<'_>, usize> = HashMap::with_capacity(writes.len());
    for (second, write) in writes.iter().enumerate() {
        if let Some(first) = seen.insert(key_of(context, write), second) {
            return Err(Failed::Twice {
                first: failures[first].0,
                second: failures[second].0,
                key: row::key_text(context.table, row_of(write)),
            });
        }
    }
    Ok(())
}

/// The table, the partition key and the sort key of a row.
pub(super) type Key<'a> = (&'a str, Option<&'a AttributeValue>, Option<&'a AttributeValue>);

pub(super) fn key_of<'a>(context: &Context, write: &'a Write) -> Key<'a> {
    let row = row_of(write);
    let sort = context.table.sort_key.and_then(|attribute| row.get(attribute));
    (&write.table, row.get(context.table.partition_key), sort)
}

/// Returns the row that is written, or at least its key.
pub(super) fn row_of(write: &Write) -> &Item {
    match &write.action {
        Action::Put(row) => row,
        Action::Update(key, _) | Action::Delete(key) | Action::Check(key) => key,
    }
}

/// The reason why the writes of operations were not executed.
pub(super) enum Failed {
    /// These operations failed, each with its error.
    Operations(Vec<(usize, Error)>),
    /// Two operations write the same row.
    Twice { first: usize, second: usize, key: String },
    /// The request as a whole failed.
    Whole(Error),
}

impl Failed {
    /// Returns what the failure of a request means to each operation.
    pub(super) fn new(error: BackendError, failures: Failures) -> Self {
        let reasons = match error {
            BackendError::ConditionFailed { row } => vec![Reason::ConditionFailed { row }],
            BackendError::Cancelled { reasons } if reasons.len() == failures.len() => reasons,
            error => return Self::Whole(error.into()),
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
            // The error of an operation's first row is the most specific, unless another one has a
            // permanent error.
            match errors.iter_mut().find(|(known, _)| *known == operation) {
                None => errors.push((operation, error)),
                Some((_, known)) if cause(known).is_some() && cause(&error).is_none() => {
                    *known = error;
                }
                Some(_) => {}
            }
        }
        Self::Operations(errors)
    }

    /// Returns the reason of the failure, if it is transient.
    pub(super) fn cause(&self) -> Option<Cause> {
        match self {
            Self::Operations(failures) => {
                let causes = failures.iter().map(|(_, error)| cause(error));
                causes.reduce(|all, one| Some(one?.or(Some(all?)))).flatten()
            }
            Self::Whole(error) => cause(error),
            Self::Twice { .. } => None,
        }
    }

    /// Returns the error of a single operation.
    pub(super) fn of_one(self) -> Error {
        match self {
            Self::Whole(error) => error,
            Self::Operations(failures) => match failures.into_iter().next() {
                Some((_, error)) => error,
                None => refused("the transaction was cancelled without a reason".to_owned()),
            },
            Self::Twice { key, .. } => refused(format!("one operation writes the row {key} twice")),
        }
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Whole(error)
    }
}

/// Returns the reason of an error, if it is transient.
fn cause(error: &Error) -> Option<Cause> {
    match error {
        Error::Backend(error) => Cause::of(error),
        _ => None,
    }
}

/// Returns the error of a request that no backend accepts.
pub(super) fn refused(message: String) -> Error {
    Error::Backend(BackendError::Refused(message))
}
