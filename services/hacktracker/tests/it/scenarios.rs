//! What must hold when several do something at once, and the stories that the service is accepted by.

use std::sync::Arc;

use monotable_hacktracker::ids::TeamId;
use monotable_hacktracker::patterns::HackTrackerReads as _;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::world::World;

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
        assert_eq!(refused.told(), "409 GAME_ALREADY_IN_PROGRESS", "round {round}");
        assert_eq!(refused.json()["gameId"], games[started].as_str(), "round {round}");
        let active = world.app.db.active_game(&TeamId::new("red").unwrap()).await.unwrap();
        assert_eq!(active.unwrap().game_id.as_str(), games[started]);
        let path = format!("/games/{}/finish", games[started]);
        assert_eq!(world.post("sam", &path, Value::Null).await.status, 200);
    }
}

/// Scenario 2: what was answered with 201 is there, what was refused is not, and nothing is recorded
/// behind the end.
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
                _ => assert_eq!(answer.told(), "409 GAME_NOT_IN_PROGRESS", "round {round}"),
            }
        }
        outcomes[usize::from(recorded == 3)] += 1;
        let listed = world.get("pat", &format!("/games/{game}/atbats")).await.json();
        assert_eq!(listed["count"], recorded, "round {round}");
        // The counted score that was final is that of all at-bats: none came behind it.
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
