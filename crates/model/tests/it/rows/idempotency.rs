//! Idempotency records: one effect, one response.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use monotable_model::rows::{Counter, IdempotencyKey as _, IdempotencyRecord, Once, request_hash};
use monotable_model::{Error, Outcome, Store};
use monotable_testkit::failing::{Failing, MOMENTS};
use monotable_types::item;
use serde_json::json;

use super::keys::{FlatRequest, JoinRequest, Name, RuleTable, Tokens, slot, tokens};
use super::tables::{Club, Flat, KeyValue};
use super::world::{START_SECONDS, World, on_every_table};

on_every_table!(
    a_repeated_request_gets_the_first_response,
    another_request_may_not_use_the_key,
    a_response_is_forgotten_after_its_time,
    failures_are_not_recorded,
    a_refusal_is_recorded_alone,
    the_record_of_a_transaction_reports_its_conflict,
    scopes_that_share_a_key_do_not_meet,
);

fn key(key: &str) -> JoinRequest {
    JoinRequest { match_id: "m1".to_owned(), key: key.to_owned() }
}

fn record(name: &str) -> IdempotencyRecord<JoinRequest> {
    let scope = "u1 POST /matches/m1/join";
    let hash = request_hash(scope, &json!({ "name": name })).unwrap();
    key("key-1").idempotency(" key-1 ", scope, hash).unwrap()
}

fn joined() -> Counter<Tokens> {
    tokens("m1")
}

fn replay(result: Once<impl Sized>) -> Option<(u16, String)> {
    match result {
        Once::Fresh(_) => None,
        Once::Replay { status, body } => Some((status, body)),
    }
}

async fn join<T: RuleTable>(
    db: &Store<T>,
    name: &str,
    body: &str,
) -> Result<Option<(u16, String)>, Error> {
    let (effect, body) = (db.transact().with(joined().add(1)), body.to_owned());
    let result = db.once(&record(name), effect, move |_| (201, body.clone())).await;
    result.map(replay)
}

async fn a_repeated_request_gets_the_first_response<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    assert_eq!(db.run(record("Ada").response()).await.unwrap(), None);
    assert_eq!(join(db, "Ada", "{\"a\":1}").await.unwrap(), None);
    let first = Some((201, "{\"a\":1}".to_owned()));
    assert_eq!(join(db, "Ada", "{\"a\":2}").await.unwrap(), first);
    assert_eq!(db.run(record("Ada").response()).await.unwrap(), first);
    assert_eq!(db.run(joined().value()).await.unwrap(), 1);
}

async fn another_request_may_not_use_the_key<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    join(db, "Ada", "1").await.unwrap();
    let reused = join(db, "Bob", "2").await;
    assert!(matches!(reused, Err(Error::IdempotencyReused)));
    assert_eq!(db.run(joined().value()).await.unwrap(), 1);
}

async fn a_response_is_forgotten_after_its_time<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    join(db, "Ada", "1").await.unwrap();
    world.pass(24 * 60 * 60 - 1);
    assert!(join(db, "Ada", "2").await.unwrap().is_some());
    world.pass(1);
    assert_eq!(join(db, "Bob", "3").await.unwrap(), None);
    assert_eq!(join(db, "Bob", "4").await.unwrap(), Some((201, "3".to_owned())));
    assert_eq!(db.run(joined().value()).await.unwrap(), 2);
}

async fn failures_are_not_recorded<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let full = db.transact().with(joined().add(1).at_most(0));
    let refused = db.once(&record("Ada"), full, |_| (201, "1".to_owned())).await;
    assert!(matches!(refused, Err(Error::Transaction { .. })));
    assert!(world.rows().await.is_empty());
    assert_eq!(join(db, "Ada", "2").await.unwrap(), None);
}

async fn a_refusal_is_recorded_alone<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let refusal = || record("Ada").respond(409, "LOBBY_FULL");
    assert_eq!(db.run(refusal()).await.unwrap(), Once::Fresh(()));
    let expected = Once::Replay { status: 409, body: "LOBBY_FULL".to_owned() };
    assert_eq!(db.run(refusal()).await.unwrap(), expected);
    assert_eq!(join(db, "Ada", "1").await.unwrap(), Some((409, "LOBBY_FULL".to_owned())));
    let reused = db.run(record("Bob").respond(200, "")).await;
    assert!(matches!(reused, Err(Error::IdempotencyReused)));
}

