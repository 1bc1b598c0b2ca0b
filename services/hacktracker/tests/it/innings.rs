//! Innings that end before the third out: by the run limit of the game, or by a decision of the
//! scorekeeper.

use serde_json::{Value, json};

use crate::corrections::{listed, playing, situations};
use crate::world::{Setup as _, World};

async fn runs(world: &World, game: &str) -> Value {
    let told = world.get("pat", &format!("/games/{game}/boxscore")).await.json();
    told["lineScore"].as_array().unwrap().iter().map(|inning| inning["runs"].clone()).collect()
}

async fn live(world: &World, game: &str) -> (Value, Value) {
    let live = world.get("pat", &format!("/games/{game}/live")).await.json();
    (live["inning"].clone(), live["outs"].clone())
}

#[tokio::test]
async fn an_inning_ends_by_decision() {
    let (world, game) = playing(json!({})).await;
    let end = format!("/games/{game}/innings/end");
    assert_eq!(world.post("sam", &end, Value::Null).await.outcome(), "409 INNING_NOT_BEGUN");
    world.at_bat(&game, 1, json!({ "result": "OUT" })).await;
    let second = world.at_bat(&game, 2, json!({ "result": "2B", "runsScored": ["red-9"] })).await;
    let wrong = json!({ "atBatId": "other" });
    assert_eq!(world.post("sam", &end, wrong).await.outcome(), "412 PRECONDITION_FAILED");
    assert_eq!(world.post("pat", &end, Value::Null).await.outcome(), "403 INSUFFICIENT_ROLE");
    let ended = world.post("sam", &end, json!({ "atBatId": second })).await.json();
    assert_eq!(
        (&ended["atBatId"], &ended["endsInning"]),
        (&json!(second), &json!(true)),
        "{ended}"
    );
    assert_eq!(live(&world, &game).await, (json!(2), json!(0)));
    assert_eq!(world.post("sam", &end, Value::Null).await.outcome(), "409 INNING_NOT_BEGUN");
    world.at_bat(&game, 3, json!({ "result": "2B", "runsScored": ["red-2"] })).await;
    assert_eq!(situations(&world, &game).await, [(1, 0), (1, 1), (2, 0)]);
    assert_eq!(runs(&world, &game).await, json!([1, 1]));
    // The decision is revoked, and the inning continues.
    let path = format!("/games/{game}/atbats/{second}");
    let open = world.put("sam", &path, json!({ "endsInning": null })).await.json();
    assert_eq!(open.get("endsInning"), None);
    assert_eq!(situations(&world, &game).await, [(1, 0), (1, 1), (1, 1)]);
    assert_eq!(runs(&world, &game).await, json!([2]));
    assert_eq!(live(&world, &game).await, (json!(1), json!(1)));
    // It can also be set with the play; a third out ends the inning only once.
    world.at_bat(&game, 4, json!({ "result": "OUT", "endsInning": true })).await;
    assert_eq!(live(&world, &game).await, (json!(2), json!(0)));
    world.at_bat(&game, 5, json!({ "outsOnPlay": 3, "result": "OUT", "endsInning": true })).await;
    assert_eq!(live(&world, &game).await, (json!(3), json!(0)));
    // An inning that ended with the last at-bat continues when that is undone.
    world.post("sam", &format!("/games/{game}/atbats/undo"), Value::Null).await;
    assert_eq!(live(&world, &game).await, (json!(2), json!(0)));
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    assert_eq!(world.post("ann", &end, Value::Null).await.outcome(), "409 GAME_NOT_IN_PROGRESS");
}

#[tokio::test]
async fn an_inning_ends_at_the_run_limit_of_the_game() {
    let (world, game) = playing(json!({ "inningRunLimit": 3, "scoreMode": "auto" })).await;
    let two = json!({ "result": "2B", "runsScored": ["red-8", "red-9"] });
    world.at_bat(&game, 1, json!({ "result": "OUT" })).await;
    let first = world.at_bat(&game, 2, two.clone()).await;
    let reached = world.at_bat(&game, 3, two.clone()).await;
    assert_eq!(live(&world, &game).await, (json!(2), json!(0)));
    world.at_bat(&game, 4, two.clone()).await;
    assert_eq!(situations(&world, &game).await, [(1, 0), (1, 1), (1, 1), (2, 0)]);
    assert_eq!(runs(&world, &game).await, json!([4, 2]));
    // A correction of the runs moves the end of the inning.
    let path = |id: &str| format!("/games/{game}/atbats/{id}");
    world.put("sam", &path(&first), json!({ "runsScored": null })).await;
    assert_eq!(situations(&world, &game).await, [(1, 0), (1, 1), (1, 1), (1, 1)]);
    assert_eq!(live(&world, &game).await, (json!(2), json!(0)));
    world.put("sam", &path(&first), json!({ "runsScored": ["red-9"] })).await;
    // An inning without a limit, as the last one often is.
    world.put("sam", &path(&reached), json!({ "endsInning": false })).await;
    assert_eq!(situations(&world, &game).await, [(1, 0), (1, 1), (1, 1), (1, 1)]);
    assert_eq!(live(&world, &game).await, (json!(1), json!(1)));
    assert_eq!(listed(&world, &game).await[2]["endsInning"], false);
    let game_path = format!("/games/{game}");
    assert_eq!(
        world.put("sam", &game_path, json!({ "inningRunLimit": null })).await.outcome(),
        "200 -"
    );
    world.put("sam", &path(&reached), json!({ "endsInning": null })).await;
    assert_eq!(live(&world, &game).await, (json!(1), json!(1)));
    let none = json!({ "inningRunLimit": 0 });
    assert_eq!(world.put("sam", &game_path, none).await.outcome(), "400 VALIDATION");
}
