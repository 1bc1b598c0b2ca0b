//! Many records: the pages of a partition, and records by their keys.

use monotable_engine::Faults;
use monotable_model::Error;
use monotable_model::rows::{Record, RecordPage, Records, RuleOperation};
use monotable_testkit::failing::Failing;
use monotable_types::{AttributeValue, item};
use serde_json::{Value, json};

use super::keys::{Setting, record};
use super::tables::KeyValue;
use super::world::{START_SECONDS, World, at};

fn partition() -> RuleOperation<Setting, Records<Value>> {
    Setting::records(&"m1".to_owned())
}

fn events() -> RuleOperation<Setting, Records<Value>> {
    partition().between("log#000001", "log#999999")
}

async fn world_with(numbers: impl IntoIterator<Item = u32>) -> World<KeyValue> {
    let world = World::new().await;
    for number in numbers {
        let record = record::<Value>("m1", &format!("log#{number:06}"));
        world.db.run(record.create(json!({ "n": number }))).await.unwrap();
    }
    for sort in ["ally#a", "secret", "state", "summary#1"] {
        let record = record::<Value>("m1", sort);
        world.db.run(record.create(json!(sort))).await.unwrap();
    }
    world
}

fn numbers(page: &RecordPage<Value>) -> Vec<u64> {
    page.entries.iter().map(|entry| entry.stored.value["n"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn a_range_ends_where_it_ends() {
    let world = world_with([1, 2, 999_999]).await;
    let page = world.db.run(events()).await.unwrap();
    assert_eq!(numbers(&page), [1, 2, 999_999]);
    assert_eq!(page.next, None);
    assert_eq!(page.entries[0].sort, "log#000001");
    let page = world.db.run(partition().prefix("s")).await.unwrap();
    let sorts: Vec<&str> = page.entries.iter().map(|entry| entry.sort.as_str()).collect();
    assert_eq!(sorts, ["secret", "state", "summary#1"]);
    let all = world.db.run(partition()).await.unwrap();
    assert_eq!(all.entries.len(), 7);
    let all = world.db.run(partition().prefix("")).await.unwrap();
    assert_eq!(all.entries.len(), 7);
    let none = partition().between("z", "a");
    assert_eq!(world.db.run(none).await.unwrap().entries, []);
}

#[tokio::test]
async fn pages_are_full_and_have_a_cursor() {
    let world = world_with(1..=7).await;
    // Expired rows between and after others.
    for number in [3, 4, 5, 8, 9] {
        let record = record::<Value>("m1", &format!("log#{number:06}"));
        world.db.run(record.put(json!({ "n": number })).expires(Some(at(1)))).await.unwrap();
    }
    world.pass(1);
    let mut after: Option<String> = None;
    let mut pages = Vec::new();
    loop {
        let page = events().limit(2);
        let page = after.map_or(page.clone(), |after| page.after(after));
        let page = world.db.run(page).await.unwrap();
        pages.push(numbers(&page));
        match page.next {
            Some(next) => after = Some(next),
            None => break,
        }
    }
    assert_eq!(pages, [vec![1, 2], vec![6, 7]], "no page is empty because of what has expired");
}

#[tokio::test]
async fn a_page_of_expired_rows_ends_early_and_continues() {
    let world = world_with([]).await;
    for number in 1..=60 {
        let row = item! {
            "pk" => "settings#m1", "sk" => format!("log#{number:06}"), "v" => "{}", "ttl" => START_SECONDS,
        };
        world.write_raw(row).await;
    }
    let last = record::<Value>("m1", "log#000061");
    world.db.run(last.create(json!({ "n": 61 }))).await.unwrap();
    let page = world.db.run(events().limit(1)).await.unwrap();
    assert_eq!((page.entries.len(), page.next.as_deref()), (0, Some("log#000040")));
    let page = world.db.run(events().limit(1).after("log#000040")).await.unwrap();
    assert_eq!((numbers(&page), page.next), (vec![61], None));
}

#[tokio::test]
async fn a_cursor_outside_of_the_range_is_refused() {
    let world = world_with([1]).await;
    for foreign in ["state", "ally#a", "log#"] {
        let page = world.db.run(events().after(foreign)).await;
        assert_eq!(page, Err(Error::InvalidCursor), "{foreign}");
    }
}

#[tokio::test]
async fn an_unreadable_row_fails_a_page_or_is_skipped() {
    let world = world_with([1, 3]).await;
    let broken = AttributeValue::B(vec![0xff]);
    world.write_raw(item! { "pk" => "settings#m1", "sk" => "log#000002", "v" => broken }).await;
    assert!(matches!(world.db.run(events()).await, Err(Error::Decode { .. })));
    let page = world.db.run(events().skip_unreadable()).await.unwrap();
    assert_eq!(numbers(&page), [1, 3]);
    let [unreadable] = &page.unreadable[..] else { panic!("{:?}", page.unreadable) };
    assert_eq!((unreadable.sort.as_str(), unreadable.version), ("log#000002", None));
    assert!(unreadable.error.to_string().contains("settings#m1 / log#000002"));
    let first = world.db.run(events().skip_unreadable().limit(1)).await.unwrap();
    assert_eq!((numbers(&first), first.unreadable), (vec![1], vec![]));
}

#[tokio::test]
async fn records_by_key_are_returned_in_order_with_missing_ones() {
    let world = world_with(1..=250).await;
    let expiring = record::<Value>("m1", "log#000007");
    world.db.run(expiring.put(json!(0)).expires(Some(at(1)))).await.unwrap();
    world.pass(1);
    let long = "x".repeat(20_000);
    let compressed = record::<Value>("m1", "log#000250");
    world.db.run(compressed.put(json!({ "n": 250, "long": long }))).await.unwrap();
    let wanted: Vec<u64> = (0..=260).rev().chain([5, 5, 300]).collect();
    let record = |number: &u64| record("m1", &format!("log#{number:06}"));
    let backend = Failing::never(&world.backend);
    let db = world.through(backend.clone()).await;
    let found =
        db.run(Record::read_many(wanted.iter().map(record).collect()).consistent()).await.unwrap();
    assert_eq!(found.len(), wanted.len());
    for (number, stored) in wanted.iter().zip(&found) {
        let is_there = (1..=250).contains(number) && *number != 7;
        let value = stored.as_ref().map(|stored: &monotable_model::rows::Stored<Value>| {
            stored.value["n"].as_u64().unwrap()
        });
        assert_eq!(value, is_there.then_some(*number));
    }
    assert_eq!(backend.calls(), 3, "262 different keys are three requests");
    assert_eq!(world.db.run(Record::<Setting, Value>::read_many(Vec::new())).await.unwrap(), []);
}

#[tokio::test]
async fn unprocessed_keys_are_requested_again() {
    let faults = Faults { unprocessed_share: 0.5, ..Faults::default() };
    let world = World::<KeyValue>::with(faults).await;
    let record = |number: u32| record::<Value>("m1", &format!("log#{number:06}"));
    for number in 1..=150 {
        world.db.run(record(number).create(json!(number))).await.unwrap();
    }
    let found =
        world.db.run(Record::read_many((1..=150).rev().map(record).collect())).await.unwrap();
    let values: Vec<Value> = found.into_iter().map(|one| one.unwrap().value).collect();
    assert_eq!(values, (1..=150).rev().map(|number| json!(number)).collect::<Vec<_>>());

    let nothing = Faults { unprocessed_share: 1.0, ..Faults::default() };
    let world = World::<KeyValue>::with(nothing).await;
    let refused = world.db.run(Record::read_many((1..=150).map(record).collect())).await;
    assert_eq!(refused, Err(Error::Incomplete { unprocessed: 150 }));
}

#[tokio::test]
async fn conflicting_transactions_are_retried() {
    let faults = Faults { conflict_share: 0.3, never_sweep: true, ..Faults::default() };
    let world = World::<KeyValue>::with(faults).await;
    let record = record::<Value>("u1", "theme");
    let mut version = 0;
    for number in 0..20 {
        let put = record.put(json!(number)).meta(item! { "by" => "ann" });
        // A transaction with many conflicts in a row reports that it had no effect.
        if world.db.transact().with(put).await.is_ok() {
            version += 1;
        }
        let stored = world.db.run(record.read()).await.unwrap();
        assert_eq!(stored.map_or(0, |stored| stored.version.unwrap()), version);
    }
    assert!(version > 10, "most of them happened: {version}");
}
