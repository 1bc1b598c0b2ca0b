//! What a step of a job tells: its writes, and where to go on.

use std::fmt;

use crate::write::Operation;

/// One step of a job: writes, and the cursor behind it.
pub struct Step<C> {
    pub(super) operations: Vec<Box<dyn Operation>>,
    /// Where the next step starts; `None` after the last.
    pub(super) next: Option<C>,
}

impl<C: fmt::Debug> fmt::Debug for Step<C> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<String> = self.operations.iter().map(|one| one.label()).collect();
        formatter
            .debug_struct("Step")
            .field("operations", &labels)
            .field("next", &self.next)
            .finish()
    }
}

impl<C> Step<C> {
    /// A step with another one behind it, which starts at this cursor.
    pub fn next(cursor: C) -> Self {
        Self { operations: Vec::new(), next: Some(cursor) }
    }

    /// The last step.
    pub fn done() -> Self {
        Self { operations: Vec::new(), next: None }
    }

    /// Something that the step writes. All of it and the row of the job are one transaction, of at
    /// most 100 rows.
    #[must_use]
    #[expect(clippy::should_implement_trait, reason = "the word of transactions")]
    pub fn add(mut self, operation: impl Operation) -> Self {
        self.operations.push(Box::new(operation));
        self
    }
}
