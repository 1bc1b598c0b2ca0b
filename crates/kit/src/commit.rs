//! The transaction of a command: its response, the meaning of its failures, and the response to a
//! repeat.

use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use monotable::model::rows::Once;
use monotable::model::{Error, Handle, Operation, OperationError, Outcome, Store, Transact};

use crate::box_future::BoxFuture;
use crate::call::Request;
use crate::metrics::is_condition_failure;
use crate::operation::Answering;
use crate::problem::Problem;
use crate::records::KeepsRequests;
use crate::reply::Reply;
use crate::view::{Answer, Response, Typed};

/// The problems that callers get when operations of a transaction fail, by the handles of the
/// operations.
///
/// The first failed operation with a rule decides. Without a rule the error decides; then a version
/// conflict takes precedence over the failures that it explains. A version conflict is never
/// refused: the caller's command is run again.
#[derive(Default)]
pub struct Refusals<'a> {
    rules: Vec<Rule<'a>>,
    retries: bool,
}

type Rule<'a> = Box<dyn Fn(&OperationError) -> Option<Problem> + Send + Sync + 'a>;

impl std::fmt::Debug for Refusals<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Refusals").field("rules", &self.rules.len()).finish_non_exhaustive()
    }
}

impl<'a> Refusals<'a> {
    /// Starts without rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns this problem if an operation fails because of the stored data. Other errors of the
    /// storage, such as throttling, are not changed.
    #[must_use]
    pub fn refuse<O: 'a>(self, handle: Handle<O>, problem: impl Into<Problem>) -> Self {
        let problem = problem.into();
        self.refuse_with(handle, move |error| is_condition_failure(error).then(|| problem.clone()))
    }

    /// Returns the problem that a function creates from an operation's error; `None` keeps the
    /// error.
    #[must_use]
    pub fn refuse_with<O: 'a>(
        self,
        handle: Handle<O>,
        problem: impl Fn(&Error) -> Option<Problem> + Send + Sync + 'a,
    ) -> Self {
        self.rule(handle, move |error| match error {
            Error::VersionConflict { .. } => None,
            error => problem(error),
        })
    }

    /// Runs the command again if an operation fails because of the stored data: it then decides by
    /// what it reads. A rule about a version conflict takes precedence over those about later
    /// operations.
    #[must_use]
    pub fn retry<O: 'a>(self, handle: Handle<O>) -> Self {
        self.rule(handle, |error| is_condition_failure(error).then(Problem::changed))
    }

    fn rule<O: 'a>(
        mut self,
        handle: Handle<O>,
        problem: impl Fn(&Error) -> Option<Problem> + Send + Sync + 'a,
    ) -> Self {
        let rule = move |failure: &OperationError| {
            if failure.is(handle) { problem(&failure.error) } else { None }
        };
        self.rules.push(Box::new(rule));
        self
    }

    /// Runs the command again if a condition fails or a row is missing, for any operation without a
    /// rule of its own: something has changed since it was read.
    #[must_use]
    pub fn or_retry(mut self) -> Self {
        self.retries = true;
        self
    }

    /// Returns the problem of a transaction that failed.
    pub fn problem(&self, error: Error) -> Problem {
        let known = |failure: &OperationError| {
            let rule = self.rules.iter().find_map(|rule| rule(failure));
            rule.or_else(|| (self.retries && is_outdated(&failure.error)).then(Problem::changed))
        };
        match error.failures().iter().find_map(known) {
            Some(problem) => problem,
            None if self.retries && is_outdated(&error) => Problem::changed(),
            None => error.into(),
        }
    }
}

/// Returns whether an error means that something has changed since it was read.
fn is_outdated(error: &Error) -> bool {
    matches!(error, Error::ConditionFailed { .. } | Error::NotFound { .. })
}

/// A transaction of a command that is being built. Created by [`Request::commit`].
#[must_use = "a commit does nothing until its reply is awaited"]
pub struct Commit<'a, T> {
    call: &'a Request,
    transaction: Transact<T>,
    refusals: Refusals<'a>,
    after: Option<After<'a>>,
    afterwards: Option<Pin<Box<dyn Future<Output = ()> + Send + 'a>>>,
}

