//! Counters: limits that hold however many count at once.

use monotable_model::Error;
use monotable_model::rows::Counter;
use monotable_types::item;

use super::keys::{RuleTable, Tokens, slot, tokens};
use super::tables::{Club, KeyValue};
use super::world::{START_SECONDS, World, at, on_every_table};

on_every_table!(
    a_counter_counts_within_its_limits,
    an_expired_counter_starts_again,
    a_counter_in_a_transaction_keeps_its_limit,
    a_counter_can_return_below_a_lowered_limit,
    a_counter_stays_in_the_range_of_its_numbers,
);

fn counter() -> Counter<Tokens> {
    tokens("m1")
}

fn is_limit<R>(result: Result<R, Error>) -> bool {
    matches!(result, Err(Error::LimitReached { retry_after_seconds: None, .. }))
}

async fn a_counter_counts_within_its_limits<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    assert_eq!(db.run(counter().value()).await.unwrap(), 0);
    assert!(is_limit(db.run(counter().add(11).at_most(10)).await));
    assert!(is_limit(db.run(counter().add(-1).at_least(0)).await));
    assert!(world.rows().await.is_empty());
    assert_eq!(db.run(counter().add(8).at_most(10)).await.unwrap(), 8);
    let error = db.run(counter().add(3).at_most(10)).await.unwrap_err();
    assert_eq!(error.to_string(), "counter budget#m1 / tokens has reached its limit");
    assert_eq!(db.run(counter().add(2).at_most(10)).await.unwrap(), 10);
    assert!(is_limit(db.run(counter().add(-11).at_least(0)).await));
    assert_eq!(db.run(counter().add(-10).at_least(0)).await.unwrap(), 0);
    assert_eq!(db.run(counter().add(-5)).await.unwrap(), -5);
    // A counter below 0 can grow by more than its limit.
    assert_eq!(db.run(counter().add(15).at_most(10)).await.unwrap(), 10);
    assert_eq!(db.run(counter().value()).await.unwrap(), 10);
}

async fn a_counter_stays_in_the_range_of_its_numbers<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    for (end, beyond) in [(i64::MAX, 1), (i64::MIN, -1)] {
        let counter = tokens(&end.to_string());
        assert_eq!(db.run(counter.add(end)).await.unwrap(), end);
        assert!(is_limit(db.run(counter.add(beyond)).await));
        assert_eq!(db.run(counter.add(-beyond)).await.unwrap(), end - beyond);
        assert_eq!(db.run(counter.value()).await.unwrap(), end - beyond);
    }
}

async fn an_expired_counter_starts_again<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    assert_eq!(db.run(counter().add(4).expires(at(10))).await.unwrap(), 4);
    // The end stays that of the first.
    assert_eq!(db.run(counter().add(1).expires(at(99))).await.unwrap(), 5);
    world.pass(9);
    assert_eq!(db.run(counter().add(1)).await.unwrap(), 6);
    world.pass(1);
    assert_eq!(db.run(counter().value()).await.unwrap(), 0);
    assert!(is_limit(db.run(counter().add(3).at_most(2).expires(at(20))).await));
    assert_eq!(db.run(counter().add(2).at_most(2).expires(at(20))).await.unwrap(), 2);
    assert!(is_limit(db.run(counter().add(1).at_most(2).expires(at(40))).await));
    world.pass(10);
    assert!(is_limit(db.run(counter().add(-1).at_least(0)).await));
    assert_eq!(db.run(counter().add(7)).await.unwrap(), 7);
    world.pass(1_000_000);
    assert_eq!(db.run(counter().value()).await.unwrap(), 7);
}

async fn a_counter_in_a_transaction_keeps_its_limit<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let guard = slot("1");
    let reserve = || counter().add(6).at_most(10).expires(at(10));
    db.transact().with(reserve()).with(guard.hold("a")).await.unwrap();
    db.run(guard.release("a")).await.unwrap();
    let refused = db.transact().with(guard.hold("b")).with(reserve()).await;
    let Err(Error::Transaction { failures }) = refused else { panic!("the limit is reached") };
    assert_eq!(failures[0].label.to_string(), "add to counter");
    assert_eq!(failures[0].key, "budget#m1 / tokens");
    assert!(matches!(failures[0].error, Error::LimitReached { .. }));
    assert_eq!(db.run(guard.holder()).await.unwrap(), None);

    world.pass(10);
    let too_much = db.transact().with(counter().add(11).at_most(10)).with(guard.hold("c")).await;
    assert!(matches!(too_much, Err(Error::Transaction { .. })));
    db.transact().with(reserve()).with(guard.hold("c")).await.unwrap();
    assert_eq!(db.run(counter().value()).await.unwrap(), 0, "its end has come already");
    db.transact().with(counter().add(6).at_most(10).expires(at(99))).await.unwrap();
    assert_eq!(db.run(counter().value()).await.unwrap(), 6);
}

