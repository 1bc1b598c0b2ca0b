//! What removing data needs of memory, measured in a process of its own: other tests would be counted
//! too.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use monotable_engine::{
    CreateTable, Database, DeleteItem, DeleteTable, Durability, IndexDefinition, ManualClock,
    Options, PutItem, StreamViewType, UpdateTable, UpdateTimeToLive, item,
};

const ALONE: &str = "MONOTABLE_TEST_ALONE";
const MIB: usize = 1 << 20;
const ITEMS: i64 = 500;
const ITEM_BYTES: usize = 100_000;
/// A sixth of what is removed.
const GROWTH_BYTES_MAX: usize = 32 * MIB;

#[test]
fn removing_data_does_not_keep_it_in_memory() {
    if std::env::var_os(ALONE).is_some() {
        return remove_data();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "memory::removing_data_does_not_keep_it_in_memory", "--nocapture"])
        .env(ALONE, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn remove_data() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("memory-removed");
    if path.exists() {
        std::fs::remove_dir_all(&path).unwrap();
    }
    let clock = Arc::new(ManualClock::new(1_700_000_000_000));
    let options = Options {
        durability: Durability::Relaxed { sync_every: Duration::from_secs(60) },
        cache_bytes: 1 << 20,
        clock: Arc::clone(&clock) as _,
        ..Options::default()
    };
    let db = Database::open(&path, options).unwrap();
    let table = |name: &str| CreateTable::new(name).partition_key("PK", "N").unwrap();
    db.create_table(table("large").stream(StreamViewType::NewImage)).unwrap();
    for name in ["small", "expiring", "emptied"] {
        db.create_table(table(name)).unwrap();
    }
    db.update_time_to_live(UpdateTimeToLive::enable("expiring", "ttl")).unwrap();
    for number in 0..ITEMS {
        for name in ["large", "expiring", "emptied"] {
            let text = "x".repeat(ITEM_BYTES);
            let item = item! { "PK" => number, "text" => text, "ttl" => 1_700_000_001 };
            db.put_item(PutItem::new(name, item)).unwrap();
        }
    }
    let before = resident_bytes();
    clock.advance_ms(25 * 3600 * 1000);
    assert_eq!(db.trim_streams().unwrap(), ITEMS as u64);
    assert_eq!(db.sweep_expired().unwrap(), ITEMS as u64);
    // Behind every batch the committer takes one step of filling or reclaiming, of 500 rows.
    let work = || {
        for number in 0..10 {
            db.put_item(PutItem::new("small", item! { "PK" => number })).unwrap();
        }
    };
    let index = IndexDefinition::new("by-ttl", &["ttl"], &["PK"]);
    let change = UpdateTable::new("emptied").attribute("ttl", "N").unwrap();
    db.update_table(change.attribute("PK", "N").unwrap().create_index(index)).unwrap();
    work();
    db.update_table(UpdateTable::new("emptied").delete_index("by-ttl")).unwrap();
    work();
    for number in 0..ITEMS {
        db.delete_item(DeleteItem::new("emptied", item! { "PK" => number })).unwrap();
    }
    db.delete_table(DeleteTable::new("large")).unwrap();
    work();
    let grown = resident_bytes().saturating_sub(before);
    assert!(grown < GROWTH_BYTES_MAX, "{} MiB", grown / MIB);
    assert!(db.check().unwrap().is_clean());
    drop(db);
    std::fs::remove_dir_all(&path).unwrap();
}

/// The resident memory of this process.
fn resident_bytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<usize>().unwrap() * 1024
}
