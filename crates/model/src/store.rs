//! The handle that users hold: a table on a backend.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::context::Context;
use crate::error::Result;
use crate::rows::{self, RuleKey, RuleStore};
use crate::table::{HoldsRule, Table};
use crate::time::Timestamp;

/// A table on a backend. Clones are handles to the same one.
///
/// Reads are the functions of the table's access patterns; writes are methods of this type.
pub struct Store<T: Table> {
    context: Arc<Context>,
    table: PhantomData<fn() -> T>,
}

impl<T: Table> Store<T> {
    /// A handle to an open table.
    pub(crate) fn new(context: Arc<Context>) -> Self {
        Self { context, table: PhantomData }
    }

    /// The time by the backend's clock, which also stamps rows and decides expiry.
    pub fn now(&self) -> Timestamp {
        self.context.now()
    }

    /// The table as code sees it that knows only one of its rules.
    pub fn of_rule<K: RuleKey>(&self) -> RuleStore<K>
    where
        T: HoldsRule<K>,
    {
        RuleStore::from(self)
    }

    /// Deletes rows that have expired, and returns how many: in a table that declares an expiry, all that have
    /// it; in others the rows of rules. Reads and conditions treat them as absent before, so this only frees space:
    /// once a day is enough, and not at all where the store does it by itself. It reads the whole table.
    ///
    /// # Errors
    /// What the backend reports.
    pub async fn delete_expired(&self) -> Result<usize> {
        rows::delete_expired(&self.context).await
    }

    /// What every operation needs to know.
    pub(crate) fn context(&self) -> &Arc<Context> {
        &self.context
    }
}

impl<T: Table> fmt::Debug for Store<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Store")
            .field("table_name", &self.context.table_name)
            .field("backend", &self.context.backend.capabilities().name)
            .finish_non_exhaustive()
    }
}

impl<T: Table> Clone for Store<T> {
    fn clone(&self) -> Self {
        Self::new(Arc::clone(&self.context))
    }
}
