//! Values come back as they were written, preconditions hold for every write, and damaged rows are
//! reported.

use axum::body::Body;
use http::header::AUTHORIZATION;
use http::{Method, Request};
use http_body_util::BodyExt as _;
use monotable::AttributeValue;
use monotable::dynamodb::PutItem;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::world::{Actor, Response, TABLE, World};

const READER: Actor<'_> = Actor::User("kv:read");
const WRITER: Actor<'_> = Actor::User("kv:write");
const THEME: &str = "/kv/settings%23u1/theme";

/// Writes JSON text exactly as it is, and returns the status.
async fn write(world: &World, method: Method, text: &str) -> u16 {
    let request = Request::builder()
        .method(method)
        .uri(THEME)
        .header(AUTHORIZATION, format!("Bearer {}", world.token(WRITER).unwrap()))
        .header("content-type", "application/json")
        .body(Body::from(text.to_owned()))
        .unwrap();
    let response = world.router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    response.into_body().collect().await.unwrap();
    status
}

async fn ask(world: &World, method: Method, body: Value, headers: &[(&str, &str)]) -> Response {
    world.request(WRITER, method, THEME, body, headers).await
}

#[tokio::test]
async fn integers_beyond_64_bits_keep_their_digits() {
    let world = World::new().await;
    for text in [
        r#"{"big":12345678901234567890123,"small":-99999999999999999999,"list":[1.50,18446744073709551616]}"#,
        "12345678901234567890123",
        // More digits than a number of the table has.
        "1234567890123456789012345678901234567890123456789",
    ] {
        assert_eq!(write(&world, Method::PUT, text).await, 200);
        assert_eq!(world.get(READER, THEME).await.text, text);
        let listed = world.get(READER, "/kv/settings%23u1").await.text;
        assert!(listed.contains(&format!("\"value\":{text}")), "{listed}");
    }
    let spaced = "{ \"a\" : 36893488147419103232,\n \"b\": \"x  y\" }";
    assert_eq!(write(&world, Method::PUT, spaced).await, 200);
    assert_eq!(write(&world, Method::PATCH, r#"{"c":73786976294838206464}"#).await, 200);
    let merged = r#"{"a":36893488147419103232,"b":"x  y","c":73786976294838206464}"#;
    assert_eq!(world.get(READER, THEME).await.text, merged);
}

#[tokio::test]
async fn a_patch_needs_objects_on_both_sides() {
    let world = World::new().await;
    ask(&world, Method::PUT, json!({ "x": 1 }), &[]).await;
    for body in [json!([1]), json!(1), json!("text"), json!(true)] {
        let refused = ask(&world, Method::PATCH, body.clone(), &[]).await;
        assert_eq!(refused.outcome(), "400 VALIDATION", "{body}");
    }
    assert_eq!(world.get(READER, THEME).await.json(), json!({ "x": 1 }));
    for value in [json!([1]), json!(1), json!("text"), json!(null)] {
        let put = world.request(WRITER, Method::PUT, THEME, json!({}), &[]).await;
        assert_eq!(put.status, 200);
        assert_eq!(write(&world, Method::PUT, &value.to_string()).await, 200);
        let refused = ask(&world, Method::PATCH, json!({ "a": 1 }), &[]).await;
        assert_eq!(refused.outcome(), "409 CONFLICT", "{value}");
        assert_eq!(world.get(READER, THEME).await.json(), value);
    }
}

#[tokio::test]
async fn a_star_requires_a_row_or_none() {
    let world = World::new().await;
    let (any, none) = ([("if-match", "*")], [("if-none-match", "*")]);
    for method in [Method::PUT, Method::PATCH, Method::DELETE] {
        let body = if method == Method::DELETE { Value::Null } else { json!({ "a": 1 }) };
        let refused = ask(&world, method.clone(), body, &any).await;
        assert_eq!(refused.outcome(), "412 PRECONDITION_FAILED", "{method}");
    }
    assert_eq!(world.get(READER, THEME).await.outcome(), "404 NOT_FOUND");
    assert_eq!(ask(&world, Method::PUT, json!({ "a": 1 }), &none).await.outcome(), "201 -");
    let refused = ask(&world, Method::PUT, json!({ "a": 2 }), &none).await;
    assert_eq!(refused.outcome(), "412 PRECONDITION_FAILED");
    assert_eq!(world.get(READER, THEME).await.json(), json!({ "a": 1 }));
    assert_eq!(ask(&world, Method::PUT, json!({ "a": 3 }), &any).await.outcome(), "200 -");
    assert_eq!(ask(&world, Method::PATCH, json!({ "b": 4 }), &any).await.outcome(), "200 -");
    assert_eq!(world.get(READER, THEME).await.json(), json!({ "a": 3, "b": 4 }));
    assert_eq!(ask(&world, Method::DELETE, Value::Null, &any).await.outcome(), "200 -");
    let tag = [("if-none-match", "\"1\"")];
    assert_eq!(ask(&world, Method::PUT, json!(1), &tag).await.outcome(), "400 VALIDATION");
    let me = json!({ "displayName": "Bob" });
    let profile = world.request(Actor::User("bob"), Method::PUT, "/me", me, &any).await;
    assert_eq!(profile.outcome(), "412 PRECONDITION_FAILED");
}

#[tokio::test]
async fn damaged_rows_are_reported_and_can_be_replaced() {
    let world = World::new().await;
    ask(&world, Method::PUT, json!({ "a": 1 }), &[]).await;
    let broken = AttributeValue::B(vec![0x1f, 0x8b, 1, 2, 3]);
    let meta = AttributeValue::M([("compressed".to_owned(), AttributeValue::Bool(true))].into());
    let row = monotable::item! {
        "pk" => "settings#u1", "sk" => "broken", "v" => broken, "ver" => 7, "meta" => meta,
    };
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    let path = "/kv/settings%23u1/broken";
    let read = world.get(READER, path).await;
    assert_eq!(read.outcome(), "500 VALUE_UNREADABLE", "{}", read.text);
    let list = world.get(READER, "/kv/settings%23u1").await.json();
    assert_eq!(
        (list["items"].as_array().unwrap().len(), &list["unreadable"]),
        (1, &json!(["broken"]))
    );
    let put = world.request(WRITER, Method::PUT, path, json!(1), &[("if-match", "*")]).await;
    assert_eq!((put.status, put.json()["version"].clone()), (200, json!(8)));
    let list = world.get(READER, "/kv/settings%23u1").await.json();
    assert_eq!((list["items"].as_array().unwrap().len(), list.get("unreadable")), (2, None));
}
