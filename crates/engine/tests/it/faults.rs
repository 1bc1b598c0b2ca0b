//! Fault modes: what DynamoDB does in production, on request.

use std::sync::Arc;
use std::time::Duration;

use monotable_engine::{
    BatchGetItem, BatchWriteItem, CancellationReason, ConditionCheck, CreateTable, Database, Error,
    Faults, GetItem, IndexDefinition, Item, ManualClock, Options, PartitionLimits, PutItem, Query,
    Scan, TransactGetItems, TransactWrite, TransactWriteItems, UpdateTable, UpdateTimeToLive, item,
};

const START_MS: u64 = 1_700_000_000_000;

fn world(faults: Faults) -> (Database, Arc<ManualClock>) {
    let clock = Arc::new(ManualClock::new(START_MS));
    let options = Options { faults, clock: Arc::clone(&clock) as _, seed: 7, ..Options::default() };
    let db = Database::memory_with(options);
    let table = CreateTable::new("league")
        .partition_key("PK", "S")
        .and_then(|table| table.attribute("team", "S"))
        .unwrap()
        .global_index(IndexDefinition::new("by-team", &["team"], &[]));
    db.create_table(table).unwrap();
    (db, clock)
}

fn player(name: &str) -> Item {
    item! { "PK" => name, "team" => "reds" }
}

fn reds(db: &Database) -> u32 {
    let query =
        Query::new("league").index("by-team").key_condition("team = :t").value(":t", "reds");
    db.query(query).unwrap().count
}

#[test]
fn a_lagging_index_shows_a_write_when_its_time_has_come() {
    let lag = Duration::from_millis(200);
    let (db, clock) = world(Faults { index_lag: Some(lag), ..Faults::default() });
    clock.advance_ms(1_000);
    db.put_item(PutItem::new("league", player("ann"))).unwrap();
    let key = item! { "PK" => "ann" };
    assert!(db.get_item(GetItem::new("league", key)).unwrap().item.is_some(), "the table has it");
    assert_eq!(reds(&db), 0, "the index does not yet");
    clock.advance_ms(199);
    assert_eq!(reds(&db), 0);
    clock.advance_ms(1);
    assert_eq!(reds(&db), 1);
    assert_eq!(db.scan(Scan::new("league").index("by-team")).unwrap().count, 1);
}

#[test]
fn an_index_younger_than_the_lag_shows_nothing_at_first() {
    let lag = Duration::from_millis(200);
    let (db, clock) = world(Faults { index_lag: Some(lag), ..Faults::default() });
    db.put_item(PutItem::new("league", player("ann"))).unwrap();
    assert_eq!(reds(&db), 0, "the table was created at this moment");
    assert_eq!(db.scan(Scan::new("league").index("by-team")).unwrap().count, 0);
    clock.advance_ms(200);
    assert_eq!(reds(&db), 1);

    let index = IndexDefinition::new("by-name", &["PK"], &[]);
    db.update_table(UpdateTable::new("league").attribute("PK", "S").unwrap().create_index(index))
        .unwrap();
    let count = || db.scan(Scan::new("league").index("by-name")).unwrap().count;
    assert_eq!(count(), 0, "the index is younger than the lag");
    clock.advance_ms(200);
    assert_eq!(count(), 1);
}

#[test]
fn a_lagging_index_forgets_a_deleted_item_late() {
    let lag = Duration::from_millis(200);
    let (db, clock) = world(Faults { index_lag: Some(lag), ..Faults::default() });
    db.put_item(PutItem::new("league", player("ann"))).unwrap();
    clock.advance_ms(1_000);
    let key = item! { "PK" => "ann" };
    db.delete_item(monotable_engine::DeleteItem::new("league", key)).unwrap();
    assert_eq!(reds(&db), 1, "an item that is gone, as an index that lags shows it");
    clock.advance_ms(200);
    assert_eq!(reds(&db), 0);
}

