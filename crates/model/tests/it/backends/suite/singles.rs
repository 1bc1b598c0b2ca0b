//! Gets, puts, updates and deletes of one row.

use std::sync::Arc;

use monotable_expression::{
    SetOperand, Update, attribute_exists, attribute_not_exists, key as key_of, path,
};
use monotable_model::backend::BackendError;
use monotable_model::backend::request::{Action, Get, Query, Returns, Scan, Write};
use monotable_types::{Item, item, list, set};

use super::subject::{Subject, key, refused, row};

fn failed_with(result: Result<impl Sized, BackendError>) -> Option<Item> {
    match result {
        Err(BackendError::ConditionFailed { row }) => row.map(|row| *row),
        Err(other) => panic!("another error: {other:?}"),
        Ok(_) => panic!("the condition held"),
    }
}

pub(super) async fn a_row_is_read_back_by_its_key(subject: Subject) {
    let team = row("TEAM#1", "METADATA", item! { "name" => "Sluggers", "players" => 12 });
    assert_eq!(subject.get(key("TEAM#1", "METADATA")).await, None);
    subject.put(team.clone()).await;
    assert_eq!(subject.get(key("TEAM#1", "METADATA")).await, Some(team));
    assert_eq!(subject.get(key("TEAM#1", "OTHER")).await, None);
    let answer = subject.backend.get(subject.get_of(key("TEAM#1", "METADATA"))).await.unwrap();
    let read = answer.row.unwrap();
    assert_eq!(read.get("name"), Some("Sluggers".into()));
    assert_eq!(read.get("nothing"), None);
}

pub(super) async fn a_read_reports_its_units(subject: Subject) {
    let text = "x".repeat(5000);
    subject.put(row("TEAM#1", "BIG", item! { "text" => text })).await;
    for (consistent, units) in [(true, 2.0), (false, 1.0)] {
        let get = Get { consistent, ..subject.get_of(key("TEAM#1", "BIG")) };
        assert_eq!(subject.backend.get(get).await.unwrap().units, units);
    }
    let missing = subject.backend.get(subject.get_of(key("TEAM#1", "NONE"))).await.unwrap();
    assert_eq!(missing.units, 1.0);
    let small = subject.put_of(row("TEAM#1", "SMALL", Item::new()));
    assert_eq!(subject.backend.write(small.clone()).await.unwrap().units, 1.0);
    let unasked = Get { returns_units: false, ..subject.get_of(key("TEAM#1", "BIG")) };
    assert_eq!(subject.backend.get(unasked).await.unwrap().units, 0.0);
    let unasked = Write { returns_units: false, ..small };
    assert_eq!(subject.backend.write(unasked).await.unwrap().units, 0.0);
}

pub(super) async fn a_put_replaces_the_whole_row_and_returns_the_old_one(subject: Subject) {
    let first = row("TEAM#1", "METADATA", item! { "name" => "Sluggers", "old" => true });
    let second = row("TEAM#1", "METADATA", item! { "name" => "Bears" });
    let put = |item: &Item| Write { returns: Returns::Old, ..subject.put_of(item.clone()) };
    let answer = subject.backend.write(put(&first)).await.unwrap();
    assert!(answer.row.is_none(), "there was no row before");
    let answer = subject.backend.write(put(&second)).await.unwrap();
    assert_eq!(answer.into_item().unwrap(), Some(first));
    assert_eq!(subject.get(key("TEAM#1", "METADATA")).await, Some(second));
    let put = Write { returns: Returns::New, ..put(&item! {}) };
    refused(subject.backend.write(put).await);
}

pub(super) async fn a_put_under_a_failed_condition_changes_nothing(subject: Subject) {
    let create = |name: &str| Write {
        condition: Some(attribute_not_exists("PK")),
        ..subject.put_of(row("TEAM#1", "METADATA", item! { "name" => name }))
    };
    subject.backend.write(create("Sluggers")).await.unwrap();
    assert_eq!(failed_with(subject.backend.write(create("Bears")).await), None);
    let kept = subject.get(key("TEAM#1", "METADATA")).await.unwrap();
    assert_eq!(kept["name"], "Sluggers".into());
}

pub(super) async fn a_failed_condition_returns_the_row_if_requested(subject: Subject) {
    let team = row("TEAM#1", "METADATA", item! { "name" => "Sluggers", "tags" => set!["a", "b"] });
    subject.put(team.clone()).await;
    let asking = |write: Write| Write {
        condition: Some(path("name").eq("Bears")),
        return_on_failure: true,
        ..write
    };
    let writes = [
        subject.put_of(row("TEAM#1", "METADATA", item! {})),
        subject.update_of(key("TEAM#1", "METADATA"), Update::new().set("name", "Cubs")),
        subject.delete_of(key("TEAM#1", "METADATA")),
    ];
    for write in writes {
        let failed = subject.backend.write(asking(write)).await;
        assert_eq!(failed_with(failed), Some(team.clone()));
    }
    let absent = asking(subject.put_of(row("TEAM#2", "METADATA", item! {})));
    assert_eq!(failed_with(subject.backend.write(absent).await), None);
    assert_eq!(subject.get(key("TEAM#1", "METADATA")).await, Some(team));
}

