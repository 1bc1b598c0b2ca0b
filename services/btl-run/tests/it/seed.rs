//! The operations that the seed prints, on rows that the service writes, and the other way round.

use std::sync::Arc;

use monotable::dynamodb::{DeleteItem, GetItem, PutItem, Query, UpdateItem};
use monotable::model::Error;
use monotable::{Item, item};
use monotable_btl_run::kv::Key;
use monotable_btl_run::table::{BtlRunReads as _, EventRow, MatchId};
use serde_json::{Value, json};

use crate::played::Played as _;
use crate::players::Play as _;
use crate::world::{START_MS, TABLE, World};

const START: i64 = (START_MS / 1000) as i64;

/// "Get Match State".
fn match_state(world: &World, match_id: &str) -> Option<Item> {
    let key = item! { "pk" => format!("match#{match_id}"), "sk" => "state" };
    let found = world.database.get_item(GetItem::new(TABLE, key)).unwrap();
    found.item.map(|row| row.to_item())
}

/// "Put Match State with Optimistic Locking"; returns the new version, or nothing if it was changed.
fn update_state(
    world: &World,
    match_id: &str,
    state: &Value,
    expected: Option<u64>,
) -> Option<u64> {
    let version = expected.unwrap_or(0) + 1;
    let row = item! {
        "pk" => format!("match#{match_id}"), "sk" => "state", "v" => state.to_string(),
        "ct" => "application/json", "ver" => version,
    };
    let put = PutItem::new(TABLE, row);
    let put = match expected {
        Some(expected) => put.condition("ver = :expected").value(":expected", expected),
        None => put.condition("attribute_not_exists(pk)"),
    };
    world.database.put_item(put).is_ok().then_some(version)
}

/// "Query Event Logs": the keys of a page.
fn event_logs(world: &World, partition: String, after: u32, limit: u32) -> Vec<String> {
    let start = if after > 0 { format!("log#{:06}", after + 1) } else { "log#".to_owned() };
    let query = Query::new(TABLE)
        .key_condition("pk = :pk AND sk >= :sk")
        .value(":pk", partition)
        .value(":sk", start)
        .limit(limit);
    let found = world.database.query(query).unwrap().items;
    found.iter().map(|row| row.to_item()["sk"].as_s().unwrap().to_owned()).collect()
}

/// "Lightweight Lock Pattern".
fn acquire_lock(world: &World, match_id: &MatchId) -> bool {
    let ttl = i64::try_from(monotable::Clock::now_ms(&*world.clock) / 1000).unwrap() + 30;
    let row = item! {
        "pk" => format!("lock#match#{match_id}"), "sk" => "v", "v" => "locked", "ttl" => ttl,
    };
    let put = PutItem::new(TABLE, row).condition("attribute_not_exists(pk)");
    world.database.put_item(put).is_ok()
}

#[tokio::test]
async fn states_are_read_and_replaced_under_their_version() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 0).await;
    let stored = match_state(&world, &opened.id).unwrap();
    let version = stored["ver"].as_n().and_then(|ver| ver.to_u64()).unwrap();
    let mut state: Value = serde_json::from_str(stored["v"].as_s().unwrap()).unwrap();
    assert_eq!((&state["matchId"], &state["version"]), (&json!(opened.id), &json!(version)));
    (state["memoryBlob"], state["version"]) = (json!("of another program"), json!(version + 1));
    assert_eq!(update_state(&world, &opened.id, &state, None), None, "there is one");
    assert_eq!(update_state(&world, &opened.id, &state, Some(version)), Some(version + 1));
    assert_eq!(update_state(&world, &opened.id, &state, Some(version)), None, "it was changed");
    // The service goes on from what the other program wrote.
    world.advance(&opened).await;
    let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    assert_eq!((row.stamps.version, row.state.version), (version + 2, version + 2));
    assert_eq!(row.state.memory_blob, "of another program");
    assert_eq!(update_state(&world, &opened.id, &state, Some(version + 1)), None);
    // A new one is created once, and read by the service.
    assert_eq!(match_state(&world, "new"), None);
    state["matchId"] = json!("new");
    assert_eq!(update_state(&world, "new", &state, None), Some(1));
    assert_eq!(update_state(&world, "new", &state, None), None);
    let new = world.app.match_row(&"new".parse().unwrap()).await.unwrap();
    assert_eq!(new.state.memory_blob, "of another program");
}

#[tokio::test]
async fn an_event_is_appended_once_under_its_number() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 0).await;
    let match_id: MatchId = opened.id.parse().unwrap();
    let last = world.look(&opened).await["logSeq"].as_u64().unwrap() as u32;
    let row = world.app.db.events_after(&match_id, last - 1).page().await.unwrap().rows.remove(0);
    let again = world.app.db.create(&row).await;
    assert!(matches!(again, Err(Error::Exists { .. })), "{again:?}");
    let next = EventRow { number: last + 1, ..row };
    world.app.db.create(&next).await.unwrap();
    assert!(world.app.db.create(&next).await.is_err());
}

/// The seed's query runs on into the rows behind the log.
#[tokio::test]
async fn logs_are_read_without_their_neighbours() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({ "aiCount": 4 }), 0).await;
    world.play_out(&opened).await;
    let match_id: MatchId = opened.id.parse().unwrap();
    let partition = || format!("match#{match_id}");
    let last = world.look(&opened).await["logSeq"].as_u64().unwrap() as u32;
    let all = event_logs(&world, partition(), 0, 1_000);
    assert!(all.contains(&"state".to_owned()) && all.contains(&"summary#1".to_owned()));
    for (after, limit) in [(0, 50), (0, 1_000), (3, 7), (last - 2, 50), (last, 50)] {
        let literal = event_logs(&world, partition(), after, limit);
        let literal: Vec<u32> = literal
            .iter()
            .filter_map(|key| key.strip_prefix("log#"))
            .map(|number| number.parse().unwrap())
            .collect();
        let page = world.app.kv.events::<Value>(&match_id, 0, Some(after), limit).await.unwrap();
        let found: Vec<u32> = page.entries.iter().map(|entry| entry.seq).collect();
        assert_eq!(found, literal, "after {after}, at most {limit}");
    }
}

