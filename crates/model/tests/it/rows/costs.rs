//! What a rule costs alone: one call, apart from those that must look first.

use std::time::Duration;

use monotable_model::rows::{IdempotencyKey as _, LogKey as _, Once, RateWindow, Snapshot};
use monotable_model::{Error, Outcome, Store};
use monotable_testkit::failing::Failing;

use super::keys::{JoinRequest, MatchLog, calls, match_lock, slot, tokens};
use super::tables::KeyValue;
use super::world::{World, at};

/// A table whose calls are counted.
struct Counted {
    world: World<KeyValue>,
    db: Store<KeyValue>,
    backend: Failing,
    seen: usize,
}

impl Counted {
    async fn new() -> Self {
        let world = World::new().await;
        let backend = Failing::never(&world.backend);
        let db = world.through(backend.clone()).await;
        Self { world, db, backend, seen: 0 }
    }

    /// Returns the calls since the last call of this function.
    fn calls(&mut self) -> usize {
        let calls = self.backend.calls();
        calls - std::mem::replace(&mut self.seen, calls)
    }
}

#[tokio::test]
async fn a_rule_is_one_call() {
    let mut counted = Counted::new().await;
    let db = counted.db.clone();

    let guard = slot("a");
    db.run(guard.hold("x")).await.unwrap();
    assert_eq!(counted.calls(), 1);
    assert!(db.run(guard.hold("y")).await.is_err());
    assert_eq!(counted.calls(), 1, "the refusal knows the holder");

    db.run(tokens("a").add(5).at_most(5)).await.unwrap();
    assert_eq!(counted.calls(), 1);
    let refused = db.run(tokens("a").add(1).at_most(5)).await;
    assert!(matches!(refused, Err(Error::LimitReached { .. })));
    assert_eq!(counted.calls(), 1);

    let window = RateWindow { length: Duration::from_secs(60), limit: 1 };
    db.run(calls("a", "route", window).hit()).await.unwrap();
    assert!(db.run(calls("a", "route", window).hit()).await.is_err());
    assert_eq!(counted.calls(), 2);

    let lock = match_lock();
    let held = db.run(lock.acquire(Duration::from_secs(30))).await.unwrap();
    assert_eq!(counted.calls(), 1);
    db.run(lock.extend(&held.token, Duration::from_secs(30))).await.unwrap();
    db.run(lock.release(&held.token)).await.unwrap();
    assert_eq!(counted.calls(), 2);

    let log = MatchLog { match_id: "a".to_owned() }.log::<u32, u32>();
    db.run(log.append(&Snapshot::first(), vec![1, 2, 3], 6)).await.unwrap();
    assert_eq!(counted.calls(), 1);
}

#[tokio::test]
async fn a_request_costs_a_read_only_when_it_is_repeated() {
    let mut counted = Counted::new().await;
    let db = counted.db.clone();
    let record = JoinRequest { match_id: "m1".to_owned(), key: "key".to_owned() };
    let record = record.idempotency("key", "scope", "hash").unwrap();
    let effect = || db.transact().with(slot("a").hold("x"));
    let empty = |_: &Outcome| (201, String::new());
    assert!(matches!(db.once(&record, effect(), empty).await, Ok(Once::Fresh(_))));
    assert_eq!(counted.calls(), 1);
    assert!(matches!(db.once(&record, effect(), empty).await, Ok(Once::Replay { .. })));
    assert_eq!(counted.calls(), 2);
}

#[tokio::test]
async fn an_expired_counter_costs_one_call_more() {
    let mut counted = Counted::new().await;
    let db = counted.db.clone();
    let counter = tokens("a");
    db.run(counter.add(5).expires(at(10))).await.unwrap();
    counted.calls();
    counted.world.pass(10);
    assert_eq!(db.run(counter.add(1).expires(at(20))).await.unwrap(), 1);
    assert_eq!(counted.calls(), 2);
    assert_eq!(db.run(counter.add(1).expires(at(20))).await.unwrap(), 2);
    assert_eq!(counted.calls(), 1);
}