async fn a_counter_can_return_below_a_lowered_limit<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    db.run(counter().add(10)).await.unwrap();
    assert!(is_limit(db.run(counter().add(1).at_most(5)).await));
    assert_eq!(db.run(counter().add(-1).at_most(5)).await.unwrap(), 9);
    db.run(counter().add(-20)).await.unwrap();
    assert_eq!(db.run(counter().add(1).at_least(0)).await.unwrap(), -10);
}

#[tokio::test]
async fn a_counter_is_a_number_in_a_row() {
    let world = World::<KeyValue>::new().await;
    world.db.run(counter().add(800).expires(at(60))).await.unwrap();
    let expected =
        item! { "pk" => "budget#m1", "sk" => "tokens", "v" => 800, "ttl" => START_SECONDS + 60 };
    assert_eq!(world.rows().await, [expected]);

    let world = World::<Club>::new().await;
    world.db.run(counter().add(1)).await.unwrap();
    world.db.run(counter().add(1)).await.unwrap();
    let expected =
        item! { "PK" => "budget#m1", "SK" => "tokens", "ItemType" => "COUNTER", "v" => 2 };
    assert_eq!(world.rows().await, [expected]);
}

#[tokio::test]
async fn the_greatest_numbers_do_not_overflow_limits() {
    let world = World::<Club>::new().await;
    let db = &world.db;
    assert_eq!(db.run(counter().add(i64::MAX).at_most(i64::MAX)).await.unwrap(), i64::MAX);
    assert!(is_limit(db.run(counter().add(1).at_most(i64::MAX)).await));
    assert!(is_limit(db.run(counter().add(i64::MIN).at_least(0)).await));
    assert_eq!(db.run(counter().add(i64::MIN).at_least(i64::MIN)).await.unwrap(), -1);
}

#[tokio::test]
async fn a_row_of_another_kind_is_reported() {
    let world = World::<KeyValue>::new().await;
    world.write_raw(item! { "pk" => "budget#m1", "sk" => "tokens", "v" => "many" }).await;
    let error = world.db.run(counter().value()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "a row of counter can't be read: `v` of `budget#m1 / tokens` is not an integer"
    );
    assert!(world.db.run(counter().add(1).at_most(5)).await.is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_adds_never_pass_the_limit() {
    let world = World::<KeyValue>::new().await;
    world.db.run(counter().add(40).expires(at(1))).await.unwrap();
    // All of them find an expired counter, and only one of them may start it again.
    world.pass(1);
    let tasks: Vec<_> = (0..100)
        .map(|number| {
            let db = world.db.clone();
            let add = counter().add(3).at_most(50).expires(at(1000));
            tokio::spawn(async move {
                match number % 4 {
                    0 => db.transact().with(add).await.map(drop),
                    _ => db.run(add).await.map(drop),
                }
            })
        })
        .collect();
    let mut passed = 0;
    for task in tasks {
        match task.await.unwrap() {
            Ok(()) => passed += 1,
            Err(Error::Transaction { failures }) => match &failures[0].error {
                Error::LimitReached { .. } | Error::VersionConflict { .. } => {}
                error => panic!("{error}"),
            },
            Err(error) => assert!(matches!(error, Error::LimitReached { .. }), "{error}"),
        }
    }
    assert_eq!(world.db.run(counter().value()).await.unwrap(), passed * 3);
    assert_eq!(passed, 16);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn parallel_adds_without_limit_are_all_counted() {
    let world = World::<Club>::new().await;
    let tasks: Vec<_> = (0..100)
        .map(|_| {
            let db = world.db.clone();
            tokio::spawn(async move { db.run(counter().add(1)).await.unwrap() })
        })
        .collect();
    let mut values = Vec::new();
    for task in tasks {
        values.push(task.await.unwrap());
    }
    values.sort_unstable();
    assert_eq!(values, (1..=100).collect::<Vec<_>>());
}
