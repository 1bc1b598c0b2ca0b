//! Rules on their own: what [`Store::run`] does with them outside of a transaction.

use std::future::Future;

use crate::context::Context;
use crate::error::Result;
use crate::store::Store;
use crate::table::Table;

/// Something that [`Store::run`] does: a rule, or a question about one.
pub trait Run: Send {
    /// What comes of it.
    type Output: Send;

    /// Does it.
    ///
    /// # Errors
    /// If the rule refuses, or the backend fails.
    fn run(self, context: &Context) -> impl Future<Output = Result<Self::Output>> + Send;
}

impl<T: Table> Store<T> {
    /// Runs a rule on its own. In a transaction with other writes it is added by
    /// [`Transact::add`](crate::Transact::add).
    ///
    /// # Errors
    /// If the rule refuses, or the backend fails.
    pub async fn run<R: Run>(&self, rule: R) -> Result<R::Output> {
        rule.run(self.context()).await
    }
}
