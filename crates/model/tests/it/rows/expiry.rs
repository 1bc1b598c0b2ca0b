//! Expiry with sweeping off is expiry with instant deletion: random histories on two tables.

use std::time::Duration;

use monotable_engine::Faults;
use monotable_model::rows::{IdempotencyKey as _, Once};
use monotable_model::{Error, Outcome, Store};
use proptest::prelude::*;

use super::keys::{JoinRequest, match_lease, slot, tokens};
use super::tables::KeyValue;
use super::world::{World, at};

/// One operation of the test.
#[derive(Clone, Debug)]
enum Act {
    Hold { owner: u8, expires: Option<i64>, in_transaction: bool },
    Release { owner: u8 },
    Holder,
    Add { by: i64, limit: Option<i64>, expires: Option<i64>, in_transaction: bool },
    Value,
    Acquire { seconds: u64, in_transaction: bool },
    Extend { seconds: u64 },
    Unlock,
    Answer { request: u8, kept: u64, in_transaction: bool },
    ReadResponse { request: u8 },
    Pass { seconds: u64 },
}

fn act() -> impl Strategy<Value = Act> {
    let owner = 0..3_u8;
    let expires = prop::option::of(-2..60_i64);
    let flag = any::<bool>();
    prop_oneof![
        (owner.clone(), expires.clone(), flag).prop_map(|(owner, expires, in_transaction)| {
            Act::Hold { owner, expires, in_transaction }
        }),
        owner.clone().prop_map(|owner| Act::Release { owner }),
        Just(Act::Holder),
        (-3..6_i64, prop::option::of(0..10_i64), expires, flag).prop_map(
            |(by, limit, expires, in_transaction)| Act::Add { by, limit, expires, in_transaction }
        ),
        Just(Act::Value),
        (1..15_u64, flag)
            .prop_map(|(seconds, in_transaction)| Act::Acquire { seconds, in_transaction }),
        (1..15_u64).prop_map(|seconds| Act::Extend { seconds }),
        Just(Act::Unlock),
        (owner.clone(), 1..20_u64, flag).prop_map(|(request, kept, in_transaction)| {
            Act::Answer { request, kept, in_transaction }
        }),
        owner.prop_map(|request| Act::ReadResponse { request }),
        (0..12_u64).prop_map(|seconds| Act::Pass { seconds }),
        (0..12_u64).prop_map(|seconds| Act::Pass { seconds }),
    ]
}

/// Returns the result of an operation as text, without random parts. Inside a transaction it is the
/// first failure.
fn as_text<R: std::fmt::Debug>(result: Result<R, Error>) -> String {
    match result {
        Ok(result) => format!("{result:?}"),
        Err(Error::Transaction { failures }) => failures[0].error.to_string(),
        Err(error) => error.to_string(),
    }
}

/// One side of the comparison: a table and the lock's token there.
struct Side {
    world: World<KeyValue>,
    token: String,
    fence: u64,
}

impl Side {
    async fn new(faults: Faults) -> Self {
        Self { world: World::with(faults).await, token: "none".to_owned(), fence: 0 }
    }

    fn db(&self) -> &Store<KeyValue> {
        &self.world.db
    }

    async fn perform(&mut self, act: &Act) -> String {
        let db = self.db().clone();
        let (guard, counter, lock) = (slot("g"), tokens("c"), match_lease());
        let record = |request: u8, kept: u64| {
            JoinRequest { match_id: "m1".to_owned(), key: "key".to_owned() }
                .idempotency("key", "scope", format!("hash-{request}"))
                .unwrap()
                .kept(Duration::from_secs(kept))
        };
        match *act {
            Act::Hold { owner, expires, in_transaction } => {
                let hold = guard.hold(format!("owner-{owner}"));
                let hold = expires.map_or(hold.clone(), |seconds| hold.expires(at(seconds)));
                if in_transaction {
                    as_text(db.transact().with(hold).await.map(drop))
                } else {
                    as_text(db.run(hold).await)
                }
            }
            Act::Release { owner } => {
                as_text(db.run(guard.release(format!("owner-{owner}"))).await)
            }
            Act::Holder => as_text(db.run(guard.holder()).await),
            Act::Add { by, limit, expires, in_transaction } => {
                let mut add = counter.add(by);
                if let Some(limit) = limit {
                    add = if by > 0 { add.at_most(limit) } else { add.at_least(-limit) };
                }
                if let Some(seconds) = expires {
                    add = add.expires(at(seconds));
                }
                if in_transaction {
                    as_text(db.transact().with(add).await.map(drop))
                } else {
                    as_text(db.run(add).await)
                }
            }
            Act::Value => as_text(db.run(counter.value()).await),
            Act::Acquire { seconds, in_transaction } => {
                let acquire = lock.acquire(Duration::from_secs(seconds));
                let held = if in_transaction {
                    let mut tx = db.transact();
                    let held = tx.add(acquire);
                    tx.commit().await.map(|done| done[held].clone())
                } else {
                    db.run(acquire).await
                };
                if let Ok(held) = &held {
                    assert!(held.fence > self.fence, "fences grow over expiry and removal");
                    (self.token, self.fence) = (held.token.clone(), held.fence);
                }
                as_text(held.map(|held| held.ends_at))
            }
            Act::Extend { seconds } => {
                as_text(db.run(lock.extend(&self.token, Duration::from_secs(seconds))).await)
            }
            Act::Unlock => as_text(db.run(lock.release(&self.token)).await),
            Act::Answer { request, kept, in_transaction } => {
                let record = record(request, kept);
                let answer = move |_: &Outcome| (200, request.to_string());
                if in_transaction {
                    as_text(db.once(&record, db.transact(), answer).await.map(|once| match once {
                        Once::Fresh(_) => "fresh".to_owned(),
                        Once::Replay { body, .. } => body,
                    }))
                } else {
                    as_text(db.run(record.respond(200, request.to_string())).await)
                }
            }
            Act::ReadResponse { request } => as_text(db.run(record(request, 1).response()).await),
            Act::Pass { seconds } => {
                self.world.pass(seconds);
                String::new()
            }
        }
    }
}

async fn compare(acts: Vec<Act>) {
    let mut kept = Side::new(Faults { never_sweep: true, ..Faults::default() }).await;
    let mut swept = Side::new(Faults::default()).await;
    for act in &acts {
        swept.world.backend.database().sweep_expired().unwrap();
        assert_eq!(kept.perform(act).await, swept.perform(act).await, "{act:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_that_stay_are_as_absent_as_rows_that_are_removed(
        acts in prop::collection::vec(act(), 1..80)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(compare(acts));
    }
}