async fn the_record_of_a_transaction_reports_its_conflict<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let with =
        |name: &str| db.transact().with(joined().add(1)).with(record(name).respond(201, "x"));
    with("Ada").await.unwrap();
    let Err(Error::Transaction { failures }) = with("Ada").await else { panic!("a replay") };
    assert_eq!(failures[0].label.to_string(), "record the response of idempotency");
    assert_eq!(failures[0].key, "idem#m1 / key-1");
    assert!(matches!(&failures[0].error, Error::Replay { status: 201, body } if body == "x"));
    let Err(Error::Transaction { failures }) = with("Bob").await else { panic!("a reuse") };
    assert!(matches!(failures[0].error, Error::IdempotencyReused));
    assert_eq!(db.run(joined().value()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_record_is_a_value_in_a_row() {
    let hash = request_hash("u1 POST /matches/m1/join", &json!({ "name": "Ada" })).unwrap();
    let world = World::<KeyValue>::new().await;
    world.db.run(record("Ada").respond(201, "{}")).await.unwrap();
    let row = world.row("idem#m1", "key-1").await.unwrap();
    assert_eq!(row["ttl"], (START_SECONDS + 86_400).into());
    assert_eq!(row["ct"], "application/json".into());
    let value: serde_json::Value = serde_json::from_str(row["v"].as_s().unwrap()).unwrap();
    assert_eq!(
        value,
        json!({
            "hash": hash, "status": 201, "body": "{}", "scope": "u1 POST /matches/m1/join",
            "key": "key-1", "createdAt": "2026-01-01T00:00:00.000Z",
        })
    );

    let world = World::<Flat>::new().await;
    let name = |text: &str| Name::new(text).unwrap();
    let flat = FlatRequest { match_id: name("m1"), key: name("key-1") };
    let record = flat.idempotency("key-1", "scope", "hash").unwrap();
    world.db.run(record.respond(201, "{}")).await.unwrap();
    let row = world.row("idem#m1#key-1", "").await.unwrap();
    assert_eq!(row["record"].as_m().unwrap()["status"], 201.into());
}

#[tokio::test]
async fn a_row_of_the_seed_is_understood() {
    let world = World::<KeyValue>::new().await;
    let hash = request_hash("u1 POST /matches/m1/join", &json!({ "name": "Ada" })).unwrap();
    let value = json!({ "hash": hash, "status": 200, "body": "old" }).to_string();
    world
        .write_raw(item! {
            "pk" => "idem#m1", "sk" => "key-1", "v" => value, "ttl" => START_SECONDS + 5,
        })
        .await;
    let answered = world.db.run(record("Ada").response()).await.unwrap();
    assert_eq!(answered, Some((200, "old".to_owned())));
}

#[test]
fn keys_are_visible_characters() {
    let new = |text: &str| key("key-1").idempotency(text, "scope", "hash");
    for key in ["", "   ", "a b", "ä", "a\u{7f}", &"x".repeat(129)] {
        assert!(matches!(new(key), Err(Error::Key { entity: "idempotency", .. })), "{key:?}");
    }
    assert!(new(&format!("  {}  ", "~".repeat(128))).is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_the_same_request_many_times_at_once_one_has_the_effect() {
    let world = World::<Club>::new().await;
    let fresh = Arc::new(AtomicUsize::new(0));
    let tasks: Vec<_> = (0..50)
        .map(|number| {
            let (db, fresh) = (world.db.clone(), Arc::clone(&fresh));
            tokio::spawn(async move {
                // The effect itself can happen only once too: the second request fails on the
                // guard.
                let effect = db.transact().with(joined().add(1)).with(slot("ada").hold("u1"));
                let answer = move |_: &Outcome| (201, number.to_string());
                match db.once(&record("Ada"), effect, answer).await.unwrap() {
                    Once::Fresh(_) => {
                        fresh.fetch_add(1, Ordering::Relaxed);
                        number.to_string()
                    }
                    Once::Replay { status, body } => {
                        assert_eq!(status, 201);
                        body
                    }
                }
            })
        })
        .collect();
    let mut bodies = Vec::new();
    for task in tasks {
        bodies.push(task.await.unwrap());
    }
    assert_eq!(fresh.load(Ordering::Relaxed), 1);
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    assert_eq!(world.db.run(joined().value()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_request_that_is_repeated_after_a_crash_has_one_effect() {
    for moment in MOMENTS {
        for calls in 0..10 {
            let world = World::<KeyValue>::new().await;
            let failing = Failing::at(&world.backend, calls, moment);
            let crashing = world.through(failing.clone()).await;
            let first = join(&crashing, "Ada", "1").await;
            assert_eq!(first.is_err(), failing.has_died(), "{moment:?} {calls}");
            join(&world.db, "Ada", "2").await.unwrap();
            assert_eq!(world.db.run(joined().value()).await.unwrap(), 1, "{moment:?} {calls}");
        }
    }
}

/// Returns a user's request under a key that other users may use as well.
fn shared(who: &str, name: &str) -> IdempotencyRecord<JoinRequest> {
    let scope = format!("{who} POST /matches/m1/join");
    let hash = request_hash(&scope, &json!({ "name": name })).unwrap();
    let record = key("key-1").idempotency("key-1", &scope, hash).unwrap();
    record.or_at(&key(&format!("key-1#{who}")))
}

async fn scopes_that_share_a_key_do_not_meet<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let ask = async |who: &str, name: &str| {
        let (effect, body) = (db.transact().with(joined().add(1)), who.to_owned());
        let record = shared(who, name);
        if let Some(answer) = db.run(record.response()).await? {
            return Ok(Some(answer));
        }
        db.once(&record, effect, move |_| (201, body.clone())).await.map(replay)
    };
    let answer = |who: &str| Some((201, who.to_owned()));
    assert_eq!(ask("u1", "Ada").await.unwrap(), None);
    world.clock.advance_ms(1000);
    assert_eq!(ask("u2", "Ada").await.unwrap(), None);
    for _ in 0..2 {
        assert_eq!(ask("u1", "Ada").await.unwrap(), answer("u1"));
        assert_eq!(ask("u2", "Ada").await.unwrap(), answer("u2"));
    }
    for who in ["u1", "u2"] {
        assert!(matches!(ask(who, "Bob").await, Err(Error::IdempotencyReused)), "{who}");
    }
    // A refusal alone also has its own row.
    let refused = db.run(shared("u3", "Ada").respond(409, "no")).await.unwrap();
    assert_eq!(replay(refused), None);
    assert_eq!(ask("u3", "Ada").await.unwrap(), Some((409, "no".to_owned())));
    assert_eq!(db.run(joined().value()).await.unwrap(), 2);
    // The first response expires before the second one, which is still found.
    world.clock.advance_ms(24 * 60 * 60 * 1000 - 1000);
    assert_eq!(db.run(shared("u1", "Ada").response()).await.unwrap(), None);
    assert_eq!(ask("u2", "Ada").await.unwrap(), answer("u2"));
}
