//! The players of a season, ranked by goals, goals per match or assists.

use std::collections::BTreeMap;

use monotable_kit::{View, Words};
use serde::{Deserialize, Serialize};

use super::rank::rank;
use crate::table::{GameResult, PlayerId};

/// What players are ranked by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Words)]
#[serde(rename_all = "camelCase")]
pub enum LeaderSort {
    /// Goals without own goals.
    #[default]
    Goals,
    /// Goals per match.
    GoalsPerMatch,
    /// Assists.
    Assists,
}

/// What a player did in finished games.
#[derive(Clone, Debug, Default, PartialEq, View)]
pub struct Totals {
    /// Finished games in whose line-ups the player is.
    #[view(example = 4)]
    pub matches: u32,
    /// Goals without own goals.
    #[view(example = 5)]
    pub goals: u32,
    /// Own goals.
    #[view(example = 0)]
    pub own_goals: u32,
    /// Assists.
    #[view(example = 2)]
    pub assists: u32,
    /// With two decimals, a half rounded up; null without a match.
    #[view(null, example = 1.25)]
    pub goals_per_match: Option<f64>,
}

impl Totals {
    /// Adds what the player did in a game.
    pub fn add(&mut self, is_in_line_up: bool, [goals, own_goals, assists]: [u16; 3]) {
        self.matches += u32::from(is_in_line_up);
        self.goals += u32::from(goals);
        self.own_goals += u32::from(own_goals);
        self.assists += u32::from(assists);
        let hundredths =
            (200 * self.goals + self.matches).checked_div(2 * self.matches).map(f64::from);
        self.goals_per_match = hundredths.map(|hundredths| hundredths / 100.0);
    }

    /// Returns what the player is ranked by; the greater one is better. Quotients of such small numbers are
    /// equal or different as the fractions are.
    fn value(&self, sort: LeaderSort) -> f64 {
        match sort {
            LeaderSort::Goals => self.goals.into(),
            LeaderSort::Assists => self.assists.into(),
            LeaderSort::GoalsPerMatch if self.matches == 0 => -1.0,
            LeaderSort::GoalsPerMatch => f64::from(self.goals) / f64::from(self.matches),
        }
    }
}

/// Returns the totals of all players of these games.
pub fn totals<'r>(
    results: impl IntoIterator<Item = &'r GameResult>,
) -> BTreeMap<&'r PlayerId, Totals> {
    let mut totals: BTreeMap<&PlayerId, Totals> = BTreeMap::new();
    for line in results.into_iter().flat_map(|result| &result.players) {
        let player = totals.entry(&line.player_id).or_default();
        player.add(line.team_id.is_some(), [line.goals, line.own_goals, line.assists]);
    }
    totals
}

/// A player in a leaderboard.
#[derive(Clone, Debug, PartialEq, View)]
pub struct Leader {
    /// The rank, from 1; equal players share it.
    #[view(example = 1)]
    pub rank: u32,
    /// The player.
    pub player_id: PlayerId,
    /// The nickname; absent if the player was deleted.
    #[view(example = "Flash")]
    pub nickname: Option<String>,
    /// What the player did.
    #[view(flatten)]
    pub totals: Totals,
}

/// Returns the players of a season with at least so many matches, the best first. Of equal players the one
/// with fewer matches comes first, then by nickname and id.
pub fn leaderboard<'r>(
    results: impl IntoIterator<Item = &'r GameResult>,
    nicknames: &BTreeMap<PlayerId, String>,
    sort: LeaderSort,
    min_matches: u32,
) -> Vec<Leader> {
    let players = totals(results).into_iter();
    let players = players.filter(|(_, totals)| totals.matches >= min_matches);
    let leader = |(player_id, totals): (&PlayerId, Totals)| Leader {
        rank: 0,
        player_id: player_id.clone(),
        nickname: nicknames.get(player_id).cloned(),
        totals,
    };
    let mut leaders: Vec<Leader> = players.map(leader).collect();
    let value = |leader: &Leader| leader.totals.value(sort);
    leaders.sort_by(|one, other| {
        let tie = |leader: &Leader| (leader.totals.matches, leader.nickname.clone());
        // Equal ones stay in the order of their ids.
        value(other).total_cmp(&value(one)).then_with(|| tie(one).cmp(&tie(other)))
    });
    rank(&mut leaders, value, |leader, rank| leader.rank = rank);
    leaders
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::table::PlayerLine;

    /// Returns the result of a game of players such as `ann 2 0 1`: goals, own goals, assists.
    fn result(text: &str) -> GameResult {
        let line = |text: &str| {
            let parts: Vec<&str> = text.split_whitespace().collect();
            let number = |index: usize| parts[index].parse().unwrap();
            PlayerLine {
                player_id: parts[0].parse().unwrap(),
                team_id: (parts.len() == 4).then(|| "red".parse().unwrap()),
                goals: number(1),
                own_goals: number(2),
                assists: number(3),
            }
        };
        GameResult { players: text.split(',').map(line).collect(), ..GameResult::default() }
    }

    fn check(sort: LeaderSort, min_matches: u32, expected: Expect) {
        let results = [
            "ann 2 0 0,bob 1 1 1,cid 0 0 2,gus 1 0 0 x",
            "ann 0 0 0,bob 1 0 1,dee 1 0 0",
            "ann 0 0 0,eve 0 0 0",
        ]
        .map(result);
        let names = ["ann", "bob", "cid", "dee"].map(|id| (id.parse().unwrap(), id.to_owned()));
        let rows = leaderboard(&results, &names.into(), sort, min_matches).into_iter().map(|row| {
            let shown = serde_json::to_value(&row).unwrap();
            let Leader { rank, player_id, totals, .. } = row;
            let Totals { matches, goals, own_goals, assists, .. } = totals;
            let rate = &shown["goalsPerMatch"];
            format!("{rank} {player_id} {matches} {goals}+{own_goals}+{assists} {rate}\n")
        });
        expected.assert_eq(&rows.collect::<String>());
    }

    #[test]
    fn goals_count_and_own_goals_do_not() {
        check(
            LeaderSort::Goals,
            0,
            expect![[r#"
                1 bob 2 2+1+2 1.0
                1 ann 3 2+0+0 0.67
                3 gus 0 1+0+0 null
                3 dee 1 1+0+0 1.0
                5 eve 1 0+0+0 0.0
                5 cid 1 0+0+2 0.0
            "#]],
        );
    }

    #[test]
    fn rates_are_compared_exactly_and_need_a_match() {
        check(
            LeaderSort::GoalsPerMatch,
            1,
            expect![[r#"
                1 dee 1 1+0+0 1.0
                1 bob 2 2+1+2 1.0
                3 ann 3 2+0+0 0.67
                4 eve 1 0+0+0 0.0
                4 cid 1 0+0+2 0.0
            "#]],
        );
    }

    #[test]
    fn assists_rank_players_with_enough_matches() {
        check(
            LeaderSort::Assists,
            2,
            expect![[r#"
                1 bob 2 2+1+2 1.0
                2 ann 3 2+0+0 0.67
            "#]],
        );
    }
}
