//! Records: values whose versions decide and whose rows keep what
//! others put there.

use std::collections::BTreeMap;

use monotable_engine::Faults;
use monotable_model::codec::{CodecProblem, PLAIN_JSON_BYTES_MAX};
use monotable_model::rows::{
    CounterKey as _, GuardKey as _, Record, RecordKey as _, Stored, Written,
};
use monotable_model::{Error, Settings};
use monotable_testkit::failing::{Failing, MOMENTS};
use monotable_types::{AttributeValue, Item, item};
use serde_json::{Value, json};

use super::keys::{RuleTable, Setting, setting, slot};
use super::tables::{Club, KeyValue};
use super::world::{START_SECONDS, World, at, on_every_table};

on_every_table!(
    a_record_is_created_read_replaced_and_deleted,
    a_record_that_has_expired_is_absent,
    a_put_writes_over_whatever_is_there,
    a_record_takes_part_in_a_transaction,
    only_the_version_that_was_read_is_deleted,
);

fn record() -> Record<Setting, Value> {
    setting("u1", "theme").record()
}

fn is_conflict<R>(result: Result<R, Error>) -> bool {
    match result {
        Err(Error::Transaction { failures }) => {
            matches!(failures[0].error, Error::VersionConflict { .. })
        }
        result => {
            matches!(result, Err(Error::VersionConflict { key, .. }) if key == "settings#u1 / theme")
        }
    }
}

fn version_of<R>(written: Result<Written, R>) -> u64
where
    R: std::fmt::Debug,
{
    written.unwrap().version
}

async fn a_record_is_created_read_replaced_and_deleted<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    assert_eq!(db.run(record().read()).await.unwrap(), None);
    assert_eq!(version_of(db.run(record().create(json!({ "tone": "dark" }))).await), 1);
    let again = db.run(record().create(json!(2))).await;
    assert_eq!(again, Err(Error::Exists { entity: "record" }));

    let stored = db.run(record().read()).await.unwrap().unwrap();
    assert_eq!((stored.value, stored.version), (json!({ "tone": "dark" }), Some(1)));
    assert_eq!((stored.expires, stored.meta), (None, Item::new()));

    assert!(is_conflict(db.run(record().replace(Some(2), json!(1))).await));
    assert!(is_conflict(db.run(record().replace(None, json!(1))).await));
    assert_eq!(version_of(db.run(record().replace(Some(1), json!([1, "x"]))).await), 2);
    assert!(is_conflict(db.run(record().replace(Some(1), json!(1))).await));
    let stored = db.run(record().read()).await.unwrap().unwrap();
    assert_eq!((stored.value, stored.version), (json!([1, "x"]), Some(2)));

    assert!(db.run(record().delete()).await.unwrap());
    assert!(!db.run(record().delete()).await.unwrap());
    let gone = db.run(record().replace(Some(2), json!(1))).await;
    assert_eq!(gone, Err(Error::NotFound { entity: "record" }));
}

async fn a_record_that_has_expired_is_absent<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    db.run(record().create(json!("a")).expires(at(10))).await.unwrap();
    world.pass(9);
    assert!(db.run(record().read()).await.unwrap().is_some());
    world.pass(1);
    assert_eq!(db.run(record().read()).await.unwrap(), None);
    let replaced = db.run(record().replace(Some(1), json!("b"))).await;
    assert_eq!(replaced, Err(Error::NotFound { entity: "record" }));
    assert!(db.run(record().delete().version(Some(1))).await.is_err());
    assert_eq!(version_of(db.run(record().create(json!("c"))).await), 1);
    let stored = db.run(record().read()).await.unwrap().unwrap();
    assert_eq!((stored.value, stored.expires), (json!("c"), None), "the old expiry is not its own");
}

