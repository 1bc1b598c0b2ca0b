//! The commands on a match, and the events that they produce.
//!
//! Each command is a function of the state: it returns the events to append, or the reason against
//! it. The caller is checked before; storage is handled after.

mod gm;
mod lobby;
mod play;

use crate::refusal::Refusal;
use crate::rules::events::SEQ_MAX;
use crate::rules::resolve::EVENTS_PER_TURN_MAX;
use crate::rules::schedule::NoSuchTime;
use crate::rules::state::{MatchState, Status};

pub use gm::{Inject, announce, change_rules, inject, zone_of};
pub use lobby::{NewMatch, Newcomer, add_ai, create, give_persona, join, remove, start};
pub use play::{attach_narration, cancel, submit};

impl From<NoSuchTime> for Refusal {
    fn from(_: NoSuchTime) -> Self {
        Self::InvalidTimezone
    }
}

/// Checks that the match has not started.
///
/// # Errors
/// Fails if it has started or ended.
pub(crate) fn in_lobby(state: &MatchState) -> Result<(), Refusal> {
    match state.status {
        Status::Lobby => Ok(()),
        Status::Active => Err(Refusal::MatchInProgress),
        Status::Ended => Err(Refusal::MatchEnded),
    }
}

/// Checks that the match is running, and that its log has space for this event and one more turn.
fn in_play(state: &MatchState) -> Result<(), Refusal> {
    let reserve = u32::try_from(EVENTS_PER_TURN_MAX).unwrap_or(u32::MAX) + 2;
    match state.status {
        Status::Lobby => Err(Refusal::NotStarted),
        Status::Ended => Err(Refusal::MatchEnded),
        Status::Active if state.log_seq + reserve > SEQ_MAX => Err(Refusal::NotCollecting),
        Status::Active => Ok(()),
    }
}
