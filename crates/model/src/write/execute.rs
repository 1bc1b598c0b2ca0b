//! Runs operations, one alone or several together, and retries after transient failures and where
//! another writer changed a row first. A request that may have had an effect is never sent again.

use std::sync::Arc;

use monotable_design::meta::TableMeta;
use monotable_types::Item;

use super::check::{holds, is_check};
use super::foreign_sentinels;
use super::outcome::{Outcome, Position, TransactionId};
use super::plan::{Plan, Planned, PlannedWrite};
use super::read_rows::{read, read_all};
use super::row::{key_text, write_key};
use super::send::{Failed, Failures, Request, refused, row_of};
use super::transfers;
use crate::backend::request::WriteResponse;
use crate::backend::{BackendError, Reply};
use crate::context::Context;
use crate::error::{Error, OperationError, Result};
use crate::retry::{Cause, Retry};

/// Runs one operation. If it reads nothing first and the backend responds at once, no future is
/// allocated.
pub(crate) fn alone(context: &Arc<Context>, operation: Box<dyn Planned>) -> Reply<Outcome, Error> {
    let mut execution = Execution::new(TransactionId::ALONE, vec![operation], None);
    let sent = match execution.send_unread(context) {
        Ok(sent) => sent,
        Err(failed) => return Reply::ready(Err(failed.of_one())),
    };
    let sent = match sent.map(Sent::state) {
        Some(SentState::Done(outcome)) => return Reply::ready(Ok(outcome)),
        Some(SentState::Pending(sent)) => Some(sent),
        None => None,
    };
    let context = Arc::clone(context);
    Reply::pending(
        async move { execution.run(&context, sent).await.map_err(|failed| failed.of_one()) },
    )
}

/// Runs operations, all or nothing.
pub(crate) async fn together(
    context: &Context,
    transaction: TransactionId,
    operations: Vec<Box<dyn Planned>>,
    token: Option<String>,
) -> Result<Outcome> {
    let mut execution = Execution::new(transaction, operations, token);
    match execution.run(context, None).await {
        Ok(outcome) => Ok(outcome),
        Err(failed) => Err(execution.error(context, failed)),
    }
}

/// Operations that are being run.
struct Execution {
    transaction: TransactionId,
    operations: Vec<Box<dyn Planned>>,
    /// The keys of the operations' own rows, as far as they have been planned, for messages.
    keys: KeyTexts,
    token: Option<String>,
    retry: Retry,
    /// Unique values that seemed taken in the first attempt that found any: they stay the error
    /// unless the values belong to rows that the operations need not write.
    taken: Option<Vec<(usize, Error)>>,
    keeps_foreign_sentinels: bool,
}

/// The texts of keys in one buffer: most are never read.
#[derive(Default)]
struct KeyTexts {
    text: String,
    ends: Vec<usize>,
}

impl KeyTexts {
    fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }

    /// Adds the key of an operation's row, if it has one.
    fn push(&mut self, table: &TableMeta, row: Option<&Item>) {
        if let Some(row) = row {
            write_key(table, row, &mut self.text);
        }
        self.ends.push(self.text.len());
    }

    /// Returns the key of an operation's row.
    fn get(&self, operation: usize) -> Option<&str> {
        let start =
            operation.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        let text = self.text.get(start?..*self.ends.get(operation)?);
        text.filter(|text| !text.is_empty())
    }
}

/// A request that was sent, with what is known before its response.
struct Sent {
    reply: Reply<WriteResponse>,
    failures: Failures,
    outcome: Outcome,
}

/// The state of a request right after it was sent.
enum SentState {
    /// It took effect.
    Done(Outcome),
    /// Its response is pending, or reports a failure.
    Pending(Sent),
}

impl Sent {
    /// Returns the outcome, if the response is available and reports success.
    fn state(self) -> SentState {
        let Self { reply, failures, outcome } = self;
        let reply = match reply.now() {
            Ok(Ok(response)) => return SentState::Done(completed(outcome, response)),
            Ok(Err(error)) => Reply::ready(Err(error)),
            Err(reply) => reply,
        };
        SentState::Pending(Self { reply, failures, outcome })
    }
}

fn completed(mut outcome: Outcome, response: WriteResponse) -> Outcome {
    (outcome.units, outcome.row) = (response.units, response.row);
    outcome
}

impl Execution {
    fn new(
        transaction: TransactionId,
        operations: Vec<Box<dyn Planned>>,
        token: Option<String>,
    ) -> Self {
        Self {
            transaction,
            operations,
            keys: KeyTexts::default(),
            token,
            retry: Retry::new(),
            taken: None,
            keeps_foreign_sentinels: false,
        }
    }

