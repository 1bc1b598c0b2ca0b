//! Routes for programs: with a key that must be there, records where the service wants them, and secrets
//! that are told once.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use http::{HeaderMap, Method, Request};
use monotable::model::Receipt;
use monotable::model::key::encode_free_text;
use monotable::model::time::Timestamp;
use monotable::{GetItem, item};
use monotable_kit::{Call, Cors, Problem, RecordPlace, RecordScope, Reply, Route};
use serde_json::{Value, json};

use crate::shelf::{App, Book, BookId, Service};
use crate::world::{Answer, World};

const PAGE: &str = "https://app.example.org";

fn service() -> Service {
    let form = |problem: &Problem, request_id: &str| {
        let mut form = json!({
            "error": problem.message, "code": problem.code, "requestId": request_id,
        });
        let details = problem.details_list();
        if !details.is_empty() {
            form["details"] = details.into();
        }
        form
    };
    Service::new("shelf", "Programs", "What programs ask.", form)
        .record_key(|scope: &RecordScope<'_>| {
            let whose = match (scope.path.get("bookId"), scope.principal) {
                (Some(book), _) => encode_free_text(book),
                (None, Some(principal)) => format!("user:{}", encode_free_text(&principal.id)),
                (None, None) => "nobody".to_owned(),
            };
            let (partition, sort) = (format!("idem#{whose}"), encode_free_text(scope.key));
            RecordPlace::Shared { partition, sort }
        })
        .routes([
            Route::new(Method::POST, "/loans/{bookId}", "lend", lend)
                .about("Loans", "Lends a book")
                .answers(201, "The book and the secret", None)
                .once_required(),
            Route::new(Method::POST, "/inner", "inner", seen)
                .about("Inner", "Tells where it was asked from")
                .answers(200, "The address", None)
                .not_from_browsers(),
            Route::new(Method::GET, "/inner", "outer", seen)
                .about("Inner", "Tells everybody where they asked from")
                .answers(200, "The address", None)
                .public(),
            Route::new(Method::PUT, "/locked", "locked", seen)
                .about("Inner", "Tells where it was asked from")
                .answers(200, "The address", None)
                .not_from_browsers(),
        ])
}

async fn lend(app: Arc<App>, call: Call) -> Result<Reply, Problem> {
    let book_id: BookId = call.id("bookId")?;
    let book = Book { book_id, title: "Emma".to_owned(), pages: 474, ver: 0 };
    let made = app.db.transact().create(&book);
    let reply = |receipt: &Receipt| {
        let book: Option<&Book> = receipt.get(0);
        let title = book.map(|book| book.title.clone());
        Reply::created(&json!({ "title": title })).told_once("secret", "s3cret")
    };
    call.commit(&app.db, made, reply, |_, _| None).await
}

async fn seen(_app: Arc<App>, call: Call) -> Result<Reply, Problem> {
    Ok(Reply::ok(&json!({ "peer": call.peer })))
}

async fn world() -> World {
    World::of(service(), |host| host.cors(Cors::origins([PAGE]))).await
}

async fn lent(world: &World, book: &str, headers: &[(&str, &str)]) -> Answer {
    world.ask_with(Method::POST, &format!("/loans/{book}"), Value::Null, headers).await
}

#[tokio::test]
async fn without_a_key_that_is_needed_nothing_happens() {
    let world = world().await;
    assert_eq!(lent(&world, "b1", &[]).await.told(), "400 IDEMPOTENCY_KEY_REQUIRED");
    let wrong = lent(&world, "b1", &[("idempotency-key", " ")]).await;
    assert_eq!(wrong.told(), "400 VALIDATION");
    assert_eq!(wrong.json()["details"][0]["field"], "Idempotency-Key");
    assert_eq!(lent(&world, "b1", &[("idempotency-key", "k1")]).await.status, 201);
}

#[tokio::test]
async fn a_secret_is_told_to_whoever_asked_first() {
    let world = world().await;
    let first = lent(&world, "b1", &[("idempotency-key", "k1")]).await;
    let again = lent(&world, "b1", &[("idempotency-key", "k1")]).await;
    assert_eq!(first.json(), json!({ "title": "Emma", "secret": "s3cret" }));
    assert_eq!((again.status, again.json()), (201, json!({ "title": "Emma" })));
    assert_eq!(again.header("idempotent-replay"), "true");
}

#[tokio::test]
async fn a_record_stands_where_the_service_wants_it() {
    let world = world().await;
    lent(&world, "b1", &[("idempotency-key", " a#b ")]).await;
    let key = item! { "PK" => "idem#b1", "SK" => "a%23b" };
    let row = world.database.get_item(GetItem::new("shelf", key)).unwrap().item.unwrap();
    let stored = format!("{row:?}");
    assert!(stored.contains("ada POST /loans/{bookId} bookId=b1"), "{stored}");
    assert!(!stored.contains("s3cret"), "{stored}");
    // The row is everybody's, and the answer in it is not: others have theirs beside it.
    let other = [("idempotency-key", "a#b"), ("authorization", "Bearer bob")];
    let request = Request::builder().method(Method::POST).uri("/shelf/loans/b1");
    let request =
        other.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let answer = world.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.told(), "409 ALREADY_EXISTS");
}

