//! Lobbies: invitations, joining and leaving players, and the start.

pub(crate) mod add_ai;
pub(crate) mod codes;
pub(crate) mod get_invite;
pub(crate) mod join;
pub(crate) mod remove_tribute;
pub(crate) mod renew_invite;
pub(crate) mod renew_token;
pub(crate) mod start;

use crate::api::prelude::*;
use monotable::model::time::Timestamp;

/// Returns the row that lists a match before its start for a user, with their role in it.
pub(crate) fn my_match(state: &MatchState, user_id: &UserId) -> Result<MyMatch, Problem> {
    let created_at = Timestamp::from_ms(state.created_at)
        .map_err(|error| Problem::internal(error.to_string()))?;
    let is_host = state.host_user_id.as_ref() == Some(user_id);
    let is_player = state.roster.iter().any(|one| one.user_id.as_ref() == Some(user_id));
    let role = match (is_host, is_player) {
        (true, true) => MyRole::HostAndPlayer,
        (true, false) => MyRole::Host,
        (false, true) => MyRole::Player,
        // The log still contains them, and must be found by an erasure.
        (false, false) => MyRole::Left,
    };
    let (user_id, match_id) = (user_id.clone(), state.match_id.clone());
    Ok(MyMatch { user_id, created_at, match_id, role, result: None, ttl: None })
}

/// Returns the address of the client, as the subject of a limit. Clients without one share a subject.
fn address(call: &Request) -> String {
    call.client.map_or_else(|| "ip:none".to_owned(), |address| format!("ip:{address}"))
}
