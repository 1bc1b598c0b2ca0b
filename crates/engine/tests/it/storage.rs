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

fn message<T>(result: Result<T, Error>) -> String {
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
fn a_write_that_is_visible_succeeds_although_the_log_can_not_continue() {
    let path = directory("next-segment");
    let db = open(&path);
    create_league(&db);
    // The files of the next segments can't be created.
    for number in 2..9 {
        fs::create_dir(path.join(format!("log/{number:010}.new"))).unwrap();
    }
    // More than fits into one segment.
    let item = |number: i64| item! { "PK" => "a", "SK" => number, "text" => "x".repeat(300_000) };
    let put = |number| db.put_item(PutItem::new("league", item(number)));
    let stored = (0..200).position(|number| put(number).is_err()).unwrap();
    assert!(matches!(put(0), Err(Error::Poisoned(reason)) if reason.contains("log")));
    let visible = |number: usize| {
        let key = item! { "PK" => "a", "SK" => number as i64 };
        db.get_item(GetItem::new("league", key)).unwrap().item.is_some()
    };
    assert!(stored > 10 && (0..stored).all(visible) && !visible(stored), "{stored} are stored");
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
fn an_opening_waits_for_a_lock_that_is_given_up() {
    let path = directory("handed-over");
    let db = open(&path);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| Database::open(&path, Options::default()).map(drop));
        drop(db);
        second.join().unwrap().unwrap();
    });
}

#[test]
fn a_database_without_its_marker_names_the_missing_file() {
    let path = directory("marker-missing");
    open(&path);
    fs::remove_file(path.join("MONOTABLE")).unwrap();
    assert!(Database::exists(&path));
    for text in [
        message(Database::open(&path, Options::default())),
        message(Database::check_directory(&path)),
    ] {
        let expected = "MONOTABLE is missing; restore it from a backup of this database";
        assert!(text.contains(expected), "{text}");
    }
    assert!(!path.join("MONOTABLE").exists());
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
    fs::create_dir_all(draft.join("log")).unwrap();
    fs::write(draft.join("log").join("torn"), [0; 10]).unwrap();
    create_league(&open(&path));
    assert!(!draft.exists());
}

fn marker(path: &Path) -> String {
    fs::read_to_string(path.join("MONOTABLE")).unwrap()
}

/// A directory of the first format, written by the version that had it and killed.
#[test]
fn a_database_of_format_1_is_read_and_converted() {
    let path = directory("format-1");
    copy(Path::new("tests/fixtures/format-1"), &path);
    assert_eq!(marker(&path), "monotable database, format 1\n");
    let report = Database::check_directory(&path).unwrap();
    assert!(report.rows.is_clean() && !report.was_closed, "{report:?}");
    assert_eq!((report.rows.items, report.rows.stream_records), (9, 11));
    assert_converts(&path, 9);
}

/// A directory of the second format, with rows in table files and in a journal, closed cleanly.
#[test]
fn a_database_of_format_2_is_read_and_converted() {
    let path = directory("format-2");
    copy(Path::new("tests/fixtures/format-2"), &path);
    let report = Database::check_directory(&path).unwrap();
    assert!(report.rows.is_clean() && report.was_closed, "{report:?}");
    assert_eq!((report.rows.items, report.rows.index_entries), (19 + 21, 19));
    assert_converts(&path, 19);
}

