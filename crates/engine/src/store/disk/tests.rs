//! What readers see while rows are committed, flushed and merged at the same time.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::*;

const KEYS: u64 = 20;
const COMMITS: u64 = 400;

fn key(number: u64) -> Bytes {
    Bytes::from(format!("key-{number:03}").into_bytes())
}

/// A commit that gives every key the same value.
fn generation(number: u64) -> Writes {
    let value = Bytes::copy_from_slice(&number.to_be_bytes());
    (0..KEYS).map(|key_number| (key(key_number), Some(value.clone()))).collect()
}

/// The one generation that a snapshot shows, in both orders and key by key.
fn read(snapshot: &dyn Snapshot) -> u64 {
    let range = RowRange::prefix(b"key-");
    let rows = |order| snapshot.range(&range, order).map(|row| row.unwrap().1).collect::<Vec<_>>();
    let mut values = rows(Order::Ascending);
    values.extend(rows(Order::Descending));
    values.extend((0..KEYS).step_by(7).map(|number| snapshot.get(&key(number)).unwrap().unwrap()));
    assert_eq!(values.len() as u64, 2 * KEYS + KEYS.div_ceil(7));
    assert!(values.iter().all(|value| *value == values[0]), "a commit is seen in part");
    u64::from_be_bytes(values[0].as_ref().try_into().unwrap())
}

#[test]
fn a_snapshot_is_one_commit_and_stays_it_while_rows_are_flushed_and_merged() {
    let directory = tempfile::tempdir().unwrap();
    let options = Options {
        durability: Durability::Relaxed { sync_every: std::time::Duration::from_secs(60) },
        ..Options::default()
    };
    let store = DiskStore::open(&directory.path().join("db"), &options).unwrap();
    store.commit(generation(0), &mut |_| {}).unwrap();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for number in 1..COMMITS {
                store
                    .commit(generation(number), &mut |rows| {
                        assert_eq!(read(&*rows.snapshot()), number, "what is published is there");
                    })
                    .unwrap();
            }
            is_done.store(true, Ordering::Release);
        });
        scope.spawn(|| {
            while !is_done.load(Ordering::Acquire) {
                store.flush().unwrap();
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                let mut held = Vec::new();
                let mut newest = 0;
                while !is_done.load(Ordering::Acquire) {
                    let snapshot = store.newest().snapshot();
                    let number = read(&*snapshot);
                    assert!(number >= newest);
                    newest = number;
                    held.push((number, snapshot));
                    if held.len() > 50 {
                        for (number, snapshot) in held.drain(..).step_by(10) {
                            assert_eq!(read(&*snapshot), number);
                        }
                    }
                }
            });
        }
    });
    drop(store);
    let store = DiskStore::open(&directory.path().join("db"), &options).unwrap();
    assert_eq!(read(&*store.newest().snapshot()), COMMITS - 1);
}

#[test]
fn rows_of_several_segments_are_replayed_after_a_kill() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("db");
    let mut store = DiskStore::open(&path, &Options::default()).unwrap();
    // Nothing is flushed from here on.
    store.workers = None;
    let value = |number: u64| Bytes::from(vec![number as u8; 3 << 20]);
    for number in 0..12 {
        store.commit(Writes::from([(key(number), Some(value(number)))]), &mut |_| {}).unwrap();
    }
    store.commit(Writes::from([(key(3), None)]), &mut |_| {}).unwrap();
    let copy = directory.path().join("copy");
    copy_directory(&path, &copy);
    assert_eq!(std::fs::read_dir(copy.join(LOG)).unwrap().count(), 3);
    let assert_rows = |store: &DiskStore| {
        let snapshot = store.newest().snapshot();
        for number in 0..12 {
            let expected = (number != 3).then(|| value(number));
            assert!(snapshot.get(&key(number)).unwrap() == expected, "{number}");
        }
    };
    let (checked, condition) =
        DiskStore::open_copy(&copy, &Options::default(), CheckDepth::UntilDamage).unwrap();
    assert!(!condition.was_closed && condition.unfinished.is_none(), "{condition:?}");
    assert_rows(&checked);
    drop(checked);
    let reopened = DiskStore::open(&copy, &Options::default()).unwrap();
    assert_rows(&reopened);
    reopened.workers.as_ref().unwrap().wait_for_flush().unwrap();
    assert_eq!(std::fs::read_dir(copy.join(LOG)).unwrap().count(), 1);
    assert_rows(&reopened);
}

/// Merging would copy the damage or stop; so it stops, and nothing else does.
#[test]
fn writes_go_on_when_a_damaged_table_can_not_be_merged() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("db");
    let store = DiskStore::open(&path, &Options::default()).unwrap();
    let filler = |number: u64| {
        (Bytes::from(format!("z-{number}").into_bytes()), Some(vec![7; 1_000].into()))
    };
    store.commit((0..100).map(filler).collect(), &mut |_| {}).unwrap();
    store.flush().unwrap();
    drop(store);
    let tables = std::fs::read_dir(path.join(TABLES).join("tables")).unwrap();
    for table in tables {
        let table = table.unwrap().path();
        let mut bytes = std::fs::read(&table).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        std::fs::write(table, bytes).unwrap();
    }
    let store = DiskStore::open(&path, &Options::default()).unwrap();
    for number in 2..40 {
        let mut writes = generation(number);
        writes.extend([filler(0), filler(99)]);
        store.commit(writes, &mut |_| {}).unwrap();
        store.flush().unwrap();
        assert_eq!(read(&*store.newest().snapshot()), number);
    }
    store.scrub(usize::MAX);
    assert_eq!(store.scrubbed().damaged.len(), 1);
    drop(store);
    let store = DiskStore::open(&path, &Options::default()).unwrap();
    assert_eq!(read(&*store.newest().snapshot()), 39);
}

fn copy_directory(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy_directory(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
