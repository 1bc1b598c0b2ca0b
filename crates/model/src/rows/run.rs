//! Rules on their own: what [`Store::run`](crate::Store::run) does with them outside of a transaction.

use std::future::Future;

use crate::context::Context;
use crate::error::Result;

/// A rule, or a read of one, that runs outside of a transaction.
pub trait RunRule: Send {
    /// The result.
    type Output: Send;

    /// Runs it.
    ///
    /// # Errors
    /// If the rule refuses, or the backend fails.
    fn run(self, context: &Context) -> impl Future<Output = Result<Self::Output>> + Send;
}
