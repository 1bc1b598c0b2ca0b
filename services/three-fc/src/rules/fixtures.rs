//! A line-up and goals for the tests of the rules.

use crate::table::{Goal, RosterEntry, Stamps};

/// A line-up of two players per team, such as `red-1`.
pub(crate) fn roster() -> Vec<RosterEntry> {
    let entry = |team: &str, number: u8| RosterEntry {
        game_id: "g".parse().unwrap(),
        team_id: team.parse().unwrap(),
        player_id: format!("{team}-{number}").parse().unwrap(),
        stamps: Stamps::default(),
    };
    let teams = ["red", "blue", "yellow"].into_iter();
    teams.flat_map(|team| [entry(team, 1), entry(team, 2)]).collect()
}

/// A goal of the first player of a team.
pub(crate) fn goal(scoring: &str, conceding: &str) -> Goal {
    Goal {
        game_id: "g".parse().unwrap(),
        event_id: "e".parse().unwrap(),
        third: 1,
        game_minute: 5,
        scoring_team_id: Some(scoring.parse().unwrap()),
        conceding_team_id: conceding.parse().unwrap(),
        scorer_player_id: format!("{scoring}-1").parse().unwrap(),
        assist_player_ids: Vec::new(),
        own_goal: false,
        third_minute: None,
        stoppage_minute: None,
        display_time: None,
        recorded_by: None,
        stamps: Stamps::default(),
    }
}

/// An own goal of the first player of a team.
pub(crate) fn own_goal(conceding: &str) -> Goal {
    Goal { scoring_team_id: None, own_goal: true, ..goal(conceding, conceding) }
}
