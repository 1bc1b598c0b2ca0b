//! Games as their rows are stored, read without the model, and what must hold of them whatever was done.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::world::World;

/// A row: its keys, its data, and what is beside it.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) pk: String,
    pub(crate) sk: String,
    pub(crate) data: Value,
    pub(crate) status: Option<String>,
}

/// Returns all rows that have data.
pub(crate) fn rows(world: &World) -> Vec<Row> {
    let text = |item: &monotable::Item, name: &str| {
        item.get(name).and_then(|value| value.as_s()).map(str::to_owned)
    };
    let row = |item: &monotable::Item| {
        Some(Row {
            pk: text(item, "pk")?,
            sk: text(item, "sk")?,
            data: text(item, "data")
                .and_then(|data| serde_json::from_str(&data).ok())
                .unwrap_or_default(),
            status: text(item, "status"),
        })
    };
    world.rows().iter().filter_map(row).collect()
}

/// A game as it is stored.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredGame {
    pub(crate) game_id: String,
    pub(crate) row: Option<Row>,
    /// In the order of their keys.
    pub(crate) goals: Vec<Row>,
    pub(crate) pointers: Vec<Row>,
    /// Teams by player.
    pub(crate) roster: BTreeMap<String, String>,
    pub(crate) slots: BTreeSet<String>,
    pub(crate) listed: Vec<Row>,
    pub(crate) appearances: BTreeMap<String, Value>,
}

impl StoredGame {
    pub(crate) fn status(&self) -> &str {
        self.row.as_ref().and_then(|row| row.status.as_deref()).unwrap_or("gone")
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.status() == "finished"
    }

    /// Returns the goals conceded and scored by a team.
    pub(crate) fn score(&self, team: &str) -> (u64, u64) {
        let is = |goal: &Row, name: &str| goal.data[name] == *team;
        let conceded = self.goals.iter().filter(|goal| is(goal, "concedingTeamId")).count();
        let scored = self.goals.iter().filter(|goal| is(goal, "scoringTeamId")).count();
        (conceded as u64, scored as u64)
    }

    /// Returns how the game ended for a team, from its goals: the teams are sorted, and the first two
    /// compared.
    pub(crate) fn outcome(&self, team: &str) -> char {
        let mut order: Vec<(u64, i64)> =
            self.teams().iter().map(|team| self.standing(team)).collect();
        order.sort_unstable();
        match (self.standing(team) == order[0], order.get(1) == Some(&order[0])) {
            (true, false) => 'W',
            (true, true) => 'D',
            (false, _) => 'L',
        }
    }

    fn standing(&self, team: &str) -> (u64, i64) {
        let (conceded, scored) = self.score(team);
        (conceded, -(scored as i64))
    }

    pub(crate) fn teams(&self) -> Vec<String> {
        let teams = self.row.as_ref().map(|row| row.data["teamIds"].clone());
        serde_json::from_value(teams.unwrap_or_default()).unwrap_or_default()
    }
}

/// Returns all games of which there is any row.
pub(crate) fn games(world: &World) -> Vec<StoredGame> {
    let mut games: BTreeMap<String, StoredGame> = BTreeMap::new();
    for row in rows(world) {
        let parts: Vec<String> = row.sk.split('#').map(str::to_owned).collect();
        let game_id = match (row.pk.split_once('#'), parts[0].as_str()) {
            (Some(("GAME", game_id)), _) => game_id.to_owned(),
            (Some(("SESSION", _)), "GAME") => parts[2].clone(),
            (Some(("PLAYER", _)), "APP") => parts[3].clone(),
            _ => continue,
        };
        let game = games.entry(game_id.clone()).or_default();
        game.game_id = game_id;
        match (row.pk.split_once('#').unwrap(), parts[0].as_str()) {
            (("GAME", _), "METADATA") => game.row = Some(row),
            (("GAME", _), "GOAL") => game.goals.push(row),
            (("GAME", _), "GOALID") => game.pointers.push(row),
            (("GAME", _), "ROSTER") => {
                let known = game.roster.insert(parts[2].clone(), parts[1].clone());
                assert_eq!(known, None, "{row:?}: the player is in two teams");
            }
            (("GAME", _), "SLOT") => {
                game.slots.insert(parts[1].clone());
            }
            (("SESSION", _), _) => game.listed.push(row),
            (("PLAYER", player), _) => {
                game.appearances.insert(player.to_owned(), row.data);
            }
            _ => {}
        }
    }
    games.into_values().collect()
}

/// Returns what does not hold of the games when all work is done.
pub(crate) fn wrong(world: &World) -> Vec<String> {
    let mut wrong = Vec::new();
    for game in games(world) {
        let mut found = Vec::new();
        whole(&game, &mut found);
        pointers(&game, &mut found);
        totals(&game, &mut found);
        appearances(&game, &mut found);
        wrong.extend(found.into_iter().map(|text| format!("game {}: {text}", game.game_id)));
    }
    wrong
}

