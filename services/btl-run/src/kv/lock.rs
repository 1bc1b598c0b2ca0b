//! The lock of a match, for work that should not be done twice at a time. It is advice: what must be
//! right rests on versions.

use std::time::Duration;

use monotable::model::rows::{Held, Lock, LockKey as _};
use monotable::model::time::EpochSeconds;
use monotable::model::{Error, Result as Outcome};
use monotable_kit::Problem;

use super::Kv;
use crate::table::{MatchId, MatchWork};

/// How long a lock is held unless it is extended.
const LEASE: Duration = Duration::from_secs(30);

/// The lock of a match.
fn lock(match_id: &MatchId) -> Lock<MatchWork> {
    MatchWork { match_id: match_id.clone() }.lock()
}

impl Kv {
    /// Takes the lock of a match; `None` if somebody holds it.
    ///
    /// # Errors
    /// What the table says.
    pub async fn acquire(&self, match_id: &MatchId) -> Result<Option<Held>, Problem> {
        unless_locked(self.db.run(lock(match_id).acquire(LEASE)).await)
    }

    /// Holds a lock for longer, and tells until when; `None` if it was lost.
    ///
    /// # Errors
    /// What the table says.
    pub async fn extend(
        &self,
        match_id: &MatchId,
        held: &Held,
    ) -> Result<Option<EpochSeconds>, Problem> {
        unless_locked(self.db.run(lock(match_id).extend(&held.token, LEASE)).await)
    }

    /// Gives a lock up, and tells whether it was still held. Nothing happens to a lock of somebody else.
    ///
    /// # Errors
    /// What the table says.
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
