//! The best players of a team, among those with enough plate appearances.

use monotable_kit::{View, Words};
use serde::{Deserialize, Serialize};

use super::batting::BattingLine;
use super::log::GameLog;
use super::rate::Rate;
use super::roster::Who;
use super::scope::Scope;
use super::team_stats::{PlayerStatistics, team_statistics};
use crate::table::{GameStatus, Player};

/// A rate that players can be compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Words)]
#[serde(rename_all = "UPPERCASE")]
pub enum RateName {
    /// Hits per at-bat.
    Avg,
    /// Times on base per plate appearance.
    Obp,
    /// Bases per at-bat.
    Slg,
    /// The sum of OBP and SLG.
    Ops,
}

impl RateName {
    /// All of them, with their words.
    pub const ALL: [(&'static str, Self); 4] =
        [("AVG", Self::Avg), ("OBP", Self::Obp), ("SLG", Self::Slg), ("OPS", Self::Ops)];

    /// Returns the rate of a line.
    pub fn of(self, line: &BattingLine) -> Option<Rate> {
        match self {
            Self::Avg => line.average(),
            Self::Obp => line.on_base(),
            Self::Slg => line.slugging(),
            Self::Ops => line.on_base_plus_slugging(),
        }
    }
}

/// The leaders of a team.
#[derive(Clone, Debug, PartialEq, View)]
pub struct Leaderboard {
    /// The rate that they are compared by.
    #[view(example = "AVG")]
    pub rate: RateName,
    /// The number of games.
    #[view(example = 3)]
    pub games: u64,
    /// Plate appearances that a player needs to be listed.
    #[view(example = 6)]
    pub minimum_plate_appearances: u64,
    /// The players, the best first.
    pub leaders: Vec<Leader>,
}

/// A player in a leaderboard.
#[derive(Clone, Debug, PartialEq, View)]
pub struct Leader {
    /// The rank, from 1; equals share it.
    #[view(example = 1)]
    pub rank: u64,
    /// The player.
    #[view(flatten)]
    pub who: Who,
    /// The rate.
    #[view(example = 0.333)]
    pub value: Rate,
    /// The number of plate appearances.
    #[view(example = 7)]
    pub plate_appearances: u64,
    /// The number of at-bats.
    #[view(example = 6)]
    pub at_bats: u64,
}

/// Returns the leaders of a team over the games of a scope. By default a player needs two plate
/// appearances for every final game.
pub fn leaders(
    logs: &[GameLog],
    roster: &[Player],
    scope: &Scope,
    rate: RateName,
    minimum: Option<u64>,
) -> Leaderboard {
    let statistics = team_statistics(logs, roster, scope);
    let over = |log: &&GameLog| log.game.status == GameStatus::Final && scope.has(&log.game);
    let finals = logs.iter().filter(over).count() as u64;
    let minimum = minimum.unwrap_or(2 * finals);
    let mut qualified: Vec<(Rate, PlayerStatistics)> = statistics
        .players
        .into_iter()
        .filter(|player| player.line.plate_appearances >= minimum)
        .filter_map(|player| Some((rate.of(&player.line)?, player)))
        .collect();
    qualified.sort_by(|(one, first), (other, second)| {
        let (few, many) = (first.line.plate_appearances, second.line.plate_appearances);
        other.cmp(one).then(many.cmp(&few)).then_with(|| first.who.order(&second.who))
    });
    let mut leaders: Vec<Leader> = Vec::with_capacity(qualified.len());
    for (place, (value, player)) in (1_u64..).zip(qualified) {
        let rank = match leaders.last() {
            Some(last) if last.value == value => last.rank,
            _ => place,
        };
        leaders.push(Leader {
            rank,
            who: player.who,
            value,
            plate_appearances: player.line.plate_appearances,
            at_bats: player.line.at_bats(),
        });
    }
    Leaderboard { rate, games: statistics.games, minimum_plate_appearances: minimum, leaders }
}
