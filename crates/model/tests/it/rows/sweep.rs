//! Rows that have expired, where the store removes none by itself.

use monotable_model::rows::GuardKey as _;
use monotable_types::item;
use serde_json::{Value, json};

use super::keys::{ActiveGame, match_lock, record, slot};
use super::tables::{Cabinet, Club, KeyValue};
use super::world::{START_SECONDS, World, at};

#[tokio::test]
async fn rows_of_rules_that_have_expired_are_removed() {
    let world = World::<Cabinet>::new().await;
    let db = &world.db;
    for (sort, expires) in [("a", Some(at(10))), ("b", Some(at(11))), ("c", None)] {
        let record = record::<Value>("m1", sort);
        db.run(record.put(json!({ "n": 1 })).expires(expires)).await.unwrap();
    }
    let guard = ActiveGame { team_id: "t1".to_owned() }.guard();
    db.run(guard.hold("g1").expires(at(10))).await.unwrap();
    assert_eq!(db.delete_expired().await.unwrap(), 0);
    world.pass(10);
    assert_eq!(world.rows().await.len(), 4, "they are absent and still stored");
    assert_eq!(db.delete_expired().await.unwrap(), 2);
    assert_eq!(world.rows().await.len(), 2);
    world.pass(1);
    assert_eq!(db.delete_expired().await.unwrap(), 1);
    assert_eq!(db.delete_expired().await.unwrap(), 0);
}

#[tokio::test]
async fn an_attribute_of_the_same_name_expires_nothing_where_no_rule_keeps_the_row() {
    let world = World::<Cabinet>::new().await;
    let other = item! { "pk" => "GAME#g1", "sk" => "METADATA", "ttl" => START_SECONDS };
    world.write_raw(other).await;
    // It looks like a guard, but its expiry has a form that no rule writes.
    let text = item! { "pk" => "TEAM#t1", "sk" => "ACTIVE_GAME", "ttl" => "0" };
    world.write_raw(text).await;
    assert_eq!(world.db.delete_expired().await.unwrap(), 0);
    assert_eq!(world.rows().await.len(), 2);
}

#[tokio::test]
async fn in_a_table_with_an_expiry_all_rows_that_have_it_are_removed() {
    let world = World::<Club>::new().await;
    let row = |sort: &str, end: i64| item! { "PK" => "GAME#g1", "SK" => sort, "expires_at" => end };
    world.write_raw(row("METADATA", START_SECONDS)).await;
    world.write_raw(row("LATER", START_SECONDS + 1)).await;
    assert_eq!(world.db.delete_expired().await.unwrap(), 1);
    assert_eq!(world.rows().await.len(), 1);
}

#[tokio::test]
async fn a_lock_keeps_its_fence_and_a_row_that_is_written_again_stays() {
    let world = World::<KeyValue>::new().await;
    let db = &world.db;
    db.run(match_lock().acquire(std::time::Duration::from_secs(5))).await.unwrap();
    db.run(slot("s1").hold("g1").expires(at(5))).await.unwrap();
    world.pass(5);
    db.run(slot("s1").hold("g2")).await.unwrap();
    assert_eq!(db.delete_expired().await.unwrap(), 0);
    assert_eq!(world.rows().await.len(), 2);
}
