//! Every step that can end a request, and the order of the steps.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use expect_test::{Expect, expect};
use http::{Method, Request};
use http_body::{Frame, SizeHint};
use monotable_kit::{Problem, Rate, Throttle, ThrottleSettings};
use serde_json::{Value, json};

use crate::world::{Answer, World};

async fn check(world: &World, method: Method, path: &str, body: Value, expected: Expect) -> Answer {
    let answer = world.request(method, path, body).await;
    expected.assert_eq(&format!("{} {}", answer.status, without_id(&answer)));
    answer
}

/// The body without the id of the request.
fn without_id(answer: &Answer) -> String {
    match serde_json::from_str::<Value>(&answer.text) {
        Ok(Value::Object(mut object)) => {
            object.remove("requestId");
            Value::Object(object).to_string()
        }
        _ => answer.text.clone(),
    }
}

fn post(path: &str) -> http::request::Builder {
    let request = Request::builder().method(Method::POST).uri(format!("/shelf{path}"));
    request.header("authorization", "Bearer ada")
}

#[tokio::test]
async fn a_good_request_is_answered() {
    let world = World::new().await;
    let made = world.request(Method::POST, "/books", json!({ "title": " Emma " })).await;
    assert_eq!((made.status, made.header("etag")), (201, "\"1\""));
    assert_eq!(made.header("content-type"), "application/json");
    assert_eq!(made.header("x-content-type-options"), "nosniff");
    assert_eq!(made.header("cache-control"), "no-store");
    assert_eq!(made.header("referrer-policy"), "no-referrer");
    let path = format!("/books/{}", made.json()["bookId"].as_str().unwrap());
    let read = world.request(Method::GET, &path, Value::Null).await;
    assert_eq!(read.json(), made.json());
}

#[tokio::test]
async fn who_is_not_known_gets_no_further() {
    let world = World::new().await;
    let ask = async |token: Option<&str>, path: &str| {
        let mut request = Request::builder().method(Method::POST).uri(format!("/shelf{path}"));
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        // The body would be refused for its size, its type and its form.
        world.send(request.body(Body::from("{".repeat(300_000))).unwrap()).await
    };
    for token in [None, Some("expired")] {
        let answer = ask(token, "/books").await;
        assert_eq!(answer.outcome(), "401 UNAUTHENTICATED");
        assert_eq!(answer.header("www-authenticate"), "Bearer");
    }
    assert_eq!(ask(Some("ada"), "/books").await.outcome(), "413 BODY_TOO_LARGE");

    let public = |token: &str| {
        let request = Request::builder().method(Method::POST).uri("/shelf/whoami");
        request.header("authorization", format!("Bearer {token}")).body(Body::empty()).unwrap()
    };
    assert_eq!(world.send(public("ada")).await.json()["who"], json!("ada"));
    assert_eq!(world.send(public("expired")).await.json()["who"], Value::Null);
}

#[tokio::test]
async fn what_the_server_refuses_is_refused_in_the_form_of_the_service() {
    let world = World::new().await;
    for path in ["/books", "/nowhere", ""] {
        let problem = Problem::invalid("MALFORMED_REQUEST", "It is not HTTP.");
        let answer = world.send(post(path).extension(problem).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.outcome(), "400 MALFORMED_REQUEST", "{path}");
        assert!(answer.text.contains("It is not HTTP."), "{}", answer.text);
        assert!(!answer.header("x-request-id").is_empty());
    }
}

/// A body that is known to be large, and never comes.
struct Announced;

impl http_body::Body for Announced {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Poll::Pending
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(256 * 1024 + 1)
    }
}

