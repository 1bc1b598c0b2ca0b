//! What somebody may do to a match, and the events that it makes.
//!
//! Each command is a function of the state: it gives events to append, or says why not. Who asks is
//! checked before; what is stored is decided after.

mod gm;
mod lobby;
mod play;

use crate::events::SEQ_MAX;
use crate::resolve::EVENTS_PER_TURN_MAX;
use crate::schedule::NoSuchTime;
use crate::state::{Invalid, MatchState, Status};

pub use gm::{Inject, announce, change_rules, inject, zone_of};
pub use lobby::{NewMatch, Newcomer, add_ai, create, give_persona, join, remove, start};
pub use play::{attach_narration, cancel, submit};

/// Why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Something that was sent is not sound.
    #[error(transparent)]
    Invalid(#[from] Invalid),
    /// The game master asked for what the rules don't allow.
    #[error("{0}")]
    NotAllowed(&'static str),
    /// The game master asked for what could be another time.
    #[error("{0}")]
    NotNow(&'static str),
    /// The match has begun.
    #[error("the match has begun")]
    InProgress,
    /// The match is over.
    #[error("the match is over")]
    Ended,
    /// The match has not begun.
    #[error("the match has not begun")]
    NotStarted,
    /// Nobody made room.
    #[error("the match has 24 tributes")]
    LobbyFull,
    /// Somebody has that name.
    #[error("the name is taken")]
    NameTaken,
    /// The user plays already.
    #[error("the user plays in this match already")]
    AlreadyIn,
    /// A match needs four.
    #[error("a match needs 4 tributes to start")]
    TooFew,
    /// There is no such tribute.
    #[error("there is no such tribute")]
    UnknownTribute,
    /// The tribute is dead.
    #[error("the tribute is dead")]
    Dead,
    /// Actions are not taken now.
    #[error("the match does not collect actions")]
    NotCollecting,
    /// Another turn is open.
    #[error("another turn is open")]
    StaleTurn,
}

impl Refusal {
    /// What clients know the refusal by.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid(_) | Self::NotAllowed(_) | Self::UnknownTribute => "VALIDATION",
            Self::InProgress => "MATCH_IN_PROGRESS",
            Self::Ended => "MATCH_ENDED",
            Self::NotStarted | Self::NotNow(_) => "INVALID_TRANSITION",
            Self::LobbyFull => "LOBBY_FULL",
            Self::NameTaken => "NAME_TAKEN",
            Self::AlreadyIn => "CONFLICT",
            Self::TooFew => "TOO_FEW_TRIBUTES",
            Self::Dead => "TRIBUTE_DEAD",
            Self::NotCollecting => "NOT_COLLECTING",
            Self::StaleTurn => "STALE_TURN",
        }
    }
}

impl From<NoSuchTime> for Refusal {
    fn from(_: NoSuchTime) -> Self {
        Self::Invalid(Invalid::Timezone)
    }
}

fn in_lobby(state: &MatchState) -> Result<(), Refusal> {
    match state.status {
        Status::Lobby => Ok(()),
        Status::Active => Err(Refusal::InProgress),
        Status::Ended => Err(Refusal::Ended),
    }
}

/// The match is played, and its log has room for this and for one more turn.
fn in_play(state: &MatchState) -> Result<(), Refusal> {
    let reserve = u32::try_from(EVENTS_PER_TURN_MAX).unwrap_or(u32::MAX) + 2;
    match state.status {
        Status::Lobby => Err(Refusal::NotStarted),
        Status::Ended => Err(Refusal::Ended),
        Status::Active if state.log_seq + reserve > SEQ_MAX => Err(Refusal::NotCollecting),
        Status::Active => Ok(()),
    }
}
