//! The operations by keys, without HTTP: what they leave in the table, and what they refuse.

use std::sync::Arc;

use monotable::dynamodb::PutItem;
use monotable::model::Table as _;
use monotable::model::backend::Embedded;
use monotable::model::time::EpochSeconds;
use monotable::{Clock, Database, Faults, ManualClock, Options, item};
use monotable_btl_run::kv::{Expiry, Key, Kv, LARGE_BYTES, LogEntry, Only};
use monotable_btl_run::table::{BtlRun, MatchId};
use serde_json::{Value, json};

use crate::world::{START_MS, TABLE};

const START: i64 = (START_MS / 1000) as i64;

struct World {
    kv: Kv,
    database: Database,
    clock: Arc<ManualClock>,
}

/// Rows that have expired stay where they are.
async fn world() -> World {
    let clock = Arc::new(ManualClock::new(START_MS));
    let faults = Faults { never_sweep: true, ..Faults::default() };
    let options =
        Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, faults, ..Options::default() };
    let database = Database::memory_with(options);
    let db = BtlRun::open(Embedded::new(database.clone())).await.unwrap();
    World { kv: Kv::new(db), database, clock }
}

fn key(pk: &str, sk: &str) -> Key {
    Key::new(pk, sk).unwrap()
}

fn at(seconds: i64) -> EpochSeconds {
    EpochSeconds::new(START + seconds)
}

#[tokio::test]
async fn writes_are_conditional_and_keep_other_attributes() {
    let World { kv, clock, .. } = world().await;
    let theme = key("settings#u1", "theme");
    let created = kv.create(&theme, json!(["a"]), Some(at(60))).await.unwrap();
    assert_eq!((created.version, created.is_large), (1, false));
    assert_eq!(kv.create(&theme, json!(1), None).await.unwrap_err().code, "CONFLICT");
    let stale = kv.replace(&theme, Some(7), json!(1), Expiry::Kept).await.unwrap_err();
    assert_eq!((stale.status(), stale.is_version_conflict()), (409, true));
    kv.replace(&theme, Some(1), json!(["b"]), Expiry::Kept).await.unwrap();
    let stored = kv.get::<Value>(&theme).await.unwrap().unwrap();
    assert_eq!(
        (stored.value, stored.version, stored.expires),
        (json!(["b"]), Some(2), Some(at(60)))
    );
    clock.advance_ms(60_000);
    assert_eq!(kv.get::<Value>(&theme).await.unwrap(), None);
    let gone = kv.replace(&theme, Some(2), json!(1), Expiry::Kept).await.unwrap_err();
    assert_eq!(gone.status(), 404);
    assert_eq!(kv.create(&theme, json!("c"), None).await.unwrap().version, 1);
}

#[tokio::test]
async fn a_state_with_a_long_memory_goes_through_every_operation() {
    let World { kv, database, .. } = world().await;
    let state = |day: u32| {
        let roster: Vec<Value> = (0..24).map(|id| json!({ "id": id, "hp": day })).collect();
        json!({ "day": day, "roster": roster, "memoryBlob": "remember ä ".repeat(2_000) })
    };
    let states: Vec<Key> = (0..3).map(|number| key(&format!("match#m{number}"), "state")).collect();
    kv.create(&states[0], state(1), None).await.unwrap();
    kv.put(&states[2], state(3), Expiry::Kept).await.unwrap();
    kv.replace(&states[0], Some(1), state(2), Expiry::Kept).await.unwrap();
    let found = kv.batch_get::<Value>(&states).await.unwrap();
    let days: Vec<Option<Value>> =
        found.into_iter().map(|one| one.map(|one| one.value["day"].clone())).collect();
    assert_eq!(days, [Some(json!(2)), None, Some(json!(3))]);
    let row = database.get_item(monotable::dynamodb::GetItem::new(
        TABLE,
        item! { "pk" => "match#m0", "sk" => "state" },
    ));
    let row = row.unwrap().item.unwrap().to_item();
    assert!(row["v"].as_b().is_some_and(|bytes| bytes.len() < LARGE_BYTES));
    assert_eq!(row["meta"].as_m(), Some(&item! { "compressed" => true }));
}

#[tokio::test]
async fn rows_are_removed_by_version_by_owner_or_at_all() {
    let World { kv, .. } = world().await;
    let theme = key("settings#u1", "theme");
    assert!(!kv.delete(&theme, Only::Any).await.unwrap());
    assert_eq!(kv.delete(&theme, Only::Version(Some(1))).await.unwrap_err().status(), 404);
    kv.create(&theme, json!({}), None).await.unwrap();
    assert_eq!(kv.delete(&theme, Only::Version(Some(2))).await.unwrap_err().status(), 409);
    assert_eq!(kv.delete(&theme, Only::Value("x".to_owned())).await.unwrap_err().status(), 409);
    assert!(kv.delete(&theme, Only::Version(Some(1))).await.unwrap());
    assert_eq!(kv.get::<Value>(&theme).await.unwrap(), None);
}

