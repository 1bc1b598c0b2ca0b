//! The result of a step of a job: its writes, and the next cursor.

use std::fmt;
use std::marker::PhantomData;

use crate::table::Table;
use crate::write::{Label, Operation, Planned};

/// One step of a job in the table `T`: its writes, and the cursor after it.
pub struct Step<T, C> {
    pub(super) operations: Vec<Box<dyn Planned>>,
    /// The cursor of the next step; `None` after the last.
    pub(super) next: Option<C>,
    table: PhantomData<fn() -> T>,
}

impl<T, C: fmt::Debug> fmt::Debug for Step<T, C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<Label> = self.operations.iter().map(|one| one.label()).collect();
        formatter
            .debug_struct("Step")
            .field("operations", &labels)
            .field("next", &self.next)
            .finish()
    }
}

impl<T: Table, C> Step<T, C> {
    /// Returns a step that is followed by another one, which starts at this cursor.
    pub fn next(cursor: C) -> Self {
        Self { operations: Vec::new(), next: Some(cursor), table: PhantomData }
    }

    /// Returns the last step.
    pub fn done() -> Self {
        Self { operations: Vec::new(), next: None, table: PhantomData }
    }

    /// Adds a write. All writes and the row of the job form one transaction, of at most 100 rows.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "the word of transactions")]
    pub fn add(mut self, operation: impl Operation<T>) -> Self {
        self.operations.push(operation.into_planned());
        self
    }
}
