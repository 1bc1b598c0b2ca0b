//! Roster slots that come with an invitation, and whose career what they did counts for.

use monotable_hacktracker::table::{HackTrackerReads as _, PlayerId, UserId};
use serde_json::{Value, json};

use crate::invites::{INVITES, accept, invited};
use crate::teams::{DAY, pass};
use crate::world::{Setup as _, World};

#[tokio::test]
async fn scenario_3_a_claimed_ghost_brings_its_history_and_keeps_the_rest() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    for _ in 0..12 {
        world.at_bat(&game, 2, json!({})).await;
    }
    let career = async |user: &str| {
        let export = world.get(user, &format!("/users/{user}/export")).await.json();
        export["atBats"].as_array().unwrap().len()
    };
    let (_, token) = invited(&world, json!({ "role": "player", "playerId": "red-2" })).await;
    assert_eq!(accept(&world, "eve", &token).await, "200 -");
    assert_eq!(career("eve").await, 12);
    pass(&world, DAY);
    assert_eq!(world.delete("eve", "/teams/red/members/eve").await.status, 204);
    assert_eq!(career("eve").await, 12);
    let slot = world.get("ann", "/teams/red/players/red-2").await.json();
    assert_eq!((&slot["isGhost"], &slot["userId"]), (&json!(true), &Value::Null));
    world.at_bat(&game, 2, json!({})).await;
    let (_, token) = invited(&world, json!({ "role": "player", "playerId": "red-2" })).await;
    pass(&world, DAY);
    assert_eq!(accept(&world, "bob", &token).await, "200 -");
    world.at_bat(&game, 2, json!({})).await;
    assert_eq!((career("eve").await, career("bob").await), (12, 2));
    // The same user again: what was, and what comes.
    pass(&world, DAY);
    assert_eq!(world.delete("bob", "/teams/red/members/bob").await.status, 204);
    let (_, token) = invited(&world, json!({ "role": "player", "playerId": "red-2" })).await;
    assert_eq!(accept(&world, "eve", &token).await, "200 -");
    pass(&world, DAY);
    world.at_bat(&game, 2, json!({})).await;
    assert_eq!((career("eve").await, career("bob").await), (13, 2));
    let (eve, slot) = (UserId::new("eve").unwrap(), PlayerId::new("red-2").unwrap());
    let link = world.app.db.player_link(&eve, &slot).await.unwrap().unwrap();
    assert_eq!(link.periods.len(), 2);
}

#[tokio::test]
async fn a_slot_is_claimed_once() {
    let world = World::red().await;
    let invite =
        |player| world.post("ann", INVITES, json!({ "role": "player", "playerId": player }));
    assert_eq!(invite("red-1").await.outcome(), "409 PLAYER_ALREADY_LINKED");
    assert_eq!(invite("nobody").await.outcome(), "404 PLAYER_NOT_FOUND");
    let (_, one) = invited(&world, json!({ "role": "player", "playerId": "red-2" })).await;
    let (_, other) = invited(&world, json!({ "role": "player", "playerId": "red-2" })).await;
    let (_, gone) = invited(&world, json!({ "role": "player", "playerId": "red-3" })).await;
    assert_eq!(accept(&world, "eve", &one).await, "200 -");
    assert_eq!(accept(&world, "bob", &other).await, "409 PLAYER_ALREADY_LINKED");
    world.delete("ann", "/teams/red/players/red-3").await;
    assert_eq!(accept(&world, "bob", &gone).await, "404 PLAYER_NOT_FOUND");
}
