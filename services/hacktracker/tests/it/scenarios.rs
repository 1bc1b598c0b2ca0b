//! What must hold when several do something at once, and the stories that the service is accepted by.

use std::sync::Arc;

use monotable_hacktracker::demo;
use monotable_hacktracker::table::{HackTrackerReads as _, Liveness, TeamId};
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::world::{Setup as _, World};

/// Scenario 1.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_games_that_are_started_at_once_one_starts() {
    let world = Arc::new(World::red().await);
    for round in 0..40 {
        let games = [world.game(json!({})).await, world.game(json!({})).await];
        let barrier = Arc::new(Barrier::new(2));
        let starts = games.clone().map(|game| {
            let (world, barrier) = (Arc::clone(&world), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                world.post("sam", &format!("/games/{game}/start"), Value::Null).await
            })
        });
        let mut answers = Vec::new();
        for start in starts {
            answers.push(start.await.unwrap());
        }
        let started = answers.iter().position(|answer| answer.status == 200);
        let started = started.unwrap_or_else(|| panic!("round {round}: {answers:?}"));
        let refused = &answers[1 - started];
        assert_eq!(refused.outcome(), "409 GAME_ALREADY_IN_PROGRESS", "round {round}");
        assert_eq!(refused.json()["gameId"], games[started].as_str(), "round {round}");
        let active = world.app.db.active_game(&TeamId::new("red").unwrap()).await.unwrap();
        assert_eq!(active.unwrap().game_id.as_str(), games[started]);
        let path = format!("/games/{}/finish", games[started]);
        assert_eq!(world.post("sam", &path, Value::Null).await.status, 200);
    }
}

/// Scenario 2: everything acknowledged with 201 exists, everything refused does not, and nothing is
/// recorded after the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_at_bat_is_recorded_before_the_end_or_not_at_all() {
    let world = Arc::new(World::red().await);
    let mut outcomes = [0, 0];
    for round in 0..40 {
        let game = world.game(json!({ "status": "IN_PROGRESS", "scoreMode": "auto" })).await;
        let barrier = Arc::new(Barrier::new(4));
        let mut records = Vec::new();
        for scorer in ["sam", "meg", "ann"] {
            let (world, barrier, game) = (Arc::clone(&world), Arc::clone(&barrier), game.clone());
            records.push(tokio::spawn(async move {
                barrier.wait().await;
                let body = json!({ "playerId": "red-1", "result": "HR", "runsScored": ["red-1"] });
                world.post(scorer, &format!("/games/{game}/atbats"), body).await
            }));
        }
        barrier.wait().await;
        let finished = world.post("ann", &format!("/games/{game}/finish"), Value::Null).await;
        assert_eq!(finished.status, 200, "round {round}: {}", finished.text);
        let mut recorded = 0;
        for record in records {
            let answer = record.await.unwrap();
            match answer.status {
                201 => recorded += 1,
                _ => assert_eq!(answer.outcome(), "409 GAME_NOT_IN_PROGRESS", "round {round}"),
            }
        }
        outcomes[usize::from(recorded == 3)] += 1;
        let listed = world.get("pat", &format!("/games/{game}/atbats")).await.json();
        assert_eq!(listed["count"], recorded, "round {round}");
        // The final score equals that of all at-bats: none was recorded after it.
        assert_eq!(finished.json()["teamScore"], recorded, "round {round}");
        let now = world.get("pat", &format!("/games/{game}")).await.json();
        assert_eq!((&now["teamScore"], &now["status"]), (&json!(recorded), &json!("FINAL")));
    }
    println!("some were refused: {}, none was: {}", outcomes[0], outcomes[1]);
}