pub(super) async fn an_update_changes_and_returns_the_new_row(subject: Subject) {
    let before = item! {
        "name" => "Sluggers", "draft" => true, "wins" => 3, "tags" => set!["a", "b"],
        "games" => list!["g1"],
    };
    subject.put(row("TEAM#1", "METADATA", before)).await;
    let update = Update::new()
        .set("name", "Bears")
        .set("games", SetOperand::list_append(path("games"), list!["g2"]))
        .set("seats", SetOperand::if_not_exists("seats", 10).plus(5))
        .remove("draft")
        .add("wins", 2)
        .delete("tags", set!["a"]);
    let write = subject.update_of(key("TEAM#1", "METADATA"), update);
    let answer = subject.backend.write(Write { returns: Returns::New, ..write }).await.unwrap();
    let after = row(
        "TEAM#1",
        "METADATA",
        item! {
            "name" => "Bears", "wins" => 5, "tags" => set!["b"], "games" => list!["g1", "g2"],
            "seats" => 15,
        },
    );
    assert_eq!(answer.into_item().unwrap(), Some(after.clone()));
    assert_eq!(subject.get(key("TEAM#1", "METADATA")).await, Some(after));
}

pub(super) async fn an_update_of_no_row_creates_it(subject: Subject) {
    let count = || Write {
        returns: Returns::Old,
        ..subject.update_of(key("COUNT", "1"), Update::new().add("n", 1))
    };
    let answer = subject.backend.write(count()).await.unwrap();
    assert!(answer.row.is_none(), "there was no row before");
    let answer = subject.backend.write(count()).await.unwrap();
    assert_eq!(answer.into_item().unwrap(), Some(row("COUNT", "1", item! { "n" => 1 })));
    assert_eq!(subject.get(key("COUNT", "1")).await, Some(row("COUNT", "1", item! { "n" => 2 })));
}

pub(super) async fn an_update_that_changes_nothing_creates_the_row(subject: Subject) {
    let touch = || subject.update_of(key("TEAM#1", "MARK"), Update::new());
    subject.backend.write(touch()).await.unwrap();
    subject.backend.write(touch()).await.unwrap();
    assert_eq!(subject.get(key("TEAM#1", "MARK")).await, Some(key("TEAM#1", "MARK")));
}

pub(super) async fn an_update_under_a_condition_sees_the_row(subject: Subject) {
    subject.put(row("LOCK", "1", item! { "version" => 1 })).await;
    let next = |version: i32| Write {
        condition: Some(path("version").eq(version)),
        ..subject.update_of(key("LOCK", "1"), Update::new().set("version", version + 1))
    };
    subject.backend.write(next(1)).await.unwrap();
    failed_with(subject.backend.write(next(1)).await);
    subject.backend.write(next(2)).await.unwrap();
    assert_eq!(subject.get(key("LOCK", "1")).await.unwrap()["version"], 3.into());
}

pub(super) async fn an_update_of_a_key_is_refused(subject: Subject) {
    let update = subject.update_of(key("TEAM#1", "METADATA"), Update::new().set("SK", "OTHER"));
    refused(subject.backend.write(update).await);
}

pub(super) async fn a_delete_returns_the_old_row(subject: Subject) {
    let team = row("TEAM#1", "METADATA", item! { "name" => "Sluggers" });
    subject.put(team.clone()).await;
    let delete = || Write { returns: Returns::Old, ..subject.delete_of(key("TEAM#1", "METADATA")) };
    let answer = subject.backend.write(delete()).await.unwrap();
    assert_eq!(answer.into_item().unwrap(), Some(team));
    assert_eq!(subject.get(key("TEAM#1", "METADATA")).await, None);
    let answer = subject.backend.write(delete()).await.unwrap();
    assert!(answer.row.is_none(), "the row was gone already");
}

pub(super) async fn a_delete_under_a_condition_sees_the_row(subject: Subject) {
    subject.put(row("TEAM#1", "METADATA", item! { "owner" => "ada" })).await;
    let delete = |sk: &str, owner: &str| Write {
        condition: Some(attribute_exists("PK").and(path("owner").eq(owner))),
        ..subject.delete_of(key("TEAM#1", sk))
    };
    failed_with(subject.backend.write(delete("METADATA", "bob")).await);
    failed_with(subject.backend.write(delete("MISSING", "ada")).await);
    subject.backend.write(delete("METADATA", "ada")).await.unwrap();
    assert_eq!(subject.get(key("TEAM#1", "METADATA")).await, None);
}

pub(super) async fn a_check_outside_a_transaction_is_refused(subject: Subject) {
    let check = subject.check_of(key("TEAM#1", "METADATA"), attribute_not_exists("PK"));
    let text = refused(subject.backend.write(check).await);
    assert_eq!(text, "a check writes nothing; use it in transactions only");
}

pub(super) async fn a_missing_table_is_named(subject: Subject) {
    let missing = Subject { table: "no-such-table".into(), ..subject };
    let backend = Arc::clone(&missing.backend);
    let named = |error: Option<BackendError>| match error {
        Some(BackendError::NoTable(name)) => assert_eq!(name, "no-such-table"),
        other => panic!("another answer: {other:?}"),
    };
    named(backend.get(missing.get_of(key("a", "b"))).await.err());
    named(backend.write(missing.put_of(key("a", "b"))).await.err());
    let query: Query = missing.query_of(key_of("PK").eq("a"));
    named(backend.query(query).await.err());
    let scan: Scan = missing.scan_of();
    named(backend.scan(scan).await.err());
    named(backend.batch_get(missing.batch_get_of(vec![key("a", "b")])).await.err());
}

pub(super) async fn a_key_of_the_wrong_type_is_refused(subject: Subject) {
    let wrong = [item! { "PK" => 1, "SK" => "a" }, item! { "PK" => "a" }, item! {}];
    for item in wrong {
        refused(subject.backend.get(subject.get_of(item.clone())).await);
        refused(subject.backend.write(subject.put_of(item.clone())).await);
        refused(subject.backend.write(subject.action(Action::Delete(item))).await);
    }
    let mixed = row("a", "b", item! { "GSI1PK" => 1, "GSI1SK" => "x" });
    refused(subject.backend.write(subject.put_of(mixed)).await);
}
