//! Several operations at once, all or nothing.

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::sync::Arc;

use monotable_types::limits::CLIENT_REQUEST_TOKEN_LENGTH_MAX;

use super::execute;
use super::operation::Operation;
use super::outcome::{Handle, Outcome, TransactionId};
use super::plan::{Label, Planned};
use super::send::refused;
use crate::backend::Reply;
use crate::context::Context;
use crate::error::{Error, Result};
use crate::store::Store;
use crate::table::Table;

/// Operations that take effect together or not at all.
///
/// ```ignore
/// let mut tx = db.transact();
/// let goal = tx.add(create(goal));
/// tx.add(edit(&game, |game| game.score += 1));
/// let done = tx.commit().await?;
/// println!("{:?}", done[goal]);
/// ```
///
/// A transaction writes at most 100 rows, including those of unique constraints and mirrors, and no
/// row twice. A unique value may pass from one entity to another: one operation releases it,
/// another takes it.
#[must_use = "a transaction does nothing until it is committed"]
pub struct Transact<T> {
    context: Arc<Context>,
    id: TransactionId,
    operations: Vec<Box<dyn Planned>>,
    token: Option<String>,
    table: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Transact<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<Label> = self.operations.iter().map(|one| one.label()).collect();
        formatter
            .debug_struct("Transact")
            .field("operations", &labels)
            .field("token", &self.token)
            .finish_non_exhaustive()
    }
}

impl<T: Table> Transact<T> {
    pub(super) fn new(context: &Arc<Context>) -> Self {
        Self {
            context: Arc::clone(context),
            id: TransactionId::next(),
            operations: Vec::new(),
            token: None,
            table: PhantomData,
        }
    }

    /// Returns the store that the transaction belongs to.
    pub fn store(&self) -> Store<T> {
        Store::new(Arc::clone(&self.context))
    }

    /// Adds an operation. The handle finds its result in the [`Outcome`], and its error with
    /// [`Error::of`].
    pub fn add<O: Operation<T>>(&mut self, operation: O) -> Handle<O::Output> {
        self.operations.push(operation.into_planned());
        Handle::new(self.id, self.operations.len() - 1)
    }

    /// Adds an operation without the type of its table.
    pub(crate) fn push(&mut self, operation: Box<dyn Planned>) {
        self.operations.push(operation);
    }

    /// Adds an operation whose handle is not needed:
    /// `db.transact().with(create(a)).with(delete(&b))`.
    pub fn with<O: Operation<T>>(mut self, operation: O) -> Self {
        self.add(operation);
        self
    }

    /// Sets an idempotency token: repeating exactly the same transaction with it within ten minutes
    /// changes nothing and succeeds. Entities with time stamps or an expiry write the time, so a
    /// repetition at another time is another transaction and fails with
    /// [`Error::IdempotencyReused`]; and operations that read their row first (of entities with
    /// mirrors, previous names, an envelope or value rows) find their own effect and fail. For
    /// those, and for requests of clients, use [`once`](crate::Store::once).
    pub fn idempotent(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Runs the operations, all or nothing. Awaiting the transaction itself does the same.
    ///
    /// # Errors
    ///
    /// [`Error::Transaction`] lists the failed operations; then nothing was written.
    pub fn commit(self) -> Reply<Outcome, Error> {
        let Self { context, id, operations, token, .. } = self;
        if let Some(error) = token.as_deref().and_then(token_error) {
            return Reply::ready(Err(error));
        }
        Reply::pending(async move { execute::together(&context, id, operations, token).await })
    }
}

impl<T: Table> IntoFuture for Transact<T> {
    type Output = Result<Outcome>;
    type IntoFuture = Reply<Outcome, Error>;

    fn into_future(self) -> Self::IntoFuture {
        self.commit()
    }
}

/// Returns the error of a token that no backend accepts.
fn token_error(token: &str) -> Option<Error> {
    let bytes = token.len();
    let is_valid = (1..=CLIENT_REQUEST_TOKEN_LENGTH_MAX).contains(&bytes);
    (!is_valid).then(|| {
        refused(format!(
            "an idempotency token has 1 to {CLIENT_REQUEST_TOKEN_LENGTH_MAX} characters; this one has {bytes}"
        ))
    })
}
