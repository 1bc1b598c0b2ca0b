//! Plate appearances: recording, corrections, and what follows for the game and the player.

use http::Method;
use monotable_hacktracker::table::{HackTrackerReads as _, PlayerId, Role, TeamId, TeamType};
use serde_json::{Value, json};

use crate::world::{Rows as _, Setup as _, World};

/// Returns a world with a game of `red` in progress.
async fn playing(fields: Value) -> (World, String) {
    let world = World::red().await;
    let mut started = json!({ "status": "IN_PROGRESS" });
    started.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let game = world.game(started).await;
    (world, game)
}

async fn plate_appearances(world: &World, player: &str) -> Option<u64> {
    let (team, player) = (TeamId::new("red").unwrap(), PlayerId::new(player).unwrap());
    world.app.db.player(&team, &player).await.unwrap().unwrap().pa_count
}

#[tokio::test]
async fn the_inning_and_the_outs_are_known() {
    let (world, game) = playing(json!({})).await;
    let path = format!("/games/{game}/atbats");
    for player in 1..=4 {
        world.at_bat(&game, player, json!({ "result": "K" })).await;
    }
    let location = json!({ "x": "0.25", "y": 1 });
    let fifth = json!({ "playerId": "red-5", "result": "2b", "hitLocation": location });
    let told = world.post("sam", &path, fifth).await.json();
    assert_eq!(told["hitLocation"], json!({ "x": 0.25, "y": 1.0 }));
    assert_eq!((&told["inning"], &told["outs"]), (&json!(2), &json!(1)));
    assert_eq!((&told["battingOrder"], &told["result"]), (&json!(5), &json!("2B")));
    assert_eq!(told.get("situationMismatch"), None);
    // A situation that differs is stored and flagged.
    let sixth = json!({ "playerId": "red-6", "result": "OUT", "inning": 2, "outs": 0 });
    let told = world.post("sam", &path, sixth).await.json();
    assert_eq!((&told["outs"], &told["situationMismatch"]), (&json!(0), &json!(true)));
    let listed = world.get("pat", &path).await.json();
    assert_eq!(listed["count"], 6);
    let headers = [("accept-version", "1")];
    let all = world.request("pat", Method::GET, &path, Value::Null, &headers).await.json();
    let players: Vec<&str> =
        all.as_array().unwrap().iter().map(|at_bat| at_bat["playerId"].as_str().unwrap()).collect();
    assert_eq!(players, ["red-1", "red-2", "red-3", "red-4", "red-5", "red-6"]);
    assert_eq!(plate_appearances(&world, "red-1").await, Some(1));
}

#[tokio::test]
async fn plays_that_break_the_rules_are_refused() {
    let (world, game) = playing(json!({})).await;
    world.team("blue", TeamType::Managed, &[("bob", Role::Owner)], 1).await;
    let path = format!("/games/{game}/atbats");
    let out = json!({ "lineup": ["red-1", "red-2"] });
    assert_eq!(world.put("sam", &format!("/games/{game}"), out).await.outcome(), "200 -");
    for (fields, told) in [
        (json!({ "playerId": "blue-1" }), "400 PLAYER_NOT_ON_TEAM"),
        (json!({ "playerId": "red-9" }), "400 PLAYER_NOT_IN_LINEUP"),
        (json!({ "result": "K", "rbis": 1 }), "400 RBI_NOT_ALLOWED"),
        (json!({ "result": "E", "rbis": 1 }), "400 RBI_NOT_ALLOWED"),
        (json!({ "result": "X" }), "400 VALIDATION"),
        (json!({ "result": null }), "400 VALIDATION"),
        (json!({ "rbis": 5 }), "400 VALIDATION"),
        (json!({ "rbis": 2, "runsScored": ["red-2"] }), "400 VALIDATION"),
        (json!({ "runsScored": ["red-2", "red-2"] }), "400 VALIDATION"),
        (json!({ "runsScored": ["red-9"] }), "400 PLAYER_NOT_IN_LINEUP"),
        (json!({ "hitLocation": { "x": 1.5, "y": 0 } }), "400 VALIDATION"),
        (json!({ "hitLocation": { "x": "1.5", "y": "0" } }), "400 VALIDATION"),
        (json!({ "hitLocation": { "x": "NaN", "y": "0" } }), "400 VALIDATION"),
        (json!({ "hitLocation": { "x": "left", "y": "0" } }), "400 VALIDATION"),
        (json!({ "outs": 3 }), "400 VALIDATION"),
        (json!({ "atBatId": "mine" }), "400 READ_ONLY_FIELD"),
    ] {
        let mut body = json!({ "playerId": "red-1", "result": "1B" });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        assert_eq!(world.post("sam", &path, body.clone()).await.outcome(), told, "{body}");
    }
    for (user, told) in [("pat", "403 INSUFFICIENT_ROLE"), ("eve", "404 GAME_NOT_FOUND")] {
        let body = json!({ "playerId": "red-1", "result": "1B" });
        assert_eq!(world.post(user, &path, body).await.outcome(), told);
    }
    assert_eq!(plate_appearances(&world, "red-1").await, Some(0));
}

