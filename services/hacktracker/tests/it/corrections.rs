//! Corrections of a scoring log: after each, everything that follows from the log is that of the replay.

use http::Method;
use monotable_hacktracker::table::{HackTrackerReads as _, PlayerId, TeamId};
use serde_json::{Value, json};

use crate::teams::{DAY, pass};
use crate::world::{Setup as _, World, id};

/// Returns a world with a game of `red` in progress.
pub(crate) async fn playing(fields: Value) -> (World, String) {
    let world = World::red().await;
    let mut started = json!({ "status": "IN_PROGRESS" });
    started.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let game = world.game(started).await;
    (world, game)
}

/// Returns all at-bats of a game as they are listed.
pub(crate) async fn listed(world: &World, game: &str) -> Vec<Value> {
    let path = format!("/games/{game}/atbats?limit=100");
    world.get("pat", &path).await.json()["atBats"].as_array().unwrap().clone()
}

/// Inning and outs of each at-bat.
pub(crate) async fn situations(world: &World, game: &str) -> Vec<(u64, u64)> {
    let number = |at_bat: &Value, field: &str| at_bat[field].as_u64().unwrap();
    let listed = listed(world, game).await;
    listed.iter().map(|at_bat| (number(at_bat, "inning"), number(at_bat, "outs"))).collect()
}

async fn plate_appearances(world: &World, player: &str) -> Option<u64> {
    let player = world.app.db.player(&id::<TeamId>("red"), &id(player)).consistent().await;
    player.unwrap().unwrap().pa_count
}

#[tokio::test]
async fn every_at_bat_after_a_correction_shows_the_replay() {
    let (world, game) = playing(json!({})).await;
    let mut ids = Vec::new();
    for player in 1..=3 {
        ids.push(world.at_bat(&game, player, json!({ "result": "OUT" })).await);
    }
    let run = json!({ "result": "2B", "runsScored": ["red-3"] });
    ids.push(world.at_bat(&game, 4, run).await);
    let said = json!({ "result": "OUT", "inning": 1, "outs": 2 });
    ids.push(world.at_bat(&game, 5, said).await);
    assert_eq!(situations(&world, &game).await, [(1, 0), (1, 1), (1, 2), (2, 0), (1, 2)]);
    let one = format!("/games/{game}/atbats/{}", ids[3]);
    let before = world.get("pat", &one).await;
    assert_eq!(before.header("etag"), "\"1\"");
    let first = format!("/games/{game}/atbats/{}", ids[0]);
    world.put("sam", &first, json!({ "result": "1B" })).await;
    assert_eq!(situations(&world, &game).await, [(1, 0), (1, 0), (1, 1), (1, 2), (1, 2)]);
    // What a client has of the version does not pass for what it is now.
    let headers = [("if-none-match", "\"1\"")];
    let now = world.request("pat", Method::GET, &one, Value::Null, &headers).await;
    assert_eq!(
        (now.status, &now.json()["inning"], &now.json()["outs"]),
        (200, &json!(1), &json!(2))
    );
    assert_eq!(now.json().get("situationMismatch"), None);
    // A flag is removed when the situation is correct, and set again when it is not.
    let flags = async || {
        let listed = listed(&world, &game).await;
        listed.iter().map(|at_bat| at_bat.get("situationMismatch").is_some()).collect::<Vec<_>>()
    };
    assert_eq!(flags().await, [false; 5]);
    world.put("sam", &first, json!({ "result": "OUT" })).await;
    assert_eq!(flags().await, [false, false, false, false, true]);
    let score = world.get("pat", &format!("/games/{game}/boxscore")).await.json();
    assert_eq!(score["lineScore"], json!([{ "inning": 1, "runs": 0 }, { "inning": 2, "runs": 1 }]));
}

