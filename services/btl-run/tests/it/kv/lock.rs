//! The lock of a match while the clock jumps: who holds it is known beforehand.

use std::sync::Arc;

use monotable::dynamodb::PutItem;
use monotable::model::backend::Embedded;
use monotable::model::rows::Held;
use monotable::{Clock, Database, Faults, ManualClock, Options, item};
use monotable_btl_run::kv::Kv;
use monotable_btl_run::table::{BtlRun, MatchId};
use proptest::prelude::*;

use crate::world::{START_MS, TABLE};

/// Seconds that a lock is held.
const LEASE: i64 = 30;
const START: i64 = (START_MS / 1000) as i64;

struct World {
    kv: Kv,
    database: Database,
    clock: Arc<ManualClock>,
}

async fn world(sweeps: bool) -> World {
    let clock = Arc::new(ManualClock::new(START_MS));
    let faults = Faults { never_sweep: !sweeps, ..Faults::default() };
    let options =
        Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, faults, ..Options::default() };
    let database = Database::memory_with(options);
    let db = BtlRun::open(Embedded::new(database.clone())).await.unwrap();
    World { kv: Kv::new(db), database, clock }
}

fn match_id() -> MatchId {
    MatchId::new("m1").unwrap()
}

fn row(database: &Database) -> Option<monotable::Item> {
    let key = item! { "pk" => "lock#match#m1", "sk" => "v" };
    let row = database.get_item(monotable::dynamodb::GetItem::new(TABLE, key)).unwrap().item;
    row.map(|row| row.to_item())
}

#[tokio::test]
async fn a_lock_that_expired_a_second_ago_is_taken_and_its_owner_can_do_nothing() {
    let World { kv, database, clock } = world(false).await;
    let old = kv.acquire(&match_id()).await.unwrap().unwrap();
    let expected = item! {
        "pk" => "lock#match#m1", "sk" => "v", "v" => old.token.as_str(), "ttl" => START + LEASE,
        "ver" => old.fence,
    };
    assert_eq!(row(&database), Some(expected), "the row is that of the design");
    assert_eq!(kv.acquire(&match_id()).await.unwrap(), None);
    clock.advance_ms(31_000);
    let new = kv.acquire(&match_id()).await.unwrap().unwrap();
    assert!(new.fence > old.fence);
    let before = row(&database);
    assert!(!kv.release(&match_id(), &old).await.unwrap());
    assert_eq!(kv.extend(&match_id(), &old).await.unwrap(), None);
    assert_eq!(row(&database), before, "nothing happened to the lock of another");
    assert!(kv.release(&match_id(), &new).await.unwrap());
    assert_eq!(row(&database), None);
}

#[tokio::test]
async fn a_lock_of_the_design_documents_program_is_respected_until_it_has_expired() {
    let World { kv, database, clock } = world(false).await;
    let locked =
        item! { "pk" => "lock#match#m1", "sk" => "v", "v" => "locked", "ttl" => START + 30 };
    database.put_item(PutItem::new(TABLE, locked)).unwrap();
    assert_eq!(kv.acquire(&match_id()).await.unwrap(), None);
    clock.advance_ms(29_999);
    assert_eq!(kv.acquire(&match_id()).await.unwrap(), None);
    clock.advance_ms(1);
    assert!(kv.acquire(&match_id()).await.unwrap().is_some());
}

/// What somebody does in a random history.
#[derive(Clone, Debug)]
enum Act {
    Acquire { worker: usize },
    Extend { worker: usize },
    Release { worker: usize },
    Jump { seconds: i64 },
    Sweep,
}

fn act() -> impl Strategy<Value = Act> {
    let worker = 0..3_usize;
    prop_oneof![
        4 => worker.clone().prop_map(|worker| Act::Acquire { worker }),
        2 => worker.clone().prop_map(|worker| Act::Extend { worker }),
        2 => worker.prop_map(|worker| Act::Release { worker }),
        4 => (-45..60_i64).prop_map(|seconds| Act::Jump { seconds }),
        1 => Just(Act::Sweep),
    ]
}

/// Whose lock the row is, and when its lease ends by the clock.
#[derive(Clone, Copy)]
struct Truth {
    fence: u64,
    ends_at: i64,
}

async fn run_history(acts: Vec<Act>) {
    let World { kv, database, clock } = world(true).await;
    let (mut now, mut last_fence) = (START, 0);
    let mut hands: [Option<Held>; 3] = [None, None, None];
    let mut truth: Option<Truth> = None;
    for act in acts {
        let holder = truth.filter(|truth| truth.ends_at > now);
        let holds = |held: &Held| holder.is_some_and(|holder| holder.fence == held.fence);
        let holders = hands.iter().flatten().filter(|held| holds(held)).count();
        assert!(holders <= 1, "at most one holds the lock");
        match act {
            Act::Jump { seconds } => {
                now += seconds;
                clock.set_ms(now as u64 * 1000);
            }
            Act::Sweep => {
                // It leaves a row that has expired this very second, which the clock may bring back.
                database.sweep_expired().unwrap();
                truth = truth.filter(|_| row(&database).is_some());
                assert!(holder.is_none() || truth.is_some(), "a lock that is held is not swept");
            }
            Act::Acquire { worker } => {
                let held = kv.acquire(&match_id()).await.unwrap();
                assert_eq!(held.is_some(), holder.is_none());
                if let Some(held) = held {
                    assert!(held.fence > last_fence, "{} after {last_fence}", held.fence);
                    last_fence = held.fence;
                    truth = Some(Truth { fence: held.fence, ends_at: now + LEASE });
                    hands[worker] = Some(held);
                }
            }
            Act::Extend { worker } => {
                let Some(held) = &hands[worker] else { continue };
                let before = row(&database);
                let extended = kv.extend(&match_id(), held).await.unwrap();
                assert_eq!(extended.is_some(), holds(held));
                match extended {
                    Some(ends_at) => {
                        assert_eq!(ends_at.as_seconds(), now + LEASE);
                        truth = truth.map(|truth| Truth { ends_at: now + LEASE, ..truth });
                    }
                    None => assert_eq!(row(&database), before, "nothing happened"),
                }
            }
            Act::Release { worker } => {
                let Some(held) = &hands[worker] else { continue };
                let is_own_row = truth.is_some_and(|truth| truth.fence == held.fence);
                let before = row(&database);
                let released = kv.release(&match_id(), held).await.unwrap();
                assert_eq!(released, holds(held));
                if is_own_row {
                    assert_eq!(row(&database), None, "whoever held it last takes it away");
                    truth = None;
                } else {
                    assert_eq!(row(&database), before, "nothing happened to another's")
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_holds_the_lock_and_fences_grow_whatever_the_clock_does(
        acts in prop::collection::vec(act(), 1..80)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(run_history(acts));
    }
}
