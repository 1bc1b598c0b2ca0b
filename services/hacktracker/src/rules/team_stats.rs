//! The statistics of a team in the games of a scope.

use std::collections::BTreeMap;

use monotable_kit::View;

use super::batting::{BattingLine, lines, total};
use super::log::GameLog;
use super::roster::Who;
use super::scope::Scope;
use crate::table::{Player, PlayerId};

/// The statistics of a team.
#[derive(Clone, Debug, PartialEq, View)]
pub struct TeamStatistics {
    /// The number of games.
    #[view(example = 3)]
    pub games: u64,
    /// All players of the roster and all who batted or scored, in the order of the roster.
    pub players: Vec<PlayerStatistics>,
    /// The sum of all players. Its rates are computed from the sums.
    pub totals: BattingLine,
}

/// The statistics of a player.
#[derive(Clone, Debug, PartialEq, View)]
pub struct PlayerStatistics {
    /// The player.
    #[view(flatten)]
    pub who: Who,
    /// The games in which the player batted or scored.
    #[view(example = 3)]
    pub games: u64,
    /// The figures.
    pub line: BattingLine,
}

/// Returns the statistics of a team over the games of a scope.
pub fn team_statistics(logs: &[GameLog], roster: &[Player], scope: &Scope) -> TeamStatistics {
    let mut figures: BTreeMap<PlayerId, (u64, BattingLine)> =
        roster.iter().map(|player| (player.player_id.clone(), Default::default())).collect();
    let mut games = 0;
    for log in logs.iter().filter(|log| scope.has(&log.game)) {
        games += 1;
        for (player, line) in lines(&log.at_bats) {
            let (played, sum) = figures.entry(player).or_default();
            *played += 1;
            *sum += line;
        }
    }
    let players = figures.iter().map(|(player, (games, line))| PlayerStatistics {
        who: Who::of(player, roster),
        games: *games,
        line: *line,
    });
    let mut players: Vec<PlayerStatistics> = players.collect();
    players.sort_by(|one, other| one.who.order(&other.who));
    let totals = total(players.iter().map(|player| &player.line));
    TeamStatistics { games, players, totals }
}