/// A directory of the second format whose process was killed while it wrote the last batch.
#[test]
fn a_database_of_format_2_that_was_not_closed_is_converted_without_its_unfinished_batch() {
    let path = directory("format-2-killed");
    copy(Path::new("tests/fixtures/format-2"), &path);
    fs::remove_file(path.join("CLOSED")).unwrap();
    fs::remove_file(path.join("SYNCED")).unwrap();
    let journal = path.join("rows").join("0.jnl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 5]).unwrap();
    let report = Database::check_directory(&path).unwrap();
    assert_eq!(report.unfinished.map(|unfinished| unfinished.commits), Some(1));
    assert_eq!(report.rows.items, 19 + 20);
    assert_converts(&path, 19);
}

#[test]
fn a_damaged_database_of_format_2_is_refused_and_left_as_it_was() {
    let path = directory("format-2-damaged");
    copy(Path::new("tests/fixtures/format-2"), &path);
    for file in ["rows/0.jnl", "rows/keyspaces/1/v2", "rows/keyspaces/1/tables/1"] {
        let file = path.join(file);
        let whole = fs::read(&file).unwrap();
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 1;
        fs::write(&file, damaged).unwrap();
        let text = message(Database::check_directory(&path));
        assert!(text.contains(&*file.to_string_lossy()), "{text}");
        fs::write(&file, whole).unwrap();
    }
    assert_converts(&path, 19);
}

fn assert_converts(path: &Path, league_items: usize) {
    let old_marker = marker(path);
    // A conversion that was cut off is begun again.
    for (left, file) in [("tables.new", "any"), ("log", "0000000001"), ("tables", "current")] {
        fs::create_dir(path.join(left)).unwrap();
        fs::write(path.join(left).join(file), "").unwrap();
    }
    // A directory that somebody else has made is not removed.
    let foreign = path.join("log").join("access.log");
    fs::write(&foreign, "").unwrap();
    let text = message(Database::open(path, Options::default()));
    assert!(text.contains("does not belong to the database"), "{text}");
    fs::remove_file(foreign).unwrap();
    let db = open(path);
    assert_eq!(db.scan(Scan::new("league")).unwrap().items.len(), league_items);
    assert_clean(&db);
    drop(db);
    assert!(marker(path).starts_with("monotable database, format 3\n"), "{}", marker(path));
    assert_ne!(marker(path), old_marker);
    assert!(!path.join("rows").exists() && !path.join("tables.new").exists());
    // One that ended before the old files were removed goes on there.
    fs::create_dir_all(path.join("rows").join("keyspaces")).unwrap();
    let db = open(path);
    assert!(!path.join("rows").exists());
    db.put_item(PutItem::new("league", item! { "PK" => "new", "SK" => 1 })).unwrap();
    drop(db);
    let report = Database::check_directory(path).unwrap();
    assert!(report.was_closed && report.rows.is_clean(), "{report:?}");
    let db = open(path);
    assert_eq!(db.scan(Scan::new("league")).unwrap().items.len(), league_items + 1);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_can_read_a_new_database() {
    use std::os::unix::fs::PermissionsExt;
    fn assert_private(path: &Path) {
        let mode = fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, expected, "{}", path.display());
        if path.is_dir() {
            fs::read_dir(path).unwrap().for_each(|entry| assert_private(&entry.unwrap().path()));
        }
    }
    let path = directory("private");
    drop(open(&path));
    assert_private(&path);
    // Opening a directory to others is a choice, which is respected.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    drop(open(&path));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o750);
}

#[test]
fn drafts_of_dead_processes_are_removed_and_those_of_living_ones_stay() {
    let path = directory("drafts");
    let draft = |process: &str| path.with_file_name(format!("storage-drafts.creating-{process}"));
    for process in ["1", "2", "3"] {
        let _ = fs::remove_dir_all(draft(process));
        fs::create_dir_all(draft(process).join("log")).unwrap();
    }
    fs::write(draft("2").join("MONOTABLE"), "").unwrap();
    fs::write(draft("3").join("MONOTABLE"), "").unwrap();
    let lock = fs::File::open(draft("3").join("MONOTABLE")).unwrap();
    lock.lock().unwrap();
    open(&path);
    assert!(!draft("1").exists() && !draft("2").exists());
    assert!(draft("3").exists(), "its process lives");
    fs::remove_dir_all(draft("3")).unwrap();
}

#[test]
fn a_file_that_can_not_be_used_is_named_without_the_words_of_the_store() {
    let path = directory("unusable");
    drop(open(&path));
    let segment = path.join("log").join("0000000001");
    fs::remove_file(&segment).unwrap();
    fs::create_dir(&segment).unwrap();
    let text = message(Database::open(&path, Options::default()));
    assert_eq!(
        text,
        format!("{} is not a part of the log; move it to another directory", segment.display())
    );
    fs::remove_dir(&segment).unwrap();
    let text = message(Database::open(&path, Options::default()));
    assert!(text.contains(&format!("{} is missing", segment.display())), "{text}");
    assert!(text.contains("restore the database from a backup"), "{text}");
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
    // The log holds the rows; turn one byte of every item's text.
    let mut turned = 0;
    for entry in fs::read_dir(path.join("log")).unwrap() {
        let file = entry.unwrap().path();
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
    let text = message(Database::open(&path, Options::default()));
    assert!(text.contains("0000000001 is damaged at byte"), "{text}");
}