    /// Continues until the operations have taken effect or finally failed.
    async fn run(&mut self, context: &Context, mut sent: Option<Sent>) -> Result<Outcome, Failed> {
        loop {
            let Sent { reply, failures, outcome } = match sent.take() {
                Some(sent) => sent,
                None => match self.send(context).await? {
                    Some(sent) => sent,
                    None => continue,
                },
            };
            match reply.await {
                Ok(response) => return Ok(completed(outcome, response)),
                Err(error) => self.recover(context, Failed::new(error, failures)).await?,
            }
        }
    }

    /// Sends a single operation that need not read its row; returns `None` if it must.
    fn send_unread(&mut self, context: &Context) -> Result<Option<Sent>, Failed> {
        if self.keys_to_read(context)?.iter().any(Option::is_some) {
            return Ok(None);
        }
        let (plans, outcome) = self.plan(context, vec![None])?;
        if plans.iter().any(|writes| is_check(writes)) {
            return Ok(None);
        }
        let (request, failures) = Request::new(context, plans, None)?;
        Ok(Some(Sent { reply: request.send(context), failures, outcome }))
    }

    /// Reads what the operations need, plans and sends them. Returns `None` if an operation must be
    /// planned again in another form.
    async fn send(&mut self, context: &Context) -> Result<Option<Sent>, Failed> {
        let keys = self.keys_to_read(context)?;
        let is_read = keys.iter().any(Option::is_some);
        let rows = read_all(context, keys).await?;
        // A single check is evaluated on the row.
        let seen = if self.is_alone() { rows.clone() } else { Vec::new() };
        let (mut plans, outcome) = self.plan(context, rows)?;
        let keeps_foreign_sentinels =
            self.keeps_foreign_sentinels && foreign_sentinels::keep(context, &mut plans).await?;
        if let Some(failures) = self.taken.take().filter(|_| !keeps_foreign_sentinels) {
            return Err(Failed::Operations(failures));
        }
        if self.is_alone() && plans.iter().any(|writes| is_check(writes)) {
            return self.check(context, plans, outcome, is_read.then_some(seen)).await;
        }
        let (plans, taken) = match plans.len() {
            0 | 1 => (plans, Vec::new()),
            _ => transfers::join(context, plans),
        };
        let (request, failures) = Request::new(context, plans, self.token.clone())?;
        if !taken.is_empty() {
            return Err(Failed::Operations(taken));
        }
        let request = if self.is_alone() { request } else { request.reporting_units() };
        Ok(Some(Sent { reply: request.send(context), failures, outcome }))
    }

    /// Evaluates a single check on the row: a read costs less than a transaction.
    async fn check(
        &mut self,
        context: &Context,
        mut plans: Vec<Vec<PlannedWrite>>,
        outcome: Outcome,
        rows: Option<Vec<Option<Item>>>,
    ) -> Result<Option<Sent>, Failed> {
        if rows.is_none()
            && let Some(reading) = self.operations[0].reading_first()
        {
            self.operations[0] = reading;
            return Ok(None);
        }
        let writes = plans.swap_remove(0);
        let row = match rows {
            Some(mut rows) => rows.swap_remove(0),
            None => read(context, row_of(&writes[0].write).clone()).await?,
        };
        holds(writes, row)?;
        let reply = Reply::ready(Ok(WriteResponse::default()));
        Ok(Some(Sent { reply, failures: Failures::new(), outcome }))
    }

    fn is_alone(&self) -> bool {
        self.transaction == TransactionId::ALONE
    }

    /// Returns the keys of the rows that the operations must read first.
    fn keys_to_read(&self, context: &Context) -> Result<Vec<Option<Item>>, Failed> {
        each(self.operations.iter().map(|operation| operation.reads(context)).collect())
    }

    /// Returns the writes of operations whose rows were read, and their results.
    fn plan(
        &mut self,
        context: &Context,
        rows: Vec<Option<Item>>,
    ) -> Result<(Vec<Vec<PlannedWrite>>, Outcome), Failed> {
        let mut outcome = Outcome::new(self.transaction, self.operations.len());
        let mut plans = Vec::with_capacity(self.operations.len());
        let is_alone = self.is_alone();
        self.keys.clear();
        for (operation, row) in self.operations.iter_mut().zip(rows) {
            let (output, writes) = match operation.plan_after(context, row, &outcome) {
                Ok(Plan { output, writes }) => (output, Ok(writes)),
                Err(error) => {
                    outcome.is_partial = true;
                    (None, Err(error))
                }
            };
            if !is_alone {
                let own = writes.as_ref().ok().and_then(|writes| writes.first());
                self.keys.push(context.table, own.map(|own| row_of(&own.write)));
            }
            outcome.push(output);
            plans.push(writes);
        }
        Ok((each(plans)?, outcome))
    }

