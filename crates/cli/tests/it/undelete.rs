//! `monotable undelete`: what was deleted comes back into the live table, and nothing else changes.

use std::collections::BTreeMap;
use std::ffi::OsString;

use monotable::prelude::Timestamp;
use monotable_engine::{
    AttributeValue, CreateTable, Database, DeleteItem, Item, Options, PutItem, Scan, item,
};
use monotable_testkit::crash::place::Place;

use crate::process::{Ended, assert_whole, place, run};

fn open(place: &Place) -> Database {
    let options = Options { keeps_history: true, ..Options::default() };
    Database::open(place.database(), options).unwrap()
}

fn game(sort: u64, score: u64) -> Item {
    item! { "team" => "Sluggers", "game" => sort, "score" => score }
}

fn key(sort: u64) -> Item {
    item! { "team" => "Sluggers", "game" => sort }
}

/// A database that keeps its log, with a backup of its beginning, and a time at which it had more than it has now.
fn with_a_past() -> (Place, u64) {
    let place = place();
    let database = open(&place);
    let table = CreateTable::new("games").partition_key("team", "S").unwrap();
    database.create_table(table.sort_key("game", "N").unwrap()).unwrap();
    database.put_item(PutItem::new("games", game(1, 1))).unwrap();
    drop(database);
    let backups = place.file("backups");
    let to = ["backup", "--data"].map(OsString::from).into_iter().chain([
        place.database().into_os_string(),
        "--to".into(),
        backups.into_os_string(),
    ]);
    let ended = run(&to.collect::<Vec<_>>());
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    let database = open(&place);
    for number in 2..=150 {
        database.put_item(PutItem::new("games", game(number, number))).unwrap();
    }
    database.put_item(PutItem::new("games", item! { "team" => "Other", "game" => 1 })).unwrap();
    let at_ms = database.now_ms();
    // What follows is of a later millisecond.
    while database.now_ms() <= at_ms {}
    for number in 1..=120 {
        database.delete_item(DeleteItem::new("games", key(number))).unwrap();
    }
    database.put_item(PutItem::new("games", game(121, 0))).unwrap();
    database.put_item(PutItem::new("games", game(999, 9))).unwrap();
    database
        .delete_item(DeleteItem::new("games", item! { "team" => "Other", "game" => 1 }))
        .unwrap();
    (place, at_ms)
}

fn undelete(place: &Place, at_ms: u64, more: &[&str]) -> Ended {
    let at = Timestamp::from_ms(at_ms as i64).unwrap().to_string();
    let mut arguments: Vec<OsString> =
        ["undelete", "games", "--partition", "Sluggers", "--at", at.as_str()]
            .map(OsString::from)
            .into();
    for (flag, path) in [("--from", place.file("backups")), ("--data", place.database())] {
        arguments.extend([OsString::from(flag), path.into_os_string()]);
    }
    arguments.extend(more.iter().map(OsString::from));
    run(&arguments)
}

/// The scores of all games of all teams.
fn scores(place: &Place) -> BTreeMap<(String, u64), u64> {
    let page = open(place).scan(Scan::new("games")).unwrap();
    assert_eq!(page.last_evaluated_key, None);
    let number = |item: &Item, name: &str| match item.get(name) {
        Some(AttributeValue::N(number)) => number.to_string().parse().unwrap(),
        _ => 0,
    };
    let score = |item: Item| {
        let team = item["team"].as_s().unwrap().to_owned();
        ((team, number(&item, "game")), number(&item, "score"))
    };
    page.items.into_iter().map(|item| score(Item::from(item))).collect()
}

#[track_caller]
fn succeeded(ended: &Ended, text: &str) {
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""), "{}", ended.output);
    assert!(ended.output.contains(text), "{}", ended.output);
}

#[test]
fn deleted_items_come_back_after_a_review() {
    let (place, at_ms) = with_a_past();
    let before = scores(&place);
    let review = undelete(&place, at_ms, &[]);
    succeeded(
        &review,
        "120 items are missing, 1 differ and stay (--overwrite replaces them), 29 are as they were, 1 are newer and stay",
    );
    succeeded(&review, "Nothing was written. Give --yes to write.");
    assert!(review.output.contains("put back  7 "), "{}", review.output);
    assert_eq!(scores(&place), before);

    succeeded(&undelete(&place, at_ms, &["--sort", "7", "--yes"]), "games: 1 items put back");
    assert_eq!(scores(&place).len(), before.len() + 1);
    succeeded(&undelete(&place, at_ms, &["--yes"]), "games: 119 items put back");
    let sluggers = |number: u64| ("Sluggers".to_owned(), number);
    let mut expected: BTreeMap<_, _> = (1..=150).map(|number| (sluggers(number), number)).collect();
    expected.insert(sluggers(121), 0);
    expected.insert(sluggers(999), 9);
    assert_eq!(scores(&place), expected);

    succeeded(&undelete(&place, at_ms, &["--yes"]), "There is nothing to put back.");
    succeeded(&undelete(&place, at_ms, &["--yes", "--overwrite"]), "games: 1 items put back");
    expected.insert(sluggers(121), 121);
    assert_eq!(scores(&place), expected);
    assert_whole(&place.database());
    place.remove().unwrap();
}

#[test]
fn what_can_not_be_put_back_is_refused() {
    let (place, at_ms) = with_a_past();
    for (at_ms, more, text) in [
        (at_ms, &["--sort", "seven"][..], "\"seven\" can't be the key game"),
        (1_000_000_000_000, &[][..], "has no backup of that time"),
    ] {
        let ended = undelete(&place, at_ms, more);
        assert_eq!(ended.code, Some(1), "{}", ended.output);
        assert!(ended.errors.contains(text), "{}", ended.errors);
    }
    let database = open(&place);
    let in_use = undelete(&place, at_ms, &[]);
    assert!(in_use.errors.contains("give its address, such as --to http://"), "{}", in_use.errors);
    drop(database);
    std::fs::remove_dir_all(place.database().join("history")).unwrap();
    let no_log = undelete(&place, at_ms, &[]);
    assert!(no_log.errors.contains("does not keep its log"), "{}", no_log.errors);
    place.remove().unwrap();
}
