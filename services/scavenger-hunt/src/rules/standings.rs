//! The leaderboard.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::table::{Adjustment, Game, Team, TeamId};

/// A team on the leaderboard.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing<'a> {
    /// The team.
    pub team: &'a Team,
    /// Points of levels and adjustments, without what hints cost.
    pub score: i64,
}

/// Returns the teams in their order: completed levels, then the score, then the earlier last completion, then the name.
pub fn standings<'a>(
    game: &Game,
    teams: &'a [Team],
    adjustments: &[Adjustment],
) -> Vec<Standing<'a>> {
    let mut adjusted: BTreeMap<&TeamId, i64> = BTreeMap::new();
    for adjustment in adjustments {
        *adjusted.entry(&adjustment.team_id).or_default() += i64::from(adjustment.points);
    }
    let cost = |team: &Team| {
        i64::from(team.tally.clues) * i64::from(game.clue_penalty.unwrap_or(0))
            + i64::from(team.tally.maps) * i64::from(game.map_penalty.unwrap_or(0))
    };
    let score = |team: &Team| {
        i64::from(team.tally.points) + adjusted.get(&team.id).copied().unwrap_or(0) - cost(team)
    };
    let mut standings: Vec<Standing<'a>> =
        teams.iter().map(|team| Standing { team, score: score(team) }).collect();
    standings.sort_by_key(|standing| {
        let tally = &standing.team.tally;
        // Teams without a completion come last of their score.
        let last = (tally.last_completed_at.is_none(), tally.last_completed_at);
        (Reverse(tally.completed), Reverse(standing.score), last, standing.team.name.clone())
    });
    standings
}
