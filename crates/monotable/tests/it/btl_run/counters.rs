//! Atomic counters and rate limits.

use std::collections::BTreeSet;

use monotable::dynamodb::{Error, PutItem, Result, ReturnValues, UpdateItem};
use monotable::{AttributeValue, Database, Item, item};

use super::{TABLE, create};
use crate::support::literal::Literal;
use crate::support::reading::{get, lower_key};
use crate::support::stores::{TestDatabase, on_both_stores};

/// "Atomic Counter Increment".
fn increment_counter(db: &Database, key: &str, amount: u64) -> u64 {
    let update =
        UpdateItem::new(TABLE, Literal::new("{ pk: key, sk: 'count' }").bind("key", key).item())
            .update("ADD #val :inc")
            .name("#val", "v")
            .value(":inc", amount)
            .return_values(ReturnValues::UpdatedNew);
    let updated = db.update_item(update).unwrap().attributes.unwrap();
    assert_eq!(updated.len(), 1);
    updated["v"].as_n().unwrap().to_u64().unwrap()
}

/// "TTL for Rate Limiting": the row that `setRateLimit` puts.
fn rate_limit_row(db: &TestDatabase, user_id: &str, route: &str, count: u64) -> Item {
    let ttl_seconds = 60;
    let printed = "{
      pk: `rate#${userId}`,
      sk: `${route}#${window}`,
      v: count,
      ttl, // DynamoDB will auto-delete after expiration
    }";
    Literal::new(printed)
        .bind("userId", user_id)
        .bind("route", route)
        .bind("window", db.now_seconds() / ttl_seconds)
        .bind("count", count)
        .bind("ttl", db.now_seconds() + ttl_seconds + 10)
        .item()
}

/// Returns one request more in this window, unless that is over the limit: count and check are one update.
fn count_request(db: &TestDatabase, user_id: &str, route: &str, limit: u64) -> Result<u64> {
    let row = rate_limit_row(db, user_id, route, 1);
    let key = item! { "pk" => row["pk"].clone(), "sk" => row["sk"].clone() };
    let update = UpdateItem::new(TABLE, key)
        .update("ADD v :one SET #ttl = if_not_exists(#ttl, :ttl)")
        .condition("attribute_not_exists(v) OR v <= :room")
        .name("#ttl", "ttl")
        .value(":one", 1)
        .value(":ttl", row["ttl"].clone())
        .value(":room", limit - 1)
        .return_values(ReturnValues::AllNew);
    let counted = db.update_item(update)?.attributes.unwrap();
    Ok(counted["v"].as_n().unwrap().to_u64().unwrap())
}

#[test]
fn a_counter_starts_at_nothing_and_returns_its_new_value() {
    on_both_stores(|db| {
        create(db);
        assert_eq!(increment_counter(db, "budget#m1", 1), 1);
        assert_eq!(increment_counter(db, "budget#m1", 250), 251);
        assert_eq!(increment_counter(db, "budget#m2", 7), 7);
        let expected = item! { "pk" => "budget#m1", "sk" => "count", "v" => 251 };
        assert_eq!(get(db, TABLE, lower_key("budget#m1", "count")), Some(expected));
    });
}

#[test]
fn a_hundred_parallel_increments_add_up_and_none_sees_the_same_value() {
    on_both_stores(|db| {
        create(db);
        let seen: Vec<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..10)
                .map(|_| {
                    scope.spawn(|| (0..10).map(|_| increment_counter(db, "hits", 1)).collect())
                })
                .collect();
            let seen = |thread: std::thread::ScopedJoinHandle<'_, Vec<u64>>| thread.join().unwrap();
            threads.into_iter().flat_map(seen).collect()
        });
        assert_eq!(seen.len(), 100);
        assert!(BTreeSet::from_iter(seen).into_iter().eq(1..=100));
        let stored = get(db, TABLE, lower_key("hits", "count")).unwrap();
        assert_eq!(stored["v"], AttributeValue::from(100));
    });
}

#[test]
fn a_rate_limit_row_is_keyed_by_user_route_and_window() {
    on_both_stores(|db| {
        create(db);
        let row = rate_limit_row(db, "u1", "submit_action", 3);
        db.put_item(PutItem::new(TABLE, row.clone())).unwrap();
        let expected = item! {
            "pk" => "rate#u1", "sk" => "submit_action#29386800", "v" => 3, "ttl" => 1_763_208_070,
        };
        assert_eq!(row, expected);
        assert_eq!(get(db, TABLE, lower_key("rate#u1", "submit_action#29386800")), Some(expected));
    });
}

#[test]
fn a_rate_limit_row_is_swept_after_its_window() {
    on_both_stores(|db| {
        create(db);
        let row = rate_limit_row(db, "u1", "join", 3);
        db.put_item(PutItem::new(TABLE, row)).unwrap();
        db.advance_seconds(70);
        assert_eq!(db.sweep_expired().unwrap(), 0, "the row lives to the end of its second");
        db.advance_seconds(1);
        assert_eq!(db.sweep_expired().unwrap(), 1);
        assert_eq!(get(db, TABLE, lower_key("rate#u1", "join#29386800")), None);
    });
}

#[test]
fn requests_are_counted_up_to_the_limit_of_the_window() {
    on_both_stores(|db| {
        create(db);
        for expected in 1..=3 {
            assert_eq!(count_request(db, "u1", "create", 3), Ok(expected));
        }
        let refused = count_request(db, "u1", "create", 3);
        assert_eq!(refused, Err(Error::ConditionalCheckFailed { item: None }));
        assert_eq!(count_request(db, "u2", "create", 3), Ok(1));
        db.advance_seconds(60);
        assert_eq!(count_request(db, "u1", "create", 3), Ok(1), "a new window");
    });
}

#[test]
fn parallel_requests_never_pass_the_limit() {
    on_both_stores(|db| {
        create(db);
        let passed: usize = std::thread::scope(|scope| {
            let count = || (0..10).filter(|_| count_request(db, "u1", "join", 20).is_ok()).count();
            let threads: Vec<_> = (0..5).map(|_| scope.spawn(count)).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(passed, 20);
    });
}
