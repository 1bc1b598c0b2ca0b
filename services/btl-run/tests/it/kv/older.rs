//! Rows that older programs wrote: without versions or content types, compressed or not, and those of
//! the key-value service of before.

use std::io::Write;
use std::sync::Arc;

use http::Method;
use monotable::dynamodb::PutItem;
use monotable::model::backend::Embedded;
use monotable::{AttributeValue, Clock, Database, Item, ManualClock, Options, item};
use monotable_btl_run::kv::Key;
use monotable_btl_run::rules::state::Status;
use monotable_btl_run::table::{BtlRun, BtlRunReads as _, MatchId};
use monotable_kit::{Host, JwtSettings, LocalIssuer, NoLog, SystemRandomness};
use serde_json::{Value, json};

use crate::served::{START_MS, Served, TABLE, Who};

const READER: Who<'_> = Who::User("kv:read");
const WRITER: Who<'_> = Who::User("kv:write");

fn write(served: &Served, row: Item) {
    served.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

/// The state of a match in the words of before.
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

/// Every way in which a state was written.
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
        let served = Served::new().await;
        row.extend(item! { "pk" => "match#m1", "sk" => "state", "color" => "red" });
        let had_version = row.contains_key("ver");
        write(&served, row);
        let shown = served.get(Who::Nobody, "/match/m1").await;
        assert_eq!(shown.status, 200, "{name}: {}", shown.text);
        assert_eq!(shown.json()["status"], "ended", "{name}");

        let value = served.get(Who::User("kv:admin"), "/kv/match%23m1/state").await;
        assert_eq!(value.json()["day"], 3, "{name}");
        let tag = value.headers.get("etag").map(|tag| tag.to_str().unwrap());
        // Without a version, nothing but the value can be compared.
        let is_weak = tag.is_some_and(|tag| tag.starts_with("W/"));
        assert_eq!((tag == Some("\"3\""), is_weak), (had_version, !had_version), "{name}");

        let db = &served.app.db;
        let before = db.match_state(&match_id).await.unwrap().unwrap();
        assert_eq!(before.state.status, Status::Ended, "{name}");
        assert_eq!(before.state.roster[0].stats.vitality, 5, "{name}");
        let changed = db.edit(before.clone(), |row| row.state.day = 4).await.unwrap();
        assert_eq!(changed.stamps.version, before.stamps.version + 1, "{name}");
        let late = db.edit(before, |row| row.state.day = 5).await;
        assert!(late.is_err(), "{name}: a version that was not there is one to compare with");
        let row = served.rows().remove(0);
        assert_eq!(row["color"].as_s(), Some("red"), "{name}: what others wrote stays");
    }
}

