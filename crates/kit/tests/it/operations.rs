//! Health, readiness, metrics, and the log.

use std::sync::Arc;

use expect_test::expect;
use http::Method;
use monotable::prelude::Timestamp;
use monotable_kit::{Rate, Reply, Request, Route, State, Throttle, ThrottleSettings};
use serde_json::{Value, json};

use crate::shelf::service;
use crate::world::World;

/// The state of another service.
struct Elsewhere;

impl State for Elsewhere {
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH
    }
}

#[tokio::test]
#[should_panic(expected = "GET /elsewhere works on another state")]
async fn a_route_of_another_service_is_found_when_the_router_is_made() {
    let handler = async |_: Arc<Elsewhere>, _: Request| Ok(Reply::no_content());
    let stray = Route::new(Method::GET, "/elsewhere", "stray", handler);
    World::of(service().routes([stray]), |host| host).await;
}

#[tokio::test]
#[should_panic(expected = "two routes answer POST /books")]
async fn two_routes_for_the_same_requests_are_found_when_the_router_is_made() {
    let twice = service().routes(service().routes);
    World::of(twice, |host| host).await;
}

#[tokio::test]
async fn a_service_tells_that_it_lives_and_can_work() {
    let world = World::new().await;
    let health = world.request(Method::GET, "/health", Value::Null).await.json();
    assert_eq!((&health["status"], &health["service"]), (&json!("ok"), &json!("shelf")));
    assert_eq!(world.request(Method::GET, "/ready", Value::Null).await.json()["status"], "ready");
}

#[tokio::test]
async fn without_its_table_a_service_lives_and_can_not_work() {
    let world = World::new().await;
    world.database.delete_table(monotable::dynamodb::DeleteTable::new("shelf")).unwrap();
    assert_eq!(world.request(Method::GET, "/health", Value::Null).await.status, 200);
    let ready = world.request(Method::GET, "/ready", Value::Null).await;
    assert_eq!((ready.outcome().as_str(), ready.header("retry-after")), ("503 UNAVAILABLE", "1"));
}

#[tokio::test]
async fn whoever_watches_is_answered_when_nobody_else_is() {
    let none = Rate { per_second: 0, burst: 0 };
    let settings = ThrottleSettings { everybody: none, ..ThrottleSettings::default() };
    let world = World::with(|host| host.throttle(Throttle::new(settings))).await;
    assert_eq!(world.request(Method::GET, "/books", Value::Null).await.status, 429);
    for path in ["/health", "/ready"] {
        assert_eq!(world.request(Method::GET, path, Value::Null).await.status, 200, "{path}");
    }
}

