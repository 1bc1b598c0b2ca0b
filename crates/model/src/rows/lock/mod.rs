//! Locks with owner tokens and fences.
//!
//! The row stays when a lock is released or its lease ends, because it holds the fence: the number
//! that grows with each acquisition. So the end of the lease is not the row's expiry, unless the
//! [`Layout`] says so; then the row goes with its holder.

mod acquire;
mod holder;

pub use acquire::Acquire;
pub use holder::{CheckFence, Extend, Unlock};

use std::time::Duration;

use super::key::RowKey;
use super::layout::Layout;
use super::place::Place;
use crate::time::EpochSeconds;

/// A lock that one holder at a time has, for as long as its lease.
///
/// ```
/// use std::time::Duration;
/// use monotable_model::rows::Lock;
///
/// let lock = Lock::new("lock#match#m1", "v");
/// let acquire = lock.acquire(Duration::from_secs(30)); // let held = db.run(acquire).await?
/// # let held = monotable_model::rows::Held { token: "x".into(), fence: 1, ends_at: Default::default() };
/// let extend = lock.extend(&held.token, Duration::from_secs(30));
/// let check = lock.check(held.fence); // db.transact().create(&export).add(check).await?
/// let release = lock.release(&held.token);
/// ```
///
/// A holder that was paused for longer than its lease still believes that it holds the lock. Its
/// writes are refused where they are made together with [`check`](Lock::check) in a transaction.
///
/// A layout whose [`lease`](Layout::lease) is the table's expiry has no row for a lock that nobody holds:
/// [`release`](Lock::release) removes it, and the backend does some time after the lease has ended. The
/// first fence of a row is the time in milliseconds, and greater than every fence that was taken through
/// the same open table. So fences grow over a removed row too, whatever the clock does in one process,
/// and among several as long as it does not go back.
#[derive(Clone, Debug)]
pub struct Lock {
    place: Place,
}

/// A lock that is held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// The secret of the holder.
    pub token: String,
    /// The number of the acquisition: greater than that of every earlier one.
    pub fence: u64,
    /// When the lease ends.
    pub ends_at: EpochSeconds,
}

impl Lock {
    /// The lock under this partition and sort key.
    pub fn new(partition: impl Into<String>, sort: impl Into<String>) -> Self {
        Self::at(RowKey::new(partition, sort))
    }

    /// The lock under this key.
    pub fn at(key: RowKey) -> Self {
        Self { place: Place::new("lock", key) }
    }

    /// Names the row's attributes.
    #[must_use]
    pub fn layout(mut self, layout: Layout) -> Self {
        self.place.layout = layout;
        self
    }

    /// Takes the lock for whole seconds if it is free: [`Held`], or [`Error::Locked`](crate::Error::Locked).
    pub fn acquire(&self, lease: Duration) -> Acquire {
        Acquire::new(self.place.clone(), lease)
    }

    /// Lets the lease end so many seconds from now. It is [`Error::Locked`](crate::Error::Locked) if the lease has ended or
    /// the lock is another holder's.
    pub fn extend(&self, token: impl Into<String>, lease: Duration) -> Extend {
        Extend::new(self.place.clone(), token.into(), lease)
    }

    /// Gives the lock up. It is [`Error::Locked`](crate::Error::Locked) if the lease has ended or the lock is another
    /// holder's, and nothing happens to another's.
    pub fn release(&self, token: impl Into<String>) -> Unlock {
        Unlock::new(self.place.clone(), token.into())
    }

    /// Makes sure that the acquisition with this fence still holds the lock: [`Error::Locked`](crate::Error::Locked).
    pub fn check(&self, fence: u64) -> CheckFence {
        CheckFence::new(self.place.clone(), fence)
    }
}
