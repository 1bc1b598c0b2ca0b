//! One row that can't be read keeps nobody from the others.

use http::Method;
use monotable::dynamodb::PutItem;
use monotable::{AttributeValue, Item};
use serde_json::{Value, json};

use crate::ended::ended;
use crate::served::{Opened, Served, TABLE, Who};

/// Breaks the row with these keys, and tells what it was.
fn damage(served: &Served, pk: &str, sk: &str) -> Item {
    let rows = served.rows();
    let is_it = |row: &&Item| row["pk"].as_s() == Some(pk) && row["sk"].as_s() == Some(sk);
    let row = rows.iter().find(is_it).unwrap().clone();
    let mut broken = row.clone();
    broken.insert("v".to_owned(), AttributeValue::from("{"));
    served.database.put_item(PutItem::new(TABLE, broken)).unwrap();
    row
}

/// A row that nobody can read.
fn put_broken(served: &Served, opened: &Opened, sk: &str) {
    let row = monotable::item! {
        "pk" => format!("match#{}", opened.id), "sk" => sk, "v" => "{", "ct" => "application/json",
    };
    served.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

fn has_left(served: &Served, opened: &Opened, trace: &str) -> bool {
    let partition = format!("match#{}", opened.id);
    let rows = served.rows();
    let mut of_match = rows.iter().filter(|row| row["pk"].as_s() == Some(&partition));
    of_match.any(|row| format!("{row:?}").contains(trace))
}

/// Three matches of bob, the oldest first.
async fn three(served: &Served) -> Vec<Opened> {
    let mut all = Vec::new();
    for _ in 0..3 {
        served.clock.advance_ms(1);
        let opened = served.open_match(json!({})).await;
        served.join_as(Who::User("bob"), &opened, "Bobby").await;
        all.push(opened);
    }
    all
}

#[tokio::test]
async fn a_match_that_cannot_be_read_does_not_stop_an_erasure() {
    let served = Served::new().await;
    let all = three(&served).await;
    let partition = format!("match#{}", all[1].id);
    let state = damage(&served, &partition, "state");
    // Its log can't replace it.
    let event = damage(&served, &partition, "log#000001");
    put_broken(&served, &all[0], "summary#1");
    put_broken(&served, &all[0], "ally#a1#000001");
    let told = served.ask(Who::User("bob"), Method::DELETE, "/me", Value::Null, &[]).await;
    assert_eq!(told.status, 204);
    let left: Vec<_> = all.iter().map(|opened| has_left(&served, opened, "Bobby")).collect();
    assert_eq!(left, [false, true, false]);
    // It is not over, and is tried again until it is.
    assert_eq!(served.app.work().await.unwrap().erased.failed, 1);
    assert_eq!(served.keys_of("task#erase"), ["bob"]);
    served.database.put_item(PutItem::new(TABLE, state)).unwrap();
    served.database.put_item(PutItem::new(TABLE, event)).unwrap();
    served.clock.advance_ms(60 * 60 * 1000);
    assert_eq!(served.app.work().await.unwrap().erased.done, 1);
    assert!(!has_left(&served, &all[1], "Bobby"));
    assert!(served.keys_of("task#erase").is_empty() && served.keys_of("user#bob").is_empty());
    served.check_log(&all[1]).await;
}

#[tokio::test]
async fn a_broken_row_of_the_list_does_not_stop_an_erasure() {
    let served = Served::new().await;
    let all = three(&served).await;
    let key = served.keys_of("user#bob").into_iter().find(|key| key.contains(&all[2].id)).unwrap();
    let mine = damage(&served, "user#bob", &key);
    let told = served.ask(Who::User("bob"), Method::DELETE, "/me", Value::Null, &[]).await;
    assert_eq!(told.status, 204);
    let left: Vec<_> = all.iter().map(|opened| has_left(&served, opened, "Bobby")).collect();
    assert_eq!(left, [false, false, true]);
    served.database.put_item(PutItem::new(TABLE, mine)).unwrap();
    served.clock.advance_ms(60 * 60 * 1000);
    assert_eq!(served.app.work().await.unwrap().erased.done, 1);
    assert!(!has_left(&served, &all[2], "Bobby"));
}

#[tokio::test]
async fn rows_that_cannot_be_read_do_not_stop_the_archive() {
    let served = Served::new().await;
    let opened = ended(&served, json!({})).await;
    damage(&served, &format!("match#{}", opened.id), "summary#1");
    put_broken(&served, &opened, "ally#a1#000001");
    let work = served.app.work().await.unwrap();
    assert_eq!((work.archived.done, work.archived.failed), (1, 0));
}

#[tokio::test]
async fn matches_that_can_be_read_are_listed() {
    let served = Served::new().await;
    let all = three(&served).await;
    damage(&served, &format!("match#{}", all[0].id), "state");
    damage(&served, &format!("match#{}", all[1].id), "state");
    damage(&served, &format!("match#{}", all[1].id), "log#000002");
    let list = served.get(Who::User("bob"), "/me/matches").await;
    assert_eq!(list.status, 200, "{}", list.text);
    let list = list.json();
    let items = list["items"].as_array().unwrap();
    let told: Vec<_> = items.iter().map(|one| (&one["status"], &one["unreadable"])).collect();
    // The oldest was rebuilt from its log.
    let (lobby, none) = (&json!("lobby"), &Value::Null);
    assert_eq!(told, [(lobby, none), (none, &json!(true)), (lobby, none)]);
    let key = served.keys_of("user#bob").into_iter().find(|key| key.contains(&all[2].id)).unwrap();
    damage(&served, "user#bob", &key);
    let list = served.get(Who::User("bob"), "/me/matches").await;
    assert_eq!(list.json()["items"].as_array().unwrap().len(), 2, "{}", list.text);
    assert_eq!(list.json()["unreadable"], 1);
}

/// What a program may leave of a state: broken JSON, a part of it, broken bytes.
fn wrecks() -> Vec<AttributeValue> {
    vec![
        AttributeValue::from("{"),
        AttributeValue::from(r#"{"status":"active","turn":1}"#),
        AttributeValue::B(vec![0x1f, 0x8b, 1, 2, 3]),
    ]
}

fn wreck_state(served: &Served, opened: &Opened, wreck: AttributeValue) {
    let mut row = damage(served, &format!("match#{}", opened.id), "state");
    row.insert("v".to_owned(), wreck);
    served.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

#[tokio::test]
async fn a_state_that_cannot_be_read_is_rebuilt_from_its_log_when_it_is_met() {
    for fields in [json!({}), json!({ "shardedLog": true })] {
        let served = Served::new().await;
        let (opened, players) = served.begun(fields, 2).await;
        let mut turn = "d1t1".to_owned();
        for wreck in wrecks() {
            served.act(&opened, &players[0], &turn, "hide").await;
            let before = served.look(&opened).await;
            wreck_state(&served, &opened, wreck);
            let after = served.look(&opened).await;
            let next = before["version"].as_u64().unwrap() + 1;
            assert_eq!(after["version"], next);
            assert_eq!(
                (&after["roster"], &after["submitted"]),
                (&before["roster"], &before["submitted"])
            );
            let told = served.host(&opened, "advance", json!({ "force": true })).await;
            turn = told["match"]["turnId"].as_str().unwrap_or_default().to_owned();
            served.check_log(&opened).await;
        }
    }
}

#[tokio::test]
async fn a_state_that_cannot_be_read_is_rebuilt_by_the_backfill() {
    let served = Served::new().await;
    let (opened, _) = served.begun(json!({}), 1).await;
    let before = served.look(&opened).await;
    wreck_state(&served, &opened, AttributeValue::from("{"));
    let report = monotable_btl_run::legacy::backfill(&served.app).await.unwrap();
    assert_eq!(report.rebuilt, [opened.id.parse().unwrap()]);
    assert_eq!(report.conflicts, []);
    assert_eq!(served.look(&opened).await["roster"], before["roster"]);
    served.check_log(&opened).await;
}

#[tokio::test]
async fn a_log_with_a_gap_replaces_no_state() {
    let served = Served::new().await;
    let (opened, _) = served.begun(json!({}), 1).await;
    let partition = format!("match#{}", opened.id);
    wreck_state(&served, &opened, AttributeValue::from("{"));
    let event = damage(&served, &partition, "log#000002");
    let rows = served.rows();
    assert_eq!(served.get(Who::Nobody, &format!("/match/{}", opened.id)).await.status, 500);
    assert_eq!(served.rows(), rows, "nothing was made up");
    served.database.put_item(PutItem::new(TABLE, event)).unwrap();
    assert_eq!(served.look(&opened).await["status"], "active");
    damage(&served, &partition, "log#000002");
    let log = served.get(Who::Nobody, &opened.path("log")).await.json();
    assert_eq!(log["items"][1], json!({ "seq": 2, "unreadable": true }));
}

#[tokio::test]
async fn orphans_that_cannot_be_read_are_removed_as_well() {
    let served = Served::new().await;
    let (opened, _) = served.begun(json!({}), 0).await;
    let last = served.look(&opened).await["logSeq"].as_u64().unwrap();
    for seq in last + 1..last + 60 {
        put_broken(&served, &opened, &format!("log#{seq:06}"));
    }
    served.host(&opened, "advance", json!({})).await;
    served.check_log(&opened).await;
}
