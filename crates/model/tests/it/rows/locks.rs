//! Locks: one holder, growing fences, and no effects of former holders.

use std::time::Duration;

use monotable_model::Error;
use monotable_model::rows::Lock;
use monotable_types::item;

use super::keys::{MatchLock, RuleTable, match_lease, match_lock, slot};
use super::tables::{Club, KeyValue};
use super::world::{START_SECONDS, World, at, on_every_table};

on_every_table!(
    a_lock_has_one_holder_until_it_is_released,
    an_ended_lease_is_free_and_its_holder_powerless,
    a_lease_is_extended,
    writes_of_a_stale_holder_are_refused,
    a_lock_is_acquired_in_a_transaction,
);

const LEASE: Duration = Duration::from_secs(30);

fn lock() -> Lock<MatchLock> {
    match_lock()
}

fn is_locked<R>(result: Result<R, Error>) -> bool {
    match result {
        Err(Error::Transaction { failures }) => matches!(failures[0].error, Error::Locked { .. }),
        result => matches!(result, Err(Error::Locked { what }) if what.ends_with("#match#m1 / v")),
    }
}

async fn a_lock_has_one_holder_until_it_is_released<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let first = db.run(lock().acquire(LEASE)).await.unwrap();
    assert_eq!(first.ends_at, at(30));
    assert!(is_locked(db.run(lock().acquire(LEASE)).await));
    assert!(is_locked(db.run(lock().release("guessed")).await));
    db.run(lock().check(first.fence)).await.unwrap();
    db.run(lock().release(&first.token)).await.unwrap();
    assert!(is_locked(db.run(lock().check(first.fence)).await));
    assert!(is_locked(db.run(lock().release(&first.token)).await));
    let second = db.run(lock().acquire(LEASE)).await.unwrap();
    assert_eq!(second.fence, first.fence + 1);
    assert_ne!(second.token, first.token);
}

async fn an_ended_lease_is_free_and_its_holder_powerless<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let first = db.run(lock().acquire(LEASE)).await.unwrap();
    world.pass(29);
    assert!(is_locked(db.run(lock().acquire(LEASE)).await));
    db.run(lock().check(first.fence)).await.unwrap();
    world.pass(1);
    assert!(is_locked(db.run(lock().check(first.fence)).await));
    assert!(is_locked(db.run(lock().extend(&first.token, LEASE)).await));
    assert!(is_locked(db.run(lock().release(&first.token)).await));
    let second = db.run(lock().acquire(LEASE)).await.unwrap();
    assert!(second.fence > first.fence);
    assert!(is_locked(db.run(lock().extend(&first.token, LEASE)).await));
    assert!(is_locked(db.run(lock().release(&first.token)).await));
    db.run(lock().check(second.fence)).await.unwrap();
}

async fn a_lease_is_extended<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let held = db.run(lock().acquire(LEASE)).await.unwrap();
    world.pass(20);
    assert_eq!(db.run(lock().extend(&held.token, LEASE)).await.unwrap(), at(50));
    world.pass(29);
    assert!(is_locked(db.run(lock().acquire(LEASE)).await));
    db.run(lock().check(held.fence)).await.unwrap();
    world.pass(1);
    assert!(db.run(lock().acquire(LEASE)).await.unwrap().fence > held.fence);
}

async fn writes_of_a_stale_holder_are_refused<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let export = slot("export");
    let stale = db.run(lock().acquire(LEASE)).await.unwrap();
    world.pass(60);
    let current = db.run(lock().acquire(LEASE)).await.unwrap();
    let late = db.transact().with(lock().check(stale.fence)).with(export.hold("stale")).await;
    assert!(is_locked(late));
    assert_eq!(db.run(export.holder()).await.unwrap(), None);
    let extend = lock().extend(&current.token, LEASE);
    db.transact().with(extend).with(export.hold("current")).await.unwrap();
    assert_eq!(db.run(export.holder()).await.unwrap().as_deref(), Some("current"));
    let release = lock().release(&stale.token);
    assert!(is_locked(db.transact().with(release).with(export.release("current")).await));
    let check = lock().check(current.fence);
    db.transact().with(check).with(export.release("current")).await.unwrap();
}

async fn a_lock_is_acquired_in_a_transaction<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let guard = slot("a");
    let acquire = || lock().acquire(LEASE);
    let mut tx = db.transact();
    let held = tx.add(acquire());
    tx.add(guard.hold("x"));
    let first = tx.commit().await.unwrap()[held].clone();
    db.run(lock().check(first.fence)).await.unwrap();
    assert!(is_locked(db.transact().with(acquire()).with(guard.release("x")).await));
    db.transact().with(lock().release(&first.token)).with(guard.release("x")).await.unwrap();
    let mut tx = db.transact();
    let held = tx.add(acquire());
    assert_eq!(tx.commit().await.unwrap()[held].fence, first.fence + 1);
    world.pass(30);
    let third = db.run(acquire()).await.unwrap();
    assert_eq!(third.fence, first.fence + 2);
}

