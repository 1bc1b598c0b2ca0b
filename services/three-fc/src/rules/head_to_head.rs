//! Two teams of a season against each other, over the finished games that both played.

use std::cmp::Ordering;

use monotable_kit::View;

use crate::table::{GameResult, GoalsBetween, TeamId, TeamSnapshot};

/// A pair of teams, from the side of the first one.
#[derive(Clone, Debug, PartialEq, Eq, View)]
#[view(list = "pairs")]
pub struct HeadToHead {
    /// The first team.
    pub team_id: TeamId,
    /// The second team.
    pub opponent_team_id: TeamId,
    /// Finished games that both played.
    #[view(example = 4)]
    pub played: usize,
    /// Games that the first team ended ahead: it conceded fewer goals, or as many and scored more.
    #[view(example = 2)]
    pub ahead: usize,
    /// Games that both ended equal.
    #[view(example = 1)]
    pub level: usize,
    /// Games that the second team ended ahead.
    #[view(example = 1)]
    pub behind: usize,
    /// Goals of the first team against the second.
    #[view(example = 6)]
    pub goals: u32,
    /// Goals of the second team against the first.
    #[view(example = 5)]
    pub opponent_goals: u32,
}

/// Returns every pair of a season's teams once, in the order of the teams.
pub fn head_to_head(teams: &[TeamSnapshot], results: &[&GameResult]) -> Vec<HeadToHead> {
    let pairs = teams.iter().enumerate().flat_map(|(index, team)| {
        teams[index + 1..].iter().map(|opponent| (&team.team_id, &opponent.team_id))
    });
    pairs.map(|(team_id, opponent)| HeadToHead::of(team_id, opponent, results)).collect()
}

impl HeadToHead {
    fn of(team_id: &TeamId, opponent_team_id: &TeamId, results: &[&GameResult]) -> Self {
        let order = |result: &GameResult, team_id: &TeamId| {
            let team = result.teams.iter().find(|team| team.team_id == *team_id)?;
            Some(team.order())
        };
        let played = results.iter().filter_map(|result| {
            Some((result, order(result, team_id)?.cmp(&order(result, opponent_team_id)?)))
        });
        let games: Vec<(&&GameResult, Ordering)> = played.collect();
        let count = |ending| games.iter().filter(|game| game.1 == ending).count();
        let goals = |scoring: &TeamId, conceding: &TeamId| {
            let between = games.iter().flat_map(|game| &game.0.goals_between);
            let is_theirs = |goals: &&GoalsBetween| {
                goals.scoring_team_id == *scoring && goals.conceding_team_id == *conceding
            };
            between.filter(is_theirs).map(|goals| u32::from(goals.goals)).sum()
        };
        Self {
            team_id: team_id.clone(),
            opponent_team_id: opponent_team_id.clone(),
            played: games.len(),
            ahead: count(Ordering::Less),
            level: count(Ordering::Equal),
            behind: count(Ordering::Greater),
            goals: goals(team_id, opponent_team_id),
            opponent_goals: goals(opponent_team_id, team_id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fixtures::{goal, own_goal, roster};

    fn snapshot(id: &str) -> TeamSnapshot {
        TeamSnapshot { team_id: id.parse().unwrap(), name: id.to_owned(), color: None }
    }

    #[test]
    fn pairs_count_the_games_that_both_played() {
        let ids = |ids: [&str; 3]| ids.map(|id| id.parse().unwrap());
        let first = [goal("red", "blue"), goal("red", "blue"), goal("blue", "red")];
        let second = [goal("red", "yellow"), own_goal("red")];
        let results = [
            GameResult::of(&ids(["red", "blue", "yellow"]), &roster(), &first),
            GameResult::of(&ids(["red", "blue", "yellow"]), &roster(), &second),
            GameResult::of(&ids(["red", "green", "yellow"]), &roster(), &first),
        ];
        let teams = ["red", "blue", "yellow"].map(snapshot);
        let pairs = head_to_head(&teams, &results.each_ref());
        let shown = pairs.iter().map(|pair| {
            let HeadToHead { team_id, opponent_team_id, played, ahead, level, behind, .. } = pair;
            let goals = format!("{}:{}", pair.goals, pair.opponent_goals);
            format!("{team_id}-{opponent_team_id} {played} {ahead}-{level}-{behind} {goals}")
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            ["red-blue 2 1-0-1 2:1", "red-yellow 3 1-0-2 1:0", "blue-yellow 2 1-0-1 0:0"]
        );
    }
}
