//! What an operation is made of: writes with conditions, and what a failed condition means.
//!
//! Every typed write, alone or in a transaction, becomes a [`Plan`] first. One write of one row goes to
//! the backend as it is; several go as a transaction.

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

/// Something that changes rows: a create, an edit, a guard, a counter.
///
/// An operation that must see a row as it is now names its key in [`reads`](Self::reads); it is read
/// consistently before [`plan`](Self::plan) is called. It may be planned more than once.
pub trait Planned: Send + 'static {
    /// Returns what it is, for messages: `create Team`.
    fn label(&self) -> Label;

    /// Returns the key of a row that must be seen first.
    ///
    /// # Errors
    /// If a value can't stand in a key.
    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        let _ = context;
        Ok(None)
    }

    /// Returns the writes. `row` is the row that [`reads`](Self::reads) named, if it exists.
    ///
    /// # Errors
    /// If the operation can't happen.
    fn plan(&mut self, context: &Context, row: Option<Item>) -> Result<Plan>;

    /// Returns the writes of an operation that depends on what those before it in its transaction do. Not
    /// all of them are known where one can't happen.
    ///
    /// # Errors
    /// If the operation can't happen.
    fn plan_after(
        &mut self,
        context: &Context,
        row: Option<Item>,
        before: &Outcome,
    ) -> Result<Plan> {
        let _ = before;
        self.plan(context, row)
    }

    /// Returns the operation that is tried when this one fails with [`Error::VersionConflict`]: one that
    /// reads the row first, because its attributes may be stored in another form than they are written
    /// in now. `None` for operations that read it already, or do not depend on what was stored.
    fn reading_first(&self) -> Option<Box<dyn Planned>> {
        None
    }

    /// Returns whether it is right whatever the row contains, so that it is planned again when another
    /// writer changed the row first, and it fails with [`Error::VersionConflict`].
    fn is_blind(&self) -> bool {
        false
    }
}

/// What an operation is, for messages: `create Team`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// What it does: `create`.
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
    /// What the operation leaves, for its handle: of a create the entity as it is stored.
    pub output: Option<Arc<dyn Any + Send + Sync>>,
}

impl Plan {
    /// Makes a plan that leaves nothing to report.
    pub fn new(writes: Vec<PlannedWrite>) -> Self {
        Self { writes, output: None }
    }

    /// Adds what the operation leaves.
    #[must_use]
    pub fn of(mut self, output: impl Any + Send + Sync) -> Self {
        self.output = Some(Arc::new(output));
        self
    }

    /// Adds the entity as it is after the operation.
    pub(super) fn leaving(mut self, entity: SharedEntity) -> Self {
        self.output = Some(entity.into_any());
        self
    }
}

/// One write and what its failure means.
pub struct PlannedWrite {
    /// The write.
    pub write: Write,
    /// The error when its condition does not hold, from the row that the condition saw.
    pub failure: Failure,
    /// What it does to a value that only one row may have.
    pub(super) hold: Option<Hold>,
    /// What holds of a row that is the operation's own to give up, where the write has no such condition.
    pub(super) own: Option<Condition>,
}

impl fmt::Debug for PlannedWrite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.write, formatter)
    }
}

impl PlannedWrite {
    /// Joins a write and what its failure means.
    pub fn new(write: Write, failure: Failure) -> Self {
        Self { write, failure, hold: None, own: None }
    }

    /// Marks the write of a row that exists because of another one.
    pub(super) fn holding(self, hold: Hold) -> Self {
        Self { hold: Some(hold), ..self }
    }
}

/// What becomes of a row that represents a value of another one, such as a sentinel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Its value is taken; the row must not belong to another entity.
    Taken,
    /// Its value stays, and something else in the row changes.
    Kept,
    /// Its value is given up.
    GivenUp,
}

/// Makes the error of a failed condition from the row that it saw.
pub type Failure = Box<dyn FnOnce(Option<Box<Item>>) -> Error + Send>;