#[tokio::test]
async fn bodies_are_bounded_json_and_what_the_schema_says() {
    let world = World::new().await;
    let send = async |content_type: &str, text: String| {
        let request = post("/books").header("content-type", content_type);
        world.send(request.body(Body::from(text)).unwrap()).await.outcome()
    };
    let json = "application/json";
    assert_eq!(send(json, " ".repeat(256 * 1024 + 1)).await, "413 BODY_TOO_LARGE");
    assert_eq!(send(json, " ".repeat(256 * 1024)).await, "400 MALFORMED_JSON");
    assert_eq!(send("text/plain", "{}".to_owned()).await, "415 UNSUPPORTED_MEDIA_TYPE");
    assert_eq!(send(json, "{\"title\": \"\\ud800\"}".to_owned()).await, "400 MALFORMED_JSON");
    assert_eq!(send(json, "[".repeat(10_000)).await, "400 MALFORMED_JSON");
    let twice = "{\"title\": \"a\", \"title\": \"b\"}".to_owned();
    assert_eq!(send(json, twice).await, "400 MALFORMED_JSON");
    assert_eq!(send(json, String::new()).await, "400 EMPTY_BODY");
    assert_eq!(send(json, "[]".to_owned()).await, "400 VALIDATION");
    assert_eq!(send(json, "{\"ver\": 1}".to_owned()).await, "400 READ_ONLY_FIELD");

    // A length that is announced is refused before it comes.
    let announced = post("/books").body(Body::new(Announced)).unwrap();
    assert_eq!(world.send(announced).await.outcome(), "413 BODY_TOO_LARGE");
    // A route may take less, and a route without a body takes an empty object for nothing.
    let big = world.request(Method::POST, "/failures/gone", json!({ "a": "0123456789" })).await;
    assert_eq!(big.outcome(), "413 BODY_TOO_LARGE");
    let nothing = world.request(Method::POST, "/failures/gone", json!({})).await;
    assert_eq!(nothing.outcome(), "404 GONE");
    let something = world.request(Method::POST, "/failures/gone", json!({ "a": 1 })).await;
    assert_eq!(something.outcome(), "400 UNKNOWN_FIELD");
}

