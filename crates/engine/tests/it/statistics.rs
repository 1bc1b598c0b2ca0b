//! Statistics: what was used, counted whether or not a request asks for it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use monotable_engine::{
    BatchGetItem, BatchWriteItem, Capacity, ConditionCheck, Consistency, ConsumedCapacity,
    CreateTable, Database, DeleteItem, GetItem, IndexDefinition, Item, ManualClock, Options,
    Projection, PutItem, Query, ReturnConsumedCapacity, Scan, Statistics, TransactGetItems,
    TransactWriteItems, UpdateItem, UpdateTable, item,
};

/// Units by table and index.
type Used = BTreeMap<(String, Option<String>), Capacity>;

/// `whole`: indexes that show whole items, so that updates can leave them alone. `mixed`: a local
/// index, and global ones that show parts.
fn create_tables(db: &Database) {
    let table = |name: &str| {
        CreateTable::new(name)
            .partition_key("PK", "S")
            .and_then(|table| table.sort_key("SK", "N"))
            .and_then(|table| table.attribute("city", "S"))
            .and_then(|table| table.attribute("goals", "N"))
            .unwrap()
    };
    db.create_table(
        table("whole")
            .global_index(IndexDefinition::new("by-city", &["city"], &["goals"]))
            .global_index(IndexDefinition::new("by-goals", &["goals"], &[])),
    )
    .unwrap();
    let by_city = IndexDefinition::new("by-city", &["city"], &[]);
    db.create_table(
        table("mixed").global_index(by_city.projection(Projection::KeysOnly)).local_index(
            IndexDefinition::new("local", &["PK"], &["goals"])
                .projection(Projection::Include(vec!["motto".to_owned()])),
        ),
    )
    .unwrap();
}

/// Runs requests and adds up what they say they used.
struct Runner {
    db: Database,
    asked: ReturnConsumedCapacity,
    used: Used,
}

impl Runner {
    fn new(asked: ReturnConsumedCapacity) -> Self {
        let db = Database::memory();
        create_tables(&db);
        Self { db, asked, used: Used::new() }
    }

    fn add(&mut self, consumed: impl IntoIterator<Item = ConsumedCapacity>) {
        for consumed in consumed {
            let table = consumed.table_name;
            let indexes = consumed.global_indexes.into_iter().chain(consumed.local_indexes);
            let indexes = indexes.map(|(name, used)| (Some(name), used));
            for (index, used) in consumed.table.map(|used| (None, used)).into_iter().chain(indexes)
            {
                let sum = self.used.entry((table.clone(), index)).or_default();
                sum.read_units += used.read_units;
                sum.write_units += used.write_units;
            }
        }
    }

    fn put(&mut self, table: &str, item: Item) {
        let put = PutItem::new(table, item).return_consumed_capacity(self.asked);
        let consumed = self.db.put_item(put).unwrap().consumed_capacity;
        self.add(consumed);
    }

    fn update(&mut self, table: &str, key: Item, update: &str, value: i64) {
        let update = UpdateItem::new(table, key).update(update).value(":v", value);
        let update = update.return_consumed_capacity(self.asked);
        let consumed = self.db.update_item(update).unwrap().consumed_capacity;
        self.add(consumed);
    }

    fn write_single_items(&mut self, table: &str) {
        for number in 0..40i64 {
            let mut item = player(number);
            if number % 5 == 0 {
                item.remove("city");
            }
            self.put(table, item.clone());
            // A put that changes nothing.
            if number % 7 == 0 {
                self.put(table, item);
            }
        }
        for number in 0..40 {
            // Same size, no key touched; then another size; then keys.
            self.update(table, key(number), "SET age = :v", 10 + number);
            self.update(table, key(number), "SET age = :v", 50);
            self.update(table, key(number), "SET age = :v", 123_456);
            if number % 3 == 0 {
                self.update(table, key(number), "ADD goals :v", 1);
                self.update(table, key(number), "SET motto = goals + :v REMOVE city", 2);
            }
        }
        for number in 30..35 {
            let delete = DeleteItem::new(table, key(number)).return_consumed_capacity(self.asked);
            let consumed = self.db.delete_item(delete).unwrap().consumed_capacity;
            self.add(consumed);
        }
    }

    fn write_many_items(&mut self) {
        let mut batch =
            BatchWriteItem { return_consumed_capacity: self.asked, ..Default::default() };
        for number in 100..110 {
            batch = batch.put("whole", player(number)).put("mixed", player(number));
        }
        let batch = batch.delete("whole", key(3)).delete("mixed", key(4));
        let consumed = self.db.batch_write_item(batch).unwrap().consumed_capacity;
        self.add(consumed);
        let check = ConditionCheck::new("mixed", key(5), "attribute_exists(PK)");
        let update = UpdateItem::new("whole", key(7)).update("SET age = :v").value(":v", 77);
        let transaction = TransactWriteItems::new()
            .action(PutItem::new("whole", player(200)))
            .action(update)
            .action(DeleteItem::new("mixed", key(101)))
            .action(check)
            .client_request_token("once")
            .return_consumed_capacity(self.asked);
        for _ in 0..2 {
            // The second time it is a replay, which is charged as reads.
            let answer = self.db.transact_write_items(transaction.clone()).unwrap();
            self.add(answer.consumed_capacity);
        }
    }

