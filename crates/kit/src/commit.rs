//! The transaction of a command: what it returns, what its failures mean, and what a repeat of the request
//! gets.

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

/// What the failures of a transaction mean to the caller, by the handles of its operations.
///
/// The first operation that failed and has a rule decides. Without one the error decides, and there a
/// version conflict explains what failed beside it. A version conflict is never refused: the caller's
/// command is run again.
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
    /// Starts without any: errors speak for themselves.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers with this problem if an operation fails because of what is stored. A storage that refuses
    /// or is busy speaks for itself.
    #[must_use]
    pub fn refuse<O: 'a>(self, handle: Handle<O>, problem: impl Into<Problem>) -> Self {
        let problem = problem.into();
        self.refuse_with(handle, move |error| is_condition_failure(error).then(|| problem.clone()))
    }

    /// Answers with the problem that a function makes of an operation's error; `None` leaves it.
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

    /// Runs the command again if an operation fails because of what is stored: it decides by what it reads
    /// then. As a rule about a version conflict, it comes before those about later operations.
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

    /// Runs the command again if a condition fails or a row is gone, of any operation that no other rule
    /// is about: something has changed since it was read.
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

/// Whether something that was read is not so any more.
fn is_outdated(error: &Error) -> bool {
    matches!(error, Error::ConditionFailed { .. } | Error::NotFound { .. })
}

/// The transaction of a command on its way. Made by [`Request::commit`].
#[must_use = "a commit does nothing until its reply is awaited"]
pub struct Commit<'a, T> {
    call: &'a Request,
    transaction: Transact<T>,
    refusals: Refusals<'a>,
    after: Option<After<'a>>,
    afterwards: Option<Pin<Box<dyn Future<Output = ()> + Send + 'a>>>,
}

/// Operations are added to the transaction itself.
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

    /// Starts the transaction of a command. What a failure of an operation means can be said where the
    /// operation is added:
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
    /// Adds an operation, and answers with this problem if it fails because of what is stored: see
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

    /// Adds an operation, and answers with what a function makes of its error: see
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

    /// Adds an operation, and runs the command again if it fails because of what is stored: see
    /// [`Refusals::retry`].
    pub fn expect<O: Operation<T, Output: 'a>>(&mut self, operation: O) -> Handle<O::Output> {
        let handle = self.transaction.add(operation);
        self.change_rules(|refusals| refusals.retry(handle));
        handle
    }

    fn change_rules(&mut self, change: impl FnOnce(Refusals<'a>) -> Refusals<'a>) {
        self.refusals = change(std::mem::take(&mut self.refusals));
    }

    /// Adds to the rules of what failures mean.
    pub fn refusing(mut self, refusals: impl FnOnce(Refusals<'a>) -> Refusals<'a>) -> Self {
        self.refusals = refusals(self.refusals);
        self
    }

    /// Answers with this problem if an operation fails because of what is stored: see
    /// [`Refusals::refuse`].
    pub fn refuse<O: 'a>(self, handle: Handle<O>, problem: impl Into<Problem>) -> Self {
        self.refusing(|refusals| refusals.refuse(handle, problem))
    }

    /// Answers with what a function makes of an operation's error: see [`Refusals::refuse_with`].
    pub fn refuse_with<O: 'a>(
        self,
        handle: Handle<O>,
        problem: impl Fn(&Error) -> Option<Problem> + Send + Sync + 'a,
    ) -> Self {
        self.refusing(|refusals| refusals.refuse_with(handle, problem))
    }

    /// Runs the command again if an operation fails because of what is stored: see [`Refusals::retry`].
    pub fn retry<O: 'a>(self, handle: Handle<O>) -> Self {
        self.refusing(|refusals| refusals.retry(handle))
    }

    /// Runs the command again if anything else is not as it was read: see [`Refusals::or_retry`].
    pub fn or_retry(self) -> Self {
        self.refusing(Refusals::or_retry)
    }

    /// Runs a function after the operations have happened, and not when a repeat of the request gets the
    /// recorded reply: for what is kept in memory.
    pub fn after(mut self, after: impl FnOnce(&Outcome) + Send + 'a) -> Self {
        self.after = Some(Box::new(after));
        self
    }

    /// Awaits a future after the operations have happened, before the reply is sent, and not when a repeat
    /// of the request gets the recorded reply: for clients that follow what changes.
    pub fn afterwards(mut self, future: impl Future<Output = ()> + Send + 'a) -> Self {
        self.afterwards = Some(Box::pin(future));
        self
    }

    /// Runs the transaction. The reply is made of what the operations left; it is recorded with them, and
    /// it is what a repeat of the request gets.
    pub fn reply(
        self,
        reply: impl Fn(&Outcome) -> Reply + Send + Sync + 'static,
    ) -> BoxFuture<'a, Reply> {
        Box::pin(self.run(Arc::new(reply)))
    }

    /// Runs the transaction, as [`reply`](Self::reply) does, with a typed response.
    pub fn respond<R: Response>(
        self,
        response: impl Fn(&Outcome) -> R + Send + Sync + 'static,
    ) -> Answering<'a, Answer<R>> {
        let reply: ReplyOf = Arc::new(move |done: &Outcome| response(done).into_reply());
        Box::pin(async move { self.run(reply).await.map(Typed::of) })
    }

    /// The same, compiled once for each table and not once for each command.
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
                // The reply is made once for each attempt, and that of the last attempt is sent.
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
