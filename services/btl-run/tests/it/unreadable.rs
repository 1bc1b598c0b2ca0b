//! One row that can't be read keeps nobody from the others.

use http::Method;
use monotable::dynamodb::PutItem;
use monotable::{AttributeValue, Item};
use serde_json::{Value, json};

use crate::ended::ended;
use crate::played::Played as _;
use crate::players::Play as _;
use crate::world::{Actor, Opened, TABLE, World};

/// Breaks the row with these keys, and tells what it was.
fn damage(world: &World, pk: &str, sk: &str) -> Item {
    let rows = world.rows();
    let is_it = |row: &&Item| row["pk"].as_s() == Some(pk) && row["sk"].as_s() == Some(sk);
    let row = rows.iter().find(is_it).unwrap().clone();
    let mut broken = row.clone();
    broken.insert("v".to_owned(), AttributeValue::from("{"));
    world.database.put_item(PutItem::new(TABLE, broken)).unwrap();
    row
}

/// A row that nobody can read.
fn put_broken(world: &World, opened: &Opened, sk: &str) {
    let row = monotable::item! {
        "pk" => format!("match#{}", opened.id), "sk" => sk, "v" => "{", "ct" => "application/json",
    };
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

fn has_left(world: &World, opened: &Opened, trace: &str) -> bool {
    let partition = format!("match#{}", opened.id);
    let rows = world.rows();
    let mut of_match = rows.iter().filter(|row| row["pk"].as_s() == Some(&partition));
    of_match.any(|row| format!("{row:?}").contains(trace))
}

/// Three matches of bob, the oldest first.
async fn three(world: &World) -> Vec<Opened> {
    let mut all = Vec::new();
    for _ in 0..3 {
        world.clock.advance_ms(1);
        let opened = world.open_match(json!({})).await;
        world.join_as(Actor::User("bob"), &opened, "Bobby").await;
        all.push(opened);
    }
    all
}

#[tokio::test]
async fn a_match_that_cannot_be_read_does_not_stop_an_erasure() {
    let world = World::new().await;
    let all = three(&world).await;
    let partition = format!("match#{}", all[1].id);
    let state = damage(&world, &partition, "state");
    // Its log can't replace it.
    let event = damage(&world, &partition, "log#000001");
    put_broken(&world, &all[0], "summary#1");
    put_broken(&world, &all[0], "ally#a1#000001");
    let told = world.request(Actor::User("bob"), Method::DELETE, "/me", Value::Null, &[]).await;
    assert_eq!(told.status, 204);
    let left: Vec<_> = all.iter().map(|opened| has_left(&world, opened, "Bobby")).collect();
    assert_eq!(left, [false, true, false]);
    // It is not over, and is tried again until it is.
    assert_eq!(world.app.work().await.unwrap().erased.failed, 1);
    assert_eq!(world.keys_of("task#erase"), ["bob"]);
    world.database.put_item(PutItem::new(TABLE, state)).unwrap();
    world.database.put_item(PutItem::new(TABLE, event)).unwrap();
    world.clock.advance_ms(60 * 60 * 1000);
    assert_eq!(world.app.work().await.unwrap().erased.done, 1);
    assert!(!has_left(&world, &all[1], "Bobby"));
    assert!(world.keys_of("task#erase").is_empty() && world.keys_of("user#bob").is_empty());
    world.check_log(&all[1]).await;
}

#[tokio::test]
async fn a_broken_row_of_the_list_does_not_stop_an_erasure() {
    let world = World::new().await;
    let all = three(&world).await;
    let key = world.keys_of("user#bob").into_iter().find(|key| key.contains(&all[2].id)).unwrap();
    let mine = damage(&world, "user#bob", &key);
    let told = world.request(Actor::User("bob"), Method::DELETE, "/me", Value::Null, &[]).await;
    assert_eq!(told.status, 204);
    let left: Vec<_> = all.iter().map(|opened| has_left(&world, opened, "Bobby")).collect();
    assert_eq!(left, [false, false, true]);
    world.database.put_item(PutItem::new(TABLE, mine)).unwrap();
    world.clock.advance_ms(60 * 60 * 1000);
    assert_eq!(world.app.work().await.unwrap().erased.done, 1);
    assert!(!has_left(&world, &all[2], "Bobby"));
}

#[tokio::test]
async fn rows_that_cannot_be_read_do_not_stop_the_archive() {
    let world = World::new().await;
    let opened = ended(&world, json!({})).await;
    damage(&world, &format!("match#{}", opened.id), "summary#1");
    put_broken(&world, &opened, "ally#a1#000001");
    let work = world.app.work().await.unwrap();
    assert_eq!((work.archived.done, work.archived.failed), (1, 0));
}

#[tokio::test]
async fn matches_that_can_be_read_are_listed() {
    let world = World::new().await;
    let all = three(&world).await;
    damage(&world, &format!("match#{}", all[0].id), "state");
    damage(&world, &format!("match#{}", all[1].id), "state");
    damage(&world, &format!("match#{}", all[1].id), "log#000002");
    let list = world.get(Actor::User("bob"), "/me/matches").await;
    assert_eq!(list.status, 200, "{}", list.text);
    let list = list.json();
    let items = list["items"].as_array().unwrap();
    let told: Vec<_> = items.iter().map(|one| (&one["status"], &one["unreadable"])).collect();
    // The oldest was rebuilt from its log.
    let (lobby, none) = (&json!("lobby"), &Value::Null);
    assert_eq!(told, [(lobby, none), (none, &json!(true)), (lobby, none)]);
    let key = world.keys_of("user#bob").into_iter().find(|key| key.contains(&all[2].id)).unwrap();
    damage(&world, "user#bob", &key);
    let list = world.get(Actor::User("bob"), "/me/matches").await;
    assert_eq!(list.json()["items"].as_array().unwrap().len(), 2, "{}", list.text);
    assert_eq!(list.json()["unreadable"], 1);
}

/// Returns what a program may leave of a state: broken JSON, a part of it, broken bytes.
fn wrecks() -> Vec<AttributeValue> {
    vec![
        AttributeValue::from("{"),
        AttributeValue::from(r#"{"status":"active","turn":1}"#),
        AttributeValue::B(vec![0x1f, 0x8b, 1, 2, 3]),
    ]
}

fn wreck_state(world: &World, opened: &Opened, wreck: AttributeValue) {
    let mut row = damage(world, &format!("match#{}", opened.id), "state");
    row.insert("v".to_owned(), wreck);
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

#[tokio::test]
async fn a_state_that_cannot_be_read_is_rebuilt_from_its_log_when_it_is_met() {
    for fields in [json!({}), json!({ "shardedLog": true })] {
        let world = World::new().await;
        let (opened, players) = world.begun(fields, 2).await;
        let mut turn = "d1t1".to_owned();
        for wreck in wrecks() {
            world.act(&opened, &players[0], &turn, "hide").await;
            let before = world.look(&opened).await;
            wreck_state(&world, &opened, wreck);
            let after = world.look(&opened).await;
            let next = before["version"].as_u64().unwrap() + 1;
            assert_eq!(after["version"], next);
            assert_eq!(
                (&after["roster"], &after["submitted"]),
                (&before["roster"], &before["submitted"])
            );
            let told = world.host(&opened, "advance", json!({ "force": true })).await;
            turn = told["match"]["turnId"].as_str().unwrap_or_default().to_owned();
            world.check_log(&opened).await;
        }
    }
}

#[tokio::test]
async fn a_state_that_cannot_be_read_is_rebuilt_by_the_backfill() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let before = world.look(&opened).await;
    wreck_state(&world, &opened, AttributeValue::from("{"));
    let report = monotable_btl_run::legacy::backfill(&world.app).await.unwrap();
    assert_eq!(report.rebuilt, [opened.id.parse().unwrap()]);
    assert_eq!(report.conflicts, []);
    assert_eq!(world.look(&opened).await["roster"], before["roster"]);
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_log_with_a_gap_replaces_no_state() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let partition = format!("match#{}", opened.id);
    wreck_state(&world, &opened, AttributeValue::from("{"));
    let event = damage(&world, &partition, "log#000002");
    let rows = world.rows();
    assert_eq!(world.get(Actor::Nobody, &format!("/match/{}", opened.id)).await.status, 500);
    assert_eq!(world.rows(), rows, "nothing was made up");
    world.database.put_item(PutItem::new(TABLE, event)).unwrap();
    assert_eq!(world.look(&opened).await["status"], "active");
    damage(&world, &partition, "log#000002");
    let log = world.get(Actor::Nobody, &opened.path("log")).await.json();
    assert_eq!(log["items"][1], json!({ "seq": 2, "unreadable": true }));
}

#[tokio::test]
async fn orphans_that_cannot_be_read_are_removed_as_well() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 0).await;
    let last = world.look(&opened).await["logSeq"].as_u64().unwrap();
    for seq in last + 1..last + 60 {
        put_broken(&world, &opened, &format!("log#{seq:06}"));
    }
    world.host(&opened, "advance", json!({})).await;
    world.check_log(&opened).await;
}
