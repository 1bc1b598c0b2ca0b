//! What somebody may do to a match, and the events that it makes.
//!
//! Each command is a function of the state: it gives events to append, or says why not. Who asks is
//! checked before; what is stored is decided after.

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

/// Checks that the match has not begun.
///
/// # Errors
/// If it has begun or is over.
pub(crate) fn in_lobby(state: &MatchState) -> Result<(), Refusal> {
    match state.status {
        Status::Lobby => Ok(()),
        Status::Active => Err(Refusal::MatchInProgress),
        Status::Ended => Err(Refusal::MatchEnded),
    }
}

/// The match is played, and its log has room for this and for one more turn.
fn in_play(state: &MatchState) -> Result<(), Refusal> {
    let reserve = u32::try_from(EVENTS_PER_TURN_MAX).unwrap_or(u32::MAX) + 2;
    match state.status {
        Status::Lobby => Err(Refusal::NotStarted),
        Status::Ended => Err(Refusal::MatchEnded),
        Status::Active if state.log_seq + reserve > SEQ_MAX => Err(Refusal::NotCollecting),
        Status::Active => Ok(()),
    }
}
