//! The acceptance scenarios of games, with real concurrency.

use std::sync::Arc;

use monotable_testkit::service::Request;
use monotable_three_fc::table::ThreeFcReads as _;
use serde_json::{Value, json};

use crate::game_rows::{games, wrong};
use crate::matchday::{MatchDay as _, goal_body};
use crate::world::World;

/// Returns the outcomes of a finished game with these goals, in the order of the teams.
async fn outcomes(goals: &str) -> String {
    let world = World::match_day().await;
    let game = world.live_game().await;
    for (goal, minute) in goals.split_whitespace().zip(1..) {
        world.goal(&game, goal, 1, minute).await;
    }
    world.finish(&game).await;
    let shown = world.done("", &format!("GET /v1/public/games/{game}"), Value::Null).await;
    let teams = shown["teams"].as_array().unwrap().iter();
    let outcomes = teams.map(|team| {
        format!("{}:{}{}", team["conceded"], team["scored"], team["outcome"].as_str().unwrap())
    });
    let winner = shown["winnerTeamId"].as_str().unwrap_or("-").to_owned();
    outcomes.chain([winner]).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn every_tie_pattern_has_its_result() {
    let cases = [
        // (conceded 1,2,2)
        ("blue>red red>blue yellow>blue red>yellow blue>yellow", "1:2W 2:2L 2:1L red"),
        // (1,1,2) with scored 3 and 2… of which one is conceded by the third team twice.
        ("blue>red red>blue red>yellow red>yellow", "1:3W 1:1L 2:0L red"),
        // (1,1,2) with equal scores
        ("blue>red red>blue red>yellow blue>yellow", "1:2D 1:2D 2:0L -"),
        // (2,2,2) with scored 3,2,1 and with 2,2,2
        ("red>blue red>blue red>yellow blue>red blue>yellow yellow>red", "2:3W 2:2L 2:1L red"),
        ("red>blue red>yellow blue>red blue>yellow yellow>red yellow>blue", "2:2D 2:2D 2:2D -"),
        ("", "0:0D 0:0D 0:0D -"),
    ];
    for (goals, expected) in cases {
        assert_eq!(outcomes(goals).await, expected, "{goals}");
    }
}

#[tokio::test]
async fn an_own_goal_is_conceded_and_nobody_scored_it() {
    assert_eq!(outcomes(">red").await, "1:0L 0:0D 0:0D -");
}

#[tokio::test]
async fn the_clock_shows_stoppage_time() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let mut seconds = 0;
    for (at, expected) in [(1199, "20'"), (1200, "20+1'"), (1259, "20+1'"), (1260, "20+2'")] {
        world.clock.advance_ms((at - seconds) * 1000);
        seconds = at;
        let path = format!("POST /v1/games/{game}/goals");
        let goal = world.done("sam", &path, goal_body("red>blue")).await;
        assert_eq!(goal["displayTime"], expected, "after {at} s");
        let shown = world.done("", &format!("GET /v1/public/games/{game}"), Value::Null).await;
        assert_eq!(shown["clock"]["displayTime"], expected);
    }
    let third = world.done("sam", &format!("GET /v1/games/{game}/goals"), Value::Null).await;
    let first = &third["goals"][0];
    assert_eq!((&first["gameMinute"], &first["thirdMinute"]), (&json!(19), &json!(20)));
    assert_eq!(first["stoppageMinute"], 0);
}

#[tokio::test]
async fn a_goal_that_moves_to_another_third_is_one_row() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let moved = world.goal(&game, "red>blue", 1, 12).await;
    world.goal(&game, "blue>red", 1, 13).await;
    for act in ["1/finish", "2/start"] {
        world.done("sam", &format!("POST /v1/games/{game}/thirds/{act}"), Value::Null).await;
    }
    world.goal(&game, "yellow>red", 2, 1).await;
    let created = stamp(&world, &moved, "createdAt");
    world.clock.advance_ms(60_000);
    let path = format!("PATCH /v1/games/{game}/goals/{moved}");
    let goal = world.done("sam", &path, json!({ "third": 2, "gameMinute": 3 })).await;
    assert_eq!((&goal["third"], &goal["displayTime"]), (&json!(2), &json!("4'")));
    // TF-D25: a row that moves keeps the time of its creation.
    assert_eq!(stamp(&world, &moved, "createdAt"), created);
    assert_ne!(stamp(&world, &moved, "updatedAt"), created);
    let timeline =
        world.done("", &format!("GET /v1/public/games/{game}/timeline"), Value::Null).await;
    let times: Vec<String> = timeline["goals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|goal| {
            format!(
                "{}/{} {}",
                goal["third"],
                goal["gameMinute"],
                goal["concedingTeamId"].as_str().unwrap()
            )
        })
        .collect();
    assert_eq!(times, ["1/13 red", "2/1 red", "2/3 blue"]);
    assert_eq!(wrong(&world), [] as [String; 0]);
    let shown = world.done("sam", &format!("GET /v1/games/{game}"), Value::Null).await;
    assert_eq!(shown["tallies"][0]["conceded"], json!([1, 1, 0]));
    assert_eq!(shown["tallies"][1]["conceded"], json!([0, 1, 0]));
    let audit = world.app.db.audit(&game.parse().unwrap()).all().await.unwrap();
    let entry = audit.iter().find(|entry| entry.action == "editGoal").unwrap();
    assert_eq!((entry.before["time"].as_str(), entry.after["time"].as_str()), ("1/12", "2/3"));
    assert_eq!(entry.after.len(), 1, "only what changes is in the audit: {entry:?}");
}

