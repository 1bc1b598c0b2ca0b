//! Rows that older programs wrote: without versions or content types, compressed or not, and those of
//! the key-value service of before.

use std::io::Write;

use http::Method;
use monotable::dynamodb::PutItem;
use monotable::{AttributeValue, Item, item};
use monotable_btl_run::kv::Key;
use monotable_btl_run::rules::state::Status;
use monotable_btl_run::table::{BtlRunReads as _, MatchId};
use monotable_kit::Principal;
use monotable_testkit::service::{Setting, Subject as _};
use serde_json::{Value, json};

use crate::world::{Actor, Arena, EachProcess, TABLE, World, narrating_later};

const READER: Actor<'_> = Actor::User("kv:read");
const WRITER: Actor<'_> = Actor::User("kv:write");

fn write(world: &World, row: Item) {
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

/// Returns the state of a match in the words of before.
fn state() -> Value {
    json!({
        "matchId": "m1", "createdAt": 1_769_731_200_000_i64, "mode": "standard",
        "status": "completed", "day": 3, "turn": 1, "maxDays": 10,
        "roster": [{
            "id": "t1", "type": "human", "name": "Ann", "hp": 4, "maxHp": 15, "alive": true,
            "stats": { "vit": 5, "wits": 4, "combat": 6, "stealth": 5, "charm": 5 },
        }],
        "logSeq": 0, "version": 3, "memoryBlob": "x".repeat(12_000),
    })
}

fn gzip(text: &str) -> AttributeValue {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    AttributeValue::B(encoder.finish().unwrap())
}

/// Returns every way in which a state was written.
fn rows() -> Vec<(&'static str, Item)> {
    let text = state().to_string();
    let compressed = AttributeValue::M(item! { "compressed" => true });
    vec![
        (
            "as the document writes it",
            item! { "v" => text.as_str(), "ct" => "application/json", "ver" => 3 },
        ),
        ("without a version", item! { "v" => text.as_str(), "ct" => "application/json" }),
        ("without a content type", item! { "v" => text.as_str(), "ver" => 3 }),
        (
            "compressed",
            item! { "v" => gzip(&text), "meta" => compressed, "ct" => "application/json" },
        ),
        ("compressed without a word", item! { "v" => gzip(&text) }),
        ("as bytes", item! { "v" => AttributeValue::B(text.into_bytes()), "ver" => 3 }),
    ]
}

#[tokio::test]
async fn states_are_read_and_changed_however_they_were_written() {
    let match_id = MatchId::new("m1").unwrap();
    for (name, mut row) in rows() {
        let world = World::new().await;
        row.extend(item! { "pk" => "match#m1", "sk" => "state", "color" => "red" });
        let had_version = row.contains_key("ver");
        write(&world, row);
        let shown = world.get(Actor::Nobody, "/match/m1").await;
        assert_eq!(shown.status, 200, "{name}: {}", shown.text);
        assert_eq!(shown.json()["status"], "ended", "{name}");

        let value = world.get(Actor::User("kv:admin"), "/kv/match%23m1/state").await;
        assert_eq!(value.json()["day"], 3, "{name}");
        let tag = value.headers.get("etag").map(|tag| tag.to_str().unwrap());
        // Without a version, nothing but the value can be compared.
        let is_weak = tag.is_some_and(|tag| tag.starts_with("W/"));
        assert_eq!((tag == Some("\"3\""), is_weak), (had_version, !had_version), "{name}");

        let db = &world.app.db;
        let before = db.match_state(&match_id).await.unwrap().unwrap();
        assert_eq!(before.state.status, Status::Ended, "{name}");
        assert_eq!(before.state.roster[0].stats.vitality, 5, "{name}");
        let changed = db.edit(before.clone(), |row| row.state.day = 4).await.unwrap();
        assert_eq!(changed.stamps.version, before.stamps.version + 1, "{name}");
        let late = db.edit(before, |row| row.state.day = 5).await;
        assert!(late.is_err(), "{name}: a version that was not there is one to compare with");
        let row = world.rows().remove(0);
        assert_eq!(row["color"].as_s(), Some("red"), "{name}: what others wrote stays");
    }
}

#[tokio::test]
async fn rows_without_version_are_replaced_under_a_tag_of_zero() {
    let world = World::new().await;
    let path = "/kv/settings%23u1/theme";
    write(&world, item! { "pk" => "settings#u1", "sk" => "theme", "v" => r#"{"a":1}"# });
    let put = async |tag: &str| {
        world
            .request(WRITER, Method::PUT, path, json!({ "a": 2 }), &[("if-match", tag)])
            .await
            .outcome()
    };
    assert_eq!(put("\"1\"").await, "412 PRECONDITION_FAILED");
    assert_eq!(put("\"0\"").await, "200 -");
    assert_eq!(put("\"0\"").await, "412 PRECONDITION_FAILED");
    assert_eq!(world.get(READER, path).await.headers["etag"], "\"1\"");
}

#[tokio::test]
async fn numbers_and_texts_are_values() {
    let world = World::new().await;
    write(&world, item! { "pk" => "hits", "sk" => "count", "v" => 41 });
    write(
        &world,
        item! { "pk" => "lock#match#m1", "sk" => "v", "v" => "locked", "ttl" => 1_900_000_000 },
    );
    let path = "/kv/hits/count";
    let read = world.get(READER, path).await;
    assert_eq!(read.json(), json!(41));
    assert!(read.headers["etag"].to_str().unwrap().starts_with("W/"));
    // Whoever counts leaves the version as it is, so that it says nothing of the number.
    world.request(WRITER, Method::PUT, path, json!(42), &[]).await;
    let key = Key::new("hits", "count").unwrap();
    assert_eq!(world.app.kv.add(&key, 1, None, None).await.unwrap(), 43);
    let again =
        world.request(READER, Method::GET, path, Value::Null, &[("if-none-match", "\"1\"")]);
    assert_eq!(again.await.json(), json!(43));
    let lock = world.get(Actor::User("kv:admin"), "/kv/lock%23match%23m1/v").await;
    assert_eq!(lock.json(), json!("locked"));
}

/// The older service kept values as attributes, under one sort key, in a table of its own name.
#[tokio::test]
async fn the_table_of_the_older_service_is_served_under_its_own_name() {
    let table_name = "btl-run-kvs-{environment}";
    let world =
        World::set(Setting::new(EachProcess { table_name, service: narrating_later })).await;
    let value = AttributeValue::M(
        item! { "name" => "John", "score" => 100, "tags" => AttributeValue::L(vec!["a".into()]) },
    );
    let row = item! {
        "pk" => "user:john", "sk" => "v0", "value" => value,
        "updatedAt" => "2026-01-30T12:00:00.000Z",
    };
    let text = item! { "pk" => "user:note", "sk" => "v0", "value" => "[1]" };
    world.put_rows([row, text]);
    assert_eq!(world.table, "btl-run-kvs-dev");

    let roles = vec!["kv:read".to_owned(), "kv:write".to_owned()];
    let program = Principal { roles, ..Arena::principal("p") };
    let ask = async |method: Method, path: &str, body: Value| {
        world.request_as(Some(&program), method, path, body, &[]).await
    };
    let john = json!({ "name": "John", "score": 100, "tags": ["a"] });
    let read = ask(Method::GET, "/kv1/user:john", Value::Null).await;
    assert_eq!((read.status, read.json()), (200, john));
    let note = ask(Method::GET, "/kv1/user:note", Value::Null).await;
    assert_eq!((note.status, note.text.as_str()), (200, "\"[1]\""));
    assert_eq!(ask(Method::POST, "/kv1/user:john", json!(1)).await.status, 409);
    assert_eq!(ask(Method::PATCH, "/kv1/user:john", json!({ "score": 150 })).await.status, 200);
    let merged = ask(Method::GET, "/kv1/user:john", Value::Null).await;
    assert_eq!(merged.json(), json!({ "name": "John", "score": 150, "tags": ["a"] }));
    let rows = world.rows();
    let row = rows.iter().find(|row| row["pk"].as_s() == Some("user:john")).unwrap();
    assert_eq!((row["ver"].as_n().and_then(|ver| ver.to_u64()), row.get("value")), (Some(1), None));
}
