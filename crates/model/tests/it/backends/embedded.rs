//! What only the engine in this process offers: immediate responses, a clock that tests set, and
//! failures of production on demand.

use std::sync::Arc;
use std::time::Duration;

use monotable_engine::{DeleteTable, DescribeTable, Faults, ManualClock, Options, PartitionLimits};
use monotable_expression::key;
use monotable_model::backend::request::{
    Action, BatchAction, BatchGet, BatchWrite, Get, Query, Returns, TableShape, Transaction,
    TransactionGet, Write,
};
use monotable_model::backend::{Backend, BackendError, Embedded, Reason};
use monotable_types::{AttributeDefinition, Item, KeySchemaElement, ScalarType, item};

/// A table `league` of the key `PK`.
fn shape() -> TableShape {
    TableShape {
        table: "league".to_owned(),
        key: vec![KeySchemaElement::hash("PK")],
        indexes: Vec::new(),
        attributes: vec![AttributeDefinition::new("PK", ScalarType::S)],
        ttl_attribute: Some("ttl".to_owned()),
        is_protected: false,
    }
}

/// Returns a backend with this table.
fn league(options: Options) -> Embedded {
    let backend = Embedded::memory_with(options);
    let created = backend.create_table(shape()).now();
    assert!(matches!(created, Ok(Ok(()))), "a table in memory is there at once");
    backend
}

fn with_faults(faults: Faults) -> Embedded {
    league(Options { faults, ..Options::default() })
}

fn team() -> Item {
    item! { "PK" => "TEAM#1" }
}

fn get() -> Get {
    Get { table: "league".into(), key: team(), consistent: true, returns_units: false }
}

fn put() -> Write {
    Write {
        table: "league".into(),
        action: Action::Put(team()),
        condition: None,
        return_on_failure: false,
        returns: Returns::Nothing,
        returns_units: false,
    }
}

#[test]
fn a_protected_table_is_not_deleted_and_has_recovery() {
    for is_protected in [false, true] {
        let backend = Embedded::memory();
        let created = backend.create_table(TableShape { is_protected, ..shape() }).now();
        assert!(matches!(created, Ok(Ok(()))));
        let database = backend.database();
        let table = database.describe_table(DescribeTable::new("league")).unwrap().table;
        assert_eq!(table.deletion_protection, is_protected);
        assert_eq!(table.recovery.map(|recovery| recovery.period_days), is_protected.then_some(35));
        let deleted = database.delete_table(DeleteTable::new("league"));
        assert_eq!(deleted.is_err(), is_protected);
    }
}

#[test]
fn in_memory_every_response_is_available_at_once() {
    let backend = league(Options::default());
    let query = Query {
        table: "league".into(),
        index: None,
        key_condition: key("PK").eq("TEAM#1"),
        filter: None,
        forward: true,
        consistent: true,
        limit: None,
        start_key: None,
    };
    let transaction = Transaction { writes: vec![put()], token: None };
    let batch = BatchWrite { table: "league".into(), writes: vec![BatchAction::Put(team())] };
    let gets = TransactionGet { table: "league".into(), keys: vec![team()], returns_units: false };
    assert!(matches!(backend.write(put()).now(), Ok(Ok(_))));
    assert!(matches!(backend.transact(transaction).now(), Ok(Ok(_))));
    assert!(matches!(backend.batch_write(batch).now(), Ok(Ok(_))));
    assert!(matches!(backend.get(get()).now(), Ok(Ok(_))));
    assert!(matches!(backend.query(query).now(), Ok(Ok(_))));
    assert!(matches!(backend.transact_get(gets).now(), Ok(Ok(_))));
}

#[test]
fn the_time_is_that_of_the_database() {
    let clock = Arc::new(ManualClock::new(1_000));
    let options = Options { clock: Arc::clone(&clock) as _, ..Options::default() };
    let backend = Embedded::memory_with(options);
    assert_eq!(backend.now_ms(), 1_000);
    clock.advance_ms(5);
    assert_eq!(backend.now_ms(), 1_005);
}

#[tokio::test]
async fn a_pause_yields_without_waiting() {
    let backend = Embedded::memory();
    let pause = backend.pause(Duration::from_secs(3600));
    assert!(pause.now().is_err(), "others run first");
    backend.pause(Duration::from_secs(3600)).await.unwrap();
}

#[tokio::test]
async fn a_pause_waits_where_partitions_get_cold_by_themselves() {
    let limits = PartitionLimits { read_units: 1.0, write_units: 1.0 };
    let faults = Faults { hot_partition: Some(limits), ..Faults::default() };
    let running = with_faults(faults.clone());
    assert!(running.pause(Duration::from_secs(3600)).now().is_err(), "nobody waits for it here");
    running.pause(Duration::from_millis(1)).await.unwrap();
    let clock = Arc::new(ManualClock::new(1_000));
    let options = Options { clock: clock as _, faults, ..Options::default() };
    Embedded::memory_with(options).pause(Duration::from_secs(3600)).await.unwrap();
}

#[tokio::test]
async fn conflicts_are_conflicts() {
    let backend = with_faults(Faults { conflict_share: 1.0, ..Faults::default() });
    assert!(matches!(backend.write(put()).await, Err(BackendError::Conflict)));
    let transaction = Transaction { writes: vec![put()], token: None };
    match backend.transact(transaction).await {
        Err(BackendError::Cancelled { reasons }) => {
            assert!(matches!(reasons[..], [Reason::Conflict]));
        }
        other => panic!("another answer: {other:?}"),
    }
}

#[tokio::test]
async fn hot_partitions_throttle() {
    let limits = PartitionLimits { read_units: 1.0, write_units: 1.0 };
    let clock = Arc::new(ManualClock::new(1_000));
    let faults = Faults { hot_partition: Some(limits), ..Faults::default() };
    let options = Options { clock: Arc::clone(&clock) as _, faults, ..Options::default() };
    let backend = league(options);
    backend.write(put()).await.unwrap();
    assert!(matches!(backend.write(put()).await, Err(BackendError::Throttled(_))));
    backend.get(get()).await.unwrap();
    assert!(matches!(backend.get(get()).await, Err(BackendError::Throttled(_))));
    clock.advance_ms(1_000);
    backend.write(put()).await.unwrap();
}

#[tokio::test]
async fn unprocessed_keys_of_a_batch_are_returned() {
    let backend = with_faults(Faults { unprocessed_share: 1.0, ..Faults::default() });
    let writes = vec![BatchAction::Put(team()), BatchAction::Delete(item! { "PK" => "TEAM#2" })];
    let batch = BatchWrite { table: "league".into(), writes: writes.clone() };
    assert_eq!(backend.batch_write(batch).await.unwrap().unprocessed, writes);
    let keys = vec![team()];
    let batch = BatchGet {
        table: "league".into(),
        keys: keys.clone(),
        consistent: true,
        returns_units: false,
    };
    assert_eq!(backend.batch_get(batch).await.unwrap().unprocessed, keys);
}

#[test]
fn a_directory_that_is_something_else_is_a_failure() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let error = Embedded::open(file, Options::default()).err();
    assert!(matches!(error, Some(BackendError::Failed(_))), "{error:?}");
}