/// A game is listed once, as it is, and of a deleted one nothing is left.
fn whole(game: &StoredGame, wrong: &mut Vec<String>) {
    let Some(row) = &game.row else {
        wrong.push(format!("rows are left of it: {game:?}"));
        return;
    };
    if game.status() == "deleting" {
        wrong.push("is not deleted to the end".to_owned());
    }
    match game.listed.as_slice() {
        [listed] => {
            let start = listed.sk.split('#').nth(1).unwrap();
            if row.data["gameStartTs"] != *start || listed.status != row.status {
                wrong.push(format!("is {row:?}, but listed as {listed:?}"));
            }
            if listed.data.get("result") != row.data.get("result") {
                wrong.push(format!("has another result in its session: {listed:?}"));
            }
        }
        listed => wrong.push(format!("is listed {} times", listed.len())),
    }
    let players: BTreeSet<String> = game.roster.keys().cloned().collect();
    if players != game.slots {
        wrong.push(format!("has the players {players:?}, but the slots {:?}", game.slots));
    }
}

/// Every goal is in the row that its time and its pointer name.
fn pointers(game: &StoredGame, wrong: &mut Vec<String>) {
    let place = |row: &Row| {
        let text = |name: &str| row.data[name].as_u64().unwrap_or(999);
        format!(
            "{}#{:04}#{}",
            text("third"),
            text("gameMinute"),
            row.data["eventId"].as_str().unwrap()
        )
    };
    let goals: BTreeSet<String> = game.goals.iter().map(place).collect();
    let keys: BTreeSet<String> =
        game.goals.iter().map(|goal| goal.sk.trim_start_matches("GOAL#").to_owned()).collect();
    let pointers: BTreeSet<String> = game.pointers.iter().map(place).collect();
    if goals != keys || goals != pointers {
        wrong.push(format!("has goals {goals:?} under {keys:?}, and pointers {pointers:?}"));
    }
}

/// Tallies and results follow from the goals.
fn totals(game: &StoredGame, wrong: &mut Vec<String>) {
    let Some(row) = &game.row else { return };
    let sum = |values: &Value| {
        values.as_array().into_iter().flatten().filter_map(Value::as_u64).sum::<u64>()
    };
    for tally in row.data["tallies"].as_array().into_iter().flatten() {
        let counted = (sum(&tally["conceded"]), sum(&tally["scored"]));
        if counted != game.score(tally["teamId"].as_str().unwrap()) {
            wrong.push(format!("counts {tally}"));
        }
    }
    let result = &row.data["result"];
    if game.is_finished() == result.is_null() {
        wrong.push(format!("is {} with the result {result}", game.status()));
    }
    for team in result["teams"].as_array().into_iter().flatten() {
        let id = team["teamId"].as_str().unwrap();
        let shown = (team["conceded"].as_u64().unwrap(), team["scored"].as_u64().unwrap());
        if shown != game.score(id) || team["outcome"] != game.outcome(id).to_string() {
            wrong.push(format!(
                "has the result {team}, but {:?} {}",
                game.score(id),
                game.outcome(id)
            ));
        }
    }
}

/// The players of a finished game have an appearance each, with what they did.
fn appearances(game: &StoredGame, wrong: &mut Vec<String>) {
    let expected: BTreeMap<&String, (u64, u64, u64, String)> = match game.is_finished() {
        true => {
            game.roster.iter().map(|(player, team)| (player, game.line(player, team))).collect()
        }
        false => BTreeMap::new(),
    };
    let number = |row: &Value, name: &str| row[name].as_u64().unwrap_or_default();
    let stored: BTreeMap<&String, (u64, u64, u64, String)> = game
        .appearances
        .iter()
        .map(|(player, row)| {
            let outcome = row["outcome"].as_str().unwrap_or_default().to_owned();
            let line =
                (number(row, "goals"), number(row, "ownGoals"), number(row, "assists"), outcome);
            (player, line)
        })
        .collect();
    if expected != stored {
        wrong.push(format!("has the appearances {stored:?}, not {expected:?}"));
    }
}

impl StoredGame {
    /// Returns goals, own goals, assists and the outcome of a player of a team.
    pub(crate) fn line(&self, player: &str, team: &str) -> (u64, u64, u64, String) {
        let (mut goals, mut own_goals, mut assists) = (0, 0, 0);
        for goal in &self.goals {
            let is_own = goal.data["ownGoal"] == true;
            if goal.data["scorerPlayerId"] == *player {
                goals += u64::from(!is_own);
                own_goals += u64::from(is_own);
            }
            let assisting = goal.data["assistPlayerIds"].as_array().into_iter().flatten();
            assists += assisting.filter(|one| **one == *player).count() as u64;
        }
        (goals, own_goals, assists, self.outcome(team).to_string())
    }
}
