//! Token budgets of subjects such as teams: counters in the table, which all processes share.
//!
//! The maximum cost of a request is reserved before it is sent, and the rest is returned. A process
//! that dies in between returns nothing: a budget can end too early, but never too late.

use monotable::model::rows::CounterKey;
use monotable::model::{Error, HoldsRule, Store};

use crate::box_future::BoxFuture;

/// A table that counts tokens. It lists the key in `rules(…)`.
pub trait CountsTokens: HoldsRule<Self::Key> {
    /// The rule key of the counters.
    type Key: CounterKey;

    /// Returns the key of a subject's counter.
    fn tokens(subject: &str) -> Self::Key;
}

/// The budgets of a table: implemented by every store of a table that [`CountsTokens`].
pub trait TokenBudget: Send + Sync {
    /// Reserves tokens of a subject with this limit; returns false if there are not enough left.
    fn reserve<'a>(&'a self, subject: &'a str, tokens: u64, limit: u64) -> BoxFuture<'a, bool>;

    /// Returns reserved tokens that were not used.
    fn settle<'a>(&'a self, subject: &'a str, reserved: u64, used: u64) -> BoxFuture<'a, ()>;
}

impl<T: CountsTokens> TokenBudget for Store<T> {
    fn reserve<'a>(&'a self, subject: &'a str, tokens: u64, limit: u64) -> BoxFuture<'a, bool> {
        Box::pin(async move {
            let add = T::tokens(subject).counter().add(signed(tokens)).at_most(signed(limit));
            match self.run(add).await {
                Ok(_) => Ok(true),
                Err(Error::LimitReached { .. }) => Ok(false),
                Err(error) => Err(error.into()),
            }
        })
    }

    fn settle<'a>(&'a self, subject: &'a str, reserved: u64, used: u64) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let change = signed(used) - signed(reserved);
            if change != 0 {
                self.run(T::tokens(subject).counter().add(change)).await?;
            }
            Ok(())
        })
    }
}

fn signed(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX / 4)
}