#[tokio::test]
async fn ht_d17_a_game_that_is_not_played_takes_no_at_bats() {
    let world = World::red().await;
    let game = world.game(json!({})).await;
    let path = format!("/games/{game}/atbats");
    let body = json!({ "playerId": "red-1", "result": "1B" });
    assert_eq!(world.post("sam", &path, body.clone()).await.outcome(), "409 GAME_NOT_IN_PROGRESS");
    world.post("sam", &format!("/games/{game}/start"), Value::Null).await;
    assert_eq!(world.post("sam", &path, body.clone()).await.outcome(), "201 -");
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    assert_eq!(world.post("sam", &path, body).await.outcome(), "409 GAME_NOT_IN_PROGRESS");
}

#[tokio::test]
async fn ht_d21_other_words_for_results_are_taken_for_ours() {
    let (world, game) = playing(json!({})).await;
    let path = format!("/games/{game}/atbats");
    for (result, hit_type, stored, ball) in [
        ("FO", None, "OUT", "fly_ball"),
        ("roe", None, "E", ""),
        ("SF", Some("fly_ball"), "SAC", "fly_ball"),
        ("OUT", Some("ground_out"), "OUT", "ground_ball"),
    ] {
        let mut body = json!({ "playerId": "red-1", "result": result });
        if let Some(hit_type) = hit_type {
            body["hitType"] = json!(hit_type);
        }
        let told = world.post("sam", &path, body).await.json();
        assert_eq!(told["result"], stored);
        assert_eq!(told["hitType"].as_str().unwrap_or_default(), ball);
    }
}

#[tokio::test]
async fn ht_d26_a_counted_score_is_the_runs_that_are_recorded() {
    let (world, game) = playing(json!({ "scoreMode": "auto" })).await;
    let score = || async {
        let told = world.get("pat", &format!("/games/{game}")).await.json();
        (told["teamScore"].as_u64().unwrap(), told["scoreMode"].as_str().unwrap().to_owned())
    };
    world.at_bat(&game, 1, json!({ "runsScored": ["red-9", "red-8"], "rbis": 2 })).await;
    let second = world.at_bat(&game, 2, json!({ "result": "HR", "runsScored": ["red-2"] })).await;
    assert_eq!(score().await, (3, "auto".to_owned()));
    let path = format!("/games/{game}/atbats/{second}");
    world.put("sam", &path, json!({ "runsScored": ["red-1", "red-2"] })).await;
    assert_eq!(score().await.0, 4);
    // The batter of a home run scores without being listed.
    world.put("sam", &path, json!({ "runsScored": null })).await;
    assert_eq!(score().await.0, 3);
    world.post("sam", &format!("/games/{game}/atbats/undo"), Value::Null).await;
    world.delete("sam", &path).await;
    assert_eq!(score().await.0, 2);
    // A score that is written by hand is kept by hand, until it shall be counted again.
    let path = format!("/games/{game}");
    let put = |body| world.put("sam", &path, body);
    put(json!({ "teamScore": 9 })).await;
    assert_eq!(score().await, (9, "manual".to_owned()));
    world.at_bat(&game, 3, json!({ "runsScored": ["red-1"] })).await;
    assert_eq!(score().await.0, 9);
    assert_eq!(
        put(json!({ "teamScore": 1, "scoreMode": "auto" })).await.outcome(),
        "400 VALIDATION"
    );
    put(json!({ "scoreMode": "auto" })).await;
    assert_eq!(score().await, (3, "auto".to_owned()));
}

#[tokio::test]
async fn the_last_at_bat_is_taken_back() {
    let (world, game) = playing(json!({})).await;
    let undo = format!("/games/{game}/atbats/undo");
    assert_eq!(world.post("sam", &undo, Value::Null).await.outcome(), "404 ATBAT_NOT_FOUND");
    world.at_bat(&game, 1, json!({})).await;
    let last = world.at_bat(&game, 2, json!({})).await;
    let undone = world.post("sam", &undo, Value::Null).await;
    assert_eq!((undone.status, &undone.json()["atBatId"]), (200, &json!(last)));
    assert_eq!(plate_appearances(&world, "red-2").await, Some(0));
    let gone = world.get("sam", &format!("/games/{game}/atbats/{last}")).await;
    assert_eq!(gone.outcome(), "404 ATBAT_NOT_FOUND");
    assert_eq!(world.get("sam", &format!("/games/{game}/atbats")).await.json()["count"], 1);
}

