//! Operations of rules, which run only on tables that declare the rule's key.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::key::RuleKey;
use super::run::RunRule;
use crate::context::Context;
use crate::error::Result;
use crate::table::HoldsRule;
use crate::write::{Operation, Planned, Run};

/// An operation `O` of the rule with the key `K`: `RuleOperation<ActiveGame, Hold>`.
#[must_use = "an operation does nothing until it is run or added to a transaction"]
pub struct RuleOperation<K, O> {
    pub(super) operation: O,
    key: PhantomData<fn() -> K>,
}

impl<K, O> RuleOperation<K, O> {
    pub(super) fn new(operation: O) -> Self {
        Self { operation, key: PhantomData }
    }

    /// Returns the operation after a change.
    pub(super) fn map(self, change: impl FnOnce(O) -> O) -> Self {
        Self::new(change(self.operation))
    }
}

impl<K, O: Clone> Clone for RuleOperation<K, O> {
    fn clone(&self) -> Self {
        Self::new(self.operation.clone())
    }
}

impl<K, O: fmt::Debug> fmt::Debug for RuleOperation<K, O> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.operation.fmt(formatter)
    }
}

/// An operation of a rule that can be part of a transaction.
pub trait InTransaction: Planned {
    /// The result of the operation, which its handle finds in the outcome of the transaction.
    type Output: Send + Sync + 'static;
}

impl<T: HoldsRule<K>, K: RuleKey, O: InTransaction> Operation<T> for RuleOperation<K, O> {
    type Output = O::Output;

    fn into_planned(self) -> Box<dyn Planned> {
        Box::new(self.operation)
    }
}

impl<T: HoldsRule<K>, K: RuleKey, O: RunRule> Run<T> for RuleOperation<K, O> {
    type Output = O::Output;

    async fn run_in(self, context: &Arc<Context>) -> Result<O::Output> {
        self.operation.run(context).await
    }
}