    fn read(&mut self, table: &str) {
        for number in 0..45 {
            let consistency = [Consistency::Strong, Consistency::Eventual][(number % 2) as usize];
            let get = GetItem::new(table, key(number)).consistency(consistency);
            let get = get.return_consumed_capacity(self.asked);
            let consumed = self.db.get_item(get).unwrap().consumed_capacity;
            self.add(consumed);
        }
        let query = Query::new(table).return_consumed_capacity(self.asked);
        let mut queries = vec![
            query.clone().key_condition("PK = :p").value(":p", "TEAM#1"),
            query.clone().index("by-city").key_condition("city = :p").value(":p", "Rome"),
        ];
        if table == "mixed" {
            // What the local index does not show is fetched from the table.
            let local = query.index("local").key_condition("PK = :p").value(":p", "TEAM#1");
            queries.push(local.projection("age"));
        }
        for query in queries {
            let consumed = self.db.query(query).unwrap().consumed_capacity;
            self.add(consumed);
        }
        for scan in [Scan::new(table), Scan::new(table).index("by-city")] {
            let scan = scan.return_consumed_capacity(self.asked);
            let consumed = self.db.scan(scan).unwrap().consumed_capacity;
            self.add(consumed);
        }
        let mut batch = BatchGetItem { return_consumed_capacity: self.asked, ..Default::default() };
        let mut transaction =
            TransactGetItems { return_consumed_capacity: self.asked, ..Default::default() };
        for number in 0..20 {
            batch = batch.key(table, key(number));
            transaction = transaction.get(table, key(number));
        }
        let consumed = self.db.batch_get_item(batch).unwrap().consumed_capacity;
        self.add(consumed);
        let consumed = self.db.transact_get_items(transaction).unwrap().consumed_capacity;
        self.add(consumed);
    }

    fn run(mut self) -> (Used, Statistics) {
        for table in ["whole", "mixed"] {
            self.write_single_items(table);
        }
        self.write_many_items();
        for table in ["whole", "mixed"] {
            self.read(table);
        }
        assert!(self.db.check().unwrap().is_clean());
        (self.used, self.db.statistics())
    }
}

fn player(number: i64) -> Item {
    item! {
        "PK" => format!("TEAM#{}", number % 3),
        "SK" => number,
        "city" => ["Rome", "Oslo"][(number % 2) as usize],
        "goals" => number / 2,
        "motto" => "x".repeat((number * 97 % 3000) as usize),
        "age" => 20,
    }
}

fn key(number: i64) -> Item {
    item! { "PK" => format!("TEAM#{}", number % 3), "SK" => number }
}

fn counted(statistics: &Statistics) -> Used {
    let mut used = Used::new();
    for table in &statistics.tables {
        used.insert((table.table_name.clone(), None), table.used);
        for index in &table.indexes {
            used.insert((table.table_name.clone(), Some(index.index_name.clone())), index.used);
        }
    }
    used
}

fn memory(clock: Arc<ManualClock>) -> Database {
    let db = Database::memory_with(Options { clock, ..Options::default() });
    create_tables(&db);
    db
}

#[test]
fn counted_units_are_those_that_requests_report() {
    let (mut reported, statistics) = Runner::new(ReturnConsumedCapacity::Indexes).run();
    // An index that no request touched is reported by none, and counted as nothing.
    for place in counted(&statistics).into_keys() {
        reported.entry(place).or_default();
    }
    assert_eq!(counted(&statistics), reported);
    assert!(reported.values().filter(|used| used.write_units > 20.0).count() >= 5);
    let (nothing, unasked) = Runner::new(ReturnConsumedCapacity::None).run();
    assert!(nothing.is_empty());
    assert_eq!(counted(&unasked), reported, "counted also when nobody asks");
}

#[test]
fn refused_requests_use_nothing_but_their_conditions_are_counted() {
    let db = Database::memory();
    create_tables(&db);
    let never = || PutItem::new("whole", player(1)).condition("attribute_exists(PK)");
    db.put_item(never()).unwrap_err();
    let transaction = TransactWriteItems::new()
        .action(PutItem::new("mixed", player(2)))
        .action(never())
        .action(ConditionCheck::new("whole", key(9), "attribute_exists(PK)"));
    db.transact_write_items(transaction).unwrap_err();
    db.put_item(PutItem::new("whole", item! { "PK" => "a" })).unwrap_err();
    let statistics = db.statistics();
    assert!(counted(&statistics).values().all(|used| *used == Capacity::default()));
    let failures = statistics.tables.iter().map(|table| table.condition_failures);
    assert_eq!(failures.collect::<Vec<_>>(), [0, 3]);
}