#[tokio::test]
async fn corrections_after_the_game_are_for_owners_and_managers_and_written_down() {
    let (world, game) = playing(json!({})).await;
    let one = world.at_bat(&game, 1, json!({})).await;
    let other = world.at_bat(&game, 2, json!({})).await;
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    let path = format!("/games/{game}/atbats/{one}");
    let fix = json!({ "result": "E", "hitType": null });
    assert_eq!(world.put("sam", &path, fix.clone()).await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(world.put("meg", &path, fix).await.json()["result"], "E");
    let undo = format!("/games/{game}/atbats/undo");
    assert_eq!(world.post("ann", &undo, Value::Null).await.outcome(), "409 GAME_NOT_IN_PROGRESS");
    assert_eq!(world.delete("ann", &format!("/games/{game}/atbats/{other}")).await.status, 204);
    let audit = world.app.db.audit(&TeamId::new("red").unwrap()).page().await.unwrap().rows;
    let told: Vec<String> =
        audit.iter().map(|entry| format!("{} {}", entry.actor, entry.action)).collect();
    assert_eq!(told, ["ann deleteAtBat", "meg updateAtBat"]);
}

#[tokio::test]
async fn a_request_that_comes_twice_records_one_at_bat() {
    let (world, game) = playing(json!({ "scoreMode": "auto" })).await;
    let path = format!("/games/{game}/atbats");
    let body = json!({ "playerId": "red-1", "result": "HR", "runsScored": ["red-1"] });
    let headers = [("idempotency-key", "tap-1")];
    let first = world.request("sam", Method::POST, &path, body.clone(), &headers).await;
    let again = world.request("sam", Method::POST, &path, body, &headers).await;
    assert_eq!((first.status, &first.text), (201, &again.text));
    assert_eq!(again.header("idempotent-replay"), "true");
    assert_eq!(world.get("sam", &format!("/games/{game}")).await.json()["teamScore"], 1);
    let other = json!({ "playerId": "red-1", "result": "K" });
    let reused = world.request("sam", Method::POST, &path, other, &headers).await;
    assert_eq!(reused.outcome(), "409 IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn a_game_has_two_hundred_at_bats_at_most() {
    let (world, game) = playing(json!({})).await;
    for number in 0..200 {
        world.at_bat(&game, 1 + number % 9, json!({})).await;
    }
    let body = json!({ "playerId": "red-1", "result": "1B" });
    let full = world.post("sam", &format!("/games/{game}/atbats"), body).await;
    assert_eq!(full.outcome(), "409 LIMIT_REACHED");
}

#[tokio::test]
async fn a_personal_team_bats_without_a_lineup() {
    let world = World::new().await;
    world.team("own", TeamType::Personal, &[("ann", Role::Owner)], 2).await;
    let game = world.post("ann", "/games", json!({ "status": "IN_PROGRESS" })).await.json();
    let path = format!("/games/{}/atbats", game["gameId"].as_str().unwrap());
    let own = world.post("ann", &path, json!({ "playerId": "own-1", "result": "1B" })).await;
    assert_eq!((own.status, &own.json()["battingOrder"]), (201, &json!(1)));
    let other = world.post("ann", &path, json!({ "playerId": "own-2", "result": "1B" })).await;
    assert_eq!(other.outcome(), "400 PLAYER_NOT_IN_LINEUP");
}

#[tokio::test]
async fn ht_d9_at_bats_are_in_the_order_of_time_also_within_one_millisecond() {
    let (world, game) = playing(json!({})).await;
    let mut recorded = Vec::new();
    for number in 0..30 {
        recorded.push(world.at_bat(&game, 1 + number % 9, json!({})).await);
    }
    let path = format!("/games/{game}/atbats?limit=100");
    let listed = world.get("pat", &path).await.json();
    let ids: Vec<&str> = listed["atBats"]
        .as_array()
        .unwrap()
        .iter()
        .map(|at_bat| at_bat["atBatId"].as_str().unwrap())
        .collect();
    assert_eq!(ids, recorded);
    // The same holds in the index of the player.
    let player = PlayerId::new("red-1").unwrap();
    let of_player = world.app.db.at_bats_of(&player).page().await.unwrap().rows;
    let ids: Vec<&str> = of_player.iter().map(|at_bat| at_bat.at_bat_id.as_str()).collect();
    assert_eq!(ids, recorded.iter().step_by(9).collect::<Vec<_>>());
}

#[tokio::test]
async fn an_undo_removes_the_named_at_bat() {
    let (world, game) = playing(json!({})).await;
    let undo = format!("/games/{game}/atbats/undo");
    let first = world.at_bat(&game, 1, json!({})).await;
    let last = world.at_bat(&game, 2, json!({})).await;
    let body = json!({ "atBatId": last });
    assert_eq!(world.post("sam", &undo, body.clone()).await.outcome(), "200 -");
    // Another device, for the same mistake.
    assert_eq!(world.post("ann", &undo, body).await.outcome(), "412 PRECONDITION_FAILED");
    assert_eq!(world.get("sam", &format!("/games/{game}/atbats/{first}")).await.status, 200);
}

#[tokio::test]
async fn a_sacrifice_fly_cannot_be_a_bunt() {
    let (world, game) = playing(json!({})).await;
    let path = format!("/games/{game}/atbats");
    let bunt = json!({ "playerId": "red-1", "result": "SF", "hitType": "bunt" });
    assert_eq!(world.post("sam", &path, bunt).await.outcome(), "400 VALIDATION");
    let at_bat = world.at_bat(&game, 1, json!({ "result": "SAC", "hitType": "bunt" })).await;
    let fixed = world.put("sam", &format!("{path}/{at_bat}"), json!({ "result": "SF" })).await;
    assert_eq!(fixed.json().get("hitType"), None);
}