#[test]
fn unprocessed_batch_items_come_back_and_can_be_sent_again_until_all_are_done() {
    let (db, _) = world(Faults { unprocessed_share: 0.5, ..Faults::default() });
    let names: Vec<String> = (0..20).map(|number| format!("player-{number}")).collect();
    let mut batch = BatchWriteItem::new();
    for name in &names {
        batch = batch.put("league", player(name));
    }
    let mut rounds = 0;
    while !batch.request_items.is_empty() {
        let answer = db.batch_write_item(batch).unwrap();
        batch = BatchWriteItem { request_items: answer.unprocessed_items, ..Default::default() };
        rounds += 1;
        assert!(rounds < 100, "half of what is sent is done each time");
    }
    assert!(rounds > 1, "some came back");
    assert_eq!(db.scan(Scan::new("league")).unwrap().count, 20);

    let mut gets = BatchGetItem::new();
    for name in &names {
        gets = gets.key("league", item! { "PK" => name.as_str() });
    }
    let mut found = 0;
    while !gets.request_items.is_empty() {
        let answer = db.batch_get_item(gets).unwrap();
        found += answer.responses["league"].len();
        gets = BatchGetItem { request_items: answer.unprocessed_keys, ..Default::default() };
    }
    assert_eq!(found, 20);
}

#[test]
fn a_hot_partition_is_throttled_until_the_next_second() {
    let limits = PartitionLimits { read_units: 2.0, write_units: 3.0 };
    let (db, clock) = world(Faults { hot_partition: Some(limits), ..Faults::default() });
    let put = || db.put_item(PutItem::new("league", player("ann"))).map(drop);
    for _ in 0..3 {
        put().unwrap();
    }
    let error = put().unwrap_err();
    assert_eq!(error.code(), "ProvisionedThroughputExceededException");
    db.put_item(PutItem::new("league", player("bob"))).expect("another partition is not hot");
    let get = || db.get_item(GetItem::new("league", item! { "PK" => "ann" })).map(drop);
    for _ in 0..4 {
        get().unwrap();
    }
    assert_eq!(get().unwrap_err(), Error::ProvisionedThroughputExceeded);
    clock.advance_ms(1_000);
    put().unwrap();
    get().unwrap();
}

#[test]
fn transactions_and_failed_conditions_use_up_a_partition_too() {
    let limits = PartitionLimits { read_units: 3.0, write_units: 3.0 };
    let (db, _) = world(Faults { hot_partition: Some(limits), ..Faults::default() });
    let is_throttled = |error: Error| match error {
        Error::TransactionCanceled { reasons } => reasons[0].code() == "ThrottlingError",
        error => error == Error::ProvisionedThroughputExceeded,
    };
    let key = |name: &str| item! { "PK" => name };
    let write = |action: TransactWrite| {
        db.transact_write_items(TransactWriteItems::new().action(action)).map(drop)
    };
    let put = || write(PutItem::new("league", key("ann")).into());
    let check = || {
        let condition = "attribute_not_exists(PK)";
        write(ConditionCheck::new("league", key("bob"), condition).into())
    };
    let get = || db.transact_get_items(TransactGetItems::new().get("league", key("ann"))).map(drop);
    let two_units: [&dyn Fn() -> Result<(), Error>; 3] = [&put, &check, &get];
    for run in two_units {
        run().unwrap();
        assert!(is_throttled(run().unwrap_err()));
    }
    let refused = || {
        let put = PutItem::new("league", key("eve")).condition("attribute_exists(PK)");
        db.put_item(put).map(drop).unwrap_err()
    };
    for _ in 0..3 {
        assert_eq!(refused(), Error::ConditionalCheckFailed { item: None });
    }
    assert!(is_throttled(refused()));
}

#[test]
fn a_scan_uses_up_the_partitions_that_it_reads() {
    let limits = PartitionLimits { read_units: 1.0, write_units: 100.0 };
    let (db, clock) = world(Faults { hot_partition: Some(limits), ..Faults::default() });
    db.put_item(PutItem::new("league", player("ann"))).unwrap();
    let scan = || db.scan(Scan::new("league")).map(drop);
    scan().unwrap();
    scan().unwrap();
    assert_eq!(scan().unwrap_err(), Error::ProvisionedThroughputExceeded);
    db.scan(Scan::new("league").index("by-team")).expect("an index has partitions of its own");
    clock.advance_ms(1_000);
    scan().unwrap();
}