#[tokio::test]
async fn a_forgotten_at_bat_is_inserted_where_it_belongs() {
    let (world, game) = playing(json!({ "scoreMode": "auto" })).await;
    let mut ids = Vec::new();
    for (player, result) in [(1, "OUT"), (3, "OUT"), (4, "OUT")] {
        ids.push(world.at_bat(&game, player, json!({ "result": result })).await);
    }
    let path = format!("/games/{game}/atbats");
    let body = json!({
        "playerId": "red-2", "result": "2B", "runsScored": ["red-1"], "beforeAtBatId": ids[1],
    });
    let headers = [("idempotency-key", "forgotten")];
    let inserted = world.request("sam", Method::POST, &path, body.clone(), &headers).await;
    assert_eq!(inserted.status, 201, "{}", inserted.text);
    let again = world.request("sam", Method::POST, &path, body, &headers).await;
    assert_eq!((again.header("idempotent-replay"), &again.text), ("true", &inserted.text));
    let inserted = inserted.json();
    assert_eq!((&inserted["inning"], &inserted["outs"]), (&json!(1), &json!(1)));
    assert_eq!((&inserted["battingOrder"], inserted.get("beforeAtBatId")), (&json!(2), None));
    let key = inserted["atBatId"].as_str().unwrap().to_owned();
    assert!(ids[0] < key && key < ids[1], "{key} is not between {ids:?}");
    assert_eq!((key.len(), &key[14..15]), (36, "7"));
    assert_eq!(situations(&world, &game).await, [(1, 0), (1, 1), (1, 1), (1, 2)]);
    let live = world.get("pat", &format!("/games/{game}/live")).await.json();
    assert_eq!((&live["inning"], &live["batter"]["playerId"]), (&json!(2), &json!("red-5")));
    assert_eq!(live["teamScore"], 1);
    assert_eq!(plate_appearances(&world, "red-2").await, Some(1));
    // The last one is still the one that was recorded last.
    let undone = world.post("sam", &format!("{path}/undo"), Value::Null).await.json();
    assert_eq!(undone["atBatId"], ids[2].as_str());
    let nowhere = json!({ "playerId": "red-2", "result": "1B", "beforeAtBatId": "none" });
    assert_eq!(world.post("sam", &path, nowhere).await.outcome(), "404 ATBAT_NOT_FOUND");
}

#[tokio::test]
async fn insertions_keep_their_order_however_many_there_are() {
    let (world, game) = playing(json!({})).await;
    let first = world.at_bat(&game, 1, json!({})).await;
    world.clock.advance_ms(60_000);
    let last = world.at_bat(&game, 2, json!({})).await;
    let mut expected = vec![first, last.clone()];
    let mut before = last;
    for number in 0..70 {
        // First after the inserted one, then before it.
        let place = expected.iter().position(|id| *id == before).unwrap();
        let body = json!({ "beforeAtBatId": before });
        let inserted = world.at_bat(&game, 1 + number % 9, body).await;
        expected.insert(place, inserted.clone());
        before = if number % 2 == 0 { inserted } else { expected[place + 1].clone() };
    }
    let ids: Vec<Value> =
        listed(&world, &game).await.iter().map(|row| row["atBatId"].clone()).collect();
    assert_eq!(json!(ids), json!(expected));
    let other = world.another_process().await;
    let ids: Vec<Value> =
        listed(&other, &game).await.iter().map(|row| row["atBatId"].clone()).collect();
    assert_eq!(json!(ids), json!(expected));
}