async fn a_put_writes_over_whatever_is_there<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let read = async || db.run(record().read()).await.unwrap().unwrap();
    assert_eq!(version_of(db.run(record().put(json!(1))).await), 1);
    assert_eq!(version_of(db.run(record().put(json!(2)).expires(Some(at(10)))).await), 2);
    assert_eq!(version_of(db.run(record().put(json!(3))).await), 3);
    assert_eq!(read().await.expires, Some(at(10)), "an expiry stays unless it is changed");
    assert_eq!(version_of(db.run(record().put(json!(4)).expires(None)).await), 4);
    assert_eq!(read().await.expires, None);
    db.run(record().put(json!(5)).expires(Some(at(10))).meta(item! { "by" => "ann" }))
        .await
        .unwrap();
    assert_eq!(read().await.meta, item! { "by" => "ann" });
    world.pass(10);
    assert_eq!(version_of(db.run(record().put(json!(6))).await), 1);
    let stored = read().await;
    assert_eq!((stored.value, stored.expires, stored.meta), (json!(6), None, Item::new()));
}

async fn a_record_takes_part_in_a_transaction<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let guard = slot("a");
    let mut tx = db.transact().with(guard.hold("x"));
    let created = tx.add(record().create(json!(1)));
    assert_eq!(tx.commit().await.unwrap()[created].version, 1);
    db.run(guard.release("x")).await.unwrap();
    db.run(record().put(json!(2)).meta(item! { "by" => "ann" }).expires(Some(at(10))))
        .await
        .unwrap();

    let stale = db.transact().with(record().replace(Some(1), json!(3))).with(guard.hold("x")).await;
    assert!(is_conflict(stale));
    assert_eq!(db.run(guard.holder()).await.unwrap(), None, "nothing happened");
    let mut tx = db.transact().with(guard.hold("x"));
    let replaced = tx.add(record().replace(Some(2), json!(3)));
    let done = tx.commit().await.unwrap();
    assert_eq!(done[replaced].as_ref().map(|written| written.version), Some(3));
    let stored = db.run(record().read()).await.unwrap().unwrap();
    assert_eq!((stored.value, stored.meta), (json!(3), item! { "by" => "ann" }));

    let absent = setting("u2", "theme").record::<Value>().replace(Some(1), json!(1));
    let Err(Error::Transaction { failures }) =
        db.transact().with(absent).with(slot("c").hold("y")).await
    else {
        panic!("there is nothing to replace")
    };
    assert_eq!(failures[0].error, Error::NotFound { entity: "record" });
    assert_eq!(failures[0].label.to_string(), "replace record");
    assert_eq!(failures[0].key, "settings#u2 / theme");

    world.pass(10);
    db.transact().with(record().put(json!(4))).with(guard.release("x")).await.unwrap();
    let stored = db.run(record().read()).await.unwrap().unwrap();
    assert_eq!(
        (stored.value, stored.version),
        (json!(4), Some(1)),
        "one that has expired starts anew"
    );
    db.transact().with(record().delete().version(Some(1))).with(guard.hold("y")).await.unwrap();
    assert_eq!(db.run(record().read()).await.unwrap(), None);
}

async fn only_the_version_that_was_read_is_deleted<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let absent = db.run(record().delete().version(Some(1))).await;
    assert_eq!(absent, Err(Error::NotFound { entity: "record" }));
    db.run(record().create(json!(7))).await.unwrap();
    assert!(is_conflict(db.run(record().delete().version(Some(2))).await));
    assert!(is_conflict(db.run(record().delete().version(None)).await));
    let wrong_owner = db.run(record().delete().version(Some(1)).value("somebody")).await;
    assert!(is_conflict(wrong_owner));
    assert!(db.run(record().delete().version(Some(1))).await.unwrap());

    let guard = setting("u1", "theme").guard();
    db.run(guard.hold("ann")).await.unwrap();
    assert!(is_conflict(db.run(record().delete().value("bob")).await));
    assert!(db.run(record().delete().value("ann")).await.unwrap());
    assert_eq!(db.run(guard.holder()).await.unwrap(), None);
}

/// Returns a row as the table's own programs write them.
fn raw(rest: Item) -> Item {
    let mut row = item! { "pk" => "settings#u1", "sk" => "theme" };
    row.extend(rest);
    row
}

async fn stored_row(world: &World<KeyValue>) -> Item {
    world.row("settings#u1", "theme").await.unwrap()
}

