//! The record of a team: games won, lost and tied, by their scores.

use std::cmp::Ordering;

use monotable_kit::{View, Words};
use serde::Serialize;

use super::scope::Scope;
use crate::table::{Game, GameStatus};

/// The record of a team.
#[derive(Clone, Debug, Default, PartialEq, Eq, View)]
pub struct Record {
    /// Games that are over.
    #[view(example = 3)]
    pub games: u64,
    /// Won.
    #[view(example = 2)]
    pub wins: u64,
    /// Lost.
    #[view(example = 1)]
    pub losses: u64,
    /// Neither.
    #[view(example = 0)]
    pub ties: u64,
    /// The team's runs.
    #[view(example = 21)]
    pub runs_for: u64,
    /// The opponents' runs.
    #[view(example = 14)]
    pub runs_against: u64,
    /// The last games with the same result.
    pub streak: Option<Streak>,
}

/// Consecutive games with the same result, up to the last one.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct Streak {
    /// The result of the games.
    pub kind: Ending,
    /// The number of games.
    pub length: u64,
}

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Words)]
pub enum Ending {
    /// Won.
    W,
    /// Lost.
    L,
    /// Tied.
    T,
}

/// Returns the record of a team over the games of a scope. Only final ones count, whatever else the scope
/// includes.
pub fn record(games: &[Game], scope: &Scope) -> Record {
    let is_over = |game: &&Game| game.status == GameStatus::Final && scope.has(game);
    let mut games: Vec<&Game> = games.iter().filter(is_over).collect();
    games.sort_by(|one, other| one.order().cmp(&other.order()));
    let mut record = Record::default();
    for game in games {
        record.games += 1;
        record.runs_for += u64::from(game.team_score);
        record.runs_against += u64::from(game.opponent_score);
        let kind = ending(game);
        match kind {
            Ending::W => record.wins += 1,
            Ending::L => record.losses += 1,
            Ending::T => record.ties += 1,
        }
        record.streak = match record.streak.take() {
            Some(streak) if streak.kind == kind => Some(Streak { kind, length: streak.length + 1 }),
            _ => Some(Streak { kind, length: 1 }),
        };
    }
    record
}

fn ending(game: &Game) -> Ending {
    match game.team_score.cmp(&game.opponent_score) {
        Ordering::Greater => Ending::W,
        Ordering::Less => Ending::L,
        Ordering::Equal => Ending::T,
    }
}
