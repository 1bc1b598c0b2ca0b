//! What a request says about a game, for new games and for changes alike.

use monotable::model::time::Timestamp;
use monotable_kit::{Patch, Problem};
use serde::Deserialize;

use super::lineup::Lineup;
use crate::entities::{Game, GameStatus, ScoreMode};
use crate::ids::{SeasonId, TeamId};

/// The fields of a game that a request names.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct GameFields {
    pub(crate) team_id: Option<TeamId>,
    pub(crate) status: Option<GameStatus>,
    pub(crate) scheduled_start: Patch<Timestamp>,
    opponent_name: Patch<String>,
    location: Patch<String>,
    season_id: Patch<SeasonId>,
    pub(crate) team_score: Option<u16>,
    pub(crate) opponent_score: Option<u16>,
    lineup: Patch<Lineup>,
    innings: Patch<u8>,
    inning_run_limit: Patch<u8>,
    score_mode: Option<ScoreMode>,
}

impl GameFields {
    /// Whether the request says a lineup, be it the one that is there.
    pub(crate) fn names_lineup(&self) -> bool {
        !matches!(self.lineup, Patch::Keep)
    }

    /// Changes everything but the status, which has rules of its own. A score that is written by hand
    /// is kept by hand from then on.
    ///
    /// # Errors
    /// 400 for a lineup that is none, and for a score beside the wish that it be counted.
    pub(crate) fn apply(&self, game: &mut Game) -> Result<(), Problem> {
        self.scheduled_start.clone().apply(&mut game.scheduled_start);
        self.opponent_name.clone().apply(&mut game.opponent_name);
        self.location.clone().apply(&mut game.location);
        self.season_id.clone().apply(&mut game.season_id);
        self.innings.clone().apply(&mut game.innings);
        self.inning_run_limit.clone().apply(&mut game.inning_run_limit);
        match &self.lineup {
            Patch::Keep => {}
            Patch::Remove => game.lineup.clear(),
            Patch::Set(lineup) => game.lineup = lineup.clone().read()?,
        }
        if let Some(score) = self.opponent_score {
            game.opponent_score = score;
        }
        if let Some(mode) = self.score_mode {
            game.score_mode = mode;
        }
        if let Some(score) = self.team_score {
            if self.score_mode == Some(ScoreMode::Auto) {
                let text = "is counted when scoreMode is auto; leave one of them out";
                return Err(Problem::field("teamScore", text));
            }
            game.team_score = score;
            game.score_mode = ScoreMode::Manual;
        }
        Ok(())
    }
}
