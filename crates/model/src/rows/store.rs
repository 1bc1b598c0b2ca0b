//! A table of which only one rule is known, so that code that keeps rows in any table is compiled
//! once and not for each table.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::key::RuleKey;
use super::operation::{InTransaction, RuleOperation};
use super::run::RunRule;
use crate::context::Context;
use crate::error::Result;
use crate::store::Store;
use crate::table::HoldsRule;
use crate::time::Timestamp;
use crate::write::{Planned, TransactionId, together};

/// A [`Store`] that runs the operations of one rule. Made by [`Store::of_rule`]; clones are handles to the same
/// table.
pub struct RuleStore<K> {
    context: Arc<Context>,
    key: PhantomData<fn() -> K>,
}

impl<T: HoldsRule<K>, K: RuleKey> From<&Store<T>> for RuleStore<K> {
    fn from(store: &Store<T>) -> Self {
        Self { context: Arc::clone(store.context()), key: PhantomData }
    }
}

impl<K> Clone for RuleStore<K> {
    fn clone(&self) -> Self {
        Self { context: Arc::clone(&self.context), key: PhantomData }
    }
}

impl<K> fmt::Debug for RuleStore<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RuleStore").field("context", &self.context).finish_non_exhaustive()
    }
}

impl<K: RuleKey> RuleStore<K> {
    /// Returns the time of the backend's clock.
    pub fn now(&self) -> Timestamp {
        self.context.now()
    }

    /// Runs an operation outside of a transaction.
    ///
    /// # Errors
    ///
    /// The operation fails, or the backend fails.
    pub async fn run<O: RunRule>(&self, operation: RuleOperation<K, O>) -> Result<O::Output> {
        operation.operation.run(&self.context).await
    }

    /// Starts a transaction of operations of the rule.
    pub fn transact(&self) -> RuleTransact<K> {
        RuleTransact {
            context: Arc::clone(&self.context),
            operations: Vec::new(),
            key: PhantomData,
        }
    }
}

/// Operations of one rule that take effect together or not at all. Made by [`RuleStore::transact`].
#[must_use = "a transaction does nothing until it is committed"]
pub struct RuleTransact<K> {
    context: Arc<Context>,
    operations: Vec<Box<dyn Planned>>,
    key: PhantomData<fn() -> K>,
}

impl<K> fmt::Debug for RuleTransact<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<_> = self.operations.iter().map(|one| one.label()).collect();
        formatter.debug_struct("RuleTransact").field("operations", &labels).finish_non_exhaustive()
    }
}

impl<K: RuleKey> RuleTransact<K> {
    /// Adds an operation.
    pub fn add<O: InTransaction>(&mut self, operation: RuleOperation<K, O>) {
        self.operations.push(Box::new(operation.operation));
    }

    /// Runs the operations, all or nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Transaction`](crate::Error::Transaction) lists the failed operations; then nothing
    /// was written.
    pub async fn commit(self) -> Result<()> {
        together(&self.context, TransactionId::next(), self.operations, None).await.map(drop)
    }
}
