//! Locks with owner tokens and fences.
//!
//! The row stays when a lock is released or its lease ends, because it contains the fence: a number
//! that grows with each acquisition. So the end of the lease is not the expiry of the row, unless
//! the key declares that; then the row is removed with its holder.

mod acquire;
mod holder;

pub use acquire::Acquire;
pub use holder::{CheckFence, Extend, Unlock};

use std::marker::PhantomData;
use std::time::Duration;

use monotable_design::meta::RuleKind;

use super::key::RuleKey;
use super::operation::RuleOperation;
use super::row::RuleRow;
use crate::time::EpochSeconds;

/// The key of a lock: `#[rule(Lock, …)]`.
pub trait LockKey: RuleKey {
    /// Returns the lock with this key.
    fn lock(self) -> Lock<Self> {
        Lock { rule: RuleRow::of(RuleKind::Lock, &self), key: PhantomData }
    }
}

/// A lock that one holder at a time has, until its lease ends.
///
/// ```
/// # extern crate monotable_model as monotable;
/// use std::time::Duration;
/// use monotable_model::RuleKey;
/// use monotable_model::rows::LockKey as _;
///
/// #[derive(RuleKey, Clone, Debug)]
/// #[rule(Lock, pk = "lock#match#{match_id}", sk = "v")]
/// pub struct MatchLock {
///     pub match_id: String,
/// }
///
/// let lock = MatchLock { match_id: "m1".to_owned() }.lock();
/// let acquire = lock.acquire(Duration::from_secs(30)); // let held = db.run(acquire).await?
/// # let held = monotable_model::rows::Held { token: "x".into(), fence: 1, ends_at: Default::default() };
/// let extend = lock.extend(&held.token, Duration::from_secs(30));
/// let check = lock.check(held.fence); // db.transact().with(create(export)).with(check).await?
/// let release = lock.release(&held.token);
/// ```
///
/// A holder that was paused for longer than its lease still believes that it holds the lock. Its
/// writes are refused if they are made together with [`check`](Lock::check) in a transaction.
///
/// If the `lease` of the key is the table's expiry, a free lock has no row:
/// [`release`](Lock::release) removes it, and the backend does so some time after the lease has
/// ended. The first fence of a row is the time in milliseconds, and greater than every fence that
/// was taken through the same open table. So fences grow even after a row was removed, whatever the
/// clock does within one process, and among several processes as long as it does not go back.
#[derive(Clone, Debug)]
pub struct Lock<K> {
    rule: RuleRow,
    key: PhantomData<fn() -> K>,
}

/// A lock that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The secret token of the holder.
    pub token: String,
    /// The number of the acquisition: greater than that of every earlier one.
    pub fence: u64,
    /// When the lease ends.
    pub ends_at: EpochSeconds,
}

impl<K: LockKey> Lock<K> {
    /// Takes the lock for whole seconds if it is free: [`Held`], or [`Error::Locked`](crate::Error::Locked).
    pub fn acquire(&self, lease: Duration) -> RuleOperation<K, Acquire> {
        RuleOperation::new(Acquire::new(self.rule.clone(), lease))
    }

    /// Extends the lease to this long from now. It fails with
    /// [`Error::Locked`](crate::Error::Locked) if the lease has ended or another holder has the
    /// lock.
    pub fn extend(&self, token: impl Into<String>, lease: Duration) -> RuleOperation<K, Extend> {
        RuleOperation::new(Extend::new(self.rule.clone(), token.into(), lease))
    }

    /// Releases the lock. It fails with [`Error::Locked`](crate::Error::Locked), without any
    /// effect, if the lease has ended or another holder has the lock.
    pub fn release(&self, token: impl Into<String>) -> RuleOperation<K, Unlock> {
        RuleOperation::new(Unlock::new(self.rule.clone(), token.into()))
    }

    /// Checks that the acquisition with this fence still holds the lock; otherwise fails with
    /// [`Error::Locked`](crate::Error::Locked).
    pub fn check(&self, fence: u64) -> RuleOperation<K, CheckFence> {
        RuleOperation::new(CheckFence::new(self.rule.clone(), fence))
    }
}
