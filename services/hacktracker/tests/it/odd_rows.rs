//! Unusual rows of other programs: they hide neither a game nor a team, and unknown values are
//! counted as unrecognised.

use monotable::dynamodb::PutItem;
use serde_json::{Value, json};

use crate::seed::printed_item;
use crate::world::{Setup as _, TABLE, World};

/// Writes a row past the model.
fn put(world: &World, row: &Value) {
    let row = printed_item(&row.to_string());
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

/// A plate appearance with these fields besides its keys.
fn at_bat(world: &World, game: &str, id: &str, fields: Value) {
    let mut row = json!({
        "PK": format!("GAME#{game}"), "SK": format!("ATBAT#{id}"), "gameId": game, "atBatId": id,
        "playerId": "red-1", "teamId": "red", "createdAt": "2027-01-15T08:00:00Z",
        "GSI5PK": "PLAYER#red-1", "GSI5SK": format!("ATBAT#{id}"),
    });
    row.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    put(world, &row);
}

async fn playing() -> (World, String) {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    (world, game)
}

#[tokio::test]
async fn at_bats_without_their_usual_fields_are_read() {
    let (world, game) = playing().await;
    at_bat(&world, &game, "bare", json!({ "result": "1B" }));
    at_bat(
        &world,
        &game,
        "odd",
        json!({
            "result": "2B", "inning": "2", "outs": "none", "battingOrder": -1, "rbis": 300,
            "hitType": 5, "hitLocation": { "x": "left" }, "runsScored": "red-2",
        }),
    );
    at_bat(&world, &game, "silent", json!({ "result": null, "inning": 1, "outs": 0 }));
    let score = world.get("pat", &format!("/games/{game}/boxscore")).await;
    assert_eq!(score.status, 200, "{}", score.text);
    let totals = &score.json()["totals"];
    assert_eq!([&totals["PA"], &totals["unrecognised"]], [&json!(2), &json!(1)], "{totals}");
    world.at_bat(&game, 1, json!({})).await;
    let statistics = world.get("pat", "/teams/red/stats?includeLive=true").await.json();
    assert_eq!(statistics["totals"]["PA"], 3, "{statistics}");
    assert_eq!(world.get("ann", "/users/ann/career").await.status, 200);
    // A correction is one of what it names.
    let path = format!("/games/{game}/atbats/odd");
    assert_eq!(world.put("sam", &path, json!({ "result": "3B" })).await.outcome(), "200 -");
}

#[tokio::test]
async fn unknown_values_are_read_as_the_most_restrictive_ones() {
    let (world, game) = playing().await;
    let row = json!({
        "PK": "TEAM#red", "SK": "PLAYER#odd", "teamId": "red", "playerId": "odd",
        "firstName": "Odd", "isGhost": true, "status": "injured",
        "createdAt": "2027-01-15T08:00:00Z", "updatedAt": "2027-01-15T08:00:00Z",
    });
    put(&world, &row);
    for (user, role, status) in [("cat", "mascot", "active"), ("dog", "owner", "banned")] {
        put(
            &world,
            &json!({
                "PK": format!("USER#{user}"), "SK": "TEAM#red", "userId": user, "teamId": "red",
                "role": role, "status": status, "joinedAt": "2027-01-15T08:00:00Z",
                "GSI3PK": "TEAM#red", "GSI3SK": format!("MEMBER#{user}"),
            }),
        );
    }
    let player = world.get("pat", "/teams/red/players/odd").await.json();
    assert_eq!(player["status"], "inactive");
    let change = json!({ "location": "Field 3" });
    let path = format!("/games/{game}");
    assert_eq!(world.get("cat", &path).await.status, 200);
    assert_eq!(world.put("cat", &path, change).await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_ne!(world.get("dog", &path).await.status, 200);
    assert_eq!(world.get("ann", "/teams/red/members").await.status, 200);
}

#[tokio::test]
async fn an_unreadable_row_hides_no_others() {
    let (world, game) = playing().await;
    world.at_bat(&game, 1, json!({})).await;
    put(&world, &json!({ "PK": "TEAM#red", "SK": "PLAYER#broken", "teamId": 5 }));
    put(
        &world,
        &json!({
            "PK": "GAME#broken", "SK": "METADATA", "gameId": "broken", "lineup": "none",
            "GSI3PK": "TEAM#red", "GSI3SK": "GAME#broken",
        }),
    );
    let game = format!("/games/{game}");
    let paths = [
        &format!("{game}/boxscore"),
        &format!("{game}/lineup-proposal"),
        "/teams/red/players",
        "/teams/red/stats",
        "/teams/red/leaders",
        "/teams/red/record",
        "/players/red/red-1/stats",
        "/users/ann/career",
        "/teams/red/games",
    ];
    for path in paths {
        let answer = world.get("ann", path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_clock_that_steps_back_changes_no_order() {
    let (world, game) = playing().await;
    let mut recorded = Vec::new();
    for (number, now_ms) in
        [1_800_000_060_000, 1_800_000_000_000, 1_799_999_000_000].iter().enumerate()
    {
        world.clock.set_ms(*now_ms);
        recorded.push(world.at_bat(&game, 1 + number, json!({})).await);
    }
    let listed = world.get("pat", &format!("/games/{game}/atbats")).await.json();
    let ids: Vec<&Value> =
        listed["atBats"].as_array().unwrap().iter().map(|at_bat| &at_bat["atBatId"]).collect();
    assert_eq!(ids, recorded.iter().collect::<Vec<_>>());
    let undone = world.post("sam", &format!("/games/{game}/atbats/undo"), Value::Null).await.json();
    assert_eq!(undone["atBatId"], recorded[2].as_str());
}
