//! New tokens for those who can prove who they are.

use serde_json::json;

use crate::players::Play as _;
use crate::world::{Actor, World};

#[tokio::test]
async fn a_new_token_takes_the_place_of_the_old_one() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let bob = world.join_as(Actor::User("bob"), &opened, "Bob").await;
    world.join(&opened, "Nameless").await;
    let path = opened.path("token");
    let renewed = world.post(Actor::User("ann"), &path, json!({})).await.json();
    let host = renewed["adminToken"].as_str().unwrap();
    let start = async |who| world.post(who, &opened.path("start"), json!({})).await.outcome();
    assert_eq!(start(opened.actor()).await, "401 INVALID_TOKEN");
    assert_eq!(start(Actor::Token(host)).await, "200 -");

    let renewed = world.post(Actor::User("bob"), &path, json!({})).await.json();
    assert_eq!(renewed["tributeId"], bob.tribute.as_str());
    let old = world.act(&opened, &bob, "d1t1", "rest").await;
    assert_eq!(old.outcome(), "401 INVALID_TOKEN");
    let token = renewed["playerToken"].as_str().unwrap();
    let body = json!({ "turnId": "d1t1", "action": "rest" });
    assert_eq!(
        world.post(Actor::Token(token), &opened.path("action"), body).await.outcome(),
        "200 -"
    );
}

#[tokio::test]
async fn other_users_get_no_token() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let bob = world.join_as(Actor::User("bob"), &opened, "Bob").await;
    let ask = async |who, body| world.post(who, &opened.path("token"), body).await.outcome();
    assert_eq!(ask(Actor::User("cleo"), json!({})).await, "403 NOT_YOUR_MATCH");
    assert_eq!(ask(Actor::User("bob"), json!({ "role": "host" })).await, "403 NOT_YOUR_MATCH");
    assert_eq!(ask(Actor::User("ann"), json!({ "role": "player" })).await, "403 NOT_YOUR_MATCH");
    assert_eq!(ask(bob.actor(), json!({})).await, "403 USER_REQUIRED");
    assert_eq!(ask(Actor::Nobody, json!({})).await, "401 INVALID_TOKEN");
    world.remove(bob.actor(), &opened, &bob.tribute).await;
    assert_eq!(ask(Actor::User("bob"), json!({})).await, "403 NOT_YOUR_MATCH");
}
