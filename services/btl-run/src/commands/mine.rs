//! The row by which a user finds a match.

use monotable::model::time::Timestamp;
use monotable::model::{Transact, put};
use monotable_kit::Problem;

use crate::rules::state::MatchState;
use crate::table::{BtlRun, MyMatch, MyRole, UserId};

/// Adds what a user is in a match that has not begun, as it is then.
pub(crate) fn keep(
    tx: &mut Transact<BtlRun>,
    state: &MatchState,
    user_id: &UserId,
) -> Result<(), Problem> {
    let created_at = Timestamp::from_ms(state.created_at)
        .map_err(|error| Problem::internal(error.to_string()))?;
    let (user_id, match_id) = (user_id.clone(), state.match_id.clone());
    let is_host = state.host_user_id.as_ref() == Some(&user_id);
    let is_player = state.roster.iter().any(|one| one.user_id.as_ref() == Some(&user_id));
    let role = match (is_host, is_player) {
        (true, true) => MyRole::HostAndPlayer,
        (true, false) => MyRole::Host,
        (false, true) => MyRole::Player,
        // The log remembers them still, and must be found when they want to be forgotten.
        (false, false) => MyRole::Left,
    };
    tx.add(put(MyMatch { user_id, created_at, match_id, role, result: None, ttl: None }));
    Ok(())
}