/// Returns an attribute of the row of a goal.
fn stamp(world: &World, event_id: &str, name: &str) -> String {
    let is_goal = |row: &&monotable::Item| {
        let sk = row["sk"].as_s().unwrap();
        sk.starts_with("GOAL#") && sk.ends_with(event_id)
    };
    let rows = world.rows();
    let goals: Vec<_> = rows.iter().filter(is_goal).collect();
    assert_eq!(goals.len(), 1, "{goals:?}");
    goals[0][name].as_s().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twenty_identical_requests_record_one_goal() {
    let world = Arc::new(World::match_day().await);
    let game = world.live_game().await;
    let path = format!("POST /v1/games/{game}/goals");
    // Two processes share the table.
    let other = Arc::new(world.another_process().await);
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let world = Arc::clone(if number % 2 == 0 { &world } else { &other });
            let path = path.clone();
            tokio::spawn(async move {
                let headers = [("idempotency-key", "same")];
                let request = Request::new(&path, goal_body("red>blue")).headers(&headers);
                world.send("sam", request).await
            })
        })
        .collect();
    let mut bodies = Vec::new();
    for task in tasks {
        let response = task.await.unwrap();
        assert_eq!(response.status, 201, "{}", response.text);
        bodies.push(response.text);
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(games(&world)[0].goals.len(), 1);
    assert_eq!(wrong(&world), [] as [String; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_goal_during_the_finish_counts_or_is_refused() {
    for round in 0..8 {
        let world = Arc::new(World::match_day().await);
        let game = world.live_game().await;
        for act in ["1/finish", "2/start", "2/finish", "3/start", "3/finish"] {
            world.done("sam", &format!("POST /v1/games/{game}/thirds/{act}"), Value::Null).await;
        }
        world.play_until(&game, 3, 14).await;
        let other = Arc::new(world.another_process().await);
        let goals: Vec<_> = (0..6)
            .map(|number| {
                let world = Arc::clone(if number % 2 == 0 { &world } else { &other });
                let path = format!("POST /v1/games/{game}/goals");
                let mut body = goal_body("red>blue");
                body["third"] = 3.into();
                body["gameMinute"] = (number + round).into();
                tokio::spawn(async move { world.send_to("sam", &path, body).await })
            })
            .collect();
        let finish = {
            let (world, path) = (Arc::clone(&other), format!("POST /v1/games/{game}/finish"));
            tokio::spawn(async move { world.send_to("sam", &path, Value::Null).await })
        };
        let finished = finish.await.unwrap();
        assert!(matches!(finished.status, 200 | 409), "{}", finished.text);
        if finished.status == 409 {
            world.finish(&game).await;
        }
        let mut recorded = 0;
        for goal in goals {
            let response = goal.await.unwrap();
            recorded += u64::from(response.status == 201);
            let told = response.outcome();
            assert!(
                response.status == 201
                    || told == "409 invalid_transition"
                    || told == "403 game_locked"
                    || told == "409 conflict",
                "{told}"
            );
        }
        let result = games(&world)[0].row.as_ref().unwrap().data["result"].clone();
        assert_eq!(result["teams"][1]["conceded"], recorded, "{result}");
        assert_eq!(wrong(&world), [] as [String; 0]);
    }
}

#[tokio::test]
async fn a_corrected_result_changes_tables() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let goal = world.goal(&game, "red>blue", 1, 3).await;
    world.finish(&game).await;
    let rank = async |team: &str| {
        let path = "GET /v1/public/seasons/s1/standings";
        let table = world.done("", path, Value::Null).await["standings"].clone();
        let rows = table.as_array().unwrap();
        let row = rows.iter().find(|row| row["teamId"] == *team).unwrap();
        format!("{} {}-{}-{}", row["rank"], row["wins"], row["draws"], row["losses"])
    };
    assert_eq!((rank("red").await, rank("blue").await), ("1 1-0-0".into(), "3 0-0-1".into()));
    let path = format!("PATCH /v1/games/{game}/goals/{goal}");
    let correction = json!({
        "scoringTeamId": "blue", "concedingTeamId": "red", "scorerPlayerId": "blue-2",
        "assistPlayerIds": ["blue-3"],
    });
    // Scorekeepers correct games until they are finished.
    assert_eq!(world.outcome_of("sam", &path, correction.clone()).await, "403 game_locked");
    world.done("ann", &path, correction).await;
    assert_eq!((rank("red").await, rank("blue").await), ("3 0-0-1".into(), "1 1-0-0".into()));
    let board = "GET /v1/public/seasons/s1/leaderboards/players";
    let leaders = world.done("", board, Value::Null).await;
    assert_eq!(leaders["players"][0]["playerId"], "blue-2");
    let assists = world.done("", &format!("{board}?sort=assists"), Value::Null).await;
    assert_eq!(assists["players"][0]["playerId"], "blue-3");
    assert_eq!(wrong(&world), [] as [String; 0]);
    world.done("ann", &format!("POST /v1/games/{game}/reopen"), Value::Null).await;
    assert_eq!(rank("blue").await, "1 0-0-0");
    assert_eq!(wrong(&world), [] as [String; 0]);
}
