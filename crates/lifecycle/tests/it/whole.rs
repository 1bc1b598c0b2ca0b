//! Backups of all tables and their restores.

use std::fs;
use std::path::Path;

use monotable_engine::{
    Database, DeleteItem, DescribeTable, DescribeTimeToLive, IndexDefinition, IndexStatus,
    ListTagsOfResource, Options, PutItem, UpdateTable, item,
};
use monotable_lifecycle::{BackupSet, Control, Error};

use crate::world::{World, items, put, restore};

fn open(directory: &Path) -> Database {
    Database::open(directory, Options::default()).unwrap()
}

/// Names of everything in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_restored_database_has_the_tables_indexes_settings_and_files_of_the_backup() {
    let world = World::new(700);
    let live = world.database();
    let summary = world.back_up();
    assert_eq!(summary.tables.iter().map(|table| table.items).collect::<Vec<_>>(), [700, 700]);
    assert_eq!(summary.attached_files, 1, "drafts are left out");
    let before = items(live, "league", None);
    // What changes later is not in the backup.
    put(live, 9_999);
    let key = item! { "PK" => "TEAM#0", "SK" => 0 };
    live.delete_item(DeleteItem::new("league", key)).unwrap();

    let into = world.path("restored");
    restore(&world.path("backups"), &into).unwrap();
    assert!(names(&world.path("")).iter().all(|name| !name.contains("restoring")));
    assert_eq!(fs::read(into.join("blobs/photos/1/a.jpg")).unwrap(), vec![7; 300]);
    let restored = open(&into);
    assert_eq!(items(&restored, "league", None), before);
    assert_eq!(items(&restored, "plain", None).len(), 700);
    for index in ["by-team", "by-score"] {
        assert_eq!(items(&restored, "league", Some(index)).len(), 700, "{index}");
    }
    let table = restored.describe_table(DescribeTable::new("league")).unwrap().table;
    let source = live.describe_table(DescribeTable::new("league")).unwrap().table;
    assert!(table.deletion_protection);
    assert_eq!(table.recovery.map(|recovery| recovery.period_days), Some(7));
    assert_eq!(table.stream.unwrap().view_type, source.stream.unwrap().view_type);
    assert_eq!(table.key_schema, source.key_schema);
    let ttl = restored.describe_time_to_live(DescribeTimeToLive::new("league")).unwrap();
    assert_eq!(ttl.attribute_name.as_deref(), Some("expires"));
    let tags = ListTagsOfResource { resource_arn: table.table_arn };
    let tags = restored.list_tags_of_resource(tags).unwrap().tags;
    assert_eq!(tags.len(), 1);
    assert!(restored.check().unwrap().is_clean());
}

#[test]
fn some_tables_can_be_restored_alone_and_only_into_new_directories() {
    let world = World::new(20);
    let directory = world.back_up().directory;
    let set = BackupSet::open(&directory, None).unwrap();
    let into = world.path("one");
    let control = Control::default();
    let missing = set.restore(&into, Some(&["else".to_owned()]), Options::default(), &control);
    assert_eq!(missing.unwrap_err().to_string(), "the backup has no table else");
    set.restore(&into, Some(&["plain".to_owned()]), Options::default(), &control).unwrap();
    assert_eq!(open(&into).snapshot().tables().count(), 1);
    assert!(!into.join("blobs").exists());
    let again = set.restore(&into, None, Options::default(), &control).unwrap_err();
    assert!(again.to_string().contains("already contains files"), "{again}");
    let nothing = BackupSet::open(&world.path("one"), None).err().unwrap();
    assert!(nothing.to_string().starts_with("there is no backup in "), "{nothing}");
}

#[test]
fn a_restore_that_was_interrupted_is_resumed() {
    let world = World::new(50);
    let set = BackupSet::open(&world.back_up().directory, None).unwrap();
    let into = world.path("restored");
    let stopped = Control::default();
    stopped.stop();
    let interrupted = set.restore(&into, None, Options::default(), &stopped);
    assert_eq!(interrupted, Err(Error::Interrupted));
    assert!(!into.exists());
    assert_eq!(names(&world.path("")).iter().filter(|it| it.contains("restoring")).count(), 1);
    set.restore(&into, None, Options::default(), &Control::default()).unwrap();
    assert_eq!(items(&open(&into), "league", None), items(world.database(), "league", None));
    assert!(names(&world.path("")).iter().all(|name| !name.contains("restoring")));
}

#[test]
fn an_interrupted_backup_leaves_nothing_and_the_oldest_ones_are_removed() {
    let world = World::new(50);
    let stopped = Control::default();
    stopped.stop();
    let interrupted = world.lifecycle.back_up_all("nightly", &stopped);
    assert_eq!(interrupted, Err(Error::Interrupted));
    assert_eq!(names(&world.path("backups")), [""; 0]);
    let mut made = Vec::new();
    for _ in 0..4 {
        world.clock.advance_ms(1_000);
        made.push(world.back_up());
    }
    assert_eq!(world.lifecycle.backup_sets().unwrap(), made);
    let removed = world.lifecycle.keep_newest(2).unwrap();
    assert_eq!(removed, [made[0].directory.clone(), made[1].directory.clone()]);
    assert_eq!(world.lifecycle.backup_sets().unwrap(), made[2..]);
    // The newest one that is not later than a time.
    let at = |ms| BackupSet::open(&world.path("backups"), Some(ms)).map(|set| set.summary().id);
    assert_eq!(at(made[3].created_ms), Ok(made[3].id.clone()));
    assert_eq!(at(made[3].created_ms - 1), Ok(made[2].id.clone()));
    assert!(at(made[2].created_ms - 1).is_err());
}

#[test]
fn items_that_do_not_fit_an_index_that_came_later_are_restored_without_entries() {
    let world = World::new(3);
    let live = world.database();
    live.put_item(PutItem::new("plain", item! { "id" => "a", "n" => "text" })).unwrap();
    let by_number = IndexDefinition::new("by-n", &["n"], &[]);
    let update = UpdateTable::new("plain").attribute("n", "N").unwrap();
    live.update_table(update.create_index(by_number)).unwrap();
    let is_active = || {
        let table = live.describe_table(DescribeTable::new("plain")).unwrap().table;
        table.global_secondary_indexes[0].index_status == IndexStatus::Active
    };
    while !is_active() {
        std::thread::yield_now();
    }
    world.back_up();
    let into = world.path("restored");
    restore(&world.path("backups"), &into).unwrap();
    let restored = open(&into);
    assert_eq!(items(&restored, "plain", None).len(), 4);
    assert_eq!(items(&restored, "plain", Some("by-n")).len(), 3);
}
