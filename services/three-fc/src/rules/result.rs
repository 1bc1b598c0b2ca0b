//! What goals add up to: tallies per third, and the result of a game.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::thirds::THIRDS;
use crate::table::{
    AssistCount, Ending, GameResult, Goal, GoalsBetween, PlayerId, PlayerLine, RosterEntry, Tally,
    TeamId, TeamResult,
};

impl Tally {
    /// Returns all goals that the team scored.
    pub fn scored(&self) -> u16 {
        self.scored.iter().sum()
    }

    /// Returns all goals that the team conceded.
    pub fn conceded(&self) -> u16 {
        self.conceded.iter().sum()
    }

    fn order(&self) -> (u16, Reverse<u16>) {
        order(self.conceded(), self.scored())
    }
}

/// Returns the order of teams in a game: the fewest conceded first, then the most scored.
fn order(conceded: u16, scored: u16) -> (u16, Reverse<u16>) {
    (conceded, Reverse(scored))
}

/// Returns the tallies of the teams of a game. A goal of an unknown team counts for the teams that are known.
pub fn tallies<'g>(team_ids: &[TeamId], goals: impl IntoIterator<Item = &'g Goal>) -> Vec<Tally> {
    let none = || vec![0; usize::from(THIRDS)];
    let tally =
        |team_id: &TeamId| Tally { team_id: team_id.clone(), scored: none(), conceded: none() };
    let mut tallies: Vec<Tally> = team_ids.iter().map(tally).collect();
    for goal in goals {
        let third = usize::from(goal.third.clamp(1, THIRDS) - 1);
        for tally in &mut tallies {
            tally.conceded[third] += u16::from(tally.team_id == goal.conceding_team_id);
            tally.scored[third] += u16::from(goal.scored_by() == Some(&tally.team_id));
        }
    }
    tallies
}

/// Returns the teams that are best by their tallies: the winner, or those that draw.
pub fn leaders(tallies: &[Tally]) -> Vec<TeamId> {
    let best = tallies.iter().map(Tally::order).min();
    let leaders = tallies.iter().filter(|tally| Some(tally.order()) == best);
    leaders.map(|tally| tally.team_id.clone()).collect()
}

impl TeamResult {
    /// Returns the order of teams in a game: the fewest conceded first, then the most scored.
    pub(super) fn order(&self) -> (u16, Reverse<u16>) {
        order(self.conceded, self.scored)
    }
}

impl GameResult {
    /// Returns the result of a game: the fewest conceded win, among equals the most scored, and what is still
    /// equal then is a draw.
    pub fn of<'g>(
        team_ids: &[TeamId],
        roster: &[RosterEntry],
        goals: impl IntoIterator<Item = &'g Goal>,
    ) -> Self {
        let goals: &[&Goal] = &goals.into_iter().collect::<Vec<_>>();
        let tallies = tallies(team_ids, goals.iter().copied());
        let leaders = leaders(&tallies);
        let team = |tally: &Tally| TeamResult {
            team_id: tally.team_id.clone(),
            scored: tally.scored(),
            conceded: tally.conceded(),
            outcome: match leaders.len() {
                _ if !leaders.contains(&tally.team_id) => Ending::L,
                1 => Ending::W,
                _ => Ending::D,
            },
        };
        let teams: Vec<TeamResult> = tallies.iter().map(team).collect();
        let winner = teams.iter().find(|team| team.outcome == Ending::W);
        Self {
            winner_team_id: winner.map(|team| team.team_id.clone()),
            players: player_lines(roster, goals),
            assists: assist_counts(goals),
            goals_between: goals_between(goals),
            listed_start: None,
            teams,
        }
    }

    /// Returns how the game ended for a team.
    pub fn outcome(&self, team_id: &TeamId) -> Option<Ending> {
        self.teams.iter().find(|team| team.team_id == *team_id).map(|team| team.outcome)
    }
}

fn player_lines(roster: &[RosterEntry], goals: &[&Goal]) -> Vec<PlayerLine> {
    let mut lines: BTreeMap<&PlayerId, PlayerLine> = BTreeMap::new();
    let empty = |player_id: &PlayerId, team_id: Option<&TeamId>| PlayerLine {
        player_id: player_id.clone(),
        team_id: team_id.cloned(),
        goals: 0,
        own_goals: 0,
        assists: 0,
    };
    for entry in roster {
        lines.insert(&entry.player_id, empty(&entry.player_id, Some(&entry.team_id)));
    }
    for goal in goals {
        let scorer = &goal.scorer_player_id;
        let line = lines.entry(scorer).or_insert_with(|| empty(scorer, None));
        if goal.own_goal {
            line.own_goals += 1;
        } else {
            line.goals += 1;
        }
        for player in &goal.assist_player_ids {
            lines.entry(player).or_insert_with(|| empty(player, None)).assists += 1;
        }
    }
    lines.into_values().collect()
}