#[tokio::test]
async fn states_are_found_in_the_order_of_their_ids() {
    let world = World::new().await;
    for number in 0..60 {
        let state = json!({ "matchId": format!("m{number}") });
        assert_eq!(update_state(&world, &format!("m{number}"), &state, None), Some(1));
    }
    // Of 150 ids, every third has no state, and each is there twice.
    let ids: Vec<String> = (0..150).map(|number| format!("m{}", number % 75 * 60 / 50)).collect();
    let keys: Vec<Key> =
        ids.iter().map(|id| Key::new(format!("match#{id}"), "state").unwrap()).collect();
    let found = world.app.kv.batch_get::<Value>(&keys).await.unwrap();
    assert_eq!(found.len(), ids.len());
    for (id, found) in ids.iter().zip(found) {
        let expected = id[1..].parse::<u32>().is_ok_and(|number| number < 60);
        let found = found.map(|stored| stored.value["matchId"].clone());
        assert_eq!(found, expected.then(|| json!(id)));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_increments_at_once_are_all_counted() {
    let world = Arc::new(World::new().await);
    let mut running = tokio::task::JoinSet::new();
    for number in 0..100 {
        let world = Arc::clone(&world);
        running.spawn(async move {
            if number % 2 == 0 {
                let key = Key::new("visits", "count").unwrap();
                world.app.kv.add(&key, 1, None, None).await.unwrap();
            } else {
                let add = UpdateItem::new(TABLE, item! { "pk" => "visits", "sk" => "count" })
                    .update("ADD #val :inc")
                    .name("#val", "v")
                    .value(":inc", 1);
                world.database.update_item(add).unwrap();
            }
        });
    }
    running.join_all().await;
    let rows = world.rows();
    assert_eq!(rows, [item! { "pk" => "visits", "sk" => "count", "v" => 100 }]);
}

/// The key has the user, the route and the number of the window; the row ends ten seconds after the window.
#[tokio::test]
async fn requests_are_counted_under_the_printed_keys() {
    let world = World::new().await;
    for _ in 0..3 {
        world.open_match(json!({})).await;
    }
    let (length, window) = (3_600, START / 3_600);
    let rows = world.rows();
    let counted = rows.iter().filter(|row| row["pk"].as_s() == Some("rate#ann"));
    let expected = item! {
        "pk" => "rate#ann", "sk" => format!("create#{window}"), "v" => 3,
        "ttl" => (window + 1) * length + 10,
    };
    assert_eq!(counted.cloned().collect::<Vec<_>>(), [expected]);
}

#[tokio::test]
async fn locks_of_both_programs_exclude_each_other_until_they_expire() {
    let world = World::new().await;
    let (kv, match_id) = (&world.app.kv, MatchId::new("m1").unwrap());
    assert!(acquire_lock(&world, &match_id));
    assert!(!acquire_lock(&world, &match_id));
    assert_eq!(kv.acquire(&match_id).await.unwrap(), None);
    // The row of a lock that has expired stays, and blocks the printed program until it is swept.
    world.clock.advance_ms(30_000);
    assert!(!acquire_lock(&world, &match_id));
    let held = kv.acquire(&match_id).await.unwrap().unwrap();
    assert!(!acquire_lock(&world, &match_id));
    assert!(kv.release(&match_id, &held).await.unwrap());
    assert!(acquire_lock(&world, &match_id));
    // "releaseLock" deletes the row.
    let key = item! { "pk" => "lock#match#m1", "sk" => "v" };
    world.database.delete_item(DeleteItem::new(TABLE, key)).unwrap();
    assert!(kv.acquire(&match_id).await.unwrap().is_some());
}

/// "Hot Partition Prevention": all shards are read, and sorted by their numbers.
#[tokio::test]
async fn logs_that_are_spread_are_ordered_by_their_numbers() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({ "shardedLog": true }), 0).await;
    world.advance(&opened).await;
    let last = world.look(&opened).await["logSeq"].as_u64().unwrap() as u32;
    let mut literal: Vec<(u32, u32)> = Vec::new();
    for shard in 0..4 {
        let partition = format!("match#{}#shard{shard}", opened.id);
        let keys = event_logs(&world, partition, 0, 1_000);
        literal.extend(keys.iter().map(|key| (key[4..].parse().unwrap(), shard)));
    }
    literal.sort_unstable();
    let numbers: Vec<u32> = literal.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=last).collect::<Vec<_>>());
    let match_id: MatchId = opened.id.parse().unwrap();
    let page = world.app.kv.events::<Value>(&match_id, 4, None, 1_000).await.unwrap();
    assert_eq!(page.entries.iter().map(|entry| entry.seq).collect::<Vec<_>>(), numbers);
    // What the printed program appends under its keys is read in order as well.
    for number in 1..=20_u32 {
        let row = item! {
            "pk" => format!("match#m2#shard{}", number % 4), "sk" => format!("log#{number:06}"),
            "v" => json!({ "n": number }).to_string(), "ct" => "application/json",
        };
        world.put_rows([row]);
    }
    let page = world.app.kv.events::<Value>(&"m2".parse().unwrap(), 4, Some(5), 10).await.unwrap();
    let read: Vec<u32> = page.entries.iter().map(|entry| entry.seq).collect();
    assert_eq!((read, page.has_more), ((6..=15).collect(), true));
}