#[test]
fn tables_and_indexes_say_how_much_they_hold() {
    let db = Database::memory();
    create_tables(&db);
    for number in 0..10 {
        db.put_item(PutItem::new("mixed", player(number))).unwrap();
    }
    db.put_item(PutItem::new("mixed", key(10))).unwrap();
    let statistics = db.statistics();
    let [mixed, whole] = &statistics.tables[..] else { panic!("two tables") };
    assert_eq!((mixed.table_name.as_str(), mixed.items), ("mixed", 11));
    let entries = mixed.indexes.iter().map(|index| (index.index_name.as_str(), index.items));
    assert_eq!(entries.collect::<Vec<_>>(), [("by-city", 10), ("local", 10)]);
    assert!(mixed.indexes.iter().all(|index| 0 < index.bytes && index.bytes < mixed.bytes));
    assert_eq!((whole.items, whole.bytes), (0, 0));
}

#[test]
fn a_change_of_the_table_keeps_what_was_counted() {
    let db = Database::memory();
    create_tables(&db);
    db.put_item(PutItem::new("whole", player(1))).unwrap();
    let before = db.statistics().tables[1].clone();
    let index = IndexDefinition::new("by-motto", &["motto"], &[]);
    let change = UpdateTable::new("whole").attribute("motto", "S").unwrap().create_index(index);
    db.update_table(change).unwrap();
    let after = db.statistics().tables[1].clone();
    assert_eq!((after.used, &after.indexes[..2]), (before.used, &before.indexes[..]));
    assert_eq!(after.indexes[2].used, Capacity::default(), "filling an index is free");
}

#[test]
fn commits_and_syncs_are_counted() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("statistics-commits");
    if path.exists() {
        std::fs::remove_dir_all(&path).unwrap();
    }
    let db = Database::open(path, Options::default()).unwrap();
    create_tables(&db);
    let before = db.statistics();
    let puts: Vec<_> =
        (0..50).map(|number| db.submit(PutItem::new("whole", player(number)))).collect();
    puts.into_iter().for_each(|put| drop(put.wait().unwrap()));
    let after = db.statistics();
    assert_eq!(after.batch_jobs.sum - before.batch_jobs.sum, 50, "every job is in one batch");
    let syncs = after.sync_micros.count() - before.sync_micros.count();
    assert_eq!(after.batch_jobs.count() - before.batch_jobs.count(), syncs);
    assert!((1..=50).contains(&syncs));

    let memory = Database::memory();
    create_tables(&memory);
    let statistics = memory.statistics();
    assert_eq!((statistics.batch_jobs.sum, statistics.batch_jobs.count()), (2, 2));
    assert_eq!(statistics.sync_micros.count(), 0, "there is nothing to sync in memory");
}

#[test]
fn hot_partitions_are_named_and_fade() {
    let clock = Arc::new(ManualClock::new(1_800_000_000_000));
    let db = memory(Arc::clone(&clock));
    for number in 0..5000 {
        let mut item = player(number);
        item.insert("PK".to_owned(), format!("cold-{number}").into());
        item.insert("city".to_owned(), format!("city-{number}").into());
        item.remove("motto");
        if number % 5 == 0 {
            item.insert("PK".to_owned(), "HOT#ann@example.com".into());
            item.insert("city".to_owned(), "CITY#capital".into());
        }
        db.put_item(PutItem::new("whole", item)).unwrap();
        let partition = if number % 5 == 0 { "WANTED#1".to_owned() } else { number.to_string() };
        db.get_item(GetItem::new("whole", item! { "PK" => partition, "SK" => 1 })).unwrap();
    }
    let statistics = db.statistics();
    let hottest = &statistics.hottest_read[0];
    assert_eq!(hottest.table_name, "whole");
    assert!(hottest.partition_key.starts_with("WANTED#~"), "{hottest:?}");
    // A thousand reads of half a unit, as far as a sample of them can tell.
    assert!((200.0..800.0).contains(&hottest.units), "{hottest:?}");
    let mut written: Vec<_> = statistics.hottest_written[..2]
        .iter()
        .map(|hot| (hot.index_name.as_deref(), hot.partition_key.split('~').next()))
        .collect();
    written.sort_unstable();
    assert_eq!(written, [(None, Some("HOT#")), (Some("by-city"), Some("CITY#"))]);
    let shown = format!("{statistics:?}");
    assert!(!shown.contains("ann@example.com") && !shown.contains("capital"), "no whole key");
    assert!(statistics.hottest_written.len() <= 64);

    clock.advance_ms(120_000);
    let later = &db.statistics().hottest_read[0];
    assert!((later.units * 4.0 - hottest.units).abs() < 1e-6, "a quarter is left");
}