#[test]
fn a_hot_partition_of_an_index_throttles_the_writes_to_its_table() {
    let limits = PartitionLimits { read_units: 100.0, write_units: 5.0 };
    let (db, clock) = world(Faults { hot_partition: Some(limits), ..Faults::default() });
    let put = |number: u32| db.put_item(PutItem::new("league", player(&number.to_string())));
    for number in 0..5 {
        put(number).unwrap();
    }
    let error = put(5).unwrap_err();
    assert_eq!(error.code(), "ProvisionedThroughputExceededException");
    assert_eq!(
        error.to_string(),
        "The level of configured provisioned throughput for one or more global secondary indexes \
         of the table was exceeded. Consider increasing your provisioning level for the \
         under-provisioned global secondary indexes with the UpdateTable API"
    );
    assert_eq!(db.scan(Scan::new("league")).unwrap().count, 5, "nothing was written");
    let blue = item! { "PK" => "bob", "team" => "blues" };
    db.put_item(PutItem::new("league", blue)).expect("another partition of the index is not hot");
    db.put_item(PutItem::new("league", item! { "PK" => "eve" })).expect("without an index entry");
    clock.advance_ms(1_000);
    put(5).unwrap();
}

#[test]
fn partitions_with_the_same_key_in_two_tables_are_two_partitions() {
    let limits = PartitionLimits { read_units: 100.0, write_units: 1.0 };
    let (db, _) = world(Faults { hot_partition: Some(limits), ..Faults::default() });
    db.create_table(CreateTable::new("other").partition_key("PK", "S").unwrap()).unwrap();
    for table in ["league", "other"] {
        db.put_item(PutItem::new(table, item! { "PK" => "ann" })).unwrap();
    }
}

#[test]
fn transactions_meet_conflicts_and_change_nothing_then() {
    let (db, _) = world(Faults { conflict_share: 0.5, ..Faults::default() });
    let (mut done, mut conflicts) = (0, 0);
    for number in 0..40 {
        let name = format!("player-{number}");
        let write = TransactWriteItems::new().action(PutItem::new("league", player(&name)));
        match db.transact_write_items(write) {
            Ok(_) => done += 1,
            Err(Error::TransactionCanceled { reasons }) => {
                assert_eq!(reasons[0].code(), "TransactionConflict");
                conflicts += 1;
            }
            Err(error) => panic!("{error}"),
        }
    }
    assert!(done > 5 && conflicts > 5, "{done} done, {conflicts} conflicts");
    assert_eq!(db.scan(Scan::new("league")).unwrap().count, done);

    let always = world(Faults { conflict_share: 1.0, ..Faults::default() }).0;
    let put = always.put_item(PutItem::new("league", player("ann"))).unwrap_err();
    assert_eq!(put.code(), "TransactionConflictException");
    let get = TransactGetItems::new().get("league", item! { "PK" => "ann" });
    let Err(Error::TransactionCanceled { reasons }) = always.transact_get_items(get) else {
        panic!("a read in a transaction meets the conflict too");
    };
    assert!(matches!(reasons[0], CancellationReason::Failed { .. }));
}

#[test]
fn one_seed_gives_one_history_of_faults() {
    let history = || {
        let (db, _) = world(Faults { conflict_share: 0.3, ..Faults::default() });
        let put = |number: u32| PutItem::new("league", player(&number.to_string()));
        (0..100).map(|number| db.put_item(put(number)).is_ok()).collect::<Vec<bool>>()
    };
    assert_eq!(history(), history());
}

#[test]
fn expired_items_stay_when_sweeping_is_off() {
    let sweep = |never_sweep| {
        let (db, clock) = world(Faults { never_sweep, ..Faults::default() });
        db.update_time_to_live(UpdateTimeToLive::enable("league", "ttl")).unwrap();
        let mut ann = player("ann");
        ann.insert("ttl".to_owned(), (START_MS / 1000 + 10).into());
        db.put_item(PutItem::new("league", ann)).unwrap();
        clock.advance_ms(60_000);
        (db.sweep_expired().unwrap(), db.scan(Scan::new("league")).unwrap().count)
    };
    assert_eq!(sweep(true), (0, 1));
    assert_eq!(sweep(false), (1, 0));
}
