//! New tokens for those who can prove who they are.

use serde_json::json;

use crate::served::{Served, Who};

#[tokio::test]
async fn a_new_token_takes_the_place_of_the_old_one() {
    let served = Served::new().await;
    let opened = served.open_match(json!({})).await;
    let bob = served.join_as(Who::User("bob"), &opened, "Bob").await;
    served.join(&opened, "Nameless").await;
    let path = opened.path("token");
    let renewed = served.post(Who::User("ann"), &path, json!({})).await.json();
    let host = renewed["adminToken"].as_str().unwrap();
    let start = async |who| served.post(who, &opened.path("start"), json!({})).await.told();
    assert_eq!(start(opened.who()).await, "401 INVALID_TOKEN");
    assert_eq!(start(Who::Token(host)).await, "200 -");

    let renewed = served.post(Who::User("bob"), &path, json!({})).await.json();
    assert_eq!(renewed["tributeId"], bob.tribute.as_str());
    let old = served.act(&opened, &bob, "d1t1", "rest").await;
    assert_eq!(old.told(), "401 INVALID_TOKEN");
    let token = renewed["playerToken"].as_str().unwrap();
    let body = json!({ "turnId": "d1t1", "action": "rest" });
    assert_eq!(served.post(Who::Token(token), &opened.path("action"), body).await.told(), "200 -");
}

#[tokio::test]
async fn who_is_nobody_in_the_match_gets_none() {
    let served = Served::new().await;
    let opened = served.open_match(json!({})).await;
    let bob = served.join_as(Who::User("bob"), &opened, "Bob").await;
    let ask = async |who, body| served.post(who, &opened.path("token"), body).await.told();
    assert_eq!(ask(Who::User("cleo"), json!({})).await, "403 NOT_YOUR_MATCH");
    assert_eq!(ask(Who::User("bob"), json!({ "role": "host" })).await, "403 NOT_YOUR_MATCH");
    assert_eq!(ask(Who::User("ann"), json!({ "role": "player" })).await, "403 NOT_YOUR_MATCH");
    assert_eq!(ask(bob.who(), json!({})).await, "403 USER_REQUIRED");
    assert_eq!(ask(Who::Nobody, json!({})).await, "401 INVALID_TOKEN");
    served.remove(bob.who(), &opened, &bob.tribute).await;
    assert_eq!(ask(Who::User("bob"), json!({})).await, "403 NOT_YOUR_MATCH");
}
