//! Several operations at once, all or nothing.

use std::any::Any;
use std::fmt;
use std::future::IntoFuture;
use std::marker::PhantomData;
use std::sync::Arc;

use monotable_types::Item;
use monotable_types::limits::CLIENT_REQUEST_TOKEN_LENGTH_MAX;

use super::check::{Check, CheckAbsent};
use super::create::CreateOperation;
use super::delete::{Delete, DeleteByKey};
use super::edit::Edit;
use super::execute;
use super::look;
use super::others;
use super::plan::{Operation, Plan, PlannedWrite};
use super::put::Put;
use super::rekey::Rekey;
use super::send::{Failed, refused};
use super::update::IntoUpdate;
use crate::backend::Reply;
use crate::condition::Condition;
use crate::context::Context;
use crate::entity::{Editable, Entity, EntityKey, Replaceable};
use crate::error::{Error, OperationError, Result};
use crate::retry::Retry;
use crate::table::{Holds, Table};

/// Operations that happen together or not at all. Await it.
///
/// A transaction writes at most 100 rows, those of unique constraints and mirrors included, and no row
/// twice. A unique value may pass from one entity to another: one operation gives it up, another takes
/// it.
#[must_use = "a transaction does nothing until it is awaited"]
pub struct Transact<T> {
    context: Arc<Context>,
    operations: Vec<Box<dyn Operation>>,
    token: Option<String>,
    table: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Transact<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<String> = self.operations.iter().map(|one| one.label()).collect();
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
            operations: Vec::new(),
            token: None,
            table: PhantomData,
        }
    }

    /// Creates a row where none is.
    pub fn create<E: Entity>(self, entity: &E) -> Self
    where
        T: Holds<E>,
    {
        let create = CreateOperation::new(&self.context, entity);
        self.add(create)
    }

    /// Writes an entity over whatever is there.
    pub fn put<E: Replaceable>(self, entity: &E) -> Self
    where
        T: Holds<E>,
    {
        self.add(Put(entity.clone()))
    }

    /// Changes an entity that was read.
    pub fn edit<E: Editable>(self, entity: &E, change: impl FnOnce(&mut E)) -> Self
    where
        T: Holds<E>,
    {
        self.add(Edit::new(entity.clone(), change))
    }

    /// Changes single attributes of a row.
    pub fn update<U: IntoUpdate>(self, update: U) -> Self
    where
        T: Holds<U::Entity>,
    {
        self.add(update.into_update())
    }

    /// Moves an entity that was read to the key of `new`, and changes it to that.
    pub fn rekey<E: Editable>(self, old: &E, new: &E) -> Self
    where
        T: Holds<E>,
    {
        self.add(Rekey { old: old.clone(), new: new.clone() })
    }

    /// Deletes an entity that was read.
    pub fn delete<E: Entity>(self, entity: &E) -> Self
    where
        T: Holds<E>,
    {
        self.add(Delete::new(entity.clone()))
    }

    /// Deletes whatever is there under a key.
    pub fn delete_by_key<K: EntityKey>(self, key: &K) -> Self
    where
        T: Holds<K::Entity>,
    {
        self.add(DeleteByKey(key.clone()))
    }

    /// The row of a key must be there and fulfil a condition.
    pub fn check<K: EntityKey>(self, key: &K, condition: Condition<K::Entity>) -> Self
    where
        T: Holds<K::Entity>,
    {
        self.add(Check { key: key.clone(), condition })
    }

    /// There must be no row of a key.
    pub fn check_absent<K: EntityKey>(self, key: &K) -> Self
    where
        T: Holds<K::Entity>,
    {
        self.add(CheckAbsent(key.clone()))
    }

    /// Any other operation.
    #[expect(clippy::should_implement_trait, reason = "it adds to a list, and `+` would hide that")]
    pub fn add(mut self, operation: impl Operation) -> Self {
        self.operations.push(Box::new(operation));
        self
    }

    /// A repeat of the very same transaction with this token, within ten minutes, changes nothing and
    /// succeeds. Entities with stamps of time or with an expiry write the time, so that a repeat of
    /// theirs at another time is another transaction and fails with [`Error::IdempotencyReused`]; and
    /// operations that look at their row first (of entities with mirrors, old names, an envelope or value
    /// rows) find what they did and fail. For those, and for requests of clients, there is
    /// [`once`](crate::Store::once).
    pub fn idempotent(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }
}

impl<T: Table> IntoFuture for Transact<T> {
    type Output = Result<Receipt>;
    type IntoFuture = Reply<Receipt, Error>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { context, operations, token, .. } = self;
        Reply::pending(async move { run(&context, operations, token).await })
    }
}

