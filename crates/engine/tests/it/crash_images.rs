//! Files as a power failure leaves them: of what was written since the last sync, any part is there.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use monotable_engine::{
    CreateTable, Database, Durability, Item, Options, PutItem, Scan, fuzzing, item,
};
use monotable_testkit::crash::place::{Medium, Place};
use monotable_testkit::crash::seed::{Random, announce, figure};

/// What a disk writes whole or not at all.
const SECTOR_BYTES: usize = 512;
/// Zeros behind what was written, fewer than the store reserves.
const PADDING_BYTES: usize = 4_096;
const SYNCED_ITEMS: i64 = 10;
const UNSYNCED_ITEMS: i64 = 12;

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// The files at the last sync and when the power failed.
struct Failure {
    synced: Files,
    written: Files,
    /// How many items there may be.
    items: std::ops::RangeInclusive<i64>,
}

impl Failure {
    /// One of a database whose commits are synced from time to time.
    fn relaxed(random: &mut Random) -> Self {
        let durability = Durability::Relaxed { sync_every: Duration::from_secs(3_600) };
        Self::new(random, durability, UNSYNCED_ITEMS)
    }

    /// One of a database that syncs every commit, while it wrote the last one.
    fn full(random: &mut Random) -> Self {
        Self::new(random, Durability::Full, 1)
    }

    fn new(random: &mut Random, durability: Durability, unsynced: i64) -> Self {
        let place = place();
        let path = place.database();
        let db = open(&path, Durability::Full);
        db.create_table(CreateTable::new("league").partition_key("PK", "N").unwrap()).unwrap();
        put(&db, random, 0..SYNCED_ITEMS / 2);
        drop(db);
        fuzzing::flush(&path);
        let db = open(&path, Durability::Full);
        put(&db, random, SYNCED_ITEMS / 2..SYNCED_ITEMS);
        drop(db);
        let db = open(&path, durability);
        let synced = read(&path);
        put(&db, random, SYNCED_ITEMS..SYNCED_ITEMS + unsynced);
        let mut written = read(&path);
        drop(db);
        // It is written behind a sync, so it is not newer than what is there for sure.
        let record = PathBuf::from("SYNCED");
        written.insert(record.clone(), synced[&record].clone());
        place.remove().unwrap();
        assert!(synced.keys().eq(written.keys()));
        Self { synced, written, items: SYNCED_ITEMS..=SYNCED_ITEMS + unsynced }
    }

    /// Writes the files of one image.
    fn write(&self, path: &Path, random: &mut Random) {
        let kind = random.below(5);
        for (file, synced) in &self.synced {
            let bytes = mix(synced, &self.written[file], kind, random);
            let target = path.join(file);
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::write(target, bytes).unwrap();
        }
    }
}

/// A file of which the sectors that were written are there in part.
fn mix(synced: &[u8], written: &[u8], kind: u64, random: &mut Random) -> Vec<u8> {
    if synced == written {
        return synced.to_vec();
    }
    let mut bytes = synced.to_vec();
    bytes.resize(synced.len().max(written.len()), 0);
    let places: Vec<usize> = (0..written.len()).step_by(SECTOR_BYTES).collect();
    let changed: Vec<usize> = places
        .into_iter()
        .filter(|&at| {
            let end = (at + SECTOR_BYTES).min(written.len());
            bytes[at..end] != written[at..end]
        })
        .collect();
    let front = random.below(changed.len() as u64 + 1) as usize;
    for (number, &at) in changed.iter().enumerate() {
        let is_there = match kind {
            0 => false,
            1 => true,
            // In order, or only the last ones: the disk chooses.
            2 => number < front,
            3 => number >= front,
            _ => random.below(2) == 0,
        };
        let end = (at + SECTOR_BYTES).min(written.len());
        // The last one that is there may be torn, which disks promise not to do.
        let end = if kind == 2 && number + 1 == front {
            at + random.below((end - at) as u64 + 1) as usize
        } else {
            end
        };
        if is_there {
            bytes[at..end].copy_from_slice(&written[at..end]);
        }
    }
    bytes
}

fn place() -> Place {
    let root = Medium::Tmpfs.root("").unwrap_or(env!("CARGO_TARGET_TMPDIR").into());
    Place::new(&root).unwrap()
}

fn open(path: &Path, durability: Durability) -> Database {
    Database::open(path, Options { durability, ..Options::default() }).unwrap()
}

fn entry(number: i64, bytes: u64) -> Item {
    item! { "PK" => number, "text" => "x".repeat(bytes as usize) }
}

fn put(db: &Database, random: &mut Random, numbers: std::ops::Range<i64>) {
    for number in numbers {
        let bytes = random.below(3 * SECTOR_BYTES as u64);
        db.put_item(PutItem::new("league", entry(number, bytes))).unwrap();
    }
}

/// The files of a database that is open, without most of the zeros that are reserved behind the log.
fn read(path: &Path) -> Files {
    fn add(root: &Path, path: &Path, files: &mut Files) {
        for entry in fs::read_dir(path).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                add(root, &path, files);
                continue;
            }
            let name = path.strip_prefix(root).unwrap().to_owned();
            let mut bytes = fs::read(&path).unwrap();
            if name.starts_with("log") {
                let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                bytes.truncate(end);
                bytes.resize(end + PADDING_BYTES, 0);
            }
            files.insert(name, bytes);
        }
    }
    let mut files = Files::new();
    add(path, path, &mut files);
    files
}

/// The items are the first ones that were put, all that were synced among them.
fn assert_prefix(db: &Database, items: &std::ops::RangeInclusive<i64>, blame: &str) -> i64 {
    let scan = db.scan(Scan::new("league")).unwrap();
    let count = i64::from(scan.count);
    assert!(items.contains(&count), "{blame}: {count} items");
    for number in 0..count {
        let is_there = scan.items.iter().any(|item| item.get("PK") == Some(number.into()));
        assert!(is_there, "{blame}: item {number} is missing among {count}");
    }
    count
}

fn try_images(name: &str, make: fn(&mut Random) -> Failure) {
    let seed = announce(name);
    let mut random = Random::new(seed);
    let mut failure = make(&mut random);
    for number in 0..figure("MONOTABLE_CRASH_IMAGES", 150) {
        if number % 500 == 499 {
            failure = make(&mut random);
        }
        let blame = format!("MONOTABLE_SEED={seed}, image {number}");
        let place = place();
        let path = place.database();
        failure.write(&path, &mut random);
        let report = Database::check_directory(&path)
            .unwrap_or_else(|error| panic!("{blame}, see {place}: {error}"));
        assert!(report.rows.is_clean() && !report.was_closed, "{blame}, see {place}: {report:?}");
        let db = open(&path, Durability::Full);
        let count = assert_prefix(&db, &failure.items, &blame);
        assert_eq!(report.rows.items as i64, count, "{blame}: a check sees what is recovered");
        db.put_item(PutItem::new("league", entry(count, 10))).unwrap();
        drop(db);
        let db = open(&path, Durability::Full);
        assert_prefix(&db, &(count + 1..=count + 1), &blame);
        drop(db);
        place.remove().unwrap();
    }
}

#[test]
fn a_power_failure_costs_nothing_that_was_synced() {
    try_images("a_power_failure_costs_nothing_that_was_synced", Failure::relaxed);
}

#[test]
fn a_power_failure_costs_nothing_that_was_acknowledged() {
    try_images("a_power_failure_costs_nothing_that_was_acknowledged", Failure::full);
}