#[tokio::test]
async fn rows_without_version_are_replaced_under_a_tag_of_zero() {
    let served = Served::new().await;
    let path = "/kv/settings%23u1/theme";
    write(&served, item! { "pk" => "settings#u1", "sk" => "theme", "v" => r#"{"a":1}"# });
    let put = async |tag: &str| {
        served.ask(WRITER, Method::PUT, path, json!({ "a": 2 }), &[("if-match", tag)]).await.told()
    };
    assert_eq!(put("\"1\"").await, "412 PRECONDITION_FAILED");
    assert_eq!(put("\"0\"").await, "200 -");
    assert_eq!(put("\"0\"").await, "412 PRECONDITION_FAILED");
    assert_eq!(served.get(READER, path).await.headers["etag"], "\"1\"");
}

#[tokio::test]
async fn numbers_and_texts_are_values() {
    let served = Served::new().await;
    write(&served, item! { "pk" => "hits", "sk" => "count", "v" => 41 });
    write(
        &served,
        item! { "pk" => "lock#match#m1", "sk" => "v", "v" => "locked", "ttl" => 1_900_000_000 },
    );
    let path = "/kv/hits/count";
    let read = served.get(READER, path).await;
    assert_eq!(read.json(), json!(41));
    assert!(read.headers["etag"].to_str().unwrap().starts_with("W/"));
    // Whoever counts leaves the version as it is, so that it says nothing of the number.
    served.ask(WRITER, Method::PUT, path, json!(42), &[]).await;
    let key = Key::new("hits", "count").unwrap();
    assert_eq!(served.app.kv.add(&key, 1, None, None).await.unwrap(), 43);
    let again = served.ask(READER, Method::GET, path, Value::Null, &[("if-none-match", "\"1\"")]);
    assert_eq!(again.await.json(), json!(43));
    let lock = served.get(Who::User("kv:admin"), "/kv/lock%23match%23m1/v").await;
    assert_eq!(lock.json(), json!("locked"));
}

/// The older service kept values as attributes, under one sort key, in a table of its own name.
#[tokio::test]
async fn the_table_of_the_older_service_is_served_under_its_own_name() {
    let clock = Arc::new(ManualClock::new(START_MS));
    let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
    let database = Database::memory_with(options);
    let settings = BtlRun::settings().table_name("btl-run-kvs-{environment}").environment("prod");
    let db = settings.open(Embedded::new(database.clone())).await.unwrap();
    let value = AttributeValue::M(
        item! { "name" => "John", "score" => 100, "tags" => AttributeValue::L(vec!["a".into()]) },
    );
    let row = item! {
        "pk" => "user:john", "sk" => "v0", "value" => value,
        "updatedAt" => "2026-01-30T12:00:00.000Z",
    };
    database.put_item(PutItem::new("btl-run-kvs-prod", row)).unwrap();
    let text = item! { "pk" => "user:note", "sk" => "v0", "value" => "[1]" };
    database.put_item(PutItem::new("btl-run-kvs-prod", text)).unwrap();

    let app = Arc::new(monotable_btl_run::App::new(db.clone(), Arc::new(SystemRandomness)));
    let settings = JwtSettings::new("https://issuer.example", "btl-run");
    let issuer = LocalIssuer::new(settings, &[7; 32]).unwrap();
    let host = Host::new(Arc::new(issuer.authenticator()), Arc::new(db)).log(NoLog);
    let router = monotable_btl_run::service().router(Arc::clone(&app), host);
    let roles = vec!["kv:read".to_owned(), "kv:write".to_owned()];
    let principal =
        monotable_kit::Principal { id: "p".to_owned(), email: None, email_verified: false, roles };
    let token = issuer.token(&principal, app.db.now());
    let ask = async |method: Method, path: &str, body: Value| -> (u16, String) {
        use http_body_util::BodyExt as _;
        use tower::ServiceExt as _;
        let request = http::Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {token}"))
            .header("content-type", "application/json")
            .body(match body {
                Value::Null => axum::body::Body::empty(),
                body => axum::body::Body::from(body.to_string()),
            })
            .unwrap();
        let (head, body) = router.clone().oneshot(request).await.unwrap().into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        (head.status.as_u16(), String::from_utf8(bytes.to_vec()).unwrap())
    };
    let john = json!({ "name": "John", "score": 100, "tags": ["a"] });
    let (status, text) = ask(Method::GET, "/kv1/user:john", Value::Null).await;
    assert_eq!((status, serde_json::from_str::<Value>(&text).unwrap()), (200, john));
    assert_eq!(ask(Method::GET, "/kv1/user:note", Value::Null).await, (200, "\"[1]\"".to_owned()));
    assert_eq!(ask(Method::POST, "/kv1/user:john", json!(1)).await.0, 409);
    assert_eq!(ask(Method::PATCH, "/kv1/user:john", json!({ "score": 150 })).await.0, 200);
    let (_, text) = ask(Method::GET, "/kv1/user:john", Value::Null).await;
    let merged = json!({ "name": "John", "score": 150, "tags": ["a"] });
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), merged);
    let key = item! { "pk" => "user:john", "sk" => "v0" };
    let row =
        database.get_item(monotable::dynamodb::GetItem::new("btl-run-kvs-prod", key)).unwrap();
    let row = row.item.unwrap().to_item();
    assert_eq!((row["ver"].as_n().and_then(|ver| ver.to_u64()), row.get("value")), (Some(1), None));
}