/// Operations are added to the transaction through `DerefMut`.
impl<T> Deref for Commit<'_, T> {
    type Target = Transact<T>;

    fn deref(&self) -> &Transact<T> {
        &self.transaction
    }
}

impl<T> DerefMut for Commit<'_, T> {
    fn deref_mut(&mut self) -> &mut Transact<T> {
        &mut self.transaction
    }
}

impl<T> std::fmt::Debug for Commit<'_, T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Commit")
            .field("transaction", &self.transaction)
            .finish_non_exhaustive()
    }
}

impl Request {
    /// Commits the transaction of a command, with the record of the request if it has one.
    ///
    /// ```ignore
    /// let mut tx = app.db.transact();
    /// let open = tx.add(check(&team.key(), policy::is_active()));
    /// let game = tx.add(create(game));
    /// call.commit(tx)
    ///     .refuse(open, team_deleted())
    ///     .reply(move |done| Reply::created(&show::game(&done[game])))
    ///     .await
    /// ```
    pub fn commit<T: KeepsRequests>(&self, transaction: Transact<T>) -> Commit<'_, T> {
        let refusals = Refusals::new();
        Commit { call: self, transaction, refusals, after: None, afterwards: None }
    }

    /// Starts the transaction of a command. The meaning of an operation's failure can be declared
    /// where the operation is added:
    ///
    /// ```ignore
    /// let mut tx = call.transact(&app.db).or_retry();
    /// tx.require(check(&team.key(), policy::is_active()), Refusal::TeamDeleted);
    /// let game = tx.add(create(game));
    /// tx.respond(move |done| Created(GameView::of(&done[game]))).await
    /// ```
    pub fn transact<T: KeepsRequests>(&self, db: &Store<T>) -> Commit<'_, T> {
        self.commit(db.transact())
    }
}

