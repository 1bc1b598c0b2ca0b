//! One row that can't be read keeps nobody from the others.

use http::Method;
use monotable::{AttributeValue, Item, PutItem};
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
    let state = damage(&served, &format!("match#{}", all[1].id), "state");
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
    damage(&served, &format!("match#{}", all[1].id), "state");
    let list = served.get(Who::User("bob"), "/me/matches").await;
    assert_eq!(list.status, 200, "{}", list.text);
    let list = list.json();
    let told: Vec<_> = list["items"].as_array().unwrap().iter().map(|one| &one["status"]).collect();
    assert_eq!(told, [&json!("lobby"), &Value::Null, &json!("lobby")]);
    let key = served.keys_of("user#bob").into_iter().find(|key| key.contains(&all[2].id)).unwrap();
    damage(&served, "user#bob", &key);
    let list = served.get(Who::User("bob"), "/me/matches").await;
    assert_eq!(list.json()["items"].as_array().unwrap().len(), 2, "{}", list.text);
}
