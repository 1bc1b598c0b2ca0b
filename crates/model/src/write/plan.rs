//! What an operation is made of: writes with conditions, and what a failed condition means.
//!
//! Every typed write, alone or in a transaction, becomes a [`Plan`] first. One write of one row goes to
//! the backend as it is; several go as a transaction.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use monotable_expression::Condition;
use monotable_types::Item;

use super::transact::Receipt;
use crate::backend::request::Write;
use crate::context::Context;
use crate::error::{Error, Result};

/// Something that changes rows: a create, an edit, a guard, a counter.
///
/// An operation that must see a row as it is now names its key in [`reads`](Self::reads); it is read
/// consistently before [`plan`](Self::plan) is called. It may be planned more than once.
pub trait Operation: Send + 'static {
    /// What it is, for messages: `create Team`.
    fn label(&self) -> String;

    /// The key of a row that must be seen first.
    ///
    /// # Errors
    /// If a value can't stand in a key.
    fn reads(&self, context: &Context) -> Result<Option<Item>> {
        let _ = context;
        Ok(None)
    }

    /// The writes. `row` is the row that [`reads`](Self::reads) asked for, if it exists.
    ///
    /// # Errors
    /// If the operation can't happen.
    fn plan(&self, context: &Context, row: Option<Item>) -> Result<Plan>;

    /// The writes of an operation that tells what those before it in its transaction do.
    ///
    /// # Errors
    /// If the operation can't happen.
    fn plan_behind(&self, context: &Context, row: Option<Item>, before: &Receipt) -> Result<Plan> {
        let _ = before;
        self.plan(context, row)
    }

    /// The operation that is tried when this one fails with [`Error::VersionConflict`]: one that looks
    /// at the row first, because its attributes may be stored in another form than they are written in
    /// now. `None` for operations that looked already, or do not depend on what was stored.
    fn looking(&self) -> Option<Box<dyn Operation>> {
        None
    }

    /// Whether it is right whatever the row says, so that it is planned again when somebody else was
    /// faster than it, and it fails with [`Error::VersionConflict`].
    fn is_blind(&self) -> bool {
        false
    }
}

/// The writes of one operation.
#[derive(Debug, Default)]
pub struct Plan {
    /// The writes, the operation's own row first.
    pub writes: Vec<PlannedWrite>,
    /// The entity as it is after the operation, for its result.
    pub entity: Option<Arc<dyn Any + Send + Sync>>,
}

impl Plan {
    /// Writes that leave nothing to tell.
    pub fn new(writes: Vec<PlannedWrite>) -> Self {
        Self { writes, entity: None }
    }

    /// The same with the entity as it is then.
    #[must_use]
    pub fn of(mut self, entity: impl Any + Send + Sync) -> Self {
        self.entity = Some(Arc::new(entity));
        self
    }
}

/// One write and what its failure means.
pub struct PlannedWrite {
    /// The write.
    pub write: Write,
    /// The error when its condition does not hold, from the row that the condition saw.
    pub failure: Failure,
    /// What it does to a value that only one row may stand for.
    pub(super) hold: Option<Hold>,
    /// What holds of a row that is the operation's own to give up, where the write does not ask for it.
    pub(super) own: Option<Condition>,
}

impl fmt::Debug for PlannedWrite {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.write, formatter)
    }
}

impl PlannedWrite {
    /// A write and what its failure means.
    pub fn new(write: Write, failure: Failure) -> Self {
        Self { write, failure, hold: None, own: None }
    }

    /// The same for a row that exists because of another one.
    pub(super) fn holding(self, hold: Hold) -> Self {
        Self { hold: Some(hold), ..self }
    }
}

/// What becomes of a row that stands for a value of another one, such as a sentinel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hold {
    /// Its value is taken; the row must not belong to somebody else.
    Taken,
    /// Its value stays, and something else in the row changes.
    Kept,
    /// Its value is given up.
    GivenUp,
}

/// Makes the error of a failed condition from the row that it saw.
pub type Failure = Box<dyn FnOnce(Option<Box<Item>>) -> Error + Send>;
