//! Removed rows give their space back.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use monotable_engine::{
    CreateTable, Database, DeleteItem, DeleteTable, Durability, ManualClock, Options, PutItem,
    UpdateTimeToLive, item,
};

const KEPT_ITEMS: i64 = 100;
const KEPT_BYTES: usize = 10_000;
const REMOVED_ITEMS: i64 = 200;
const REMOVED_BYTES: usize = 50_000;
/// Half as much again as what is left.
const LEFT_BYTES_MAX: u64 = KEPT_ITEMS as u64 * KEPT_BYTES as u64 * 3 / 2;

/// Fills a database, removes most of it, and waits until that has given its space back.
fn remove(name: &str, remove: impl Fn(&Database, &ManualClock)) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("space-{name}"));
    if path.exists() {
        std::fs::remove_dir_all(&path).unwrap();
    }
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let options = Options {
        durability: Durability::Relaxed { sync_every: Duration::from_secs(60) },
        clock: Arc::clone(&clock) as _,
        ..Options::default()
    };
    let db = Database::open(&path, options).unwrap();
    for table in ["kept", "removed"] {
        db.create_table(CreateTable::new(table).partition_key("PK", "N").unwrap()).unwrap();
    }
    db.update_time_to_live(UpdateTimeToLive::enable("removed", "ttl")).unwrap();
    let put = |table: &str, number: i64, bytes: usize| {
        let text = "x".repeat(bytes);
        let item = item! { "PK" => number, "text" => text, "ttl" => 1_700_000_100 };
        db.put_item(PutItem::new(table, item)).unwrap();
    };
    (0..REMOVED_ITEMS).for_each(|number| put("removed", number, REMOVED_BYTES));
    (0..KEPT_ITEMS).for_each(|number| put("kept", number, KEPT_BYTES));
    assert!(db.disk_bytes().unwrap() > LEFT_BYTES_MAX * 5);
    remove(&db, &clock);
    let started = Instant::now();
    while db.disk_bytes().unwrap() > LEFT_BYTES_MAX {
        db.maintain().unwrap();
        assert!(started.elapsed() < Duration::from_secs(60), "{:?} bytes", db.disk_bytes());
        std::thread::sleep(Duration::from_millis(5));
    }
    let report = db.check().unwrap();
    assert!(report.is_clean() && report.items == KEPT_ITEMS as u64, "{report:?}");
    drop(db);
    assert!(Database::check_directory(&path).unwrap().rows.is_clean());
    std::fs::remove_dir_all(&path).unwrap();
}

#[test]
fn a_deleted_table_gives_its_space_back() {
    remove("table", |db, _| {
        db.delete_table(DeleteTable::new("removed")).unwrap();
    });
}

#[test]
fn deleted_items_give_their_space_back() {
    remove("items", |db, _| {
        for number in 0..REMOVED_ITEMS {
            db.delete_item(DeleteItem::new("removed", item! { "PK" => number })).unwrap();
        }
    });
}

#[test]
fn expired_items_give_their_space_back() {
    remove("expired", |db, clock| {
        clock.advance_ms(3_600_000);
        assert_eq!(db.sweep_expired().unwrap(), REMOVED_ITEMS as u64);
    });
}
