//! btl.run, seed 002: a key-value service for matches, with versions, logs, counters and locks.

mod batches;
mod counters;
mod locks;
mod logs;
mod values;

use monotable::dynamodb::{
    BillingMode, DeleteItem, DescribeTable, DescribeTimeToLive, Error, GetItem, PutItem, Result,
    UpdateTimeToLive,
};
use monotable::{Database, Faults, Item, PartitionLimits, item};

use crate::support::literal::Literal;
use crate::support::reading::{get, lower_key};
use crate::support::stores::{TestDatabase, on_both_stores, on_both_stores_with};
use crate::support::tables::create_table;

const TABLE: &str = "btlrun_kv";

/// "SAM Table Definition".
fn create(db: &Database) {
    create_table(db, TABLE, ["pk", "sk"], 0);
    db.update_time_to_live(UpdateTimeToLive::enable(TABLE, "ttl")).unwrap();
}

/// "Get Match State": what `getMatchState` unmarshalls.
fn get_match_state(db: &Database, match_id: &str) -> Result<Option<Item>> {
    let key = Literal::new("{ pk: `match#${matchId}`, sk: 'state' }").bind("matchId", match_id);
    Ok(db.get_item(GetItem::new(TABLE, key.item()))?.item.map(Item::from))
}

/// "Put Match State with Optimistic Locking".
fn update_match_state(
    db: &Database,
    match_id: &str,
    state: &str,
    expected_version: Option<u32>,
) -> Result<u32> {
    let new_version = expected_version.unwrap_or(0) + 1;
    let printed = "{
        pk: `match#${matchId}`,
        sk: 'state',
        v: JSON.stringify(state),
        ct: 'application/json',
        ver: newVer,
      }";
    let item = Literal::new(printed)
        .bind("matchId", match_id)
        .bind("JSON.stringify(state)", state)
        .bind("newVer", new_version);
    let put = PutItem::new(TABLE, item.item());
    db.put_item(match expected_version {
        Some(version) => put.condition("ver = :expected").value(":expected", version),
        None => put.condition("attribute_not_exists(pk)"),
    })?;
    Ok(new_version)
}

/// Returns the payload and the version of a match's state.
fn state_of(db: &Database, match_id: &str) -> (String, u64) {
    let row = get_match_state(db, match_id).unwrap().unwrap();
    let version = row["ver"].as_n().unwrap().to_u64().unwrap();
    (row["v"].as_s().unwrap().to_owned(), version)
}

/// The key conventions, each with an example.
const KEYS: [(&str, &str); 9] = [
    ("match#m1", "state"),
    ("match#m1", "log#000001"),
    ("match#m1", "summary#1"),
    ("invite#ABC123", "meta"),
    ("user#u1", "profile"),
    ("rate#u1", "submit_action#29386800"),
    ("lock#match#m1", "v"),
    ("idem#m1", "01J-key"),
    ("budget#m1", "tokens"),
];

#[test]
fn the_table_is_on_demand_and_expires_by_ttl() {
    on_both_stores(|db| {
        create(db);
        let table = db.describe_table(DescribeTable::new(TABLE)).unwrap().table;
        assert_eq!(table.billing_mode, BillingMode::PayPerRequest);
        let expiry = db.describe_time_to_live(DescribeTimeToLive::new(TABLE)).unwrap();
        assert_eq!(expiry.attribute_name.as_deref(), Some("ttl"));
    });
}

#[test]
fn a_row_of_every_key_convention_loads_verbatim() {
    on_both_stores(|db| {
        create(db);
        for (partition, sort) in KEYS {
            let mut row = lower_key(partition, sort);
            row.extend(item! { "v" => "{}", "ct" => "application/json", "ver" => 1 });
            db.put_item(PutItem::new(TABLE, row.clone())).unwrap();
            assert_eq!(get(db, TABLE, lower_key(partition, sort)), Some(row));
        }
    });
}

