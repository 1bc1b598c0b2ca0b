//! The one way to change the database: a queue of jobs, one committer, group commit.
//!
//! A job reads and stages against the state that the jobs before it in the batch have built; a job
//! that fails stages nothing. The committer hands all staged rows to the store as one batch, and
//! only when the store says that they are durable do readers see them and callers get their answers.
//!
//! A database on disk has a committer thread, so that many callers share one sync. A database in
//! memory has nothing to wait for: the caller commits by itself, under a lock.

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
