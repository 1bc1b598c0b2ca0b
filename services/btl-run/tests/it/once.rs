//! Requests that are repeated: what must happen once, happens once.

use axum::body::Body;
use http::header::AUTHORIZATION;
use http::{Method, Request};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::players::Play as _;
use crate::world::{Actor, Opened, World};

/// Returns every route that needs a key, with a body that it takes.
fn routes(opened: &Opened) -> Vec<(String, Value)> {
    let action = json!({ "turnId": "d1t1", "action": "rest" });
    let newcomer = json!({ "code": opened.code, "name": "Echo" });
    vec![
        (opened.path("join"), newcomer),
        (opened.path("start"), json!({})),
        (opened.path("action"), action),
        (opened.path("advance"), json!({ "turnId": "d1t1" })),
        (opened.path("end"), json!({})),
        (opened.path("gm/rules"), json!({ "items": false })),
        (opened.path("gm/announce"), json!({ "text": "Hear, hear" })),
        (opened.path("gm/inject"), json!({ "kind": "weather", "weather": "fog" })),
    ]
}

#[tokio::test]
async fn a_command_without_a_key_is_refused() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    for (path, body) in routes(&opened) {
        let request = Request::builder()
            .method(Method::POST)
            .uri(&path)
            .header(AUTHORIZATION, format!("Bearer {}", opened.host))
            .header("content-type", "application/json")
            .body(Body::from(body.to_string()))
            .unwrap();
        let response = world.router.clone().oneshot(request).await.unwrap();
        let text = response.into_body().collect().await.unwrap().to_bytes();
        let told: Value = serde_json::from_slice(&text).unwrap();
        assert_eq!(told["code"], "IDEMPOTENCY_KEY_REQUIRED", "{path}");
    }
}

#[tokio::test]
async fn a_repeat_gets_the_same_response_without_effect() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let bob = world.join(&opened, "Bob").await;
    // A second player keeps the turn open.
    world.join(&opened, "Cleo").await;
    let order = ["join", "start", "action", "gm/rules", "gm/announce", "gm/inject", "end"];
    for (number, name) in order.into_iter().enumerate() {
        let (path, body) = routes(&opened)
            .into_iter()
            .find(|(path, _)| path.ends_with(&format!("/{name}")))
            .unwrap();
        let key = format!("once-{number}");
        let who = if name == "action" { bob.actor() } else { opened.actor() };
        let ask = async |body: Value| {
            let headers = [("idempotency-key", key.as_str())];
            world.request(who, Method::POST, &path, body, &headers).await
        };
        let first = ask(body.clone()).await;
        assert!((200..300).contains(&first.status), "{name}: {}", first.text);
        let rows = world.rows();
        let again = ask(body.clone()).await;
        assert_eq!(
            (again.status, &again.headers["idempotent-replay"]),
            (first.status, &"true".parse().unwrap())
        );
        assert_eq!(again.json(), first.json(), "{name}");
        assert_eq!(world.rows(), rows, "{name}");
        let other = match name {
            "join" => json!({ "code": opened.code, "name": "Other" }),
            "action" => json!({ "turnId": "d1t1", "action": "hide" }),
            "gm/rules" => json!({ "items": true }),
            "gm/announce" => json!({ "text": "Other" }),
            "gm/inject" => json!({ "kind": "weather", "weather": "sun" }),
            _ => continue,
        };
        assert_eq!(ask(other).await.outcome(), "409 IDEMPOTENCY_KEY_REUSED", "{name}");
    }
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_refusal_that_time_can_change_is_not_remembered() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "aiCount": 3 })).await;
    let start = async || {
        let key = [("idempotency-key", "start")];
        world
            .request(opened.actor(), Method::POST, &opened.path("start"), json!({}), &key)
            .await
            .outcome()
    };
    assert_eq!(start().await, "409 TOO_FEW_TRIBUTES");
    world.host(&opened, "ai", json!({})).await;
    assert_eq!(start().await, "200 -");
    let gift = async || {
        let body = json!({ "kind": "item_drop", "tributeId": "ai-1" });
        let key = [("idempotency-key", "gift")];
        world
            .request(opened.actor(), Method::POST, &opened.path("gm/inject"), body, &key)
            .await
            .outcome()
    };
    assert_eq!(gift().await, "409 INVALID_TRANSITION");
    world.host(&opened, "gm/rules", json!({ "sponsors": true })).await;
    assert_eq!(gift().await, "200 -");
    assert_eq!(gift().await, "200 -");
    let other = world
        .request(
            Actor::User("ann"),
            Method::POST,
            &opened.path("start"),
            json!({}),
            &[("idempotency-key", "start")],
        )
        .await;
    assert_ne!(other.status, 200, "somebody else's key is not an answer for everybody");
}

/// A phone that lost the response has no other way back: the name is taken.
#[tokio::test]
async fn a_join_whose_response_was_lost_is_repeated_with_its_key() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let join = async |name: &str| {
        let body = json!({ "code": opened.code, "name": name });
        let headers = [("idempotency-key", "phone")];
        world.request(Actor::Nobody, Method::POST, &opened.path("join"), body, &headers).await
    };
    let (lost, again) = (join("Echo").await, join("Echo").await);
    assert_eq!((lost.status, &lost.text), (201, &again.text));
    let token = again.json()["playerToken"].as_str().unwrap().to_owned();
    // Somebody else with the same key joins as well.
    let other = join("Otto").await;
    assert_eq!(other.status, 201, "{}", other.text);
    assert_ne!(other.json()["tributeId"], again.json()["tributeId"]);
    world.host(&opened, "start", json!({})).await;
    let action = json!({ "turnId": "d1t1", "action": "rest" });
    let acted = world.post(Actor::Token(&token), &opened.path("action"), action).await;
    assert_eq!(acted.status, 200, "{}", acted.text);
}

#[test]
fn every_post_takes_an_idempotency_key() {
    for route in monotable_btl_run::service().routes {
        let takes_key = route.takes_idempotency_key || route.changes_nothing;
        assert!(takes_key || route.method != Method::POST, "{}", route.operation);
    }
}