#[tokio::test]
async fn the_row_stays_for_the_sake_of_the_fence() {
    let world = World::<Club>::new().await;
    let held = world.db.run(lock().acquire(LEASE)).await.unwrap();
    let mut expected = item! {
        "PK" => "lock#match#m1", "SK" => "v", "ItemType" => "LOCK",
        "v" => held.token.as_str(), "lease" => START_SECONDS + 30, "ver" => held.fence,
    };
    assert_eq!(world.rows().await, [expected.clone()]);
    world.db.run(lock().release(&held.token)).await.unwrap();
    expected.remove("v");
    expected.remove("lease");
    assert_eq!(world.rows().await, [expected]);
}

#[tokio::test]
async fn a_lease_may_be_the_expiry_of_the_row() {
    let lock = match_lease;
    let world = World::<KeyValue>::with(monotable_engine::Faults::default()).await;
    let first = world.db.run(lock().acquire(LEASE)).await.unwrap();
    let expected = item! {
        "pk" => "lease#match#m1", "sk" => "v",
        "v" => first.token.as_str(), "ttl" => START_SECONDS + 30, "ver" => first.fence,
    };
    assert_eq!(world.rows().await, [expected]);
    world.pass(31);
    assert_eq!(world.backend.database().sweep_expired().unwrap(), 1);
    let second = world.db.run(lock().acquire(LEASE)).await.unwrap();
    assert!(second.fence > first.fence, "fences grow over a row that was removed");

    // A row as the seed's own program left it, a second after its end.
    let world = World::<KeyValue>::new().await;
    world
        .write_raw(item! {
            "pk" => "lease#match#m1", "sk" => "v",
            "v" => "old", "ttl" => START_SECONDS - 1, "ver" => 4,
        })
        .await;
    let held = world.db.run(lock().acquire(LEASE)).await.unwrap();
    assert_eq!(held.fence, 5);
    assert!(is_locked(world.db.run(lock().release("old")).await));
    world.db.run(lock().check(held.fence)).await.unwrap();
}

#[tokio::test]
async fn a_row_that_expires_with_its_lease_is_removed_with_its_holder() {
    let lock = match_lease;
    let world = World::<KeyValue>::new().await;
    let db = &world.db;
    let first = db.run(lock().acquire(LEASE)).await.unwrap();
    db.run(lock().release(&first.token)).await.unwrap();
    assert_eq!(world.rows().await, []);
    let second = db.run(lock().acquire(LEASE)).await.unwrap();
    assert!(second.fence > first.fence, "also within one millisecond");
    db.transact().with(lock().release(&second.token)).with(slot("a").hold("x")).await.unwrap();
    assert_eq!(world.row("lease#match#m1", "v").await, None);

    world.clock.set_ms(1);
    let third = db.run(lock().acquire(LEASE)).await.unwrap();
    assert!(third.fence > second.fence, "although the clock went back");
    world.pass(30);
    assert!(is_locked(db.run(lock().release(&third.token)).await), "it was lost");
    assert_eq!(world.row("lease#match#m1", "v").await, None, "and nobody needs its row");

    let stale = db.run(lock().acquire(LEASE)).await.unwrap();
    world.pass(30);
    let current = db.run(lock().acquire(LEASE)).await.unwrap();
    assert!(is_locked(db.run(lock().release(&stale.token)).await));
    assert!(is_locked(db.run(lock().extend(&stale.token, LEASE)).await));
    db.run(lock().check(current.fence)).await.unwrap();
}

#[tokio::test]
async fn a_lease_has_at_least_a_second() {
    let world = World::<Club>::new().await;
    let error = world.db.run(lock().acquire(Duration::from_millis(900))).await.unwrap_err();
    assert_eq!(error.to_string(), "lock lock#match#m1 / v needs a lease of at least one second");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_at_once_one_acquires() {
    let world = World::<KeyValue>::new().await;
    let mut fences = Vec::new();
    for _ in 0..5 {
        let tasks: Vec<_> = (0..20)
            .map(|number| {
                let db = world.db.clone();
                tokio::spawn(async move {
                    match number % 2 {
                        0 => db.run(lock().acquire(LEASE)).await,
                        _ => {
                            let mut tx = db.transact();
                            let held = tx.add(lock().acquire(LEASE));
                            Ok(tx.commit().await?[held].clone())
                        }
                    }
                })
            })
            .collect();
        let mut held = Vec::new();
        for task in tasks {
            match task.await.unwrap() {
                Ok(one) => held.push(one),
                Err(error) => assert!(is_locked::<()>(Err(error))),
            }
        }
        assert_eq!(held.len(), 1);
        fences.push(held[0].fence);
        world.pass(30);
    }
    assert!(fences.is_sorted_by(|one, next| one < next), "{fences:?}");
}
