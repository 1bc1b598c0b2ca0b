//! The handle of an open table on a backend.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use crate::context::Context;
use crate::error::Result;
use crate::rows::{self, RuleKey, RuleStore};
use crate::table::{HoldsRule, Table};
use crate::time::Timestamp;

/// A table on a backend. Clones are handles to the same table.
///
/// Reads are the functions of the table's access patterns; writes are methods of this type.
pub struct Store<T: Table> {
    context: Arc<Context>,
    table: PhantomData<fn() -> T>,
}

impl<T: Table> Store<T> {
    /// Returns a handle to an open table.
    pub(crate) fn new(context: Arc<Context>) -> Self {
        Self { context, table: PhantomData }
    }

    /// Returns the time of the backend's clock, which also sets stamps and decides expiry.
    pub fn now(&self) -> Timestamp {
        self.context.now()
    }

    /// Returns whether other processes may use the same table.
    pub fn is_shared(&self) -> bool {
        self.context.backend.capabilities().is_shared
    }

    /// Returns the table for code that knows only one of its rules.
    pub fn of_rule<K: RuleKey>(&self) -> RuleStore<K>
    where
        T: HoldsRule<K>,
    {
        RuleStore::from(self)
    }

    /// Deletes expired rows, and returns how many: in a table that declares an expiry every row
    /// that has it, in other tables the rows of rules. Reads and conditions already treat them as
    /// absent, so this only frees space: once a day is enough, and never is enough if the store
    /// does it by itself. It reads the whole table.
    ///
    /// # Errors
    ///
    /// Those of the backend.
    pub async fn delete_expired(&self) -> Result<usize> {
        self.delete_expired_for(Duration::ZERO).await
    }

    /// Deletes rows that expired at least this long ago, as
    /// [`delete_expired`](Self::delete_expired) does.
    ///
    /// # Errors
    ///
    /// Those of the backend.
    pub async fn delete_expired_for(&self, kept: Duration) -> Result<usize> {
        rows::delete_expired(&self.context, kept).await
    }

    /// Returns what every operation needs.
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
