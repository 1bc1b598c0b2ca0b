//! Many rows without conditions, each on its own.

use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::sync::Arc;

use monotable_design::meta::EntityMeta;
use monotable_types::Item;
use monotable_types::limits::BATCH_WRITE_MAX;

use super::row;
use crate::backend::request::{BatchAction, BatchWrite};
use crate::backend::{BackendError, Reply};
use crate::context::Context;
use crate::entity::{Entity, EntityKey, Replaceable};
use crate::error::{Error, Result};
use crate::retry::Retry;
use crate::table::{Holds, Table};

/// Puts and deletes of many rows, 25 a request, tried again until all are done. Await it.
///
/// Every row is written as a whole, as the entity is: attributes that it does not know are lost, and its
/// version and stamps are those it has. Of two writes of one row the later one counts.
#[must_use = "a batch does nothing until it is awaited"]
pub struct Batch<T> {
    context: Arc<Context>,
    writes: Vec<BatchAction>,
    error: Option<Error>,
    table: PhantomData<fn() -> T>,
}

/// A batch that was not finished.
pub struct Incomplete<T: Table> {
    /// What is left, ready to be awaited again. All of it may be: rows are written as a whole, so that
    /// writing one again changes nothing.
    pub left: Batch<T>,
    /// Why.
    pub cause: Error,
}

impl<T: Table> fmt::Display for Incomplete<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} rows of a batch were not written: {}", self.left.len(), self.cause)
    }
}

impl<T: Table> fmt::Debug for Incomplete<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { left, cause } = self;
        formatter
            .debug_struct("Incomplete")
            .field("left", &left.writes)
            .field("cause", cause)
            .finish()
    }
}

impl<T: Table> std::error::Error for Incomplete<T> {}

impl<T: Table> From<Incomplete<T>> for Error {
    fn from(incomplete: Incomplete<T>) -> Self {
        incomplete.cause
    }
}

impl<T: Table> Batch<T> {
    pub(super) fn new(context: &Arc<Context>) -> Self {
        Self { context: Arc::clone(context), writes: Vec::new(), error: None, table: PhantomData }
    }

    /// Writes an entity over whatever is there.
    pub fn put<E: Replaceable>(mut self, entity: &E) -> Self
    where
        T: Holds<E>,
    {
        const { stands_alone(E::META) };
        match row::encode(&self.context, entity) {
            Ok(row) => self.push(BatchAction::Put(row)),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
        self
    }

    /// Deletes whatever is there under a key.
    pub fn delete<K: EntityKey>(mut self, key: &K) -> Self
    where
        T: Holds<K::Entity>,
    {
        const { stands_alone(<K::Entity as Entity>::META) };
        match self.context.primary_key(K::Entity::META, key) {
            Ok(key) => self.push(BatchAction::Delete(key)),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
        self
    }

    /// How many rows it writes.
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Whether it writes nothing.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    fn push(&mut self, write: BatchAction) {
        self.writes.push(write);
    }

    async fn run(mut self) -> Result<(), Incomplete<T>> {
        if let Some(cause) = self.error.take() {
            return Err(Incomplete { left: self, cause });
        }
        let context = Arc::clone(&self.context);
        self.writes = last_of_each(&context, std::mem::take(&mut self.writes));
        let mut retry = Retry::new();
        while !self.writes.is_empty() {
            let rest = self.writes.split_off(self.writes.len().min(BATCH_WRITE_MAX));
            let writes = std::mem::replace(&mut self.writes, rest);
            let sent = writes.len();
            let request =
                BatchWrite { table: Arc::clone(&context.table_name), writes: writes.clone() };
            let unprocessed = match context.backend.batch_write(request).await {
                Ok(answer) => answer.unprocessed,
                Err(BackendError::Throttled(_) | BackendError::Conflict) => writes,
                Err(error) => {
                    self.writes.extend(writes);
                    return Err(Incomplete { left: self, cause: error.into() });
                }
            };
            if unprocessed.is_empty() {
                continue;
            }
            let progress = unprocessed.len() < sent;
            self.writes.extend(unprocessed);
            match retry.pause(&context, progress).await {
                Ok(true) => {}
                Ok(false) => {
                    let cause = Error::Incomplete { unprocessed: self.writes.len() };
                    return Err(Incomplete { left: self, cause });
                }
                Err(cause) => return Err(Incomplete { left: self, cause }),
            }
        }
        Ok(())
    }
}

/// Refuses, while the program compiles, entities of which a batch would leave other rows behind.
const fn stands_alone(entity: &EntityMeta) {
    assert!(
        entity.unique.is_empty(),
        "a batch writes single rows, and this entity has unique constraints: their rows would be left behind; use `create`, `edit` and `delete`, or a transaction"
    );
    assert!(
        entity.mirrors.is_empty(),
        "a batch writes single rows, and this entity has mirrors: they would be left behind; use `create`, `edit` and `delete`, or a transaction"
    );
}

/// The last write of every row: DynamoDB takes no row twice in one request.
fn last_of_each(context: &Context, writes: Vec<BatchAction>) -> Vec<BatchAction> {
    let key = |write: &BatchAction| -> Item {
        match write {
            BatchAction::Put(row) => row::key_of(context, row),
            BatchAction::Delete(key) => key.clone(),
        }
    };
    let mut seen = std::collections::HashSet::new();
    let mut last: Vec<BatchAction> =
        writes.into_iter().rev().filter(|write| seen.insert(key(write))).collect();
    last.reverse();
    last
}

impl<T: Table> IntoFuture for Batch<T> {
    type Output = Result<(), Incomplete<T>>;
    type IntoFuture = Reply<(), Incomplete<T>>;

    fn into_future(self) -> Self::IntoFuture {
        Reply::pending(self.run())
    }
}
