//! Whose a roster slot is.

use std::sync::Arc;

use monotable_hacktracker::table::{HackTrackerReads as _, PlayerId, TeamId, UserId};
use serde_json::json;

use crate::players::ROSTER;
use crate::world::{Setup as _, World};

#[tokio::test]
async fn ht_d11_a_ghost_is_in_no_index_of_users() {
    let world = World::red().await;
    let pat = UserId::new("pat").unwrap();
    let of_pat = async || world.app.db.players_of(&pat).count().await.unwrap();
    let link = format!("{ROSTER}/red-2/link");
    let linked = world.post("meg", &link, json!({ "userId": "pat" })).await.json();
    assert_eq!((&linked["userId"], &linked["isGhost"]), (&json!("pat"), &json!(false)));
    assert_eq!(of_pat().await, 1);
    assert_eq!(
        world.post("meg", &link, json!({ "userId": "sam" })).await.outcome(),
        "409 PLAYER_ALREADY_LINKED"
    );
    let second =
        world.post("meg", &format!("{ROSTER}/red-3/link"), json!({ "userId": "pat" })).await;
    assert_eq!(
        (second.outcome().as_str(), &second.json()["playerId"]),
        ("409 PLAYER_ALREADY_LINKED", &json!("red-2"))
    );
    let stranger =
        world.post("meg", &format!("{ROSTER}/red-3/link"), json!({ "userId": "eve" })).await;
    assert_eq!(stranger.outcome(), "404 USER_NOT_FOUND");
    assert_eq!(world.delete("sam", &link).await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(world.delete("pat", &link).await.json()["isGhost"], true);
    assert_eq!(of_pat().await, 0);
    let (red, slot) = (TeamId::new("red").unwrap(), PlayerId::new("red-2").unwrap());
    let ghost = world.app.db.player(&red, &slot).await.unwrap().unwrap();
    assert!(
        ghost.user_id.is_none() && ghost.last_unlinked_at.is_some() && ghost.linked_at.is_none()
    );
    let history = world.app.db.player_link(&pat, &slot).await.unwrap();
    assert!(history.unwrap().periods[0].to.is_some());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_links_of_one_user_at_once_one_holds() {
    let world = Arc::new(World::red().await);
    let asked: Vec<_> = (2..8)
        .map(|number| {
            let world = Arc::clone(&world);
            let path = format!("{ROSTER}/red-{number}/link");
            tokio::spawn(async move {
                world.post("meg", &path, json!({ "userId": "pat" })).await.outcome()
            })
        })
        .collect();
    let mut got = 0;
    for answer in asked {
        match answer.await.unwrap().as_str() {
            "200 -" => got += 1,
            told => assert_eq!(told, "409 PLAYER_ALREADY_LINKED"),
        }
    }
    let linked = world.app.db.players_of(&UserId::new("pat").unwrap()).count().await.unwrap();
    assert_eq!((got, linked), (1, 1));
}