fn assist_counts(goals: &[&Goal]) -> Vec<AssistCount> {
    let mut counts: BTreeMap<(&PlayerId, &PlayerId), u16> = BTreeMap::new();
    for goal in goals {
        for from in &goal.assist_player_ids {
            *counts.entry((from, &goal.scorer_player_id)).or_default() += 1;
        }
    }
    let counts = counts.into_iter();
    counts
        .map(|((from, to), count)| AssistCount { from: from.clone(), to: to.clone(), count })
        .collect()
}

fn goals_between(goals: &[&Goal]) -> Vec<GoalsBetween> {
    let mut counts: BTreeMap<(&TeamId, &TeamId), u16> = BTreeMap::new();
    for goal in goals {
        if let Some(scoring) = goal.scored_by() {
            *counts.entry((scoring, &goal.conceding_team_id)).or_default() += 1;
        }
    }
    let between = |((scoring, conceding), goals): ((&TeamId, &TeamId), u16)| GoalsBetween {
        scoring_team_id: scoring.clone(),
        conceding_team_id: conceding.clone(),
        goals,
    };
    counts.into_iter().map(between).collect()
}

impl Goal {
    /// Returns the team that scored; nobody scores an own goal.
    pub fn scored_by(&self) -> Option<&TeamId> {
        self.scoring_team_id.as_ref().filter(|_| !self.own_goal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fixtures::{goal, own_goal, roster};

    fn ids() -> Vec<TeamId> {
        ["red", "blue", "yellow"].map(|id| id.parse().unwrap()).to_vec()
    }

    /// Checks the outcome of a game whose goals are `scoring>conceding`, or `>conceding` for own goals.
    fn check(goals: &str, expected: &str) {
        let goals: Vec<Goal> = goals
            .split_whitespace()
            .map(|goal_text| match goal_text.split_once('>').unwrap() {
                ("", conceding) => own_goal(conceding),
                (scoring, conceding) => goal(scoring, conceding),
            })
            .collect();
        let result = GameResult::of(&ids(), &roster(), &goals);
        let teams = result.teams.iter().map(|team| {
            format!("{} {}:{} {:?}", team.team_id, team.conceded, team.scored, team.outcome)
        });
        assert_eq!(teams.collect::<Vec<_>>().join(", "), expected);
        let winner = result.teams.iter().find(|team| team.outcome == Ending::W);
        assert_eq!(result.winner_team_id, winner.map(|team| team.team_id.clone()));
    }

    #[test]
    fn the_fewest_conceded_win() {
        check(
            "blue>red red>blue yellow>blue red>yellow blue>yellow",
            "red 1:2 W, blue 2:2 L, yellow 2:1 L",
        );
    }

    #[test]
    fn among_equals_the_most_scored_win() {
        check(
            "blue>red red>blue red>yellow blue>yellow red>yellow",
            "red 1:3 W, blue 1:2 L, yellow 3:0 L",
        );
        check(
            "red>yellow red>yellow red>blue blue>red >red yellow>blue yellow>red",
            "red 3:3 L, blue 2:1 L, yellow 2:2 W",
        );
    }

    #[test]
    fn what_is_still_equal_is_a_draw() {
        check("red>blue blue>red yellow>yellow", "red 1:1 D, blue 1:1 D, yellow 1:1 D");
        check("red>yellow blue>yellow", "red 0:1 D, blue 0:1 D, yellow 2:0 L");
        check("", "red 0:0 D, blue 0:0 D, yellow 0:0 D");
    }

    #[test]
    fn an_own_goal_is_conceded_and_nobody_has_scored_it() {
        check(">red", "red 1:0 L, blue 0:0 D, yellow 0:0 D");
        let result = GameResult::of(&ids(), &roster(), &[own_goal("red")]);
        let scorer = result.players.iter().find(|line| line.own_goals > 0).unwrap();
        assert_eq!((scorer.own_goals, scorer.goals), (1, 0));
        assert!(result.goals_between.is_empty());
    }

    #[test]
    fn tallies_are_kept_third_by_third() {
        let later = Goal { third: 3, ..goal("blue", "red") };
        let counted = tallies(&ids(), &[goal("blue", "red"), later, goal("red", "yellow")]);
        assert_eq!(counted[0].conceded, [1, 0, 1]);
        assert_eq!(counted[1].scored, [1, 0, 1]);
        assert_eq!((counted[0].scored(), counted[2].conceded()), (1, 1));
    }
}
