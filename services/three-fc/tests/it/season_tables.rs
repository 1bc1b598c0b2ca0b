//! Standings, leaderboards, head-to-head and the assist network of random seasons, compared with what the
//! stored goals add up to by another way of counting.

use std::collections::BTreeMap;

use monotable_testkit::service::Dice;
use serde_json::{Value, json};

use crate::game_rows::{StoredGame, games, wrong};
use crate::matchday::{MatchDay as _, PLAYERS, TEAMS};
use crate::seed::seed;
use crate::world::World;

/// Plays random games in three sessions, with corrections, reopened games and deletions.
async fn play(world: &World, dice: &mut Dice) {
    for (session, date) in [("d2", "2026-03-01"), ("d3", "2026-03-08")] {
        world.add_session(session, date).await;
    }
    for number in 0..7 {
        let session = ["d1", "d2", "d3"][dice.roll(3)];
        let game = world.game(session, &format!("g{number}")).await;
        world.done("sam", &format!("POST /v1/games/{game}/thirds/1/start"), Value::Null).await;
        for _ in 0..dice.roll(7) {
            add_goal(world, dice, &game, 1).await;
        }
        if dice.roll(8) == 0 {
            // A game that is still played counts nowhere.
            continue;
        }
        world.finish(&game).await;
        for _ in 0..dice.roll(3) {
            correct(world, dice, &game).await;
        }
        match dice.roll(6) {
            0 => {
                world.done("ann", &format!("POST /v1/games/{game}/reopen"), Value::Null).await;
                add_goal(world, dice, &game, 3).await;
                if dice.roll(2) == 0 {
                    world.finish(&game).await;
                }
            }
            1 => {
                let path = format!("DELETE /v1/games/{game}?cascadeEmptySession=false");
                world.done("ann", &path, Value::Null).await;
            }
            _ => {}
        }
    }
}

fn player(dice: &mut Dice, team: &str) -> String {
    format!("{team}-{}", dice.roll(PLAYERS) + 1)
}

/// Returns a random goal.
fn any_goal(dice: &mut Dice) -> Value {
    let conceding = dice.roll(3);
    let scoring = TEAMS[(conceding + 1 + dice.roll(2)) % 3];
    let conceding = TEAMS[conceding];
    if dice.roll(5) == 0 {
        let scorer = player(dice, conceding);
        return json!({
            "scoringTeamId": null, "concedingTeamId": conceding, "scorerPlayerId": scorer,
            "ownGoal": true, "assistPlayerIds": [],
        });
    }
    let scorer = player(dice, scoring);
    let mut assists: Vec<String> = Vec::new();
    for _ in 0..dice.roll(4) {
        let team = TEAMS[dice.roll(3)];
        let assist = player(dice, team);
        if assist != scorer && !assists.contains(&assist) {
            assists.push(assist);
        }
    }
    json!({
        "scoringTeamId": scoring, "concedingTeamId": conceding, "scorerPlayerId": scorer,
        "ownGoal": false, "assistPlayerIds": assists,
    })
}

async fn add_goal(world: &World, dice: &mut Dice, game: &str, third: u8) {
    let mut body = any_goal(dice);
    body["third"] = third.into();
    let minute = u16::try_from(dice.roll(30)).unwrap();
    body["gameMinute"] = minute.into();
    world.play_until(game, third, minute).await;
    world.done("sam", &format!("POST /v1/games/{game}/goals"), body).await;
}