/// Many devices record for one game: nothing is lost, and each at-bat knows its own situation.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn at_bats_of_many_devices_are_all_there_and_in_order() {
    let world = Arc::new(World::red().await);
    let game = world.game(json!({ "status": "IN_PROGRESS", "scoreMode": "auto" })).await;
    let mut devices = Vec::new();
    for device in 0..8 {
        let (world, game) = (Arc::clone(&world), game.clone());
        devices.push(tokio::spawn(async move {
            for _ in 0..12 {
                let player = 1 + device;
                world
                    .at_bat(&game, player, json!({ "result": "OUT", "runsScored": ["red-9"] }))
                    .await;
            }
        }));
    }
    for device in devices {
        device.await.unwrap();
    }
    let all = world.get("pat", &format!("/games/{game}/atbats?limit=100")).await.json();
    let all = all["atBats"].as_array().unwrap();
    assert_eq!(all.len(), 96);
    for (number, at_bat) in all.iter().enumerate() {
        let situation = (at_bat["inning"].as_u64(), at_bat["outs"].as_u64());
        assert_eq!(situation, (Some(number as u64 / 3 + 1), Some(number as u64 % 3)));
    }
    assert_eq!(world.get("pat", &format!("/games/{game}")).await.json()["teamScore"], 96);
}

/// Two processes record for one game: each sees what the other has recorded.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn at_bats_of_two_processes_are_all_there_and_in_order() {
    let world = Arc::new(World::red().await);
    let game = world.game(json!({ "status": "IN_PROGRESS", "scoreMode": "auto" })).await;
    let other = Arc::new(world.another_process().await);
    for round in 0..6 {
        // In turn, and then at once.
        for world in [&world, &other, &world] {
            world.at_bat(&game, 1, json!({ "result": "OUT", "runsScored": ["red-9"] })).await;
        }
        let both = [&world, &other].map(|world| {
            let (world, game) = (Arc::clone(world), game.clone());
            tokio::spawn(async move {
                world.at_bat(&game, 2, json!({ "result": "OUT", "runsScored": ["red-8"] })).await
            })
        });
        for one in both {
            one.await.unwrap();
        }
        world.post("sam", &format!("/games/{game}/atbats/undo"), Value::Null).await;
        for world in [&world, &other] {
            let told = world.get("pat", &format!("/games/{game}/boxscore")).await.json();
            assert_eq!(told["live"]["atBats"], 4 * (round + 1));
            assert_eq!(told["teamScore"], 4 * (round + 1));
        }
    }
    let all = world.get("pat", &format!("/games/{game}/atbats?limit=100")).await.json();
    for (number, at_bat) in all["atBats"].as_array().unwrap().iter().enumerate() {
        let situation = (at_bat["inning"].as_u64(), at_bat["outs"].as_u64());
        assert_eq!(situation, (Some(number as u64 / 3 + 1), Some(number as u64 % 3)));
    }
}

/// Scenario 6, and HT-D15: a deleted team hides its games, and nothing of them can be changed.
#[tokio::test]
async fn ht_d15_games_of_a_deleted_team_are_missing_until_it_is_restored() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    let at_bat = world.at_bat(&game, 1, json!({})).await;
    let deleted = world.delete("ann", "/teams/red").await;
    assert!(deleted.status < 300, "{}", deleted.text);
    for user in ["ann", "sam", "pat"] {
        for path in ["", "/atbats", "/live", "/boxscore", "/events", "/rsvp", "/lineup-proposal"] {
            let told = world.get(user, &format!("/games/{game}{path}")).await.outcome();
            assert_eq!(told, "404 GAME_NOT_FOUND", "{user} {path}");
        }
    }
    let body = json!({ "playerId": "red-1", "result": "1B" });
    for (path, body) in [("/atbats", body), ("/finish", Value::Null), ("/atbats/undo", Value::Null)]
    {
        let told = world.post("sam", &format!("/games/{game}{path}"), body).await.outcome();
        assert_eq!(told, "404 GAME_NOT_FOUND", "{path}");
    }
    let new = world.post("sam", "/games", json!({ "teamId": "red" })).await;
    assert_eq!(new.outcome(), "404 TEAM_NOT_FOUND");
    let restored = world.post("ann", "/teams/red/restore", json!({})).await;
    assert_eq!(restored.status, 200, "{}", restored.text);
    let path = format!("/games/{game}/atbats/{at_bat}");
    assert_eq!(world.get("pat", &path).await.status, 200);
    world.at_bat(&game, 2, json!({})).await;
}

