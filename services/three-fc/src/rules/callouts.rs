//! The text about one player in the e-mail about a result.

use crate::table::{Ending, GameResult, PlayerId, PlayerLine, TeamId, TeamResult, TeamSnapshot};

/// Returns the result as a text: a line for each team, the best first.
pub fn result_text(teams: &[TeamSnapshot], result: &GameResult) -> String {
    let mut rows: Vec<&TeamResult> = result.teams.iter().collect();
    rows.sort_by_key(|team| team.order());
    let line = |team: &TeamResult| {
        let ending = match team.outcome {
            Ending::W => " - winner",
            Ending::D => " - draw",
            Ending::L => "",
        };
        let name = team_name(teams, &team.team_id);
        format!("{name}: conceded {}, scored {}{ending}\n", team.conceded, team.scored)
    };
    rows.into_iter().map(line).collect()
}

/// Returns the name of a team as the game has it.
pub fn team_name<'a>(teams: &'a [TeamSnapshot], team_id: &'a TeamId) -> &'a str {
    let team = teams.iter().find(|team| team.team_id == *team_id);
    team.map_or(team_id.as_str(), |team| &team.name)
}

/// Returns what a player did in a game, one sentence for each thing.
pub fn callouts(result: &GameResult, player_id: &PlayerId) -> Vec<String> {
    let Some(line) = result.players.iter().find(|line| line.player_id == *player_id) else {
        return Vec::new();
    };
    let mut sentences = Vec::new();
    let team = line.team_id.as_ref();
    let team = team.and_then(|id| result.teams.iter().find(|team| team.team_id == *id));
    match team.map(|team| team.outcome) {
        Some(Ending::W) => sentences.push("Your team won.".to_owned()),
        Some(Ending::D) => sentences.push("Your team drew.".to_owned()),
        Some(Ending::L) | None => {}
    }
    sentences.extend(goals(result, line));
    match line.assists {
        0 => {}
        1 => sentences.push("You gave an assist.".to_owned()),
        count => sentences.push(format!("You gave {count} assists.")),
    }
    if team.is_some_and(|team| team.conceded == 0) {
        sentences.push("Your team kept a clean sheet.".to_owned());
    }
    match line.own_goals {
        0 => {}
        1 => sentences.push("One goal went into your own net; it happens to everybody.".to_owned()),
        count => sentences.push(format!("{count} goals went into your own net.")),
    }
    sentences
}

/// Returns a sentence about the goals of a player.
fn goals(result: &GameResult, line: &PlayerLine) -> Option<String> {
    let best = result.players.iter().map(|other| other.goals).max().unwrap_or_default();
    let is_alone = result.players.iter().filter(|other| other.goals == best).count() == 1;
    let told = match line.goals {
        0 => return None,
        1 => "You scored a goal".to_owned(),
        3 => "You scored a hat-trick".to_owned(),
        count => format!("You scored {count} goals"),
    };
    let most = if line.goals == best && is_alone { ", the most of all players" } else { "" };
    Some(format!("{told}{most}."))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::fixtures::{goal, own_goal, roster};
    use crate::table::Goal;

    fn check(player: &str, expected: &[&str]) {
        let teams = ["red", "blue", "yellow"].map(|id| id.parse().unwrap());
        let assisted =
            Goal { assist_player_ids: vec!["red-2".parse().unwrap()], ..goal("red", "blue") };
        let goals = [assisted, goal("red", "yellow"), goal("red", "yellow"), own_goal("yellow")];
        let result = GameResult::of(&teams, &roster(), &goals);
        assert_eq!(callouts(&result, &player.parse().unwrap()), expected, "{player}");
    }

    #[test]
    fn each_player_hears_of_their_own_game() {
        let clean = "Your team kept a clean sheet.";
        let hat_trick = "You scored a hat-trick, the most of all players.";
        check("red-1", &["Your team won.", hat_trick, clean]);
        check("red-2", &["Your team won.", "You gave an assist.", clean]);
        check("blue-1", &[]);
        check("yellow-1", &["One goal went into your own net; it happens to everybody."]);
        check("nobody", &[]);
    }

    #[test]
    fn the_result_lists_the_fewest_conceded_first() {
        let ids = ["red", "blue"].map(|id| id.parse().unwrap());
        let teams = [TeamSnapshot {
            team_id: "red".parse().unwrap(),
            name: "Red Devils".to_owned(),
            color: None,
        }];
        let result = GameResult::of(&ids, &[], &[goal("blue", "red")]);
        assert_eq!(
            result_text(&teams, &result),
            "blue: conceded 0, scored 1 - winner\nRed Devils: conceded 1, scored 0\n"
        );
    }
}
