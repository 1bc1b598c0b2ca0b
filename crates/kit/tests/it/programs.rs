//! Routes for programs: with a key that must be there, records where the service wants them, and secrets
//! that repeats get again.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use http::Method;
use monotable::dynamodb::GetItem;
use monotable::item;
use monotable::model::create;
use monotable_kit::{Cors, Field, Host, Problem, Reply, Request, Route, Schema, State as _};
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
    Service::new("shelf", "Programs", "What programs ask.", form).routes([
        Route::new(Method::POST, "/loans/{bookId}", "lend", lend)
            .about("Loans", "Lends a book")
            .answers(201, "The book and the secret", None)
            .once_required(),
        Route::new(Method::POST, "/guests", "register", register)
            .about("Loans", "Registers a guest")
            .body(Schema::object("Guest", [Field::text("name", 1..=20).required()]))
            .answers(201, "The guest and the secret", None)
            .public()
            .once_required(),
        Route::new(Method::POST, "/searches", "search", seen)
            .about("Loans", "Changes nothing")
            .answers(200, "Nothing", None)
            .changes_nothing(),
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

async fn lend(app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    let book_id: BookId = call.id("bookId")?;
    let book = Book { book_id, title: "Emma".to_owned(), pages: 474, ver: 0 };
    let mut tx = app.db.transact();
    let book = tx.add(create(book));
    call.commit(tx)
        .reply(move |done| {
            Reply::created(&json!({ "title": done[book].title })).secret("secret", "s3cret")
        })
        .await
}

async fn register(app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    let id = app.ids.next(app.now());
    let title = call.body["name"].as_str().unwrap_or_default().to_owned();
    let book_id = id.parse().map_err(|_| Problem::internal("id"))?;
    let tx = app.db.transact().with(create(Book { book_id, title, pages: 1, ver: 0 }));
    call.commit(tx)
        .reply(move |_| {
            Reply::created(&json!({ "guestId": id })).secret("token", format!("{id}.s3cret"))
        })
        .await
}

async fn seen(_app: Arc<App>, call: Request) -> Result<Reply, Problem> {
    Ok(Reply::ok(&json!({ "client": call.client })))
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
    assert_eq!(lent(&world, "b1", &[]).await.outcome(), "400 IDEMPOTENCY_KEY_REQUIRED");
    let wrong = lent(&world, "b1", &[("idempotency-key", " ")]).await;
    assert_eq!(wrong.outcome(), "400 VALIDATION");
    assert_eq!(wrong.json()["details"][0]["field"], "Idempotency-Key");
    assert_eq!(lent(&world, "b1", &[("idempotency-key", "k1")]).await.status, 201);
}

#[tokio::test]
async fn a_repeat_gets_the_same_secret_as_long_as_the_server_has_its_key() {
    let key = |host: Host| host.secrets_key([1; 32]);
    let world = World::of(service(), key).await;
    let lent = async |world: &World| lent(world, "b1", &[("idempotency-key", "k1")]).await;
    let first = lent(&world).await;
    assert_eq!(first.json(), json!({ "title": "Emma", "secret": "s3cret" }));
    for world in [&world, &world.restarted(service(), key).await] {
        let again = lent(world).await;
        assert_eq!((again.status, &again.text), (201, &first.text));
        assert_eq!(again.header("idempotent-replay"), "true");
    }
    let rotated = world.restarted(service(), |host| host.secrets_key([2; 32])).await;
    let again = lent(&rotated).await;
    assert_eq!((again.status, again.json()), (201, json!({ "title": "Emma" })));
}

#[tokio::test]
async fn anonymous_callers_share_a_key_without_meeting() {
    let world = world().await;
    let register = async |name: &str, key: &str| {
        let request = http::Request::builder().method(Method::POST).uri("/shelf/guests");
        let request =
            request.header("content-type", "application/json").header("idempotency-key", key);
        let body = json!({ "name": name }).to_string();
        world.send(request.body(Body::from(body)).unwrap()).await
    };
    let (ann, bob) = (register("Ann", "k1").await, register("Bob", "k1").await);
    assert_eq!((ann.status, bob.status), (201, 201), "{}", bob.text);
    assert_ne!(ann.json()["token"], bob.json()["token"]);
    for (name, first) in [("Bob", &bob), ("Ann", &ann)] {
        let again = register(name, "k1").await;
        assert_eq!((again.header("idempotent-replay"), &again.text), ("true", &first.text));
    }
    let other = register("Ann", "k2").await;
    assert_ne!(other.json()["guestId"], ann.json()["guestId"]);
}

#[tokio::test]
async fn a_post_that_changes_nothing_accepts_a_key() {
    let world = world().await;
    for _ in 0..2 {
        let key = [("idempotency-key", "k1")];
        let answer = world.ask_with(Method::POST, "/searches", Value::Null, &key).await;
        assert_eq!((answer.status, answer.header("idempotent-replay")), (200, ""));
    }
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
    let request = http::Request::builder().method(Method::POST).uri("/shelf/loans/b1");
    let request =
        other.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let answer = world.send(request.body(Body::empty()).unwrap()).await;
    assert_eq!(answer.outcome(), "409 ALREADY_EXISTS");
}

#[tokio::test]
async fn browsers_are_refused_before_anybody_is_asked_who_they_are() {
    let world = world().await;
    assert_eq!(world.request(Method::POST, "/inner", Value::Null).await.status, 200);
    for header in [("origin", PAGE), ("origin", "null"), ("sec-fetch-site", "none")] {
        for path in ["/inner", "/locked"] {
            let method = if path == "/inner" { Method::POST } else { Method::PUT };
            let request = http::Request::builder().method(method).uri(format!("/shelf{path}"));
            let request = request.header("authorization", "Bearer expired");
            let request = request.header(header.0, header.1).body(Body::empty()).unwrap();
            let refused = world.send(request).await;
            assert_eq!(refused.outcome(), "403 NOT_FROM_BROWSERS", "{header:?}");
            assert_eq!(refused.header("access-control-allow-origin"), "");
        }
    }
    let other = world.ask_with(Method::GET, "/inner", Value::Null, &[("origin", PAGE)]).await;
    assert_eq!((other.status, other.header("access-control-allow-origin")), (200, PAGE));
    let wrong = world.ask_with(Method::PATCH, "/locked", Value::Null, &[("origin", PAGE)]).await;
    assert_eq!(wrong.outcome(), "403 NOT_FROM_BROWSERS");
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
        assert_eq!(refused.outcome(), "403 NOT_FROM_BROWSERS", "{method} {path}");
        assert_eq!(refused.header("access-control-allow-origin"), "");
    }
    let allowed = ask("/inner", "GET").await;
    assert_eq!(allowed.status, 204);
    assert_eq!(allowed.header("access-control-allow-methods"), "GET, HEAD");
}

#[tokio::test]
async fn a_call_has_the_address_of_its_client() {
    let world = world().await;
    let seen = async |peer: Option<&str>| {
        let mut request = http::Request::builder().uri("/shelf/inner");
        if let Some(peer) = peer {
            request = request.extension(peer.parse::<SocketAddr>().unwrap());
        }
        world.send(request.body(Body::empty()).unwrap()).await.json()["client"].clone()
    };
    assert_eq!(seen(Some("192.0.2.7:4711")).await, "192.0.2.7");
    assert_eq!(seen(Some("[::ffff:192.0.2.7]:4711")).await, "192.0.2.7");
    assert_eq!(seen(Some("[2001:db8::1]:80")).await, "2001:db8::");
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
fn details_can_be_a_list() {
    let problem = Problem::field("name", "is too long").with("gameId", "g1").with("to", json!([1]));
    let expected = json!([
        { "field": "name", "message": "is too long" }, { "gameId": "g1" }, { "to": [1] },
    ]);
    assert_eq!(Value::from(problem.details_list()), expected);
    assert!(Problem::internal("").details_list().is_empty());
}
