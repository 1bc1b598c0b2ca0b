//! `monotable copy` between directories: whole, cut off, and refused.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use monotable_engine::{
    CreateTable, Database, DescribeTimeToLive, IndexDefinition, Item, Options, PutItem, Query,
    Scan, UpdateTimeToLive, item,
};
use monotable_testkit::crash::place::Place;

use crate::process::{Ended, assert_whole, place, run};

const ROWS: u32 = 1_200;

/// A place with a database of two tables.
fn source() -> Place {
    let place = place();
    let database = open(&place.database());
    let league = CreateTable::new("league")
        .partition_key("PK", "S")
        .and_then(|table| table.sort_key("SK", "N"))
        .and_then(|table| table.attribute("team", "S"))
        .unwrap()
        .global_index(IndexDefinition::new("GSI1", &["team"], &["SK"]));
    database.create_table(league).unwrap();
    let expiry = UpdateTimeToLive::enable("league", "ttl");
    database.update_time_to_live(expiry).unwrap();
    for number in 0..ROWS {
        let text = "x".repeat((number % 7) as usize * 400);
        let row = item! {
            "PK" => format!("P#{}", number % 10), "SK" => number, "team" => "red", "text" => text,
            // Long ago: a copy has all rows that are there.
            "ttl" => 1,
        };
        database.put_item(PutItem::new("league", row)).unwrap();
    }
    database.create_table(CreateTable::new("other").partition_key("id", "B").unwrap()).unwrap();
    let row = item! { "id" => monotable_engine::AttributeValue::B(vec![0, 255]) };
    database.put_item(PutItem::new("other", row)).unwrap();
    place
}

fn open(directory: &Path) -> Database {
    Database::open(directory, Options::default()).unwrap()
}

fn rows(database: &Database, table: &str) -> Vec<Item> {
    let (mut rows, mut start) = (Vec::new(), None);
    loop {
        let mut scan = Scan::new(table);
        scan.exclusive_start_key = start;
        let page = database.scan(scan).unwrap();
        rows.extend(page.items.into_iter().map(Item::from));
        start = page.last_evaluated_key;
        if start.is_none() {
            return rows;
        }
    }
}

/// The arguments of a copy, whose state is beside the target.
fn arguments(from: &Path, to: &Place) -> Vec<std::ffi::OsString> {
    let state = to.file("state.json");
    let (from, to) = (from.to_owned(), to.database());
    ["copy", "--from"]
        .map(OsStr::new)
        .into_iter()
        .chain([from.as_os_str(), OsStr::new("--to"), to.as_os_str()])
        .chain([OsStr::new("--state"), state.as_os_str()])
        .map(OsStr::to_owned)
        .collect()
}

fn copy(from: &Place, to: &Place, more: &[&str]) -> Ended {
    let mut all = arguments(&from.database(), to);
    all.extend(more.iter().map(Into::into));
    run(&all)
}

#[test]
fn all_tables_are_copied_with_their_indexes_and_expiry_and_verified() {
    let (from, to) = (source(), place());
    let ended = copy(&from, &to, &[]);
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    for part in [format!("league: {ROWS} rows, "), "other: 1 rows, ".to_owned()] {
        assert!(ended.output.contains(&part), "{}", ended.output);
    }
    assert_eq!(ended.output.matches(": verified\n").count(), 2, "{}", ended.output);
    assert!(!to.file("state.json").exists());
    assert_whole(&to.database());
    let (before, after) = (open(&from.database()), open(&to.database()));
    for table in ["league", "other"] {
        assert_eq!(rows(&after, table), rows(&before, table));
    }
    let expiry = after.describe_time_to_live(DescribeTimeToLive::new("league")).unwrap();
    assert_eq!(expiry.attribute_name.as_deref(), Some("ttl"));
    let red = Query::new("league").index("GSI1").key_condition("team = :t").value(":t", "red");
    assert!(!after.query(red).unwrap().items.is_empty());
    drop((before, after));
    // Once more would mix two copies.
    let again = copy(&from, &to, &[]);
    assert_eq!(again.code, Some(1));
    assert!(again.errors.contains("league of the target is not empty"), "{}", again.errors);
    from.remove().unwrap();
    to.remove().unwrap();
}

#[test]
fn a_copy_that_was_killed_goes_on() {
    let (from, to) = (source(), place());
    // About two seconds, in pages of one megabyte.
    let mut slow = arguments(&from.database(), &to);
    slow.extend(["--units", "1200", "--table", "league"].map(Into::into));
    let mut child = Command::new(env!("CARGO_BIN_EXE_monotable"))
        .args(&slow)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let state = to.file("state.json");
    let is_under_way = || {
        let text = std::fs::read_to_string(&state).unwrap_or_default();
        text.contains("\"lastKey\":{")
    };
    while !is_under_way() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let mut errors = String::new();
    child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
    assert!(is_under_way(), "it was not killed on its way: {errors}");
    let ended = copy(&from, &to, &["--table", "league"]);
    assert_eq!(ended.code, Some(0), "{}", ended.errors);
    assert!(ended.output.starts_with(&format!("league: {ROWS} rows, ")), "{}", ended.output);
    let (before, after) = (open(&from.database()), open(&to.database()));
    assert_eq!(rows(&after, "league"), rows(&before, "league"));
    drop((before, after));
    from.remove().unwrap();
    to.remove().unwrap();
}

#[test]
fn what_can_not_be_copied_is_refused_and_nothing_changes() {
    let (from, to) = (source(), place());
    let database = open(&to.database());
    database.create_table(CreateTable::new("league").partition_key("id", "S").unwrap()).unwrap();
    drop(database);
    let differs = copy(&from, &to, &["--table", "league"]);
    assert_eq!(differs.code, Some(1));
    assert!(differs.errors.contains("league with other keys or indexes"), "{}", differs.errors);
    let missing = copy(&from, &to, &["--table", "nothing"]);
    assert!(missing.errors.contains("the source has no table nothing"), "{}", missing.errors);
    let nowhere = place();
    let absent = copy(&nowhere, &to, &[]);
    assert!(absent.errors.contains("there is no database in"), "{}", absent.errors);
    let same = copy(&from, &from, &[]);
    assert!(same.errors.contains("--from and --to are the same place"), "{}", same.errors);
    let state = to.file("state.json");
    std::fs::write(&state, r#"{"from":"a","to":"b","tables":{}}"#).unwrap();
    let other = copy(&from, &to, &["--table", "league"]);
    assert!(other.errors.contains("records a copy between other places"), "{}", other.errors);
    assert!(rows(&open(&to.database()), "league").is_empty());
    for place in [from, to] {
        place.remove().unwrap();
    }
}
