//! Writes many rows without conditions, independently of each other.

use std::collections::HashSet;
use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::sync::Arc;

use monotable_design::meta::EntityMeta;
use monotable_types::limits::BATCH_WRITE_MAX;

use super::change::own_row;
use super::erased::ErasedEntity;
use super::presence::{self, Presence};
use super::{execute, row};
use crate::backend::Reply;
use crate::backend::request::{Action, BatchAction, BatchWrite, Returns};
use crate::context::{self, Context};
use crate::entity::{Entity, EntityKey, Replaceable};
use crate::error::{Error, Result};
use crate::key::Parts;
use crate::retry::{Cause, Retry};
use crate::table::{Holds, Table};

/// Puts and deletes of many rows, 25 per request, retried until all are done. Await it.
///
/// Every row is replaced by the entity: attributes that it does not know are lost, and version and
/// stamps are those of the entity. Of two writes of one row the later one counts.
#[must_use = "a batch does nothing until it is awaited"]
pub struct Batch<T> {
    context: Arc<Context>,
    writes: Vec<Pending>,
    error: Option<Error>,
    table: PhantomData<fn() -> T>,
}

/// A write of a batch that has not been done yet.
struct Pending {
    key: KeyTexts,
    form: Form,
    /// The entity, if its keys may contain rows of another type: batches of the backend take no
    /// conditions.
    typed: Option<&'static EntityMeta>,
}

/// The texts of a row's primary key.
type KeyTexts = (String, Option<String>);

enum Form {
    /// An entity. It becomes a row when it is sent: copying the row for a retry would cost more
    /// than copying the entity.
    Entity(Box<dyn ErasedEntity>),
    /// In the backend's form, or returned by it as unprocessed.
    Action(BatchAction),
}

impl Pending {
    fn entity<E: Entity>(context: &Context, entity: &E) -> Result<Self> {
        let key = key_texts::<E>(entity)?;
        let entity = entity.clone();
        Ok(Self { key, form: Form::Entity(Box::new(entity)), typed: typed(context, E::META) })
    }

    fn delete<K: EntityKey>(context: &Context, key: &K) -> Result<Self> {
        let (partition, sort) = key_texts::<K::Entity>(key)?;
        let item = context.key_item(partition.clone(), sort.clone());
        let form = Form::Action(BatchAction::Delete(item));
        Ok(Self { key: (partition, sort), form, typed: typed(context, K::Entity::META) })
    }

    fn left_over(context: &Context, action: BatchAction) -> Self {
        let (BatchAction::Put(row) | BatchAction::Delete(row)) = &action;
        let text = |attribute: &str| row.get(attribute).and_then(|value| value.as_s());
        let partition = text(context.table.partition_key).unwrap_or_default().to_owned();
        let sort = context.table.sort_key.and_then(text).map(str::to_owned);
        Self { key: (partition, sort), form: Form::Action(action), typed: None }
    }

    fn action(&self, context: &Context) -> Result<BatchAction> {
        match &self.form {
            Form::Entity(entity) => {
                row::encode_at(context, &**entity, self.key.clone()).map(BatchAction::Put)
            }
            Form::Action(action) => Ok(action.clone()),
        }
    }

    /// Writes a row by itself, if the existing row has the type of the entity.
    async fn write_typed(&self, context: &Context, entity: &'static EntityMeta) -> Result<()> {
        let condition = Presence::of(context, entity).replaceable();
        let (action, failure) = match self.action(context)? {
            BatchAction::Put(row) => (Action::Put(row), presence::exists(context, entity)),
            BatchAction::Delete(key) => {
                (Action::Delete(key), presence::changed(context, entity, None))
            }
        };
        let write = own_row(context, action, condition, Returns::Nothing, failure);
        match execute::single(context, vec![write]).await {
            // A row of another type: there is nothing to delete.
            Err(Error::NotFound { .. }) => Ok(()),
            result => result.map(drop),
        }
    }
}

/// Returns the entity if its keys may contain rows of another type.
fn typed(context: &Context, entity: &'static EntityMeta) -> Option<&'static EntityMeta> {
    context.shared_key_type(entity).map(|_| entity)
}

/// Returns the texts of a primary key.
fn key_texts<E: Entity>(parts: &dyn Parts) -> Result<KeyTexts> {
    context::key_texts(E::META, &E::META.key, parts)
        .map_err(|error| Error::Key { entity: E::META.name, error })
}

impl<T> fmt::Debug for Batch<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<_> = self.writes.iter().map(|write| &write.key).collect();
        formatter.debug_struct("Batch").field("keys", &keys).finish_non_exhaustive()
    }
}

