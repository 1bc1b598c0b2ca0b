//! Requests with an Idempotency-Key.

use http::Method;
use serde_json::{Value, json};

use crate::world::{Answer, World};

async fn add(world: &World, key: &str, title: &str) -> Answer {
    let headers = [("idempotency-key", key)];
    world.ask_with(Method::POST, "/books", json!({ "title": title }), &headers).await
}

#[tokio::test]
async fn a_repeat_gets_the_first_answer_and_has_no_effect() {
    let world = World::new().await;
    let first = add(&world, "k1", "Emma").await;
    let again = add(&world, " k1 ", " Emma").await;
    assert_eq!((first.status, first.header("idempotent-replay")), (201, ""));
    assert_eq!((again.status, again.header("idempotent-replay")), (201, "true"));
    assert_eq!(first.text, again.text);
    let other = add(&world, "k2", "Emma").await;
    assert_ne!(first.json()["bookId"], other.json()["bookId"]);
}

#[tokio::test]
async fn a_key_is_one_requests_alone() {
    let world = World::new().await;
    add(&world, "k1", "Emma").await;
    assert_eq!(add(&world, "k1", "Persuasion").await.outcome(), "409 IDEMPOTENCY_KEY_REUSED");
    // Another person, and another route, may use the same key.
    let headers = [("idempotency-key", "k1")];
    let elsewhere = world.ask_with(Method::POST, "/failures/gone", Value::Null, &headers).await;
    assert_eq!(elsewhere.outcome(), "404 GONE");
    for key in ["", "a b", "ä", &"k".repeat(129)] {
        assert_eq!(add(&world, key, "Emma").await.outcome(), "400 VALIDATION", "{key}");
    }
}

#[tokio::test]
async fn a_refusal_is_kept_if_nothing_can_change_it() {
    let world = World::new().await;
    let fail = async |sort: &str| {
        let headers = [("idempotency-key", "k1")];
        world.ask_with(Method::POST, &format!("/failures/{sort}"), Value::Null, &headers).await
    };
    let (first, again) = (fail("invalid").await, fail("invalid").await);
    assert_eq!((first.outcome().as_str(), first.header("idempotent-replay")), ("400 NEVER", ""));
    assert_eq!(again.header("idempotent-replay"), "true");
    // The very answer, with the id of the request that got it.
    assert_eq!((again.status, &again.text), (first.status, &first.text));

    for _ in 0..2 {
        let taken = add(&world, "k1", "Taken").await;
        assert_eq!(taken.outcome(), "409 TITLE_TAKEN");
        assert_eq!(taken.header("idempotent-replay"), "");
    }
    for sort in ["down", "panic", "gone"] {
        let path = format!("/failures/{sort}");
        for _ in 0..2 {
            let headers = [("idempotency-key", "k2")];
            let failed = world.ask_with(Method::POST, &path, Value::Null, &headers).await;
            assert_eq!(failed.header("idempotent-replay"), "", "{sort}");
        }
    }
}

#[tokio::test]
async fn an_answer_is_kept_for_a_day() {
    let world = World::new().await;
    let first = add(&world, "k1", "Emma").await;
    world.clock.advance_ms(24 * 60 * 60 * 1_000 - 1);
    assert_eq!(add(&world, "k1", "Emma").await.header("idempotent-replay"), "true");
    world.clock.advance_ms(1);
    let fresh = add(&world, "k1", "Emma").await;
    assert_ne!(first.json()["bookId"], fresh.json()["bookId"]);
}

/// The second of two requests finds what the first one did in its way.
#[tokio::test]
async fn who_is_refused_for_what_the_same_request_did_gets_its_answer() {
    let world = World::new().await;
    let unique = async || {
        let headers = [("idempotency-key", "k1")];
        world.ask_with(Method::POST, "/books", json!({ "title": "Once" }), &headers).await
    };
    let answers = tokio::join!(unique(), unique(), unique(), unique());
    for answer in [answers.0, answers.1, answers.2, answers.3] {
        assert_eq!(answer.status, 201, "{}", answer.text);
    }
}

#[tokio::test]
async fn of_two_at_once_one_has_the_effect() {
    let world = World::new().await;
    let (one, other) = tokio::join!(add(&world, "k1", "Emma"), add(&world, "k1", "Emma"));
    assert_eq!(one.json()["bookId"], other.json()["bookId"]);
}
