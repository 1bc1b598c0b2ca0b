//! Games of a team, and their transitions from one status to another.

pub(crate) mod active;
mod change;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod finish;
pub(crate) mod get;
mod lineup;
pub(crate) mod list;
pub(crate) mod list_all;
pub(crate) mod reopen;
pub(crate) mod reschedule;
mod season_places;
pub(crate) mod start;
pub(crate) mod suspend;
pub(crate) mod update;

use monotable::model;

use crate::api::prelude::*;
use crate::rules::lineup::{in_batting_order, lineup_kind};
use crate::rules::live::BattingPlace;

/// The fields of a game, for new games and for changes.
#[derive(Clone, Debug, Default, Body)]
#[body(applies_to = Game)]
pub(crate) struct GameFields {
    #[body(not_applied, example = "SCHEDULED")]
    status: Option<GameStatus>,
    #[body(example = "2026-06-01T18:30:00Z")]
    scheduled_start: Patch<Timestamp>,
    #[body(length = 1..=80, example = "Night Owls")]
    opponent_name: Patch<String>,
    #[body(length = 1..=120, example = "Field 3")]
    location: Patch<String>,
    /// A season of the team.
    season_id: Patch<SeasonId>,
    /// Players in batting order: ids, or objects with a battingOrder each.
    #[body(kind = lineup_kind(), check = in_batting_order)]
    lineup: Patch<Vec<PlayerId>>,
    /// 7 by default.
    #[body(range = 1..=30)]
    innings: Patch<u8>,
    /// The number of runs that ends an inning of the team.
    #[body(range = 1..=99)]
    inning_run_limit: Patch<u8>,
    /// auto counts the runs of the at-bats; writing teamScore makes it manual.
    score_mode: Option<ScoreMode>,
    #[body(not_applied, range = 0..=999)]
    team_score: Option<u16>,
    #[body(range = 0..=999)]
    opponent_score: Option<u16>,
}

impl GameFields {
    /// Returns whether the request contains a lineup, even if it is the current one.
    fn names_lineup(&self) -> bool {
        !matches!(self.lineup, Patch::Keep)
    }

    /// Changes everything but the status, which has its own rules. A score that is written makes
    /// the mode manual.
    ///
    /// # Errors
    /// Returns 400 for a score together with the mode that counts it.
    fn apply_to(&self, game: &mut Game) -> Result<(), Problem> {
        self.apply(game);
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

/// A game.
#[derive(View)]
#[view(of = Game, list = "games")]
pub(crate) struct GameView {
    game_id: GameId,
    team_id: TeamId,
    status: GameStatus,
    #[view(example = "2026-06-01T18:30:00.000Z")]
    scheduled_start: Option<Timestamp>,
    #[view(example = "Night Owls")]
    opponent_name: Option<String>,
    location: Option<String>,
    season_id: Option<SeasonId>,
    team_score: u16,
    opponent_score: u16,
    /// The players with the batting orders that clients of the first version need.
    #[view(from = batting_places())]
    lineup: Vec<BattingPlace>,
    /// Whether the lineup was changed after the start of the game.
    lineup_changed: Option<bool>,
    /// The number of planned innings.
    #[view(from = planned_innings())]
    innings: u8,
    /// The number of runs that ends an inning of the team.
    inning_run_limit: Option<u8>,
    score_mode: ScoreMode,
    started_at: Option<Timestamp>,
    finished_at: Option<Timestamp>,
    /// Whether the game is being deleted. Only administrators see such a game.
    deleting: Option<bool>,
    #[view(stamps)]
    stamps: Stamps,
}

impl Game {
    fn batting_places(&self) -> Vec<BattingPlace> {
        let places = self.lineup.iter().cloned().zip(1_u32..);
        places.map(|(player_id, batting_order)| BattingPlace { player_id, batting_order }).collect()
    }
}

/// Returns the games of a team that are not being deleted, in no order.
pub(crate) async fn of_team(app: &App, team_id: &TeamId) -> model::Result<Vec<Game>> {
    let mut games = app.db.games_of(team_id).skip_unreadable().all().await?;
    games.retain(|game| !game.is_deleting());
    Ok(games)
}
