//! The lock of a match, for work that should not be done twice at a time. It is only an
//! optimization: correctness depends on versions.

use std::time::Duration;

use monotable::model::rows::{Held, Lock, LockKey as _};
use monotable::model::time::EpochSeconds;
use monotable::model::{Error, Result as Outcome};
use monotable_kit::Problem;

use super::Kv;
use crate::table::{MatchId, MatchWork};

/// How long a lock is held unless it is extended.
const LEASE: Duration = Duration::from_secs(30);

/// Returns the lock of a match.
fn lock(match_id: &MatchId) -> Lock<MatchWork> {
    MatchWork { match_id: match_id.clone() }.lock()
}

impl Kv {
    /// Takes the lock of a match; `None` if it is held.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub async fn acquire(&self, match_id: &MatchId) -> Result<Option<Held>, Problem> {
        unless_locked(self.db.run(lock(match_id).acquire(LEASE)).await)
    }

    /// Extends the lease of a lock, and returns its end; `None` if the lock was lost.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub async fn extend(
        &self,
        match_id: &MatchId,
        held: &Held,
    ) -> Result<Option<EpochSeconds>, Problem> {
        unless_locked(self.db.run(lock(match_id).extend(&held.token, LEASE)).await)
    }

    /// Releases a lock, and returns whether it was still held. A lock of another holder is not
    /// touched.
    ///
    /// # Errors
    ///
    /// Returns the errors of the table.
    pub async fn release(&self, match_id: &MatchId, held: &Held) -> Result<bool, Problem> {
        let released = self.db.run(lock(match_id).release(&held.token)).await;
        Ok(unless_locked(released)?.is_some())
    }
}

fn unless_locked<T>(outcome: Outcome<T>) -> Result<Option<T>, Problem> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(Error::Locked { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