#[tokio::test]
async fn problems_have_the_services_form_with_all_fields() {
    let world = World::new().await;
    check(
        &world,
        Method::POST,
        "/books",
        json!({ "title": "", "pages": 0, "price": 1 }),
        expect![[r#"400 {"code":"UNKNOWN_FIELD","error":"pages: must be from 1 to 5000; price: is unknown; title: must not be empty","fields":[{"field":"pages","message":"must be from 1 to 5000"},{"field":"price","message":"is unknown"},{"field":"title","message":"must not be empty"}]}"#]],
    )
    .await;
    check(
        &world,
        Method::GET,
        "/books?limit=101&limit=1&x=1",
        Value::Null,
        expect![[r#"400 {"code":"UNKNOWN_FIELD","error":"limit: is given more than once; limit: must be from 1 to 100; x: is unknown","fields":[{"field":"limit","message":"is given more than once"},{"field":"limit","message":"must be from 1 to 100"},{"field":"x","message":"is unknown"}]}"#]],
    )
    .await;
    check(
        &world,
        Method::GET,
        "/books?limit=1&isNew=true",
        Value::Null,
        expect![[r#"200 {"books":["a book"],"count":1}"#]],
    )
    .await;
}

#[tokio::test]
async fn there_is_nothing_elsewhere_and_nothing_with_other_methods() {
    let world = World::new().await;
    check(
        &world,
        Method::GET,
        "/magazines",
        Value::Null,
        expect![[r#"404 {"code":"NOT_FOUND","error":"There is nothing at this path."}"#]],
    )
    .await;
    let answer = check(
        &world,
        Method::DELETE,
        "/books",
        Value::Null,
        expect![[r#"405 {"code":"METHOD_NOT_ALLOWED","error":"Method not allowed. Use POST, GET, HEAD."}"#]],
    )
    .await;
    assert_eq!(answer.header("allow"), "POST, GET, HEAD");
    let odd = Method::from_bytes(b"BREW").unwrap();
    assert_eq!(world.request(odd, "/books", Value::Null).await.status, 405);
    assert_eq!(world.request(Method::OPTIONS, "/books", Value::Null).await.status, 405);
    let broken = world.request(Method::GET, "/books/%FF", Value::Null).await;
    assert_eq!(broken.outcome(), "400 VALIDATION");
    let foreign = world.request(Method::GET, "/books/a%23b", Value::Null).await;
    assert_eq!(foreign.outcome(), "400 VALIDATION");
}

#[tokio::test]
async fn a_head_is_a_get_without_its_body() {
    let world = World::new().await;
    let whole = world.request(Method::GET, "/books", Value::Null).await;
    let head = world.request(Method::HEAD, "/books", Value::Null).await;
    assert_eq!((head.status, head.text.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), whole.text.len().to_string());
    assert_eq!(world.request(Method::HEAD, "/whoami", Value::Null).await.status, 405);
}

#[tokio::test]
async fn our_own_faults_say_nothing_of_themselves() {
    let world = World::new().await;
    for sort in ["panic", "internal"] {
        check(
            &world,
            Method::POST,
            &format!("/failures/{sort}"),
            Value::Null,
            expect![[r#"500 {"code":"INTERNAL","error":"Something went wrong on our side."}"#]],
        )
        .await;
    }
    let down = world.request(Method::POST, "/failures/down", Value::Null).await;
    assert_eq!((down.outcome().as_str(), down.header("retry-after")), ("503 UNAVAILABLE", "3"));
    // One request's panic is no other's.
    assert_eq!(world.request(Method::GET, "/books", Value::Null).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn too_many_requests_are_refused_after_the_schema_and_before_the_route() {
    let one = Rate { per_second: 1, burst: 1 };
    let settings = ThrottleSettings { writes_of_one: one, ..ThrottleSettings::default() };
    let world = World::with(|host| host.throttle(Throttle::new(settings))).await;
    let book = json!({ "title": "Emma" });
    assert_eq!(world.request(Method::POST, "/books", book.clone()).await.status, 201);
    let refused = world.request(Method::POST, "/books", book.clone()).await;
    assert_eq!(
        (refused.outcome().as_str(), refused.header("retry-after")),
        ("429 RATE_LIMITED", "1")
    );
    assert_eq!(world.request(Method::POST, "/books", json!({})).await.outcome(), "400 VALIDATION");
    assert_eq!(world.request(Method::GET, "/books", Value::Null).await.status, 200);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(world.request(Method::POST, "/books", book).await.status, 201);
}

#[tokio::test]
async fn a_request_keeps_its_id() {
    let world = World::new().await;
    let ask = async |id: &str| {
        let answer =
            world.ask_with(Method::POST, "/whoami", Value::Null, &[("x-request-id", id)]).await;
        assert_eq!(answer.json()["requestId"], json!(answer.header("x-request-id")));
        answer.header("x-request-id").to_owned()
    };
    assert_eq!(ask("client-1").await, "client-1");
    let (first, second) = (ask("not sane").await, ask("").await);
    assert_eq!(first.len(), 36);
    assert!(first < second, "{first} {second}");
    let problem =
        world.ask_with(Method::GET, "/nowhere", Value::Null, &[("x-request-id", "r1")]).await;
    assert_eq!(problem.json()["requestId"], json!("r1"));
}

#[tokio::test]
async fn the_version_of_the_interface_is_told_to_the_route() {
    let world = World::new().await;
    let ask = async |version: &str| {
        world.ask_with(Method::POST, "/whoami", Value::Null, &[("accept-version", version)]).await
    };
    assert_eq!(ask("1").await.json()["acceptVersion"], json!(1));
    assert_eq!(ask("one").await.outcome(), "400 VALIDATION");
}

#[tokio::test]
async fn events_are_sent_as_they_come() {
    let world = World::new().await;
    let answer = world.request(Method::GET, "/events", Value::Null).await;
    assert_eq!(answer.header("content-type"), "text/event-stream");
    assert_eq!(answer.text, "data: 1\n\ndata: 2\n\n");
    assert_eq!(world.request(Method::HEAD, "/events", Value::Null).await.text, "");
}
