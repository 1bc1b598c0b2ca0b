//! The games that statistics include.

use monotable::model::time::{Date, Timestamp};

use crate::table::{Game, GameId, GameStatus, SeasonId};

/// The games that count: by default all that are final.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scope {
    /// Only games of this season.
    pub season: Option<SeasonId>,
    /// Only games of this day and later, in UTC.
    pub from: Option<Date>,
    /// Only games of this day and earlier, in UTC.
    pub to: Option<Date>,
    /// Their progress.
    pub progress: Progress,
}

/// The progress of games that count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// Final games.
    #[default]
    Final,
    /// Final games and games in progress.
    Live,
    /// All games that were played, suspended ones included.
    Any,
}

impl Scope {
    /// Returns whether a game counts.
    pub fn has(&self, game: &Game) -> bool {
        let counts = match game.status {
            GameStatus::Final => true,
            GameStatus::InProgress => self.progress != Progress::Final,
            GameStatus::Scheduled | GameStatus::Postponed => self.progress == Progress::Any,
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
    /// Returns when it was, or will be, played, if that is known.
    pub fn played_at(&self) -> Timestamp {
        self.scheduled_start.or(self.started_at).unwrap_or(self.stamps.created)
    }

    /// Returns the key by which games are sorted in time.
    pub fn order(&self) -> (Timestamp, &GameId) {
        (self.played_at(), &self.game_id)
    }
}
