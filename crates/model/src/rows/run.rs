//! Rules outside of a transaction, run by [`Store::run`](crate::Store::run).

use std::future::Future;

use crate::context::Context;
use crate::error::Result;

/// A rule, or a read of one, that runs outside of a transaction.
pub trait RunRule: Send {
    /// The result.
    type Output: Send;

    /// Runs the rule.
    ///
    /// # Errors
    ///
    /// The rule refuses, or the backend fails.
    fn run(self, context: &Context) -> impl Future<Output = Result<Self::Output>> + Send;
}