/// A batch that was not completed.
pub struct Incomplete<T: Table> {
    /// The remaining writes, which can be awaited again. This may be all of them: a row is always
    /// replaced as a whole, so repeating a write changes nothing.
    pub left: Batch<T>,
    /// The error.
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
        formatter.debug_struct("Incomplete").field("left", left).field("cause", cause).finish()
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

    /// Adds a put of an entity, unconditionally.
    pub fn put<E: Replaceable>(mut self, entity: &E) -> Self
    where
        T: Holds<E>,
    {
        const { check_no_derived_rows(E::META) };
        let put = Pending::entity(&self.context, entity);
        self.push(put);
        self
    }

    /// Adds a delete of the row with a key, unconditionally.
    pub fn delete<K: EntityKey>(mut self, key: &K) -> Self
    where
        T: Holds<K::Entity>,
    {
        const { check_no_derived_rows(<K::Entity as Entity>::META) };
        let delete = Pending::delete(&self.context, key);
        self.push(delete);
        self
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.writes.len()
    }

    /// Returns whether the batch is empty.
    pub fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    fn push(&mut self, write: Result<Pending>) {
        match write {
            Ok(write) => self.writes.push(write),
            Err(error) => {
                self.error.get_or_insert(error);
            }
        }
    }

    async fn run(mut self) -> Result<(), Incomplete<T>> {
        if let Some(cause) = self.error.clone() {
            return Err(Incomplete { left: self, cause });
        }
        let context = Arc::clone(&self.context);
        last_of_each(&mut self.writes);
        let writes = std::mem::take(&mut self.writes).into_iter();
        let (typed, free): (Vec<_>, Vec<_>) = writes.partition(|write| write.typed.is_some());
        self.writes = free;
        let mut typed = typed.into_iter();
        while let Some(write) = typed.next() {
            if let Some(entity) = write.typed
                && let Err(cause) = write.write_typed(&context, entity).await
            {
                self.writes.push(write);
                self.writes.extend(typed);
                return Err(Incomplete { left: self, cause });
            }
        }
        let mut retry = Retry::new();
        while !self.writes.is_empty() {
            let rest = self.writes.split_off(self.writes.len().min(BATCH_WRITE_MAX));
            let sent = std::mem::replace(&mut self.writes, rest);
            let count = sent.len();
            let writes = match sent.iter().map(|write| write.action(&context)).collect() {
                Ok(writes) => writes,
                Err(cause) => {
                    self.writes.extend(sent);
                    return Err(Incomplete { left: self, cause });
                }
            };
            let request = BatchWrite { table: Arc::clone(&context.table_name), writes };
            let mut cause = Cause::Throttled;
            let unprocessed: Vec<Pending> = match context.backend.batch_write(request).await {
                Ok(response) => {
                    let left = response.unprocessed.into_iter();
                    left.map(|action| Pending::left_over(&context, action)).collect()
                }
                Err(error) => match Cause::of(&error) {
                    Some(passes) => {
                        cause = passes;
                        sent
                    }
                    None => {
                        self.writes.extend(sent);
                        return Err(Incomplete { left: self, cause: error.into() });
                    }
                },
            };
            if unprocessed.is_empty() {
                continue;
            }
            if unprocessed.len() < count {
                retry = Retry::new();
            }
            self.writes.extend(unprocessed);
            match retry.pause(&*context.backend, cause).await {
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

/// Refuses at compile time entities with derived rows, which a batch would not write.
const fn check_no_derived_rows(entity: &EntityMeta) {
    assert!(
        entity.unique.is_empty(),
        "a batch writes single rows, and this entity has unique constraints: their rows would be left behind; use `create`, `edit` and `delete`, or a transaction"
    );
    assert!(
        entity.mirrors.is_empty(),
        "a batch writes single rows, and this entity has mirrors: they would be left behind; use `create`, `edit` and `delete`, or a transaction"
    );
}

/// Keeps only the last write of every row: DynamoDB does not accept a row twice in one request.
fn last_of_each(writes: &mut Vec<Pending>) {
    let mut seen = HashSet::with_capacity(writes.len());
    let is_last: Vec<bool> = writes.iter().rev().map(|write| seen.insert(&write.key)).collect();
    if is_last.contains(&false) {
        let mut is_last = is_last.into_iter().rev();
        writes.retain(|_| is_last.next().unwrap_or(true));
    }
}

impl<T: Table> IntoFuture for Batch<T> {
    type Output = Result<(), Incomplete<T>>;
    type IntoFuture = Reply<(), Incomplete<T>>;

    fn into_future(self) -> Self::IntoFuture {
        Reply::pending(self.run())
    }
}
