//! ETag, If-Match and If-None-Match.

use http::Method;
use serde_json::{Value, json};

use crate::world::World;

async fn book(world: &World) -> String {
    let made = world.request(Method::POST, "/books", json!({ "title": "Emma" })).await;
    format!("/books/{}", made.json()["bookId"].as_str().unwrap())
}

#[tokio::test]
async fn a_write_can_ask_for_the_version_that_was_read() {
    let world = World::new().await;
    let path = book(&world).await;
    let change = async |tag: &str| {
        let body = json!({ "title": "Persuasion" });
        let answer = world.ask_with(Method::PUT, &path, body, &[("if-match", tag)]).await;
        (answer.outcome(), answer.header("etag").to_owned())
    };
    assert_eq!(change("\"2\"").await, ("412 PRECONDITION_FAILED".to_owned(), String::new()));
    assert_eq!(change("\"1\"").await, ("200 -".to_owned(), "\"2\"".to_owned()));
    assert_eq!(change("\"1\"").await.0, "412 PRECONDITION_FAILED");
    assert_eq!(change("\"another\"").await.0, "412 PRECONDITION_FAILED");
    assert_eq!(change("1").await.0, "400 VALIDATION");
    assert_eq!(change("*").await.0, "200 -");
}

#[tokio::test]
async fn a_route_that_compares_no_versions_says_so() {
    let world = World::new().await;
    let body = json!({ "title": "Emma" });
    let answer = world.ask_with(Method::POST, "/books", body, &[("if-match", "\"1\"")]).await;
    assert_eq!(answer.outcome(), "400 VALIDATION");
}

#[tokio::test]
async fn what_the_client_has_is_not_sent_again() {
    let world = World::new().await;
    let path = book(&world).await;
    let read = async |method: Method, tags: &str| {
        let answer = world.ask_with(method, &path, Value::Null, &[("if-none-match", tags)]).await;
        (answer.status, answer.text.is_empty(), answer.header("etag").to_owned())
    };
    let tag = "\"1\"".to_owned();
    assert_eq!(read(Method::GET, "\"1\"").await, (304, true, tag.clone()));
    assert_eq!(read(Method::GET, "\"7\", W/\"1\"").await, (304, true, tag.clone()));
    assert_eq!(read(Method::HEAD, "*").await, (304, true, tag.clone()));
    assert_eq!(read(Method::GET, "\"2\"").await, (200, false, tag));
}