/// Runs operations, all or nothing.
pub(crate) async fn run(
    context: &Context,
    mut operations: Vec<Box<dyn Operation>>,
    token: Option<String>,
) -> Result<Receipt> {
    let token_bytes = token.as_ref().map_or(1, String::len);
    if !(1..=CLIENT_REQUEST_TOKEN_LENGTH_MAX).contains(&token_bytes) {
        return Err(refused(format!(
            "an idempotency token has 1 to {CLIENT_REQUEST_TOKEN_LENGTH_MAX} characters; this one has {token_bytes}"
        )));
    }
    let mut leaves_others = false;
    let mut taken = None;
    let mut retry = Retry::new();
    loop {
        let keys = operations.iter().map(|operation| operation.reads(context)).collect();
        let keys = each(&operations, keys)?;
        let rows = look::read_all(context, keys).await?;
        let (mut writes, receipt) = plan(context, &operations, rows)?;
        let is_other = leaves_others && others::leave(context, &mut writes).await?;
        if let Some(failures) = taken.take().filter(|_| !is_other) {
            return Err(named(&operations, failures));
        }
        let failed = match execute::all(context, writes, token.clone()).await {
            Ok(answer) => return Ok(Receipt { units: answer.units, ..receipt }),
            Err(failed) => failed,
        };
        if failed.passes() && retry.pause(context, false).await.unwrap_or(false) {
            continue;
        }
        match failed {
            Failed::Whole(error) => return Err(error),
            Failed::Operations(failures) => {
                let is_taken =
                    |(_, error): &(usize, Error)| matches!(error, Error::UniqueTaken { .. });
                if !leaves_others && failures.iter().any(is_taken) {
                    leaves_others = true;
                    taken = Some(failures);
                } else if is_outrun(&operations, &failures) {
                    if !retry.pause(context, false).await? {
                        return Err(named(&operations, failures));
                    }
                } else if !look_first(&mut operations, &failures) {
                    return Err(named(&operations, failures));
                }
            }
            Failed::Twice { first, second, key } => {
                let (one, other) = (operations[first].label(), operations[second].label());
                return Err(refused(format!(
                    "a transaction writes no row twice: operation {first} ({one}) and operation {second} ({other}) both write {key}"
                )));
            }
        }
    }
}

/// The writes of operations whose rows were looked at, and what they leave.
fn plan(
    context: &Context,
    operations: &[Box<dyn Operation>],
    rows: Vec<Option<Item>>,
) -> Result<(Vec<Vec<PlannedWrite>>, Receipt)> {
    let mut receipt = Receipt { entities: Vec::with_capacity(operations.len()), units: 0.0 };
    let mut plans = Vec::with_capacity(operations.len());
    for (operation, row) in operations.iter().zip(rows) {
        let planned = operation.plan_behind(context, row, &receipt);
        let (entity, writes) = match planned {
            Ok(Plan { entity, writes }) => (entity, Ok(writes)),
            Err(error) => (None, Err(error)),
        };
        receipt.entities.push(entity);
        plans.push(writes);
    }
    Ok((each(operations, plans)?, receipt))
}

/// Whether all that failed is that somebody else was faster than operations that do not mind.
fn is_outrun(operations: &[Box<dyn Operation>], failures: &[(usize, Error)]) -> bool {
    let is_outrun = |(operation, error): &(usize, Error)| {
        matches!(error, Error::VersionConflict { .. }) && operations[*operation].is_blind()
    };
    failures.iter().all(is_outrun)
}

/// Lets the operations that failed look at their rows first, if each of them may succeed then.
fn look_first(operations: &mut [Box<dyn Operation>], failures: &[(usize, Error)]) -> bool {
    let looking = |(operation, error): &(usize, Error)| match error {
        Error::VersionConflict { .. } => Some((*operation, operations[*operation].looking()?)),
        _ => None,
    };
    let Some(looking) = failures.iter().map(looking).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let is_any = !looking.is_empty();
    for (operation, instead) in looking {
        operations[operation] = instead;
    }
    is_any
}

/// The results of all operations, or the errors of those that failed.
fn each<R>(operations: &[Box<dyn Operation>], results: Vec<Result<R>>) -> Result<Vec<R>> {
    let mut failures = Vec::new();
    let mut values = Vec::with_capacity(results.len());
    for (operation, result) in results.into_iter().enumerate() {
        match result {
            Ok(value) => values.push(value),
            Err(error) => failures.push((operation, error)),
        }
    }
    if failures.is_empty() { Ok(values) } else { Err(named(operations, failures)) }
}

fn named(operations: &[Box<dyn Operation>], failures: Vec<(usize, Error)>) -> Error {
    let failures = failures
        .into_iter()
        .map(|(operation, error)| OperationError {
            operation,
            label: operations[operation].label(),
            error,
        })
        .collect();
    Error::Transaction { failures }
}

/// What a transaction did.
#[derive(Default)]
pub struct Receipt {
    entities: Vec<Option<Arc<dyn Any + Send + Sync>>>,
    /// Write units used, where the backend tells.
    pub units: f64,
}

impl fmt::Debug for Receipt {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entities, units } = self;
        let operations = entities.len();
        formatter
            .debug_struct("Receipt")
            .field("operations", &operations)
            .field("units", units)
            .finish_non_exhaustive()
    }
}

impl Receipt {
    /// The entity as an operation left it: of creates and edits, with its version and stamps; or what
    /// came of a rule, such as the [`Held`](crate::rows::Held) of a lock. `None` for operations that
    /// do not know it (deletes, checks, blind updates), and for another type.
    pub fn get<E: 'static>(&self, operation: usize) -> Option<&E> {
        self.entities.get(operation)?.as_ref()?.downcast_ref()
    }
}
