//! Numbers on shirts: each worn by one active player of a team.

use std::sync::Arc;

use monotable_hacktracker::table::{HackTrackerReads as _, TeamId};
use serde_json::json;

use crate::players::{ROSTER, added};
use crate::world::{Setup as _, World};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn ht_d5_ht_d8_concurrent_requests_for_a_number_have_one_winner() {
    let world = Arc::new(World::red().await);
    let asked: Vec<_> = (0..12)
        .map(|number| {
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                let body = json!({ "firstName": "Bob", "playerNumber": 7 });
                match number % 2 {
                    0 => world.post("meg", ROSTER, body).await.outcome(),
                    _ => {
                        let path = format!("{ROSTER}/red-{}", 2 + number / 2);
                        world.put("ann", &path, json!({ "playerNumber": 7 })).await.outcome()
                    }
                }
            })
        })
        .collect();
    let mut told = Vec::new();
    for answer in asked {
        told.push(answer.await.unwrap());
    }
    let (taken, got): (Vec<_>, Vec<_>) = told.iter().partition(|told| *told == "409 NUMBER_TAKEN");
    assert_eq!((taken.len(), got.len()), (11, 1), "{told:?}");
    let roster = world.app.db.roster(&TeamId::new("red").unwrap()).page().await.unwrap().rows;
    assert_eq!(roster.iter().filter(|player| player.player_number == Some(7)).count(), 1);
}

#[tokio::test]
async fn scenario_5_an_inactive_player_gives_the_number_away() {
    let world = World::red().await;
    let first = added(&world, json!({ "firstName": "A", "playerNumber": 7 })).await;
    let inactive = world.put("meg", &first, json!({ "status": "inactive" })).await.json();
    assert_eq!(inactive["playerNumber"], 7);
    let second = added(&world, json!({ "firstName": "B", "playerNumber": 7 })).await;
    let back = world.put("meg", &first, json!({ "status": "active" })).await;
    assert_eq!(
        (back.outcome().as_str(), &back.json()["playerNumber"]),
        ("409 NUMBER_TAKEN", &json!(7))
    );
    // With another number, or when the other gives it up, it goes.
    assert_eq!(world.put("meg", &second, json!({ "playerNumber": 8 })).await.outcome(), "200 -");
    assert_eq!(world.put("meg", &first, json!({ "status": "sub" })).await.outcome(), "200 -");
    assert_eq!(
        world.put("meg", &second, json!({ "playerNumber": 7 })).await.outcome(),
        "409 NUMBER_TAKEN"
    );
    assert_eq!(world.delete("meg", &first).await.status, 204);
    assert_eq!(world.put("meg", &second, json!({ "playerNumber": 7 })).await.outcome(), "200 -");
    let number = world.app.db.number(&TeamId::new("red").unwrap(), 8).await.unwrap();
    assert_eq!(number, None);
}
