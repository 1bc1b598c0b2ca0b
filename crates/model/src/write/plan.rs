//! Plans: the conditional writes of an operation, and the errors of their failed conditions.
//!
//! Every typed write, alone or in a transaction, becomes a [`Plan`] first. A single write is sent
//! to the backend directly; several are sent as a transaction.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use monotable_expression::Condition;
use monotable_types::Item;

use super::erased::SharedEntity;
use super::outcome::Outcome;
use crate::backend::request::Write;
use crate::context::Context;
use crate::error::{Error, Result};

/// An operation that changes rows: a create, an edit, a guard, a counter.
///
/// An operation that needs the current row returns its key from [`reads`](Self::reads); the row is
/// read consistently before [`plan`](Self::plan) is called. It may be planned more than once.
pub trait Planned: Send + 'static {
    /// Returns the name of the operation for messages: `create Team`.
    fn label(&self) -> Label;

    /// Returns the key of a row that must be read first.
    ///
    /// # Errors
    ///
    /// A value is not valid in a key.
    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        let _ = context;
        Ok(None)
    }

    /// Returns the writes. `row` is the row that [`reads`](Self::reads) named, if it exists.
    ///
    /// # Errors
    ///
    /// The operation fails.
    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan>;

    /// Returns the writes of an operation that depends on the results of the preceding ones in its
    /// transaction. Not all results are known if one of them fails.
    ///
    /// # Errors
    ///
    /// The operation fails.
    fn plan_after(
        &mut self,
        context: &Context,
        row: Option<Item>,
        before: &Outcome,
    ) -> Result<Plan> {
        let _ = before;
        self.plan(context, row)
    }

    /// Returns the operation to try if this one fails with [`Error::VersionConflict`]: one that
    /// reads the row first, because its attributes may be stored in another form than they are
    /// written now. Returns `None` for operations that already read it, or do not depend on the
    /// stored row.
    fn reading_first(&self) -> Option<Box<dyn Planned>> {
        None
    }

    /// Returns whether the operation is valid for any stored row, so that it is planned again after
    /// an [`Error::VersionConflict`] with another writer.
    fn is_blind(&self) -> bool {
        false
    }
}

/// The name of an operation for messages: `create Team`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The kind of operation: `create`.
    pub operation: &'static str,
    /// The name of the entity or rule: `Team`, `guard`.
    pub entity: &'static str,
}

impl Label {
    /// Names an operation.
    pub const fn new(operation: &'static str, entity: &'static str) -> Self {
        Self { operation, entity }
    }
}

impl fmt::Display for Label {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {}", self.operation, self.entity)
    }
}

/// The writes of one operation.
#[derive(Debug, Default)]
pub struct Plan {
    /// The writes, the operation's own row first.
    pub writes: Vec<PlannedWrite>,
    /// The result of the operation, for its handle: for a create the entity as stored.
    pub output: Option<Arc<dyn Any + Send + Sync>>,
}

impl Plan {
    /// Makes a plan without a result.
    pub fn new(writes: Vec<PlannedWrite>) -> Self {
        Self { writes, output: None }
    }

    /// Sets the result of the operation.
    #[must_use]
    pub fn of(mut self, output: impl Any + Send + Sync) -> Self {
        self.output = Some(Arc::new(output));
        self
    }

    /// Sets the entity after the operation as the result.
    pub(super) fn leaving(mut self, entity: SharedEntity) -> Self {
        self.output = Some(entity.into_any());
        self
    }
}

/// One write, and the error if its condition fails.
pub struct PlannedWrite {
    /// The write.
    pub write: Write,
    /// Makes the error of a failed condition from the row that it was evaluated on.
    pub failure: Failure,
    /// What the write does to a unique value.
    pub(super) hold: Option<Hold>,
    /// The condition under which a row is the operation's own to release, if the write has no such
    /// condition.
    pub(super) own: Option<Condition>,
}

impl fmt::Debug for PlannedWrite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.write, formatter)
    }
}

impl PlannedWrite {
    /// Joins a write and the error of its failed condition.
    pub fn new(write: Write, failure: Failure) -> Self {
        Self { write, failure, hold: None, own: None }
    }

    /// Marks the write of a derived row.
    pub(super) fn holding(self, hold: Hold) -> Self {
        Self { hold: Some(hold), ..self }
    }
}

/// What happens to a row that represents a value of another row, such as a sentinel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Its value is taken; the row must not belong to another entity.
    Taken,
    /// Its value is kept, and another attribute of the row changes.
    Kept,
    /// Its value is released.
    GivenUp,
}

/// Makes the error of a failed condition from the row that it was evaluated on.
pub type Failure = Box<dyn FnOnce(Option<Box<Item>>) -> Error + Send>;
