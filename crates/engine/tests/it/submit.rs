//! Writes handed over without waiting: as futures, and from many threads.

use std::path::Path;
use std::thread;

use monotable_engine::{
    CreateTable, Database, DeleteTable, DescribeTimeToLive, Error, GetItem, ListTables,
    ListTagsOfResource, Options, PutItem, TagResource, UntagResource, UpdateItem, UpdateTable,
    UpdateTimeToLive, WriteOperation, item,
};
use monotable_testkit::executor::block_on;

async fn write_all<W: WriteOperation>(db: &Database, writes: Vec<W>) -> usize {
    let pending: Vec<_> = writes.into_iter().map(|write| db.submit(write)).collect();
    let mut failed = 0;
    for write in pending {
        failed += usize::from(write.await.is_err());
    }
    failed
}

fn databases(name: &str) -> [Database; 2] {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("submit-{name}"));
    if path.exists() {
        std::fs::remove_dir_all(&path).unwrap();
    }
    let databases = [Database::memory(), Database::open(path, Options::default()).unwrap()];
    for db in &databases {
        db.create_table(CreateTable::new("league").partition_key("PK", "S").unwrap()).unwrap();
    }
    databases
}

#[test]
fn writes_are_awaited_in_async_code() {
    for db in databases("async") {
        let put = |number: u32| {
            PutItem::new("league", item! { "PK" => format!("p{number}") })
                .condition("attribute_not_exists(PK)")
        };
        assert_eq!(block_on(write_all(&db, (0..50).map(put).collect())), 0);
        assert_eq!(block_on(write_all(&db, (0..50).map(put).collect())), 50, "all are there");
        let bad = PutItem::new("nowhere", item! { "PK" => "a" });
        assert_eq!(block_on(write_all(&db, vec![bad])), 1);
    }
}

#[test]
fn changes_of_tables_are_awaited_too() {
    for db in databases("tables") {
        let teams = || CreateTable::new("teams").partition_key("PK", "S").unwrap();
        // The committer works in order, so each of these finds what the one before it left.
        let created = db.submit(teams());
        let again = db.submit(teams());
        let expiry = db.submit(UpdateTimeToLive::enable("teams", "expires"));
        let protected = db.submit(UpdateTable::new("teams").deletion_protection(true));
        let refused = db.submit(DeleteTable::new("teams"));
        let arn = block_on(created).unwrap().table_description.table_arn;
        assert_eq!(block_on(again).unwrap_err().code(), "ResourceInUseException");
        block_on(expiry).unwrap();
        assert!(block_on(protected).unwrap().table_description.deletion_protection);
        assert!(matches!(block_on(refused), Err(Error::Validation(_))));
        let (owner, stage) =
            (("owner".to_owned(), "a".to_owned()), ("stage".to_owned(), "b".to_owned()));
        let tags = [owner.clone(), stage].into();
        block_on(db.submit(TagResource { resource_arn: arn.clone(), tags })).unwrap();
        let tag_keys = vec!["stage".to_owned()];
        block_on(db.submit(UntagResource { resource_arn: arn.clone(), tag_keys })).unwrap();
        let list = ListTagsOfResource { resource_arn: arn };
        assert_eq!(db.list_tags_of_resource(list).unwrap().tags, [owner].into());
        let expiry = db
            .describe_time_to_live(DescribeTimeToLive { table_name: "teams".to_owned() })
            .unwrap();
        assert_eq!(expiry.attribute_name.as_deref(), Some("expires"));
        let malformed = db.submit(CreateTable::new("!"));
        assert_eq!(block_on(malformed).unwrap_err().code(), "ValidationException");
        assert_eq!(db.list_tables(ListTables::default()).unwrap().table_names.len(), 2);
    }
}

#[test]
fn a_dropped_future_does_not_stop_the_write() {
    for db in databases("dropped") {
        drop(db.submit(PutItem::new("league", item! { "PK" => "a" })));
        // The committer works in order, so the second write is behind the first.
        db.put_item(PutItem::new("league", item! { "PK" => "b" })).unwrap();
        let key = item! { "PK" => "a" };
        assert!(db.get_item(GetItem::new("league", key)).unwrap().item.is_some());
    }
}

#[test]
fn many_threads_count_to_the_same_number() {
    for db in databases("threads") {
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let key = item! { "PK" => "counter" };
                        let add = UpdateItem::new("league", key).update("ADD hits :one");
                        db.update_item(add.value(":one", 1)).unwrap();
                    }
                });
            }
        });
        let counter = db.get_item(GetItem::new("league", item! { "PK" => "counter" })).unwrap();
        assert_eq!(counter.item.unwrap().get("hits"), Some(400.into()));
        assert!(db.check().unwrap().is_clean());
    }
}
