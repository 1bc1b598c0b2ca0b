//! `monotable export`, `import`, `seed` and `archive`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use monotable_engine::{Database, DescribeTable, Item, Options, PutItem, Scan, item};
use monotable_testkit::crash::place::Place;
use serde_json::{Value, json};

use crate::process::{Ended, assert_whole, place, run};

/// Runs a command on the database of a place.
fn command(place: &Place, words: &[&str], paths: &[(&str, &Path)]) -> Ended {
    let mut arguments: Vec<OsString> = words.iter().map(OsString::from).collect();
    for (flag, path) in paths.iter().copied().chain([("--data", &*place.database())]) {
        arguments.extend([OsString::from(flag), path.as_os_str().to_owned()]);
    }
    run(&arguments)
}

#[track_caller]
fn succeeded(ended: Ended) -> String {
    assert_eq!((ended.code, &*ended.errors), (Some(0), ""), "{}", ended.output);
    ended.output
}

#[track_caller]
fn refused(ended: &Ended, text: &str) {
    assert_eq!(ended.code, Some(1), "{}", ended.output);
    assert!(ended.errors.contains(text), "{}", ended.errors);
}

/// The request that creates the table `games`.
fn games() -> Value {
    json!({
        "TableName": "games", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
        "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
    })
}

fn write(place: &Place, name: &str, value: &Value) -> PathBuf {
    let path = place.file(name);
    fs::write(&path, value.to_string()).unwrap();
    path
}

/// A place with a database that has 300 games, which ended one a day from 2026-01-01.
fn with_games() -> Place {
    let place = place();
    let items: Vec<Value> = (0..300)
        .map(|day| {
            let ended = 1_767_225_600 + day * 86_400;
            json!({"id": {"S": format!("game {day}")}, "ended": {"N": ended.to_string()}, "b": {"B": "AP8="}})
        })
        .collect();
    let seed = json!({
        "tables": [games()], "items": {"games": items},
    });
    let file = write(&place, "seed.json", &seed);
    let output = succeeded(command(&place, &["seed", file.to_str().unwrap()], &[]));
    assert_eq!(output, "games: created\ngames: 300 items put, 0 exist\n");
    place
}

fn open(place: &Place) -> Database {
    Database::open(place.database(), Options::default()).unwrap()
}

fn rows(place: &Place, table: &str) -> Vec<Item> {
    let database = open(place);
    let page = database.scan(Scan::new(table)).unwrap();
    assert_eq!(page.last_evaluated_key, None);
    page.items.into_iter().map(Item::from).collect()
}

/// The directory of the only export below another.
fn export_in(directory: &Path) -> PathBuf {
    let mut entries = fs::read_dir(directory.join("AWSDynamoDB")).unwrap();
    let path = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none());
    path
}

#[test]
fn a_seed_creates_what_is_missing_and_keeps_what_exists() {
    let place = with_games();
    let changed = item! { "id" => "game 0", "ended" => 1 };
    open(&place).put_item(PutItem::new("games", changed.clone())).unwrap();
    let mut other = games();
    other["TableName"] = json!("other");
    other["TimeToLiveSpecification"] = json!({"AttributeName": "ttl", "Enabled": true});
    other["PointInTimeRecoverySpecification"] = json!({"PointInTimeRecoveryEnabled": true});
    let more = json!({
        "tables": [games(), other],
        "items": {"games": [{"id": {"S": "game 0"}}, {"id": {"S": "new"}}]},
    });
    let file = write(&place, "more.json", &more);
    let output = succeeded(command(&place, &["seed", file.to_str().unwrap()], &[]));
    assert_eq!(output, "games: exists\nother: created\ngames: 1 items put, 1 exist\n");
    let again = succeeded(command(&place, &["seed", file.to_str().unwrap()], &[]));
    assert_eq!(again, "games: exists\nother: exists\ngames: 0 items put, 2 exist\n");
    let rows = rows(&place, "games");
    assert!(rows.contains(&changed) && rows.len() == 301);
    let other = open(&place).describe_table(DescribeTable::new("other")).unwrap().table;
    assert_eq!(other.recovery.unwrap().period_days, 35);
    assert_whole(&place.database());
    for (seed, text) in [
        (json!({"tables": [{}]}), "has no TableName"),
        (json!({"items": {"nowhere": [{}]}}), "there is no table nowhere"),
        (json!({"items": {"games": [{"x": {"S": "1"}}]}}), "item 1 of games can't be put"),
        (json!({"rows": {}}), "unknown field `rows`"),
    ] {
        let file = write(&place, "wrong.json", &seed);
        refused(&command(&place, &["seed", file.to_str().unwrap()], &[]), text);
    }
    place.remove().unwrap();
}

#[test]
fn an_export_is_imported_into_new_and_existing_tables() {
    let place = with_games();
    let before = rows(&place, "games");
    for format in ["json", "ion"] {
        let to = place.file(&format!("exports-{format}"));
        let words = ["export", "games", "--format", format];
        let output = succeeded(command(&place, &words, &[("--to", &to)]));
        assert!(output.starts_with("games: 300 items in "), "{output}");
        let export = export_in(&to);
        let checked = run(&["check".as_ref(), export.as_os_str()]);
        assert!(succeeded(checked).contains("Whole: "));

        let target = format!("copy-{format}");
        let mut table = games();
        table.as_object_mut().unwrap().remove("TableName");
        let create = write(&place, "create.json", &table);
        let missing = command(&place, &["import", &target], &[("--from", &export)]);
        refused(&missing, "create it with --create FILE");
        let paths: [(&str, &Path); 2] = [("--from", &export), ("--create", &create)];
        let imported = succeeded(command(&place, &["import", &target], &paths));
        assert_eq!(imported, format!("{target}: 300 items imported\n"));
        assert_eq!(rows(&place, &target), before);
        refused(&command(&place, &["import", &target], &paths), "already; leave out --create");
        // Into the table that exists.
        let again = succeeded(command(&place, &["import", &target], &[("--from", &export)]));
        assert_eq!(again, format!("{target}: 300 items imported\n"));
        assert_eq!(rows(&place, &target), before);

        let data = fs::read_dir(export.join("data")).unwrap().next().unwrap().unwrap().path();
        let mut bytes = fs::read(&data).unwrap();
        bytes[30] ^= 1;
        fs::write(&data, bytes).unwrap();
        let damaged = command(&place, &["import", &target], &[("--from", &export)]);
        refused(&damaged, "does not match its checksum in the manifest");
    }
    assert_whole(&place.database());
    place.remove().unwrap();
}

#[test]
fn old_items_are_archived_and_can_be_put_back() {
    let place = with_games();
    let before = rows(&place, "games");
    let to = place.file("archive");
    let words = ["archive", "games", "--attribute", "ended", "--before", "2026-01-11T00:00:00Z"];
    let output = succeeded(command(&place, &words, &[("--to", &to)]));
    assert!(output.starts_with("games: 10 items archived in "), "{output}");
    assert_eq!(rows(&place, "games").len(), 290);
    assert_whole(&place.database());
    let export = export_in(&to);
    let back = succeeded(command(&place, &["import", "games"], &[("--from", &export)]));
    assert_eq!(back, "games: 10 items imported\n");
    assert_eq!(rows(&place, "games"), before);
    let nothing = command(&place, &["archive", "games", "--attribute", "ended"], &[("--to", &to)]);
    assert_eq!(nothing.code, Some(2), "{}", nothing.errors);
    place.remove().unwrap();
}