    /// Prepares the next attempt, after a pause where that helps.
    ///
    /// # Errors
    ///
    /// The failure, if another attempt cannot succeed.
    async fn recover(&mut self, context: &Context, failed: Failed) -> Result<(), Failed> {
        if let Some(cause) = failed.cause()
            && self.retry.pause(&*context.backend, cause).await.unwrap_or(false)
        {
            return Ok(());
        }
        let Failed::Operations(failures) = failed else { return Err(failed) };
        let is_taken = |(_, error): &(usize, Error)| matches!(error, Error::UniqueTaken { .. });
        if !self.keeps_foreign_sentinels && failures.iter().any(is_taken) {
            self.keeps_foreign_sentinels = true;
            self.taken = Some(failures);
            return Ok(());
        }
        let recovers = if self.is_blind(&failures) {
            self.retry.pause(&*context.backend, Cause::Contended).await?
        } else {
            self.read_first(&failures)
        };
        if recovers { Ok(()) } else { Err(Failed::Operations(failures)) }
    }

    /// Returns whether the only failure is that another writer changed the rows of blind operations
    /// first.
    fn is_blind(&self, failures: &[(usize, Error)]) -> bool {
        failures.iter().all(|(operation, error)| {
            matches!(error, Error::VersionConflict { .. }) && self.operations[*operation].is_blind()
        })
    }

    /// Lets the failed operations read their rows first, if each of them may succeed then.
    fn read_first(&mut self, failures: &[(usize, Error)]) -> bool {
        let reading = |(operation, error): &(usize, Error)| match error {
            Error::VersionConflict { .. } => {
                Some((*operation, self.operations[*operation].reading_first()?))
            }
            _ => None,
        };
        let Some(reading) = failures.iter().map(reading).collect::<Option<Vec<_>>>() else {
            return false;
        };
        let is_any = !reading.is_empty();
        for (operation, instead) in reading {
            self.operations[operation] = instead;
        }
        is_any
    }

    /// Returns the key of an operation's row: that of its first write, or of the row that it read
    /// before it failed. Empty if there is none.
    fn key(&self, context: &Context, operation: usize) -> String {
        let planned = self.keys.get(operation);
        let read = || match self.operations[operation].reads(context) {
            Ok(Some(key)) => key_text(context.table, &key),
            Ok(None) | Err(_) => String::new(),
        };
        planned.map_or_else(read, str::to_owned)
    }

    /// Returns the error of several operations: each failure with its operation, entity and key.
    fn error(&self, context: &Context, failed: Failed) -> Error {
        let label = |operation: usize| self.operations[operation].label();
        match failed {
            Failed::Whole(error) => error,
            Failed::Operations(failures) => {
                let named = failures.into_iter().map(|(operation, error)| {
                    let key = self.key(context, operation);
                    let at = Position { transaction: self.transaction, operation };
                    OperationError::new(at, label(operation), key, error)
                });
                Error::Transaction { failures: named.collect() }
            }
            Failed::Twice { first, second, key } => refused(format!(
                "a transaction writes no row twice, but both \"{}\" and \"{}\" write {key}",
                label(first),
                label(second)
            )),
        }
    }
}

/// Returns the results of all operations, or the errors of those that failed.
fn each<R>(results: Vec<Result<R>>) -> Result<Vec<R>, Failed> {
    let mut failures = Vec::new();
    let mut values = Vec::with_capacity(results.len());
    for (operation, result) in results.into_iter().enumerate() {
        match result {
            Ok(value) => values.push(value),
            Err(error) => failures.push((operation, error)),
        }
    }
    if failures.is_empty() { Ok(values) } else { Err(Failed::Operations(failures)) }
}

/// Runs writes that belong together and cannot be planned again.
pub(crate) async fn single(context: &Context, writes: Vec<PlannedWrite>) -> Result<WriteResponse> {
    let (request, failures) = Request::new(context, vec![writes], None).map_err(Failed::of_one)?;
    if !context.backend.capabilities().retries {
        let response = request.send(context).await;
        return response.map_err(|error| Failed::new(error, failures).of_one());
    }
    let mut retry = Retry::new();
    loop {
        let error: BackendError = match request.clone().send(context).await {
            Ok(response) => return Ok(response),
            Err(error) => error,
        };
        let repeats = match Cause::of(&error) {
            Some(cause) => retry.pause(&*context.backend, cause).await.unwrap_or(false),
            None => false,
        };
        if !repeats {
            return Err(Failed::new(error, failures).of_one());
        }
    }
}