#[tokio::test]
async fn requests_are_counted_by_route_and_status() {
    let world = World::new().await;
    world.request(Method::GET, "/books/b1", Value::Null).await;
    world.request(Method::HEAD, "/books/b2", Value::Null).await;
    world.request(Method::GET, "/nowhere/secret", Value::Null).await;
    let metrics = world.metrics();
    let name = "monotable_service_requests_total";
    let lines: Vec<&str> = metrics.lines().filter(|line| line.starts_with(name)).collect();
    expect![[r#"
        monotable_service_requests_total{service="shelf",method="",route="(none)",status="404"} 1
        monotable_service_requests_total{service="shelf",method="GET",route="/books/{bookId}",status="404"} 2"#]]
    .assert_eq(&lines.join("\n"));
}

#[tokio::test]
async fn commits_that_fail_are_counted_by_route() {
    let world = World::new().await;
    for (title, told) in [("Twice", "409 ALREADY_EXISTS"), ("Stale", "409 VERSION_CONFLICT")] {
        let body = json!({ "title": title });
        assert_eq!(world.request(Method::POST, "/books", body).await.outcome(), told);
    }
    let metrics = world.metrics();
    let is_counted =
        |line: &&str| line.contains("condition_failures") || line.contains("conflicts");
    let lines: Vec<&str> = metrics.lines().filter(is_counted).collect();
    expect![[r##"
        # HELP monotable_service_condition_failures_total Commits rejected by a condition, version conflicts included.
        # TYPE monotable_service_condition_failures_total counter
        monotable_service_condition_failures_total{service="shelf",method="POST",route="/books"} 2
        # HELP monotable_service_version_conflicts_total Commits rejected by a version conflict, including those that a retry completed.
        # TYPE monotable_service_version_conflicts_total counter
        monotable_service_version_conflicts_total{service="shelf",method="POST",route="/books"} 1"##]].assert_eq(&lines.join("\n"));
}

/// The lines without what differs from run to run.
fn log(world: &World) -> String {
    let lines = world
        .log
        .text()
        .lines()
        .map(|line| {
            let mut line: Value = serde_json::from_str(line).unwrap();
            assert!(line["latencyUs"].is_u64());
            for differs in ["latencyUs", "principal"] {
                if line.get(differs).is_some() {
                    line[differs] = json!("…");
                }
            }
            line.to_string()
        })
        .collect::<Vec<_>>();
    lines.join("\n")
}

#[tokio::test]
async fn each_request_is_one_line_of_the_log() {
    let world = World::new().await;
    let id = [("x-request-id", "r1")];
    world.ask_with(Method::GET, "/books/b1", Value::Null, &id).await;
    world.ask_with(Method::POST, "/failures/internal", Value::Null, &id).await;
    world.ask_with(Method::POST, "/failures/panic", Value::Null, &id).await;
    world.ask_with(Method::GET, "/nowhere/b1", Value::Null, &id).await;
    expect![[r#"
        {"code":"BOOK_NOT_FOUND","latencyUs":"…","method":"GET","principal":"…","requestId":"r1","route":"/books/{bookId}","service":"shelf","status":404,"time":"2027-01-15T08:00:00.000Z"}
        {"code":"INTERNAL","error":"the row of [redacted] is broken","latencyUs":"…","method":"POST","principal":"…","requestId":"r1","route":"/failures/{sort}","service":"shelf","status":500,"time":"2027-01-15T08:00:00.000Z"}
        {"code":"INTERNAL","error":"the route panicked; see standard error","latencyUs":"…","method":"POST","principal":"…","requestId":"r1","route":"/failures/{sort}","service":"shelf","status":500,"time":"2027-01-15T08:00:00.000Z"}
        {"code":"NOT_FOUND","latencyUs":"…","method":"GET","requestId":"r1","route":"(none)","service":"shelf","status":404,"time":"2027-01-15T08:00:00.000Z"}"#]].assert_eq(&log(&world));
}

#[tokio::test]
async fn no_secret_and_nobodys_name_is_in_the_log() {
    let world = World::new().await;
    let secrets = [
        ("authorization", "Bearer s3cret-header"),
        ("cookie", "session=s3cret-cookie"),
        ("idempotency-key", "s3cret-key"),
        ("x-request-id", "s3cret header that is no id"),
        ("accept-version", "s3cret"),
        ("if-match", "s3cret"),
    ];
    let body = json!({ "title": "s3cret-title", "any": "s3cret", "s3cret-field": 1 });
    let paths = ["/books", "/books/s3cret-id", "/whoami", "/failures/s3cret", "/s3cret"];
    for path in paths {
        for query in ["", "?token=s3cret-query", "?limit=s3cret"] {
            for method in [Method::GET, Method::POST, Method::PUT] {
                let path = format!("{path}{query}");
                world.ask_with(method.clone(), &path, body.clone(), &secrets).await;
                world.ask_with(method, &path, Value::Null, &secrets[1..3]).await;
            }
        }
    }
    for sort in ["internal", "panic", "down"] {
        world.request(Method::POST, &format!("/failures/{sort}"), Value::Null).await;
    }
    let odd = Method::from_bytes(b"S3CRET").unwrap();
    world.request(odd, "/books", Value::Null).await;

    let log = world.log.text();
    assert_eq!(log.lines().count(), 5 * 3 * 3 * 2 + 3 + 1);
    for secret in ["s3cret", "S3CRET", "\"ada\"", "ada@", "example.org", "Bearer"] {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }
}