#[test]
fn get_match_state_returns_what_was_put_or_nothing() {
    on_both_stores(|db| {
        create(db);
        assert_eq!(get_match_state(db, "m1").unwrap(), None);
        update_match_state(db, "m1", r#"{"day":1}"#, None).unwrap();
        let expected = item! {
            "pk" => "match#m1", "sk" => "state", "v" => r#"{"day":1}"#,
            "ct" => "application/json", "ver" => 1,
        };
        assert_eq!(get_match_state(db, "m1").unwrap(), Some(expected));
    });
}

#[test]
fn update_match_state_without_a_version_creates_once() {
    on_both_stores(|db| {
        create(db);
        assert_eq!(update_match_state(db, "m1", r#"{"day":1}"#, None), Ok(1));
        let second = update_match_state(db, "m1", r#"{"day":9}"#, None);
        assert_eq!(second, Err(Error::ConditionalCheckFailed { item: None }));
        assert_eq!(state_of(db, "m1"), (r#"{"day":1}"#.to_owned(), 1));
    });
}

#[test]
fn update_match_state_with_the_version_it_read_advances_it() {
    on_both_stores(|db| {
        create(db);
        update_match_state(db, "m1", r#"{"day":1}"#, None).unwrap();
        assert_eq!(update_match_state(db, "m1", r#"{"day":2}"#, Some(1)), Ok(2));
        assert_eq!(update_match_state(db, "m1", r#"{"day":3}"#, Some(2)), Ok(3));
        assert_eq!(state_of(db, "m1"), (r#"{"day":3}"#.to_owned(), 3));
    });
}

#[test]
fn update_match_state_with_a_stale_version_changes_nothing() {
    on_both_stores(|db| {
        create(db);
        update_match_state(db, "m1", r#"{"day":1}"#, None).unwrap();
        update_match_state(db, "m1", r#"{"day":2}"#, Some(1)).unwrap();
        let stale = update_match_state(db, "m1", r#"{"day":"lost"}"#, Some(1)).unwrap_err();
        assert_eq!(stale.code(), "ConditionalCheckFailedException");
        assert_eq!(state_of(db, "m1"), (r#"{"day":2}"#.to_owned(), 2));
        let missing = update_match_state(db, "m2", "{}", Some(1)).unwrap_err();
        assert_eq!(missing.code(), "ConditionalCheckFailedException");
    });
}

#[test]
fn delete_item_removes_one_row_and_may_be_repeated() {
    on_both_stores(|db| {
        create(db);
        update_match_state(db, "m1", "{}", None).unwrap();
        update_match_state(db, "m2", "{}", None).unwrap();
        for _ in 0..2 {
            db.delete_item(DeleteItem::new(TABLE, lower_key("match#m1", "state"))).unwrap();
        }
        assert_eq!(get_match_state(db, "m1").unwrap(), None);
        assert!(get_match_state(db, "m2").unwrap().is_some());
    });
}

/// "Error Handling": a lost race is reloaded and repeated.
#[test]
fn writers_that_reload_after_a_lost_race_lose_no_update() {
    on_both_stores(|db| {
        create(db);
        update_match_state(db, "m1", "0", None).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..10).for_each(|_| add_one(db)));
            }
        });
        assert_eq!(state_of(db, "m1"), ("40".to_owned(), 41));
    });
}

fn add_one(db: &Database) {
    loop {
        let (count, version) = state_of(db, "m1");
        let count: u32 = count.parse().unwrap();
        match update_match_state(db, "m1", &(count + 1).to_string(), Some(version as u32)) {
            Ok(_) => return,
            Err(Error::ConditionalCheckFailed { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// `exponentialBackoff`, with the clock of the test.
fn with_backoff<T>(db: &TestDatabase, request: impl Fn() -> Result<T>) -> Result<T> {
    for _ in 0..2 {
        match request() {
            Err(Error::ProvisionedThroughputExceeded) => db.advance_seconds(1),
            outcome => return outcome,
        }
    }
    request()
}

#[test]
fn a_throttled_write_succeeds_after_backing_off() {
    let limits = PartitionLimits { write_units: 2.0, ..PartitionLimits::default() };
    let faults = Faults { hot_partition: Some(limits), ..Faults::default() };
    on_both_stores_with(&faults, |db| {
        create(db);
        update_match_state(db, "m1", "{}", None).unwrap();
        update_match_state(db, "m1", "{}", Some(1)).unwrap();
        let hot = update_match_state(db, "m1", "{}", Some(2)).unwrap_err();
        assert_eq!(hot.code(), "ProvisionedThroughputExceededException");
        assert_eq!(with_backoff(db, || update_match_state(db, "m1", "{}", Some(2))), Ok(3));
    });
}