/// The deletion of a team stops concurrent writes of its members.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nothing_is_written_after_the_deletion_of_a_team() {
    for round in 0..20 {
        let world = Arc::new(World::red().await);
        let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
        let recording = {
            let (world, game) = (Arc::clone(&world), game.clone());
            tokio::spawn(async move {
                let mut recorded = 0;
                loop {
                    let body = json!({ "playerId": "red-1", "result": "1B" });
                    let answer = world.post("sam", &format!("/games/{game}/atbats"), body).await;
                    match answer.outcome().as_str() {
                        "201 -" => recorded += 1,
                        "404 GAME_NOT_FOUND" | "409 TEAM_DELETED" => return recorded,
                        told => panic!("round {round}: {told}"),
                    }
                }
            })
        };
        tokio::task::yield_now().await;
        let team = world.app.db.team(&TeamId::new("red").unwrap()).await.unwrap().unwrap();
        let deleted = world.app.db.edit(team, |team| team.status = Some(Liveness::Deleted)).await;
        let count = world.app.db.at_bats(&game.parse().unwrap()).count().await.unwrap();
        assert!(deleted.is_ok());
        let recorded = recording.await.unwrap();
        assert!(recorded <= count, "round {round}: {recorded} recorded, {count} before the end");
        let after = world.app.db.at_bats(&game.parse().unwrap()).count().await.unwrap();
        assert_eq!(after, recorded, "round {round}");
    }
}

#[tokio::test]
async fn an_interrupted_demonstration_is_loaded_again_and_a_renamed_one_is_not() {
    let world = World::new().await;
    let casey = &demo::people()[0].id;
    let teams = async || world.get(casey, "/users/context").await.json();
    // Killed after the team was created.
    let half = json!({ "name": "Portland Pioneers", "team_type": "MANAGED" });
    assert_eq!(world.post(casey, "/teams", half).await.status, 201);
    demo::load(&world.app).await.unwrap();
    let loaded = teams().await;
    assert_eq!(loaded["count"], 2);
    let of_name = |team: &&Value| team["name"] == "Portland Pioneers";
    let team = loaded["teams"].as_array().unwrap().iter().find(of_name).unwrap();
    let path = format!("/teams/{}", team["teamId"].as_str().unwrap());
    assert_eq!(world.get(casey, &format!("{path}/games")).await.json()["count"], 6);
    assert_eq!(world.put(casey, &path, json!({ "name": "Settlers" })).await.status, 200);
    demo::load(&world.app).await.unwrap();
    assert_eq!(teams().await["count"], 2);
}

#[tokio::test]
async fn the_world_of_the_demonstration_can_be_looked_at() {
    let world = World::new().await;
    demo::load(&world.app).await.unwrap();
    demo::load(&world.app).await.unwrap();
    let people = demo::people();
    let context = world.get(&people[0].id, "/users/context").await.json();
    assert_eq!(context["count"], 2);
    let teams = context["teams"].as_array().unwrap();
    let team = teams.iter().find(|team| team["name"] == "Portland Pioneers").unwrap();
    let team = team["teamId"].as_str().unwrap();
    for person in &people {
        let games = world.get(&person.id, &format!("/teams/{team}/games")).await.json();
        assert_eq!(games["count"], 6, "{}", person.id);
        let stats = world.get(&person.id, &format!("/teams/{team}/stats")).await.json();
        assert_eq!(stats["totals"]["PA"], 81);
        for game in games["games"].as_array().unwrap() {
            let path = format!("/games/{}/boxscore", game["gameId"].as_str().unwrap());
            assert_eq!(world.get(&person.id, &path).await.json()["scoreMismatch"], false);
        }
    }
    // The player who claimed a slot has a career.
    let career = world.get(&people[3].id, &format!("/users/{}/career", people[3].id)).await.json();
    assert_eq!(career["teams"][0]["teamId"], team);
    assert!(career["totals"]["PA"].as_u64().unwrap() > 9);
}