#[tokio::test]
async fn a_counter_keeps_its_limit_and_begins_again_when_it_has_expired() {
    let World { kv, clock, database } = world().await;
    let budget = key("budget#m1", "tokens");
    assert_eq!(kv.add(&budget, 800, Some(1000), None).await.unwrap(), 800);
    assert_eq!(kv.add(&budget, 201, Some(1000), None).await.unwrap_err().status(), 429);
    assert_eq!(kv.add(&budget, 200, Some(1000), None).await.unwrap(), 1000);
    assert_eq!(kv.add(&budget, -500, Some(1000), None).await.unwrap(), 500);

    let rate = key("rate#u1", "join#30000000");
    assert_eq!(kv.add(&rate, 1, Some(20), Some(at(70))).await.unwrap(), 1);
    assert_eq!(kv.add(&rate, 1, Some(20), Some(at(99))).await.unwrap(), 2);
    let row = |database: &Database| {
        let key = item! { "pk" => "rate#u1", "sk" => "join#30000000" };
        database
            .get_item(monotable::dynamodb::GetItem::new(TABLE, key))
            .unwrap()
            .item
            .unwrap()
            .to_item()
    };
    let expected =
        item! { "pk" => "rate#u1", "sk" => "join#30000000", "v" => 2, "ttl" => START + 70 };
    assert_eq!(row(&database), expected, "the first expiry stays");
    clock.advance_ms(70_000);
    assert_eq!(kv.add(&rate, 5, Some(20), Some(at(140))).await.unwrap(), 5);
    let expected =
        item! { "pk" => "rate#u1", "sk" => "join#30000000", "v" => 5, "ttl" => START + 140 };
    assert_eq!(row(&database), expected);
}

/// The events of a match that others wrote, with rows around them that are none.
fn write_log(database: &Database, partition: &str, numbers: &[u32]) {
    for number in numbers {
        let row = item! {
            "pk" => partition, "sk" => format!("log#{number:06}"),
            "v" => json!({ "n": number }).to_string(), "ct" => "application/json",
        };
        database.put_item(PutItem::new(TABLE, row)).unwrap();
    }
}

fn numbers(entries: &[LogEntry<Value>]) -> Vec<u32> {
    assert!(entries.iter().all(|entry| entry.event["n"] == entry.seq));
    entries.iter().map(|entry| entry.seq).collect()
}

#[tokio::test]
async fn a_log_ends_where_other_rows_of_the_partition_begin() {
    let World { kv, database, .. } = world().await;
    let match_id = MatchId::new("m1").unwrap();
    write_log(&database, "match#m1", &[1, 2, 3, 999_999]);
    for sort in
        ["ally#a#000001", "log#4", "log#12345678", "log#00000x", "secret", "state", "summary#1"]
    {
        let row = item! { "pk" => "match#m1", "sk" => sort, "v" => r#"{"n":0}"# };
        database.put_item(PutItem::new(TABLE, row)).unwrap();
    }
    let events = async |after, limit| kv.events::<Value>(&match_id, 0, after, limit).await.unwrap();
    let page = events(None, 100).await;
    assert_eq!((numbers(&page.entries), page.has_more), (vec![1, 2, 3, 999_999], false));
    let page = events(Some(0), 2).await;
    assert_eq!((numbers(&page.entries), page.has_more), (vec![1, 2], true), "0 is a number, too");
    let page = events(Some(3), 100).await;
    assert_eq!((numbers(&page.entries), page.has_more), (vec![999_999], false));
    assert_eq!(events(Some(999_999), 100).await.entries, []);
    assert_eq!(events(Some(u32::MAX), 100).await.entries, []);
}

#[tokio::test]
async fn a_log_that_is_spread_is_merged_by_its_numbers() {
    let World { kv, database, .. } = world().await;
    let match_id = MatchId::new("m1").unwrap();
    for shards in [1_u32, 3, 4] {
        for number in 1..=41 {
            let partition = format!("match#m1#shard{}", number % shards);
            write_log(&database, &partition, &[number]);
        }
        let mut found = Vec::new();
        loop {
            let after = found.last().copied();
            let page = kv.events::<Value>(&match_id, shards, after, 7).await.unwrap();
            found.extend(numbers(&page.entries));
            if !page.has_more {
                break;
            }
            assert_eq!(page.entries.len(), 7);
        }
        assert_eq!(found, (1..=41).collect::<Vec<u32>>(), "{shards} shards");
        for number in 1..=41 {
            let key = item! { "pk" => format!("match#m1#shard{}", number % shards), "sk" => format!("log#{number:06}") };
            database.delete_item(monotable::dynamodb::DeleteItem::new(TABLE, key)).unwrap();
        }
    }
}

/// Whoever adds rows to the game adds their prefix to those that others must not write.
#[test]
fn every_partition_of_the_game_belongs_to_it() {
    for entity in BtlRun::META.entities {
        let template = entity.key.partition.text;
        let prefix = template.split('{').next().unwrap();
        let key = Key::new(format!("{prefix}x"), "y").unwrap();
        assert!(prefix.ends_with('#') && key.is_owned(), "{} is at {template}", entity.name);
    }
}
