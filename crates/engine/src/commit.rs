//! The only way to change the database: a queue of jobs, one committer, group commit.
//!
//! A job reads from and stages into the state that the earlier jobs of the batch have built; a job
//! that fails stages nothing. The committer passes all staged rows to the store as one batch. When
//! the store reports that they are durable, readers see them and callers get their results.
//!
//! A database on disk has a committer thread, so that many callers share one sync. In memory there
//! is nothing to wait for: the caller commits itself, under a lock.

mod chore;
mod committer;
mod pending;
mod stage;
mod view;

pub(crate) use chore::Chore;
pub(crate) use committer::Committer;
pub use pending::Pending;
pub(crate) use stage::{Shift, Stage};
pub(crate) use view::{Newest, Shared, View};
