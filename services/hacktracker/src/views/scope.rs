//! Which games statistics are made of.

use monotable::model::time::{Date, Timestamp};

use crate::entities::{Game, GameStatus};
use crate::ids::{GameId, SeasonId};

/// Games that are over, of a season or of some days if it says so.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// Only games of this season.
    pub season: Option<SeasonId>,
    /// Only games of this day and later, in UTC.
    pub from: Option<Date>,
    /// Only games of this day and earlier, in UTC.
    pub to: Option<Date>,
    /// The game that is being played counts, too.
    pub include_live: bool,
}

impl Scope {
    /// Whether a game counts.
    pub fn has(&self, game: &Game) -> bool {
        let counts = match game.status {
            GameStatus::Final => true,
            GameStatus::InProgress => self.include_live,
            GameStatus::Scheduled | GameStatus::Postponed => false,
        };
        let day = game.played_at().date();
        counts
            && !game.is_deleting()
            && self.season.as_ref().is_none_or(|season| game.season_id.as_ref() == Some(season))
            && self.from.is_none_or(|from| from <= day)
            && self.to.is_none_or(|to| day <= to)
    }
}

impl Game {
    /// When it was, or will be, played, as far as anybody has said.
    pub fn played_at(&self) -> Timestamp {
        self.scheduled_start.or(self.started_at).unwrap_or(self.created_at)
    }

    /// What games are put into the order of time by.
    pub fn order(&self) -> (Timestamp, &GameId) {
        (self.played_at(), &self.game_id)
    }
}