#[tokio::test]
async fn browsers_are_refused_before_anybody_is_asked_who_they_are() {
    let world = world().await;
    assert_eq!(world.ask(Method::POST, "/inner", Value::Null).await.status, 200);
    for header in [("origin", PAGE), ("origin", "null"), ("sec-fetch-site", "none")] {
        for path in ["/inner", "/locked"] {
            let method = if path == "/inner" { Method::POST } else { Method::PUT };
            let request = Request::builder().method(method).uri(format!("/shelf{path}"));
            let request = request.header("authorization", "Bearer expired");
            let request = request.header(header.0, header.1).body(Body::empty()).unwrap();
            let refused = world.send(request).await;
            assert_eq!(refused.told(), "403 NOT_FROM_BROWSERS", "{header:?}");
            assert_eq!(refused.header("access-control-allow-origin"), "");
        }
    }
    let other = world.ask_with(Method::GET, "/inner", Value::Null, &[("origin", PAGE)]).await;
    assert_eq!((other.status, other.header("access-control-allow-origin")), (200, PAGE));
    let wrong = world.ask_with(Method::PATCH, "/locked", Value::Null, &[("origin", PAGE)]).await;
    assert_eq!(wrong.told(), "403 NOT_FROM_BROWSERS");
}

#[tokio::test]
async fn a_browsers_question_is_answered_for_what_it_may_use() {
    let world = world().await;
    let ask = async |path: &str, method: &str| {
        let asked = [("origin", PAGE), ("access-control-request-method", method)];
        world.ask_with(Method::OPTIONS, path, Value::Null, &asked).await
    };
    for (path, method) in [("/inner", "POST"), ("/locked", "PUT"), ("/locked", "DELETE")] {
        let refused = ask(path, method).await;
        assert_eq!(refused.told(), "403 NOT_FROM_BROWSERS", "{method} {path}");
        assert_eq!(refused.header("access-control-allow-origin"), "");
    }
    let allowed = ask("/inner", "GET").await;
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.header("access-control-allow-methods"), "GET, HEAD");
}

#[tokio::test]
async fn a_request_tells_the_address_that_it_came_from() {
    let world = world().await;
    let seen = async |peer: Option<&str>| {
        let mut request = Request::builder().uri("/shelf/inner");
        if let Some(peer) = peer {
            request = request.extension(peer.parse::<SocketAddr>().unwrap());
        }
        world.send(request.body(Body::empty()).unwrap()).await.json()["peer"].clone()
    };
    assert_eq!(seen(Some("192.0.2.7:4711")).await, "192.0.2.7");
    assert_eq!(seen(Some("[::ffff:192.0.2.7]:4711")).await, "192.0.2.7");
    assert_eq!(seen(Some("[2001:db8::1]:80")).await, "2001:db8::1");
    assert_eq!(seen(None).await, Value::Null);
}

#[test]
fn the_document_says_what_routes_need() {
    let document = service().openapi();
    let lend = &document["paths"]["/loans/{bookId}"]["post"];
    let key = lend["parameters"].as_array().unwrap().iter();
    let key = key.clone().find(|parameter| parameter["name"] == "Idempotency-Key").unwrap();
    assert_eq!(key["required"], true);
    let told = |operation: &Value, status: &str| {
        operation["responses"][status]["description"].as_str().unwrap_or_default().to_owned()
    };
    assert!(told(lend, "400").contains("IDEMPOTENCY_KEY_REQUIRED"));
    assert!(told(&document["paths"]["/inner"]["post"], "403").contains("NOT_FROM_BROWSERS"));
    assert_eq!(told(&document["paths"]["/inner"]["get"], "403"), "");
}

#[test]
fn a_service_without_a_router_refuses_in_its_own_form() {
    let problem = Problem::unavailable("It can't be opened.");
    let mut headers = HeaderMap::new();
    let now = Timestamp::from_ms(1_800_000_000_000).unwrap();
    let made = service().refuse(&headers, &problem, now);
    assert_eq!(made.status().as_u16(), 503);
    assert_eq!(made.headers()["retry-after"], "1");
    assert_eq!(made.headers()["x-request-id"].len(), 36);
    headers.insert("x-request-id", "r-1".parse().unwrap());
    let told = service().refuse(&headers, &problem, now);
    assert_eq!(told.headers()["x-request-id"], "r-1");
    assert_eq!(told.headers()["content-type"], "application/json");
}

#[test]
fn details_can_be_a_list() {
    let problem = Problem::field("name", "is too long").with("gameId", "g1").with("to", json!([1]));
    let expected = json!([
        { "field": "name", "message": "is too long" }, { "gameId": "g1" }, { "to": [1] },
    ]);
    assert_eq!(Value::from(problem.details_list()), expected);
    assert!(Problem::internal("").details_list().is_empty());
}
