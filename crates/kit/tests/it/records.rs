//! Records of requests: whose they are, and where they stand.

use std::collections::BTreeMap;
use std::time::Duration;

use expect_test::expect;
use http::Method;
use monotable::dynamodb::GetItem;
use monotable::item;
use monotable::model::rows::Once;
use monotable_kit::{Principal, Problem, RecordScope, RecordedRequest, Records};
use serde_json::{Value, json};

use crate::board::World;

fn record(
    principal: &str,
    method: &Method,
    path: &[(&str, &str)],
    key: &str,
    body: &Value,
) -> Result<RecordedRequest, Problem> {
    let principal = Principal {
        id: principal.to_owned(),
        email: None,
        email_verified: false,
        roles: Vec::new(),
    };
    let path: BTreeMap<_, _> =
        path.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let route = "/teams/{teamId}/players";
    let scope = RecordScope::new(Some(&principal), method, route, &path, key);
    RecordedRequest::new(scope, body)
}

fn post(principal: &str, team: &str, key: &str, body: &Value) -> RecordedRequest {
    record(principal, &Method::POST, &[("teamId", team)], key, body).unwrap()
}

#[tokio::test]
async fn the_first_answer_stays() {
    let world = World::new().await;
    let records: &dyn Records = &world.db;
    let asked = post("u1", "t1", "key-1", &json!({ "name": "Ann" }));
    assert_eq!(records.answered(&asked).await, Ok(None));
    assert_eq!(records.answer(&asked, 404, "{}".to_owned()).await, Ok(Once::Fresh(())));
    assert_eq!(records.answered(&asked).await, Ok(Some((404, "{}".to_owned()))));
    let replay = Once::Replay { status: 404, body: "{}".to_owned() };
    assert_eq!(records.answer(&asked, 201, "other".to_owned()).await, Ok(replay));

    world.pass(Duration::from_secs(24 * 60 * 60));
    assert_eq!(records.answered(&asked).await, Ok(None));
}

#[tokio::test]
async fn another_request_has_another_record_and_another_body_is_refused() {
    let world = World::new().await;
    let records: &dyn Records = &world.db;
    let body = json!({ "name": "Ann", "number": 7 });
    let asked = post("u1", "t1", "key-1", &body);
    records.answer(&asked, 201, String::new()).await.unwrap();

    let same = post("u1", "t1", " key-1 ", &json!({ "number": 7, "name": "Ann" }));
    assert_eq!(records.answered(&same).await, Ok(Some((201, String::new()))));
    let put = record("u1", &Method::PUT, &[("teamId", "t1")], "key-1", &body).unwrap();
    let two = [("teamId", "t1"), ("x", "1")];
    let more = record("u1", &Method::POST, &two, "key-1", &body).unwrap();
    let joined = post("u1", "t1 x=1", "key-1", &body);
    for other in [
        post("u2", "t1", "key-1", &body),
        post("u1", "t2", "key-1", &body),
        post("u1", "t1", "key-2", &body),
        put,
        more.clone(),
    ] {
        assert_eq!(records.answered(&other).await, Ok(None));
    }
    records.answer(&more, 201, String::new()).await.unwrap();
    assert_eq!(records.answered(&joined).await, Ok(None));

    let reused = records.answered(&post("u1", "t1", "key-1", &json!({}))).await.unwrap_err();
    assert_eq!((reused.status(), reused.code), (409, "IDEMPOTENCY_KEY_REUSED"));
}

#[tokio::test]
async fn a_record_stands_in_the_partition_of_its_principal() {
    let world = World::new().await;
    let asked = post("a#b", "t1", "key-1", &json!({}));
    world.db.answer(&asked, 201, String::new()).await.unwrap();
    let key = item! { "PK" => "IDEMPOTENCY#a%23b", "SK" => "a11362f429741aa9#be2974546978e3739e6d6da85c4be9f3" };
    let row = world.backend.database().get_item(GetItem::new("board", key)).unwrap().item;
    assert!(row.is_some());
}

#[test]
fn a_key_has_its_form() {
    for wrong in ["", "  ", "a b", "ä", "a\nb", &"x".repeat(129)] {
        let problem = record("u1", &Method::POST, &[], wrong, &json!({})).unwrap_err();
        assert_eq!(problem.status(), 400, "{wrong:?}");
    }
    let problem = record("u1", &Method::POST, &[], "", &json!({})).unwrap_err();
    expect!["Idempotency-Key: must be 1 to 128 visible ASCII characters"]
        .assert_eq(&problem.message);
    assert!(record("u1", &Method::POST, &[], &"x".repeat(128), &json!({})).is_ok());
}