/// Changes or deletes a random goal of a finished game.
async fn correct(world: &World, dice: &mut Dice, game: &str) {
    let goals = world.done("ann", &format!("GET /v1/games/{game}/goals"), Value::Null).await;
    let ids: Vec<String> = goals["goals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|goal| goal["eventId"].as_str().unwrap().to_owned())
        .collect();
    let Some(event) = dice.of(&ids).filter(|_| !ids.is_empty()) else { return };
    let path = format!("/v1/games/{game}/goals/{event}");
    match dice.roll(3) {
        0 => world.done("ann", &format!("DELETE {path}"), Value::Null).await,
        1 => {
            let body = json!({ "third": dice.roll(3) + 1, "gameMinute": dice.roll(40) });
            world.done("ann", &format!("PATCH {path}"), body).await
        }
        _ => world.done("ann", &format!("PATCH {path}"), any_goal(dice)).await,
    };
}

/// Returns the table of the season by counting, for each team, what it has to be ranked behind.
fn expected_standings(games: &[StoredGame]) -> Vec<Value> {
    let line = |team: &str| {
        let count = |outcome| games.iter().filter(|game| game.outcome(team) == outcome).count();
        let goals: Vec<(u64, u64)> = games.iter().map(|game| game.score(team)).collect();
        let conceded: u64 = goals.iter().map(|(conceded, _)| conceded).sum();
        let scored: u64 = goals.iter().map(|(_, scored)| scored).sum();
        (count('W'), count('D'), count('L'), conceded, scored)
    };
    // The rank of a team is one more than the teams that are better than it.
    let is_better = |one: &str, other: &str| {
        let (one, other) = (line(one), line(other));
        if one.0 != other.0 {
            return one.0 > other.0;
        }
        if one.1 != other.1 {
            return one.1 > other.1;
        }
        if one.3 != other.3 {
            return one.3 < other.3;
        }
        one.4 > other.4
    };
    let mut rows: Vec<(usize, &str)> = TEAMS
        .iter()
        .map(|team| (1 + TEAMS.iter().filter(|other| is_better(other, team)).count(), *team))
        .collect();
    rows.sort_unstable();
    rows.into_iter()
        .map(|(rank, team)| {
            let (wins, draws, losses, conceded, scored) = line(team);
            json!({
                "rank": rank, "teamId": team, "name": team.to_uppercase(), "color": team,
                "played": wins + draws + losses, "wins": wins, "draws": draws, "losses": losses,
                "conceded": conceded, "scored": scored,
            })
        })
        .collect()
}

/// Returns the leaderboard by counting events one after the other.
fn expected_leaders(games: &[StoredGame], sort: &str, min_matches: u64) -> Vec<Value> {
    #[derive(Default)]
    struct Line {
        matches: u64,
        goals: u64,
        own_goals: u64,
        assists: u64,
    }
    let mut lines: BTreeMap<String, Line> = BTreeMap::new();
    for game in games {
        for (player, team) in &game.roster {
            let (goals, own_goals, assists, _) = game.line(player, team);
            let line = lines.entry(player.clone()).or_default();
            line.matches += 1;
            line.goals += goals;
            line.own_goals += own_goals;
            line.assists += assists;
        }
    }
    let value = |line: &Line| match sort {
        "goals" => line.goals as f64,
        "assists" => line.assists as f64,
        _ => line.goals as f64 / line.matches as f64,
    };
    let mut lines: Vec<(String, Line)> =
        lines.into_iter().filter(|(_, line)| line.matches >= min_matches).collect();
    lines.sort_by(|(one, first), (other, second)| {
        value(second)
            .total_cmp(&value(first))
            .then(first.matches.cmp(&second.matches))
            .then_with(|| one.cmp(other))
    });
    let values: Vec<f64> = lines.iter().map(|(_, line)| value(line)).collect();
    lines
        .iter()
        .map(|(player, line)| {
            let rank = 1 + values.iter().filter(|other| **other > value(line)).count();
            let rate = line.goals as f64 / line.matches as f64;
            json!({
                "rank": rank, "playerId": player, "nickname": format!("Nick {player}"),
                "matches": line.matches, "goals": line.goals, "ownGoals": line.own_goals,
                "assists": line.assists, "goalsPerMatch": (rate * 100.0 + 1e-9).round() / 100.0,
            })
        })
        .collect()
}

/// Returns each pair of teams by walking over the goals of each game.
fn expected_pairs(games: &[StoredGame]) -> Vec<Value> {
    let pairs = [("blue", "red"), ("blue", "yellow"), ("red", "yellow")];
    let pair = |(team, opponent): (&str, &str)| {
        let between = |scoring: &str, conceding: &str| {
            let goals = games.iter().flat_map(|game| &game.goals);
            let is = |data: &Value| {
                data["scoringTeamId"] == *scoring && data["concedingTeamId"] == *conceding
            };
            goals.filter(|goal| is(&goal.data)).count()
        };
        let order = |game: &StoredGame, team: &str| {
            let (conceded, scored) = game.score(team);
            1000 * conceded as i64 - scored as i64
        };
        let ahead = games.iter().filter(|game| order(game, team) < order(game, opponent)).count();
        let behind = games.iter().filter(|game| order(game, team) > order(game, opponent)).count();
        json!({
            "teamId": team, "opponentTeamId": opponent, "played": games.len(), "ahead": ahead,
            "level": games.len() - ahead - behind, "behind": behind,
            "goals": between(team, opponent), "opponentGoals": between(opponent, team),
        })
    };
    pairs.map(pair).to_vec()
}

/// Returns how often each player assisted each other one.
fn expected_links(games: &[StoredGame]) -> BTreeMap<String, u64> {
    let mut links = BTreeMap::new();
    for goal in games.iter().flat_map(|game| &game.goals) {
        for from in goal.data["assistPlayerIds"].as_array().into_iter().flatten() {
            let (from, to) =
                (from.as_str().unwrap(), goal.data["scorerPlayerId"].as_str().unwrap());
            *links.entry(format!("{from}>{to}")).or_default() += 1;
        }
    }
    links
}

async fn check(world: &World, when: &str) {
    let finished: Vec<StoredGame> =
        games(world).into_iter().filter(StoredGame::is_finished).collect();
    let season = "GET /v1/public/seasons/s1";
    let get = async |path: &str| world.done("", &format!("{season}/{path}"), Value::Null).await;
    let standings = get("standings").await;
    assert_eq!(standings["standings"], json!(expected_standings(&finished)), "{when}");
    for (sort, min) in [("goals", 0), ("assists", 1), ("goalsPerMatch", 2)] {
        let path = format!("leaderboards/players?sort={sort}&minMatches={min}");
        let expected = expected_leaders(&finished, sort, min);
        assert_eq!(get(&path).await["players"], json!(expected), "{when}, by {sort}");
    }
    assert_eq!(get("head-to-head").await["pairs"], json!(expected_pairs(&finished)), "{when}");
    let network = get("assist-network").await;
    let links: BTreeMap<String, u64> = network["links"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| {
            let (from, to) = (link["fromPlayerId"].as_str(), link["toPlayerId"].as_str());
            (format!("{}>{}", from.unwrap(), to.unwrap()), link["count"].as_u64().unwrap())
        })
        .collect();
    assert_eq!(links, expected_links(&finished), "{when}");
    // The private page of a player is made of the same.
    let own = world.done("user-of-red", "GET /v1/players/red-1/statistics", Value::Null).await;
    let leaders = expected_leaders(&finished, "goals", 0);
    let expected = leaders.iter().find(|row| row["playerId"] == "red-1");
    for name in ["matches", "goals", "ownGoals", "assists"] {
        let expected = expected.map_or(json!(0), |row| row[name].clone());
        assert_eq!(own["total"][name], expected, "{when}: {name} of {own}");
    }
    let wins = finished.iter().filter(|game| game.outcome("red") == 'W').count();
    assert_eq!(own["total"]["wins"], wins, "{when}");
}

#[tokio::test]
async fn tables_of_random_seasons_are_what_the_goals_add_up_to() {
    let first = seed("tables of random seasons");
    for seed in first..first + 6 {
        let world = World::match_day().await;
        play(&world, &mut Dice::new(seed, 0)).await;
        check(&world, &format!("seed {seed}")).await;
        world.finish_work("the season").await;
        check(&world, &format!("seed {seed}, after work")).await;
        assert_eq!(wrong(&world), [] as [String; 0], "seed {seed}");
    }
}

#[tokio::test]
async fn a_season_without_finished_games_lists_its_teams() {
    let world = World::match_day().await;
    world.live_game().await;
    check(&world, "nothing is finished").await;
}

#[tokio::test]
async fn a_season_ranks_teams_by_its_own_criteria() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    for (goal, minute) in
        ["red>yellow", "blue>red", "blue>red", "red>blue", "blue>yellow"].into_iter().zip(1..)
    {
        world.goal(&game, goal, 1, minute).await;
    }
    world.finish(&game).await;
    let order = async || {
        let table = world.done("", "GET /v1/public/seasons/s1/standings", Value::Null).await;
        let rows = table["standings"].as_array().unwrap().iter();
        rows.map(|row| row["teamId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(order().await, ["blue", "red", "yellow"]);
    use monotable_three_fc::table::{Ranking, ThreeFcReads as _};
    let season = world.app.db.season_in(&"lg".parse().unwrap(), &"s1".parse().unwrap()).await;
    let season = season.unwrap().unwrap();
    let ranking = vec![Ranking::Losses, Ranking::Scored];
    world.app.db.edit(season, |season| season.ranking = ranking).await.unwrap();
    assert_eq!(order().await, ["blue", "red", "yellow"]);
}

/// The order of the timeline is that of third, minute and entry, whatever is edited.
#[tokio::test]
async fn timelines_stay_in_order_after_random_edits() {
    let first = seed("timelines after random edits");
    for seed in first..first + 4 {
        let mut dice = Dice::new(seed, 1);
        let world = World::match_day().await;
        let game = world.live_game().await;
        world.finish(&game).await;
        world.done("ann", &format!("POST /v1/games/{game}/reopen"), Value::Null).await;
        for _ in 0..30 {
            let third = dice.roll(3) as u8 + 1;
            match dice.roll(4) {
                0 | 1 => add_goal(&world, &mut dice, &game, third).await,
                2 => correct(&world, &mut dice, &game).await,
                _ => {
                    let undo = format!("POST /v1/games/{game}/goals/undo");
                    let told = world.outcome_of("sam", &undo, Value::Null).await;
                    assert!(["200 -", "404 not_found"].contains(&told.as_str()), "{told}");
                }
            }
            let stored = &games(&world)[0];
            // Raw rows are in the order of their keys.
            let expected: Vec<&str> =
                stored.goals.iter().map(|goal| goal.data["eventId"].as_str().unwrap()).collect();
            let shown =
                world.done("", &format!("GET /v1/public/games/{game}/timeline"), Value::Null).await;
            let shown: Vec<&str> = shown["goals"]
                .as_array()
                .unwrap()
                .iter()
                .map(|goal| goal["eventId"].as_str().unwrap())
                .collect();
            assert_eq!(shown, expected, "seed {seed}");
        }
        assert_eq!(wrong(&world), [] as [String; 0], "seed {seed}");
    }
}
