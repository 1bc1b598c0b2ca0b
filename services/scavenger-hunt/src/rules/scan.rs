//! What a scanned code does: the decision table.

use super::clock::GameState;
use super::geo::DistanceBand;
use super::progress::Route;
use crate::refusal::Refusal;
use crate::table::LevelId;

/// What a scan does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scanned {
    /// The current level is cleared.
    Advances,
    /// Nothing: the team has completed this level, or its hunt.
    Unchanged,
    /// It is refused.
    Refused(Refusal),
}

/// What the decision is about.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    /// What the game is doing.
    pub state: GameState,
    /// Whether levels must be photographed.
    pub photo_required: bool,
    /// The route of the team.
    pub route: &'a Route,
    /// The level of the code, if it is one of the game.
    pub level_id: Option<&'a LevelId>,
    /// How far the team is from the level; `None` if that does not matter.
    pub outside: Option<DistanceBand>,
}

impl Scan<'_> {
    /// Decides.
    pub fn decide(&self) -> Scanned {
        if self.route.is_complete() {
            return Scanned::Unchanged;
        }
        let refused = match self.state {
            GameState::Provisioning => Some(Refusal::Provisioning),
            GameState::Ready => Some(Refusal::GameNotLive),
            GameState::Paused => Some(Refusal::GamePaused),
            GameState::Ended | GameState::Archived => Some(Refusal::GameEnded),
            GameState::Live => None,
        };
        if let Some(refusal) = refused {
            return Scanned::Refused(refusal);
        }
        let Some(level_id) = self.level_id else { return Scanned::Refused(Refusal::UnknownCode) };
        let of_route = self.route.levels().iter().find(|level| level.level_id == *level_id);
        if of_route.is_some_and(|level| level.completed_at.is_some()) {
            return Scanned::Unchanged;
        }
        if self.photo_required && self.route.awaiting_photo().is_some() {
            return Scanned::Refused(Refusal::PhotoRequired);
        }
        if self.route.current().is_none_or(|current| current.level_id != *level_id) {
            return Scanned::Refused(Refusal::WrongLocation);
        }
        match self.outside {
            Some(_) => Scanned::Refused(Refusal::NotAtLocation),
            None => Scanned::Advances,
        }
    }
}
