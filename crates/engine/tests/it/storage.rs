//! The database on disk: opening, closing, refusing, and finding damage.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use monotable_engine::{
    CreateTable, Database, DeleteTable, Durability, Error, GetItem, IndexDefinition, Options,
    PutItem, Query, Scan, StreamViewType, UpdateItem, item,
};

/// A directory of its own for a test, empty at first.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("storage-{name}"));
    if path.exists() {
        fs::remove_dir_all(&path).unwrap();
    }
    path
}

fn open(path: &Path) -> Database {
    Database::open(path, Options::default()).unwrap()
}

fn create_league(db: &Database) {
    let table = CreateTable::new("league")
        .partition_key("PK", "S")
        .and_then(|table| table.sort_key("SK", "N"))
        .and_then(|table| table.attribute("team", "S"))
        .unwrap()
        .global_index(IndexDefinition::new("by-team", &["team"], &["SK"]))
        .stream(StreamViewType::NewAndOldImages);
    db.create_table(table).unwrap();
}

fn fill(db: &Database, count: i64) {
    for number in 0..count {
        let item =
            item! { "PK" => "a", "SK" => number, "team" => "reds", "text" => "x".repeat(50) };
        db.put_item(PutItem::new("league", item)).unwrap();
    }
}

fn assert_clean(db: &Database) {
    let report = db.check().unwrap();
    assert!(report.is_clean(), "{report:?}");
}

fn message(result: Result<Database, Error>) -> String {
    match result {
        Ok(_) => panic!("it should not open"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_was_written_is_there_after_reopening() {
    let path = directory("reopen");
    let db = open(&path);
    create_league(&db);
    fill(&db, 100);
    let update =
        UpdateItem::new("league", item! { "PK" => "a", "SK" => 7 }).update("SET team = :t");
    db.update_item(update.value(":t", "blues")).unwrap();
    let before = db.scan(Scan::new("league")).unwrap().items;
    drop(db);

    let db = open(&path);
    assert_eq!(db.scan(Scan::new("league")).unwrap().items, before);
    let reds = Query::new("league").index("by-team").key_condition("team = :t").value(":t", "reds");
    assert_eq!(db.query(reds).unwrap().count, 99);
    assert_clean(&db);
}

#[test]
fn relaxed_durability_keeps_everything_over_a_clean_close() {
    let path = directory("relaxed");
    let durability = Durability::Relaxed { sync_every: Duration::from_millis(5) };
    let options = Options { durability, ..Options::default() };
    let db = Database::open(&path, options).unwrap();
    create_league(&db);
    fill(&db, 200);
    drop(db);
    let db = open(&path);
    assert_eq!(db.scan(Scan::new("league")).unwrap().count, 200);
    assert_clean(&db);
}

#[test]
fn a_second_opening_says_who_is_in_the_way() {
    let path = directory("locked");
    let db = open(&path);
    let text = message(Database::open(&path, Options::default()));
    assert!(text.contains("is in use by another process"), "{text}");
    drop(db);
    open(&path);
}

#[test]
fn only_an_empty_or_new_directory_becomes_a_database() {
    let path = directory("foreign");
    fs::create_dir_all(&path).unwrap();
    open(&path);

    let foreign = directory("foreign-files");
    fs::create_dir_all(&foreign).unwrap();
    fs::write(foreign.join("letter.txt"), "dear reader").unwrap();
    let text = message(Database::open(&foreign, Options::default()));
    assert!(text.contains("holds files but no Monotable database"), "{text}");
    assert_eq!(fs::read_dir(&foreign).unwrap().count(), 1, "nothing was added");

    let text = message(Database::open(foreign.join("letter.txt"), Options::default()));
    assert!(text.contains("is a file; give a directory"), "{text}");
}

#[test]
fn a_format_from_the_future_is_refused() {
    let path = directory("future");
    drop(open(&path));
    fs::write(path.join("MONOTABLE"), "monotable database, format 99\n").unwrap();
    let text = message(Database::open(&path, Options::default()));
    assert!(text.contains("format 99") && text.contains("later one"), "{text}");
}

#[test]
fn a_creation_that_was_cut_off_leaves_no_database_and_is_no_obstacle() {
    let path = directory("draft");
    let draft = path.with_file_name(format!("storage-draft.creating-{}", std::process::id()));
    fs::create_dir_all(draft.join("rows")).unwrap();
    fs::write(draft.join("rows").join("torn"), [0; 10]).unwrap();
    create_league(&open(&path));
    assert!(!draft.exists());
}

#[test]
fn a_dropped_table_gives_its_space_back_and_stops_nobody() {
    let path = directory("dropped");
    let db = open(&path);
    create_league(&db);
    fill(&db, 1_500);
    db.delete_table(DeleteTable::new("league")).unwrap();
    create_league(&db);
    fill(&db, 10);
    drop(db);
    // What was left of the chore goes on; its end shows in a check that finds nothing astray.
    let db = open(&path);
    fill(&db, 20);
    assert_eq!(db.scan(Scan::new("league")).unwrap().count, 20);
    assert_clean(&db);
}

#[test]
fn a_damaged_record_is_an_error_and_never_another_answer() {
    let path = directory("damaged");
    let db = open(&path);
    create_league(&db);
    fill(&db, 50);
    drop(db);
    // The journal holds the rows; turn one byte of every item's text.
    let mut turned = 0;
    for entry in fs::read_dir(path.join("rows")).unwrap() {
        let file = entry.unwrap().path();
        if file.extension().is_none_or(|extension| extension != "jnl") {
            continue;
        }
        let mut bytes = fs::read(&file).unwrap();
        let places: Vec<usize> = bytes
            .windows(50)
            .enumerate()
            .filter(|(_, window)| window.iter().all(|&byte| byte == b'x'))
            .map(|(place, _)| place)
            .collect();
        for place in &places {
            bytes[place + 10] = b'y';
        }
        turned += places.len();
        fs::write(&file, bytes).unwrap();
    }
    assert!(turned >= 50, "the texts were found");
    // Refusing to open is right, too: fjall checks its journal.
    let Ok(db) = Database::open(&path, Options::default()) else {
        return;
    };
    for number in 0..50 {
        let key = item! { "PK" => "a", "SK" => number };
        if let Ok(Some(item)) = db.get_item(GetItem::new("league", key)).map(|answer| answer.item) {
            assert_eq!(item.get("text"), Some("x".repeat(50).into()), "item {number}");
        }
    }
}
