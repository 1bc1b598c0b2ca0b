//! The rules of a goal: two teams of the game, a scorer of one of them, and at most three assists.

use std::collections::BTreeSet;

use monotable_kit::{Problem, Refuse as _};

use super::clock::MINUTE_MAX;
use super::thirds::THIRDS;
use crate::refusal::Refusal;
use crate::table::{Goal, PlayerId, RosterEntry, TeamId};

/// The maximum number of assists of a goal.
pub const ASSISTS_MAX: usize = 3;
/// The maximum number of goals in a third.
pub const GOALS_OF_THIRD_MAX: usize = 60;

/// Checks a goal against the teams and the line-ups of its game.
///
/// # Errors
/// Returns 400 `invalid_goal_teams`, `invalid_assists`, `not_rostered` or `validation`.
pub fn check(goal: &Goal, team_ids: &[TeamId], roster: &[RosterEntry]) -> Result<(), Problem> {
    check_time(goal)?;
    check_teams(goal, team_ids)?;
    check_assists(goal)?;
    let team_of = |player: &PlayerId| {
        roster.iter().find(|entry| entry.player_id == *player).map(|entry| &entry.team_id)
    };
    let scorer_team = goal.scored_by().unwrap_or(&goal.conceding_team_id);
    if team_of(&goal.scorer_player_id) != Some(scorer_team) {
        let text = format!("The scorer must be in the line-up of team {scorer_team}.");
        return Err(Refusal::NotRostered.text(text));
    }
    match goal.assist_player_ids.iter().find(|player| team_of(player).is_none()) {
        Some(player) => {
            let text = format!("Player {player} is in no line-up of the game.");
            Err(Refusal::NotRostered.text(text))
        }
        None => Ok(()),
    }
}

fn check_time(goal: &Goal) -> Result<(), Problem> {
    if !(1..=THIRDS).contains(&goal.third) {
        return Err(Problem::field("third", "must be from 1 to 3"));
    }
    if goal.game_minute > MINUTE_MAX {
        return Err(Problem::field("gameMinute", format!("must be at most {MINUTE_MAX}")));
    }
    Ok(())
}

fn check_teams(goal: &Goal, team_ids: &[TeamId]) -> Result<(), Problem> {
    let refused = |text: &str| Err(Refusal::InvalidGoalTeams.text(text));
    match &goal.scoring_team_id {
        Some(_) if goal.own_goal => return refused("An own goal has no scoringTeamId."),
        None if !goal.own_goal => {
            return refused("scoringTeamId is missing; only an own goal has none.");
        }
        Some(scoring) if *scoring == goal.conceding_team_id => {
            return refused("A team can't score against itself; report an own goal.");
        }
        _ => {}
    }
    let mut teams = goal.scoring_team_id.iter().chain([&goal.conceding_team_id]);
    match teams.find(|team_id| !team_ids.contains(team_id)) {
        Some(team_id) => refused(&format!("Team {team_id} does not play in this game.")),
        None => Ok(()),
    }
}

fn check_assists(goal: &Goal) -> Result<(), Problem> {
    let assists = &goal.assist_player_ids;
    let refused = |text: &str| Err(Refusal::InvalidAssists.text(text));
    if goal.own_goal && !assists.is_empty() {
        return refused("An own goal has no assists.");
    }
    if assists.len() > ASSISTS_MAX {
        return refused("A goal has three assists at most.");
    }
    if assists.contains(&goal.scorer_player_id) {
        return refused("The scorer can't assist.");
    }
    if assists.iter().collect::<BTreeSet<_>>().len() < assists.len() {
        return refused("A player assists once.");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusal;
    use crate::rules::fixtures::{goal, own_goal, roster};

    fn check_code(change: impl FnOnce(&mut Goal), expected: &str) {
        let teams = ["red", "blue", "yellow"].map(|id| id.parse().unwrap());
        let mut goal = goal("red", "blue");
        change(&mut goal);
        let checked = check(&goal, &teams, &roster());
        let code = checked.map_or_else(|problem| refusal::code(problem.code), |()| "ok".to_owned());
        assert_eq!(code, expected, "{goal:?}");
    }

    fn players(ids: &[&str]) -> Vec<PlayerId> {
        ids.iter().map(|id| id.parse().unwrap()).collect()
    }

    #[test]
    fn tf_d24_a_goal_keeps_the_rules() {
        check_code(|_| {}, "ok");
        check_code(|goal| *goal = own_goal("red"), "ok");
        check_code(|goal| goal.scoring_team_id = None, "invalid_goal_teams");
        check_code(|goal| goal.own_goal = true, "invalid_goal_teams");
        check_code(|goal| goal.conceding_team_id = "red".parse().unwrap(), "invalid_goal_teams");
        check_code(|goal| goal.conceding_team_id = "green".parse().unwrap(), "invalid_goal_teams");
        check_code(|goal| goal.scorer_player_id = "blue-1".parse().unwrap(), "not_rostered");
        check_code(|goal| goal.scorer_player_id = "nobody".parse().unwrap(), "not_rostered");
        check_code(
            |goal| *goal = Goal { scorer_player_id: "blue-1".parse().unwrap(), ..own_goal("red") },
            "not_rostered",
        );
    }

    #[test]
    fn assists_are_of_others_in_the_game() {
        let assists = |ids: &[&str]| {
            let ids = players(ids);
            move |goal: &mut Goal| goal.assist_player_ids = ids
        };
        check_code(assists(&["red-2", "blue-1", "yellow-1"]), "ok");
        check_code(assists(&["red-2", "blue-1", "yellow-1", "yellow-2"]), "invalid_assists");
        check_code(assists(&["red-2", "red-2"]), "invalid_assists");
        check_code(assists(&["red-1"]), "invalid_assists");
        check_code(assists(&["nobody"]), "not_rostered");
        check_code(
            |goal| *goal = Goal { assist_player_ids: players(&["red-2"]), ..own_goal("red") },
            "invalid_assists",
        );
    }

    #[test]
    fn a_goal_is_in_a_third_and_a_minute_that_exist() {
        check_code(|goal| goal.game_minute = 180, "ok");
        check_code(|goal| goal.game_minute = 181, "validation");
        check_code(|goal| goal.third = 4, "validation");
    }
}
