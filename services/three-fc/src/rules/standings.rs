//! The table of a season: what the results of its finished games add up to, ranked by the season's criteria.

use std::cmp::Reverse;

use monotable_kit::View;

use super::rank::rank;
use crate::table::{Ending, GameResult, Ranking, TeamId, TeamSnapshot};

impl Ranking {
    /// Returns the value of a row; the greater one is better.
    fn value(self, row: &Standing) -> i64 {
        match self {
            Self::Wins => row.wins.into(),
            Self::Draws => row.draws.into(),
            Self::Losses => -i64::from(row.losses),
            Self::Conceded => -i64::from(row.conceded),
            Self::Scored => row.scored.into(),
            Self::Played => row.played.into(),
        }
    }
}

/// A team in the table of a season.
#[derive(Clone, Debug, PartialEq, Eq, View)]
pub struct Standing {
    /// The rank, from 1; equal teams share it.
    #[view(example = 1)]
    pub rank: u32,
    /// The team.
    pub team_id: TeamId,
    /// Its name.
    #[view(example = "Red")]
    pub name: String,
    /// Its colour.
    pub color: Option<String>,
    /// Finished games.
    #[view(example = 4)]
    pub played: u32,
    /// Games won.
    #[view(example = 2)]
    pub wins: u32,
    /// Games drawn.
    #[view(example = 1)]
    pub draws: u32,
    /// Games lost.
    #[view(example = 1)]
    pub losses: u32,
    /// Goals conceded.
    #[view(example = 9)]
    pub conceded: u32,
    /// Goals scored.
    #[view(example = 11)]
    pub scored: u32,
}

impl Standing {
    fn of(team: &TeamSnapshot, results: &[&GameResult]) -> Self {
        let games = results.iter().flat_map(|result| &result.teams);
        let games: Vec<_> = games.filter(|game| game.team_id == team.team_id).collect();
        let count = |ending| games.iter().map(|game| u32::from(game.outcome == ending)).sum();
        Self {
            rank: 0,
            team_id: team.team_id.clone(),
            name: team.name.clone(),
            color: team.color.clone(),
            played: games.len() as u32,
            wins: count(Ending::W),
            draws: count(Ending::D),
            losses: count(Ending::L),
            conceded: games.iter().map(|game| u32::from(game.conceded)).sum(),
            scored: games.iter().map(|game| u32::from(game.scored)).sum(),
        }
    }
}

/// Returns the table of a season. Teams without a finished game are in it with zeros.
pub fn standings(
    teams: &[TeamSnapshot],
    results: &[&GameResult],
    criteria: &[Ranking],
) -> Vec<Standing> {
    let mut rows: Vec<Standing> = teams.iter().map(|team| Standing::of(team, results)).collect();
    let value = |row: &Standing| -> Vec<i64> {
        criteria.iter().map(|criterion| criterion.value(row)).collect()
    };
    rows.sort_by_cached_key(|row| (Reverse(value(row)), row.name.clone(), row.team_id.clone()));
    rank(&mut rows, value, |row, rank| row.rank = rank);
    rows
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::table::TeamResult;

    fn teams() -> Vec<TeamSnapshot> {
        let team = |id: &str, name: &str| TeamSnapshot {
            team_id: id.parse().unwrap(),
            name: name.to_owned(),
            color: None,
        };
        vec![team("red", "Red"), team("blue", "Blue"), team("yellow", "Ants"), team("x", "Ants")]
    }

    /// Returns the result of a game of teams such as `red W 1:2`, conceded before scored.
    fn result(text: &str) -> GameResult {
        let team = |text: &str| {
            let parts: Vec<&str> = text.split_whitespace().collect();
            let (conceded, scored) = parts[2].split_once(':').unwrap();
            TeamResult {
                team_id: parts[0].parse().unwrap(),
                conceded: conceded.parse().unwrap(),
                scored: scored.parse().unwrap(),
                outcome: serde_json::from_value(parts[1].into()).unwrap(),
            }
        };
        GameResult { teams: text.split(',').map(team).collect(), ..GameResult::default() }
    }

    fn check(results: &[&str], criteria: &[Ranking], expected: Expect) {
        let results: Vec<GameResult> = results.iter().map(|text| result(text)).collect();
        let results: Vec<&GameResult> = results.iter().collect();
        let rows = standings(&teams(), &results, criteria).into_iter().map(|row| {
            let Standing { rank, team_id, played, wins, draws, losses, .. } = row;
            let goals = format!("{}:{}", row.conceded, row.scored);
            format!("{rank} {team_id} {played} {wins}-{draws}-{losses} {goals}\n")
        });
        expected.assert_eq(&rows.collect::<String>());
    }

    #[test]
    fn a_season_without_finished_games_lists_all_teams() {
        check(
            &[],
            &Ranking::usual(),
            expect![[r#"
                1 x 0 0-0-0 0:0
                1 yellow 0 0-0-0 0:0
                1 blue 0 0-0-0 0:0
                1 red 0 0-0-0 0:0
            "#]],
        );
    }

    #[test]
    fn wins_count_first_then_draws_then_the_fewest_conceded_then_the_most_scored() {
        let results =
            ["red W 1:2,blue L 2:2,yellow L 2:1", "red L 5:0,blue D 1:3,yellow D 1:3,gone L 9:9"];
        check(
            &results,
            &Ranking::usual(),
            expect![[r#"
                1 red 2 1-0-1 6:2
                2 blue 2 0-1-1 3:5
                3 yellow 2 0-1-1 3:4
                4 x 0 0-0-0 0:0
            "#]],
        );
    }

    #[test]
    fn a_season_can_have_criteria_of_its_own() {
        check(
            &["red W 3:2,blue L 4:6,yellow L 4:3"],
            &[Ranking::Scored, Ranking::Wins],
            expect![[r#"
                1 blue 1 0-0-1 4:6
                2 yellow 1 0-0-1 4:3
                3 red 1 1-0-0 3:2
                4 x 0 0-0-0 0:0
            "#]],
        );
    }

    #[test]
    fn equal_teams_share_a_rank() {
        check(
            &["red D 1:1,blue D 1:1,yellow L 2:0"],
            &Ranking::usual(),
            expect![[r#"
                1 blue 1 0-1-0 1:1
                1 red 1 0-1-0 1:1
                3 x 0 0-0-0 0:0
                4 yellow 1 0-0-1 2:0
            "#]],
        );
    }
}
