//! A database with tables of every kind, and its lifecycle.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use monotable_engine::{
    CreateTable, Database, IndexDefinition, Item, ManualClock, Options, Projection, PutItem,
    ReadItem, Scan, StreamViewType, TagResource, UpdateTimeToLive, item,
};
use monotable_lifecycle::{
    Attached, BackupSet, BackupSetSummary, Control, ItemCodec, Lifecycle, LifecycleOptions,
    LineError,
};
use tempfile::TempDir;

/// The time at which the tests begin.
pub(crate) const NOW_MS: u64 = 1_791_500_851_275;

/// Backups do not write JSON.
struct NoCodec;

impl ItemCodec for NoCodec {
    fn write(&self, _: &ReadItem, _: &mut Vec<u8>) {
        panic!("no JSON is written");
    }

    fn read(&self, _: &[u8]) -> Result<Item, LineError> {
        panic!("no JSON is read");
    }
}

/// A database in memory, with a directory for backups and one for files.
pub(crate) struct World {
    pub(crate) lifecycle: Lifecycle,
    pub(crate) clock: Arc<ManualClock>,
    directory: TempDir,
}

impl World {
    /// Creates the tables `league`, with indexes, a stream, expiry, tags and protection, and `plain`.
    pub(crate) fn new(items: usize) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::new(NOW_MS));
        let database =
            Database::memory_with(Options { clock: clock.clone(), ..Options::default() });
        create_tables(&database);
        for number in 0..items {
            put(&database, number);
        }
        let files = directory.path().join("files");
        std::fs::create_dir_all(files.join("photos/1")).unwrap();
        std::fs::create_dir_all(files.join(".drafts")).unwrap();
        std::fs::write(files.join("photos/1/a.jpg"), vec![7; 300]).unwrap();
        std::fs::write(files.join(".drafts/unfinished"), b"x").unwrap();
        Self { lifecycle: lifecycle(database, directory.path()), clock, directory }
    }

    pub(crate) fn database(&self) -> &Database {
        self.lifecycle.database()
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub(crate) fn back_up(&self) -> BackupSetSummary {
        self.lifecycle.back_up_all("nightly", &Control::default()).unwrap()
    }
}

/// Opens the lifecycle of a database with the directories `backups` and `files` in another one, and with its log if it is in
/// `data` there.
pub(crate) fn lifecycle(database: Database, directory: &Path) -> Lifecycle {
    let files = Attached { name: "blobs".to_owned(), directory: directory.join("files") };
    let options = LifecycleOptions {
        backups: Some(directory.join("backups")),
        history: Some(directory.join("data")).filter(|data| data.is_dir()),
        buckets: None,
        attached: vec![files],
        codec: Arc::new(NoCodec),
    };
    Lifecycle::open(database, options).unwrap()
}

fn create_tables(database: &Database) {
    let league = CreateTable::new("league")
        .partition_key("PK", "S")
        .and_then(|table| table.sort_key("SK", "N"))
        .and_then(|table| table.attribute("team", "S"))
        .and_then(|table| table.attribute("score", "N"))
        .unwrap()
        .global_index(
            IndexDefinition::new("by-team", &["team"], &["SK"]).projection(Projection::KeysOnly),
        )
        .local_index(IndexDefinition::new("by-score", &["PK"], &["score"]))
        .stream(StreamViewType::NewAndOldImages)
        .deletion_protection(true);
    database.create_table(CreateTable { recovery_days: Some(7), ..league }).unwrap();
    database.update_time_to_live(UpdateTimeToLive::enable("league", "expires")).unwrap();
    let arn = "arn:aws:dynamodb:us-east-1:123456789012:table/league";
    let tags = [("owner".to_owned(), "league office".to_owned())];
    database.tag_resource(TagResource { resource_arn: arn.to_owned(), tags: tags.into() }).unwrap();
    database.create_table(CreateTable::new("plain").partition_key("id", "S").unwrap()).unwrap();
}

/// Puts one item into each table.
pub(crate) fn put(database: &Database, number: usize) {
    let row = item! {
        "PK" => format!("TEAM#{}", number % 5), "SK" => number as u64, "team" => format!("t{}", number % 3),
        "score" => (number * 7 % 100) as u64, "text" => "word ".repeat(number % 40),
        "expires" => NOW_MS / 1_000 + 1_000_000 + number as u64,
    };
    database.put_item(PutItem::new("league", row)).unwrap();
    let row = item! { "id" => format!("{number:05}"), "n" => number as u64 };
    database.put_item(PutItem::new("plain", row)).unwrap();
}

/// Reads all items of a table or index.
pub(crate) fn items(database: &Database, table: &str, index: Option<&str>) -> Vec<Item> {
    let (mut items, mut start) = (Vec::new(), None);
    loop {
        let mut scan = Scan::new(table);
        scan.index_name = index.map(str::to_owned);
        scan.exclusive_start_key = start;
        let page = database.scan(scan).unwrap();
        items.extend(page.items.into_iter().map(Item::from));
        start = page.last_evaluated_key;
        if start.is_none() {
            return items;
        }
    }
}

/// Restores the newest backup of a directory.
pub(crate) fn restore(from: &Path, into: &Path) -> monotable_lifecycle::Result<()> {
    let set = BackupSet::open(from, None)?;
    set.restore(into, None, Options::default(), &Control::default())
}