impl<'a, T: KeepsRequests> Commit<'a, T> {
    /// Adds an operation, and returns this problem if it fails because of the stored data: see
    /// [`Refusals::refuse`].
    pub fn require<O: Operation<T, Output: 'a>>(
        &mut self,
        operation: O,
        problem: impl Into<Problem>,
    ) -> Handle<O::Output> {
        let handle = self.transaction.add(operation);
        self.change_rules(|refusals| refusals.refuse(handle, problem));
        handle
    }

    /// Adds an operation, and returns the problem that a function creates from its error: see
    /// [`Refusals::refuse_with`].
    pub fn require_with<O: Operation<T, Output: 'a>>(
        &mut self,
        operation: O,
        problem: impl Fn(&Error) -> Option<Problem> + Send + Sync + 'a,
    ) -> Handle<O::Output> {
        let handle = self.transaction.add(operation);
        self.change_rules(|refusals| refusals.refuse_with(handle, problem));
        handle
    }

    /// Adds an operation, and runs the command again if it fails because of the stored data: see
    /// [`Refusals::retry`].
    pub fn expect<O: Operation<T, Output: 'a>>(&mut self, operation: O) -> Handle<O::Output> {
        let handle = self.transaction.add(operation);
        self.change_rules(|refusals| refusals.retry(handle));
        handle
    }

    fn change_rules(&mut self, change: impl FnOnce(Refusals<'a>) -> Refusals<'a>) {
        self.refusals = change(std::mem::take(&mut self.refusals));
    }

    /// Adds rules about failures.
    pub fn refusing(mut self, refusals: impl FnOnce(Refusals<'a>) -> Refusals<'a>) -> Self {
        self.refusals = refusals(self.refusals);
        self
    }

    /// Returns this problem if an operation fails because of the stored data: see
    /// [`Refusals::refuse`].
    pub fn refuse<O: 'a>(self, handle: Handle<O>, problem: impl Into<Problem>) -> Self {
        self.refusing(|refusals| refusals.refuse(handle, problem))
    }

    /// Returns the problem that a function creates from an operation's error: see
    /// [`Refusals::refuse_with`].
    pub fn refuse_with<O: 'a>(
        self,
        handle: Handle<O>,
        problem: impl Fn(&Error) -> Option<Problem> + Send + Sync + 'a,
    ) -> Self {
        self.refusing(|refusals| refusals.refuse_with(handle, problem))
    }

    /// Runs the command again if an operation fails because of the stored data: see
    /// [`Refusals::retry`].
    pub fn retry<O: 'a>(self, handle: Handle<O>) -> Self {
        self.refusing(|refusals| refusals.retry(handle))
    }

    /// Runs the command again if anything else has changed since it was read: see
    /// [`Refusals::or_retry`].
    pub fn or_retry(self) -> Self {
        self.refusing(Refusals::or_retry)
    }

    /// Runs a function after the commit, but not when a repeat of the request gets the recorded
    /// reply: for what is kept in memory.
    pub fn after(mut self, after: impl FnOnce(&Outcome) + Send + 'a) -> Self {
        self.after = Some(Box::new(after));
        self
    }

    /// Awaits a future after the commit and before the reply is sent, but not when a repeat of the
    /// request gets the recorded reply: for clients that follow changes.
    pub fn afterwards(mut self, future: impl Future<Output = ()> + Send + 'a) -> Self {
        self.afterwards = Some(Box::pin(future));
        self
    }

    /// Runs the transaction. The reply is created from the outcome of the operations and recorded
    /// with them; a repeat of the request gets the same reply.
    pub fn reply(
        self,
        reply: impl Fn(&Outcome) -> Reply + Send + Sync + 'static,
    ) -> BoxFuture<'a, Reply> {
        Box::pin(self.run(Arc::new(reply)))
    }

    /// Runs the transaction like [`reply`](Self::reply), with a typed response.
    pub fn respond<R: Response>(
        self,
        response: impl Fn(&Outcome) -> R + Send + Sync + 'static,
    ) -> Answering<'a, Answer<R>> {
        let reply: ReplyOf = Arc::new(move |done: &Outcome| response(done).into_reply());
        Box::pin(async move { self.run(reply).await.map(Typed::of) })
    }

    /// Does the same, compiled once for each table and not once for each command.
    async fn run(self, reply: ReplyOf) -> Result<Reply, Problem> {
        let Self { call, transaction, refusals, after, afterwards } = self;
        let mut is_fresh = true;
        let happened = |done: &Outcome| after.into_iter().for_each(|after| after(done));
        let done = match &call.record {
            None => transaction.commit().await.map(|done| {
                happened(&done);
                reply(&done)
            }),
            Some(record) => {
                let (recorded, kept) = (Arc::new(Mutex::new(None)), record.clone());
                let (last, made) = (Arc::clone(&recorded), Arc::clone(&reply));
                // The reply is created in each attempt; the one of the last attempt is sent.
                let response = move |done: &Outcome| {
                    let reply = made(done);
                    let kept = kept.kept(&reply);
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(reply);
                    kept
                };
                let db = transaction.store();
                let request = record.record.record_in::<T>()?;
                match db.once(&request, transaction, response).await {
                    Ok(Once::Fresh(done)) => {
                        happened(&done);
                        let recorded =
                            recorded.lock().unwrap_or_else(PoisonError::into_inner).take();
                        Ok(recorded.unwrap_or_else(|| reply(&done)))
                    }
                    Ok(Once::Replay { status, body }) => {
                        is_fresh = false;
                        Ok(record.replayed(status, &body))
                    }
                    Err(error) => Err(error),
                }
            }
        };
        if let Some(afterwards) = afterwards.filter(|_| is_fresh && done.is_ok()) {
            afterwards.await;
        }
        done.map_err(|error| {
            let is_counted = is_condition_failure(&error);
            let problem = refusals.problem(error);
            if is_counted {
                call.counts.failed(problem.is_version_conflict());
            }
            problem
        })
    }
}

/// Runs once after a commit.
type After<'a> = Box<dyn FnOnce(&Outcome) + Send + 'a>;

type ReplyOf = Arc<dyn Fn(&Outcome) -> Reply + Send + Sync>;
