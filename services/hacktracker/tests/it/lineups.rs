//! Lineups and the roster: players in a lineup cannot be removed.

use std::sync::Arc;

use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::world::{Setup as _, World};

/// HT-D12: a player can't be in a lineup and gone, whichever of the two comes first.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ht_d12_a_player_is_removed_or_in_a_lineup_but_not_both() {
    let mut outcomes = [0, 0];
    for round in 0..30 {
        let world = Arc::new(World::red().await);
        let game = world.game(json!({ "lineup": [] })).await;
        let barrier = Arc::new(Barrier::new(2));
        let removal = {
            let (world, barrier) = (Arc::clone(&world), Arc::clone(&barrier));
            tokio::spawn(async move {
                barrier.wait().await;
                world.delete("ann", "/teams/red/players/red-5").await
            })
        };
        barrier.wait().await;
        let lineup = json!({ "lineup": ["red-4", "red-5"] });
        let put = world.put("sam", &format!("/games/{game}"), lineup).await;
        let removed = removal.await.unwrap();
        match (put.outcome().as_str(), removed.outcome().as_str()) {
            ("200 -", "409 PLAYER_HAS_STATS") => outcomes[0] += 1,
            ("400 PLAYER_NOT_ON_TEAM", "204 -") => outcomes[1] += 1,
            told => panic!("round {round}: {told:?}"),
        }
    }
    println!("in the lineup: {}, removed: {}", outcomes[0], outcomes[1]);
}

/// The count in the players' rows is right after whatever happens to the games.
#[tokio::test]
async fn players_can_be_removed_when_they_are_in_no_lineup_any_more() {
    let world = World::red().await;
    let removed = async |player: usize| {
        world.delete("ann", &format!("/teams/red/players/red-{player}")).await.outcome()
    };
    let game = world.game(json!({ "lineup": ["red-2", "red-3", "red-4", "red-5", "red-6"] })).await;
    let path = format!("/games/{game}");
    assert_eq!(removed(2).await, "409 PLAYER_HAS_STATS");
    world.put("sam", &path, json!({ "lineup": ["red-6", "red-5", "red-4", "red-3"] })).await;
    assert_eq!(removed(2).await, "204 -");
    world.put("sam", &path, json!({ "status": "POSTPONED", "lineup": ["red-4", "red-5"] })).await;
    assert_eq!(removed(3).await, "204 -");
    assert_eq!(removed(4).await, "409 PLAYER_HAS_STATS");
    let date = json!({ "scheduledStart": "2027-02-02T10:00:00Z" });
    assert_eq!(world.post("sam", &format!("{path}/reschedule"), date).await.outcome(), "200 -");
    world.post("sam", &format!("{path}/start"), Value::Null).await;
    assert_eq!(removed(4).await, "409 PLAYER_HAS_STATS");
    world.post("sam", &format!("{path}/finish"), Value::Null).await;
    assert_eq!(removed(4).await, "204 -");
    // A lineup in the request is also checked when a game is reopened.
    let named = |lineup: Value| json!({ "status": "IN_PROGRESS", "lineup": lineup });
    for (lineup, told) in [
        (json!([]), "409 LINEUP_REQUIRED"),
        (json!(["red-4"]), "400 PLAYER_NOT_ON_TEAM"),
        (json!(["nobody"]), "400 PLAYER_NOT_ON_TEAM"),
    ] {
        assert_eq!(world.put("ann", &path, named(lineup)).await.outcome(), told);
    }
    // Without one, removed players are left out of the existing lineup.
    let reopened = world.post("ann", &format!("{path}/reopen"), Value::Null).await.json();
    assert_eq!(reopened["lineup"], json!([{ "playerId": "red-5", "battingOrder": 1 }]));
    assert_eq!(removed(5).await, "409 PLAYER_HAS_STATS");
    world.post("sam", &format!("{path}/finish"), Value::Null).await;
    let other = world.game(json!({ "lineup": ["red-5"] })).await;
    assert_eq!(removed(5).await, "409 PLAYER_HAS_STATS");
    assert_eq!(world.delete("sam", &format!("/games/{other}")).await.status, 204);
    assert_eq!(removed(5).await, "204 -");
}