#[tokio::test]
async fn a_final_game_is_completed_by_owners_and_managers_and_it_is_audited() {
    let (world, game) = playing(json!({})).await;
    let first = world.at_bat(&game, 1, json!({})).await;
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    let path = format!("/games/{game}/atbats");
    let body = json!({ "playerId": "red-9", "result": "K", "beforeAtBatId": first });
    assert_eq!(world.post("sam", &path, body.clone()).await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(world.post("meg", &path, body).await.outcome(), "201 -");
    let audit = world.get("ann", "/teams/red/audit").await.json();
    assert_eq!(
        (&audit["entries"][0]["action"], &audit["entries"][0]["after"]["result"]),
        (&json!("insertAtBat"), &json!("K")),
        "{audit}"
    );
    let behind = json!({ "playerId": "red-9", "result": "K" });
    assert_eq!(world.post("meg", &path, behind).await.outcome(), "409 GAME_NOT_IN_PROGRESS");
}

#[tokio::test]
async fn an_inserted_at_bat_counts_for_the_user_of_the_slot_at_that_time() {
    let (world, game) = playing(json!({})).await;
    world.get("ann", "/users/context").await;
    let first = world.at_bat(&game, 1, json!({})).await;
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    pass(&world, DAY);
    // Ann releases her slot; erased data was still hers.
    assert_eq!(world.delete("ann", "/teams/red/players/red-1/link").await.status, 200);
    pass(&world, DAY);
    let path = format!("/games/{game}/atbats");
    let body = json!({ "playerId": "red-1", "result": "HR", "beforeAtBatId": first });
    let inserted = world.post("ann", &path, body).await.json();
    assert_eq!(inserted["createdAt"], "2027-01-17T08:00:00.000Z");
    let career = world.get("ann", "/users/ann/career").await.json();
    assert_eq!((&career["totals"]["PA"], &career["totals"]["HR"]), (&json!(2), &json!(1)));
    let export = world.get("ann", "/users/ann/export").await.json();
    assert_eq!(export["atBats"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_wrong_batter_is_changed() {
    let (world, game) = playing(json!({ "scoreMode": "auto" })).await;
    let wrong = world.at_bat(&game, 1, json!({ "result": "HR", "rbis": 1 })).await;
    let path = format!("/games/{game}/atbats/{wrong}");
    let fixed = world.put("sam", &path, json!({ "playerId": "red-2" })).await.json();
    assert_eq!(
        (&fixed["playerId"], &fixed["battingOrder"]),
        (&json!("red-2"), &json!(2)),
        "{fixed}"
    );
    assert_eq!(fixed["runsScored"], json!(["red-2"]));
    assert_eq!(plate_appearances(&world, "red-1").await, Some(0));
    assert_eq!(plate_appearances(&world, "red-2").await, Some(1));
    let of = async |player: &str| {
        world.app.db.at_bats_of(&id::<PlayerId>(player)).count().await.unwrap()
    };
    assert_eq!((of("red-1").await, of("red-2").await), (0, 1));
    let score = world.get("pat", &format!("/games/{game}/boxscore")).await.json();
    assert_eq!(
        (&score["lines"][0]["line"]["PA"], &score["lines"][1]["line"]["HR"]),
        (&json!(0), &json!(1))
    );
    for (fields, told) in [
        (json!({ "playerId": "nobody" }), "400 PLAYER_NOT_ON_TEAM"),
        (json!({ "playerId": "red-2" }), "200 -"),
        (json!({ "battingOrder": 3 }), "400 READ_ONLY_FIELD"),
    ] {
        assert_eq!(world.put("sam", &path, fields).await.outcome(), told);
    }
    assert_eq!(plate_appearances(&world, "red-2").await, Some(1));
    world.put("sam", &format!("/games/{game}"), json!({ "lineup": ["red-2", "red-3"] })).await;
    let told = world.put("sam", &path, json!({ "playerId": "red-9" })).await.outcome();
    assert_eq!(told, "400 PLAYER_NOT_IN_LINEUP");
    // After the game it is for owners and managers, and audited.
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    let change = json!({ "playerId": "red-3" });
    assert_eq!(world.put("sam", &path, change.clone()).await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(world.put("meg", &path, change).await.outcome(), "200 -");
    let audit = world.get("ann", "/teams/red/audit").await.json();
    let entry = &audit["entries"][0];
    assert_eq!(
        (&entry["before"]["playerId"], &entry["after"]["playerId"]),
        (&json!("red-2"), &json!("red-3")),
        "{audit}"
    );
}

#[tokio::test]
async fn a_batter_who_hits_a_home_run_scores() {
    let (world, game) = playing(json!({ "scoreMode": "auto" })).await;
    let path = format!("/games/{game}/atbats");
    let score =
        async || world.get("pat", &format!("/games/{game}")).await.json()["teamScore"].clone();
    let alone = world.at_bat(&game, 1, json!({ "result": "HR" })).await;
    let shown = world.get("pat", &format!("{path}/{alone}")).await.json();
    assert_eq!((&shown["runsScored"], &shown["rbis"]), (&json!(["red-1"]), &json!(1)));
    let body = json!({ "result": "HR", "rbis": 2, "runsScored": ["red-1"] });
    let two = world.at_bat(&game, 2, body).await;
    let shown = world.get("pat", &format!("{path}/{two}")).await.json();
    assert_eq!(shown["runsScored"], json!(["red-1", "red-2"]));
    assert_eq!(score().await, 3);
    // Who else scored need not be recorded.
    world.at_bat(&game, 3, json!({ "result": "HR", "rbis": 4 })).await;
    assert_eq!(score().await, 4);
    for (fields, told) in [
        (json!({ "rbis": 2, "runsScored": ["red-4"] }), "400 VALIDATION"),
        (json!({ "runsScored": ["red-1", "red-2", "red-3", "red-5"] }), "400 VALIDATION"),
    ] {
        let mut body = json!({ "playerId": "red-4", "result": "HR" });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        assert_eq!(world.post("sam", &path, body.clone()).await.outcome(), told, "{body}");
    }
    // The run comes and goes with the home run.
    let fixed = world.put("sam", &format!("{path}/{two}"), json!({ "result": "2B" })).await.json();
    assert_eq!((&fixed["runsScored"], &fixed["rbis"]), (&json!(["red-1"]), &json!(1)), "{fixed}");
    let fixed =
        world.put("sam", &format!("{path}/{alone}"), json!({ "result": "3B" })).await.json();
    assert_eq!(fixed.get("runsScored"), None);
    assert_eq!(score().await, 2);
    let fixed =
        world.put("sam", &format!("{path}/{alone}"), json!({ "result": "HR" })).await.json();
    assert_eq!(fixed["runsScored"], json!(["red-1"]));
    assert_eq!(score().await, 3);
}

#[tokio::test]
async fn becoming_a_home_run_adds_the_run_that_ceasing_removes() {
    let (world, game) = playing(json!({ "scoreMode": "auto" })).await;
    let path = format!("/games/{game}/atbats");
    let scored = json!({ "result": "1B", "rbis": 1, "runsScored": ["red-3"] });
    for single in [scored, json!({ "result": "1B", "rbis": 2 }), json!({ "result": "1B" })] {
        let at_bat = format!("{path}/{}", world.at_bat(&game, 2, single.clone()).await);
        let rbis = single["rbis"].as_u64().unwrap_or(0);
        for _ in 0..2 {
            let far = world.put("sam", &at_bat, json!({ "result": "HR" })).await.json();
            assert_eq!(far["rbis"], rbis + 1, "{far}");
            let near = world.put("sam", &at_bat, json!({ "result": "1B" })).await.json();
            assert_eq!(near["rbis"].as_u64().unwrap_or(0), rbis, "{near}");
            assert_eq!(near["runsScored"], single["runsScored"], "{near}");
        }
    }
    // The value in the request takes precedence.
    let said = world.at_bat(&game, 4, json!({ "result": "HR", "rbis": 3 })).await;
    assert_eq!(world.get("sam", &format!("{path}/{said}")).await.json()["rbis"], 3);
    // A home run without them counts one.
    let unsaid = json!({ "rbis": null });
    assert_eq!(world.put("sam", &format!("{path}/{said}"), unsaid).await.status, 200);
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    let stats = world.get("sam", "/teams/red/stats").await.json();
    assert_eq!(stats["totals"]["RBI"], 1 + 2 + 1, "{stats}");
}

#[tokio::test]
async fn impossible_corrections_are_refused() {
    let (world, game) = playing(json!({ "lineup": ["red-1", "red-2", "red-3"] })).await;
    let path = format!("/games/{game}/atbats");
    let post = |body| world.post("sam", &path, body);
    let order = |order: u8| json!({ "playerId": "red-1", "result": "1B", "battingOrder": order });
    let refused = post(order(4)).await;
    assert_eq!(refused.outcome(), "400 VALIDATION");
    assert!(refused.text.contains("the lineup has 3 places"), "{}", refused.text);
    assert_eq!(post(order(3)).await.outcome(), "201 -");
    // Only FO implies a hit type.
    let fly = post(json!({ "playerId": "red-1", "result": "SF" })).await.json();
    assert_eq!((&fly["result"], fly.get("hitType")), (&json!("SAC"), None));
}