#[tokio::test]
async fn a_value_row_has_the_form_of_other_programs() {
    let world = World::<KeyValue>::new().await;
    let written = world.db.run(record().create(json!({ "a": 1 })).expires(at(60))).await.unwrap();
    let expected = raw(item! {
        "v" => r#"{"a":1}"#, "ct" => "application/json", "ver" => 1, "ttl" => START_SECONDS + 60,
    });
    assert_eq!(stored_row(&world).await, expected);
    assert_eq!(written.bytes, monotable_types::item_size_bytes(&expected));
}

#[tokio::test]
async fn rows_without_version_or_content_type_are_read_and_replaced() {
    let world = World::<KeyValue>::new().await;
    world.write_raw(raw(item! { "v" => r#"{"a":1}"#, "color" => "red" })).await;
    let stored = world.db.run(record().read()).await.unwrap().unwrap();
    let expected = Stored {
        value: json!({ "a": 1 }),
        version: None,
        expires: None,
        content_type: None,
        meta: Item::new(),
    };
    assert_eq!(stored, expected);
    assert!(is_conflict(world.db.run(record().replace(Some(0), json!(1))).await));
    assert_eq!(version_of(world.db.run(record().replace(None, json!({}))).await), 1);
    let expected = item! { "v" => "{}", "ct" => "application/json", "ver" => 1, "color" => "red" };
    assert_eq!(stored_row(&world).await, raw(expected), "what others put there stays");
}

#[tokio::test]
async fn long_values_are_compressed_and_meta_survives_both_ways() {
    let world = World::<KeyValue>::new().await;
    let db = &world.db;
    let long = json!("é".repeat(PLAIN_JSON_BYTES_MAX / 2));
    let meta = item! { "by" => "ann" };
    db.run(record().create(json!("short")).meta(meta.clone()).expires(at(60))).await.unwrap();
    db.run(record().replace(Some(1), long.clone())).await.unwrap();
    let row = stored_row(&world).await;
    assert!(row["v"].as_b().is_some(), "bytes are counted, not characters");
    assert_eq!(row["meta"].as_m(), Some(&item! { "by" => "ann", "compressed" => true }));
    assert_eq!(row["ttl"], (START_SECONDS + 60).into());
    let stored = db.run(record().read()).await.unwrap().unwrap();
    assert_eq!((stored.value, stored.meta), (long.clone(), meta.clone()));
    assert_eq!(stored.content_type.as_deref(), Some("application/json"));

    db.run(record().put(json!("short"))).await.unwrap();
    let row = stored_row(&world).await;
    assert_eq!((row["v"].as_s(), row["meta"].as_m()), (Some(r#""short""#), Some(&meta)));
    assert_eq!(row["ttl"], (START_SECONDS + 60).into());

    db.run(record().put(long.clone()).meta(Item::new())).await.unwrap();
    assert_eq!(stored_row(&world).await["meta"].as_m(), Some(&item! { "compressed" => true }));
    db.run(record().put(json!("short"))).await.unwrap();
    assert!(!stored_row(&world).await.contains_key("meta"));
}

#[tokio::test]
async fn values_are_read_by_their_type() {
    let world = World::<KeyValue>::new().await;
    let gzip = |text: &str| {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        AttributeValue::B(encoder.finish().unwrap())
    };
    let compressed = AttributeValue::M(item! { "compressed" => true });
    let cases = [
        (item! { "v" => 42 }, json!(42)),
        (item! { "v" => r#"{"a":[1]}"# }, json!({ "a": [1] })),
        (item! { "v" => "locked" }, json!("locked")),
        (item! { "v" => AttributeValue::B(b"[1]".to_vec()) }, json!([1])),
        (item! { "v" => gzip("[2]"), "meta" => compressed.clone() }, json!([2])),
        (item! { "v" => gzip("[3]") }, json!([3])),
        (item! { "v" => "[4]", "meta" => compressed }, json!([4])),
        (item! { "v" => AttributeValue::M(item! { "a" => 1 }) }, json!({ "a": 1 })),
        (item! { "v" => AttributeValue::Bool(true) }, json!(true)),
        (item! { "ttl" => START_SECONDS + 60 }, json!({})),
    ];
    for (row, expected) in cases {
        world.write_raw(raw(row.clone())).await;
        let stored = world.db.run(record().read()).await.unwrap().unwrap();
        assert_eq!(stored.value, expected, "{row:?}");
    }
    world.write_raw(raw(item! { "v" => AttributeValue::B(vec![0xff, 0xfe]) })).await;
    assert!(matches!(world.db.run(record().read()).await, Err(Error::Decode { .. })));
    let typed = setting("u1", "theme").record::<BTreeMap<String, u8>>();
    world.write_raw(raw(item! { "v" => "locked" })).await;
    let error = world.db.run(typed.read()).await.unwrap_err().to_string();
    assert!(error.contains("the value of `settings#u1 / theme`: expected value"), "{error}");
}

#[tokio::test]
async fn numbers_are_written_as_numbers_that_can_be_counted_on() {
    let world = World::<KeyValue>::new().await;
    world.db.run(record().create(json!(40))).await.unwrap();
    assert_eq!(stored_row(&world).await, raw(item! { "v" => 40, "ver" => 1 }));
    let counter = setting("u1", "theme").counter();
    assert_eq!(world.db.run(counter.add(2)).await.unwrap(), 42);
    assert_eq!(world.db.run(record().read()).await.unwrap().unwrap().value, json!(42));
    world.db.run(record().put(json!(0.5))).await.unwrap();
    assert_eq!(world.db.run(record().read()).await.unwrap().unwrap().value, json!(0.5));
    world.db.run(record().put(json!(1e300))).await.unwrap();
    assert_eq!(stored_row(&world).await["v"].as_s(), Some("1e+300"), "no number of the table");
    assert_eq!(world.db.run(record().read()).await.unwrap().unwrap().value, json!(1e300));
}

#[tokio::test]
async fn a_value_that_is_too_large_is_refused() {
    let world = World::<KeyValue>::new().await;
    let mut random = 1_u64;
    let noise: String = (0..700_000)
        .map(|_| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'!' + (random >> 58) as u8)
        })
        .collect();
    let refused = world.db.run(record().put(json!(noise))).await.unwrap_err();
    let Error::Encode { error, .. } = refused else { panic!("{refused}") };
    assert!(matches!(error.problem(), CodecProblem::ValueTooLarge { bytes_max: 399_360, .. }));
    assert_eq!(world.rows().await, []);
}

#[tokio::test]
async fn rows_of_a_program_with_another_attribute_are_read_and_moved() {
    let world = World::<KeyValue>::new().await;
    let value = AttributeValue::M(item! { "name" => "Ann", "score" => 3 });
    world
        .write_raw(raw(item! { "value" => value, "updatedAt" => "2026-01-01T00:00:00.000Z" }))
        .await;
    let stored = world.db.run(record().read()).await.unwrap().unwrap();
    assert_eq!((stored.value, stored.version), (json!({ "name": "Ann", "score": 3 }), None));
    world.write_raw(raw(item! { "value" => "[1]" })).await;
    let stored = world.db.run(record().read()).await.unwrap().unwrap();
    assert_eq!(stored.value, json!("[1]"), "a text of theirs is a text, not JSON");
    world.db.run(record().replace(None, json!("new"))).await.unwrap();
    let expected = item! { "v" => r#""new""#, "ct" => "application/json", "ver" => 1 };
    assert_eq!(stored_row(&world).await, raw(expected));
}

#[tokio::test]
async fn a_write_is_one_call_and_two_where_meta_is_to_be_kept() {
    let world = World::<KeyValue>::new().await;
    let backend = Failing::never(&world.backend);
    let db = world.through(backend.clone()).await;
    let calls = async |rule| {
        let before = backend.calls();
        db.run(rule).await.unwrap();
        backend.calls() - before
    };
    let long = || json!("x".repeat(PLAIN_JSON_BYTES_MAX));
    assert_eq!(calls(record().put(long())).await, 1);
    assert_eq!(calls(record().replace(Some(1), json!(1))).await, 1);
    assert_eq!(calls(record().put(long())).await, 1);
    assert_eq!(calls(record().put(long()).meta(item! { "by" => "ann" })).await, 1);
    assert_eq!(calls(record().put(json!("short"))).await, 2);
    assert_eq!(calls(record().replace(Some(5), json!("shorter"))).await, 2);
    assert_eq!(calls(record().put(json!(1)).expires(Some(at(1)))).await, 2);
    world.pass(1);
    assert_eq!(calls(record().put(json!(2))).await, 2, "an expired row is looked at");
}

#[tokio::test]
async fn rows_are_read_if_the_backend_does_not_return_them() {
    let world = World::<KeyValue>::new().await;
    let db = world.through(Failing::never(&world.backend).taciturn()).await;
    let gone = db.run(record().replace(Some(1), json!(1))).await;
    assert_eq!(gone, Err(Error::NotFound { entity: "record" }));
    db.run(record().create(json!(1)).meta(item! { "by" => "ann" })).await.unwrap();
    assert!(is_conflict(db.run(record().replace(Some(2), json!(2))).await));
    assert_eq!(version_of(db.run(record().replace(Some(1), json!(2))).await), 2);
    assert_eq!(version_of(db.run(record().put(json!(3)).expires(Some(at(1)))).await), 3);
    world.pass(1);
    assert_eq!(version_of(db.run(record().put(json!(4))).await), 1);
}

#[tokio::test]
async fn a_row_has_the_type_attribute_of_its_table() {
    let world = World::<Club>::new().await;
    world.db.run(setting("a", "b").record::<Value>().put(json!({ "x": 1 }))).await.unwrap();
    let expected = item! {
        "PK" => "settings#a", "SK" => "b", "ItemType" => "RECORD", "ver" => 1,
        "v" => AttributeValue::M(item! { "x" => 1 }),
    };
    assert_eq!(world.rows().await, [expected]);
}

/// However many write at once, none writes over what it did not see.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_that_replace_one_version_one_does() {
    let world = World::<KeyValue>::with(Faults::default()).await;
    world.db.run(record().create(json!([]))).await.unwrap();
    for version in 1..=5 {
        let tasks: Vec<_> = (0..16)
            .map(|number| {
                let db = world.db.clone();
                tokio::spawn(
                    async move { db.run(record().replace(Some(version), json!(number))).await },
                )
            })
            .collect();
        let mut replaced = 0;
        for task in tasks {
            match task.await.unwrap() {
                Ok(written) => {
                    assert_eq!(written.version, version + 1);
                    replaced += 1;
                }
                Err(error) => assert!(is_conflict::<()>(Err(error))),
            }
        }
        assert_eq!(replaced, 1);
    }
}

/// A process that dies at any call of a write leaves the row before or the row after.
#[tokio::test]
async fn a_write_that_dies_leaves_one_row_or_the_other() {
    for moment in MOMENTS {
        for calls in 0..3 {
            let world = World::<KeyValue>::new().await;
            let old = record().create(json!("old")).meta(item! { "by" => "ann" });
            world.db.run(old).await.unwrap();
            let before = stored_row(&world).await;
            let backend = Failing::at(&world.backend, calls, moment);
            let db = world.through(backend.clone()).await;
            let result = db.run(record().replace(Some(1), json!("new"))).await;
            assert_eq!(result.is_err(), backend.has_died(), "{moment:?} {calls}");
            let stored = world.db.run(record().read()).await.unwrap().unwrap();
            match stored.version {
                Some(1) => assert_eq!(stored_row(&world).await, before),
                version => {
                    assert_eq!((stored.value, version), (json!("new"), Some(2)));
                    assert_eq!(stored.meta, item! { "by" => "ann" });
                }
            }
        }
    }
}

#[tokio::test]
async fn a_table_may_have_another_name_than_the_declared_one() {
    let world = World::<KeyValue>::new().await;
    world.db.run(record().create(json!("here"))).await.unwrap();
    let settings = || Settings::<KeyValue>::new().table_name("btl-run-kvs-{environment}");
    let other = settings().environment("prod").open(world.backend.clone()).await.unwrap();
    assert_eq!(other.run(record().read()).await.unwrap(), None);
    other.run(record().create(json!("there"))).await.unwrap();
    let names = world.backend.database().list_tables(Default::default()).unwrap().table_names;
    assert_eq!(names, ["btl-run-kvs-prod", "btlrun_kv"]);
    assert_eq!(world.db.run(record().read()).await.unwrap().unwrap().value, json!("here"));
}
