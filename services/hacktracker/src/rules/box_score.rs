//! The box score of a game: a line for every place in the lineup, the totals, and runs by inning.

use std::collections::BTreeMap;

use monotable_kit::View;

use super::batting::{BattingLine, lines, total};
use super::count::replayed;
use super::log::{GameLog, runs};
use super::roster::Who;
use crate::table::{AtBat, Game, GameId, GameStatus, Player, PlayerId, ScoreMode, TeamId};

/// A game in figures.
#[derive(Clone, Debug, PartialEq, View)]
pub struct BoxScore {
    /// The game.
    #[view(example = "g1")]
    pub game_id: GameId,
    /// The team.
    #[view(example = "t1")]
    pub team_id: TeamId,
    /// The status of the game.
    #[view(example = "IN_PROGRESS")]
    pub status: GameStatus,
    /// The opponent.
    pub opponent_name: Option<String>,
    /// The opponent's runs.
    #[view(example = 2)]
    pub opponent_score: u16,
    /// The team's runs according to the game.
    #[view(example = 3)]
    pub team_score: u16,
    /// The team's runs according to the plays.
    #[view(example = 3)]
    pub recorded_runs: u64,
    /// Whether the two differ.
    #[view(example = false)]
    pub score_mismatch: bool,
    /// The players in batting order, then those who batted and have left the lineup.
    pub lines: Vec<BoxLine>,
    /// The sum of all lines.
    pub totals: BattingLine,
    /// Runs by inning, up to the last inning with a plate appearance.
    pub line_score: Vec<Inning>,
}

/// A player in a box score.
#[derive(Clone, Debug, PartialEq, View)]
pub struct BoxLine {
    /// The place in the lineup, from 1; the last one of players who have left it.
    pub batting_order: Option<u32>,
    /// Whether the player is in the lineup now.
    #[view(example = true)]
    pub in_lineup: bool,
    /// The player.
    #[view(flatten)]
    pub who: Who,
    /// The figures.
    pub line: BattingLine,
}

/// An inning in a line score.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct Inning {
    /// The number of the inning, from 1.
    #[view(example = 1)]
    pub inning: u32,
    /// The team's runs in it.
    #[view(example = 3)]
    pub runs: u64,
}

/// Returns the box score of a game, with the names of a roster.
pub fn box_score(log: &GameLog, roster: &[Player]) -> BoxScore {
    of_game(&log.game, &log.at_bats, roster)
}

/// Returns the box score of a game whose plate appearances are in order.
pub fn of_game(game: &Game, at_bats: &[AtBat], roster: &[Player]) -> BoxScore {
    let mut figures = lines(at_bats);
    let mut rows: Vec<BoxLine> = Vec::new();
    for (player, order) in game.lineup.iter().zip(1_u32..) {
        let line = figures.remove(player).unwrap_or_default();
        let who = Who::of(player, roster);
        rows.push(BoxLine { batting_order: Some(order), in_lineup: true, who, line });
    }
    let mut others: Vec<BoxLine> = figures
        .iter()
        .map(|(player, line)| BoxLine {
            batting_order: last_order(at_bats, player),
            in_lineup: false,
            who: Who::of(player, roster),
            line: *line,
        })
        .collect();
    others.sort_by_key(|row| (row.batting_order.is_none(), row.batting_order));
    rows.extend(others);
    let totals = total(rows.iter().map(|row| &row.line));
    let says_runs = at_bats.iter().any(|at_bat| at_bat.runs_scored.is_some());
    let differs = totals.runs != u64::from(game.team_score);
    BoxScore {
        game_id: game.game_id.clone(),
        team_id: game.team_id.clone(),
        status: game.status,
        opponent_name: game.opponent_name.clone(),
        opponent_score: game.opponent_score,
        team_score: game.team_score,
        recorded_runs: totals.runs,
        // Without any recorded runs there is nothing to compare.
        score_mismatch: differs && (says_runs || game.score_mode == ScoreMode::Auto),
        lines: rows,
        totals,
        line_score: line_score(&replayed(game, at_bats)),
    }
}

fn last_order(at_bats: &[AtBat], player: &PlayerId) -> Option<u32> {
    let last = at_bats.iter().rev().find(|at_bat| at_bat.player_id == *player);
    last.map(|at_bat| u32::from(at_bat.batting_order))
}

/// Returns the runs of each inning, without gaps.
fn line_score(at_bats: &[AtBat]) -> Vec<Inning> {
    let mut by_inning: BTreeMap<u32, u64> = BTreeMap::new();
    for at_bat in at_bats {
        *by_inning.entry(u32::from(at_bat.inning)).or_default() += runs(at_bat).len() as u64;
    }
    let last = by_inning.keys().last().copied().unwrap_or(0);
    let runs = |inning: &u32| by_inning.get(inning).copied().unwrap_or(0);
    (1..=last).map(|inning| Inning { inning, runs: runs(&inning) }).collect()
}
