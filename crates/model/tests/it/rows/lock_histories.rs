//! Locks in random histories, while the clock jumps: every result is known beforehand.

use std::time::Duration;

use monotable_model::rows::{Held, Lock};
use proptest::prelude::*;

use super::keys::{MatchLock, match_lock};
use super::tables::KeyValue;
use super::world::{START_SECONDS, World};

fn lock() -> Lock<MatchLock> {
    match_lock()
}

/// One operation of a random history.
#[derive(Clone, Debug)]
enum Act {
    Acquire { worker: usize, lease_seconds: u64, in_transaction: bool },
    Extend { worker: usize, lease_seconds: u64 },
    Release { worker: usize },
    Check { worker: usize },
    Jump { seconds: i64 },
}

fn act() -> impl Strategy<Value = Act> {
    let worker = 0..3_usize;
    prop_oneof![
        4 => (worker.clone(), 1..40_u64, any::<bool>()).prop_map(
            |(worker, lease_seconds, in_transaction)| Act::Acquire {
                worker,
                lease_seconds,
                in_transaction
            }
        ),
        2 => (worker.clone(), 1..40_u64)
            .prop_map(|(worker, lease_seconds)| Act::Extend { worker, lease_seconds }),
        1 => worker.clone().prop_map(|worker| Act::Release { worker }),
        2 => worker.prop_map(|worker| Act::Check { worker }),
        3 => (-30..40_i64).prop_map(|seconds| Act::Jump { seconds }),
    ]
}

/// Who holds the lock by the rules: the fence, and when its lease ends.
#[derive(Clone, Copy)]
struct Truth {
    fence: u64,
    ends_at: i64,
    is_released: bool,
}

impl Truth {
    fn is_held(&self, now: i64) -> bool {
        !self.is_released && self.ends_at > now
    }
}

async fn run_history(acts: Vec<Act>) {
    let world = World::<KeyValue>::new().await;
    let db = &world.db;
    let mut now = START_SECONDS;
    let mut hands: [Option<Held>; 3] = [None, None, None];
    let mut truth: Option<Truth> = None;
    for act in acts {
        let is_own = |held: &Held| {
            truth.is_some_and(|truth| truth.fence == held.fence && truth.is_held(now))
        };
        match act {
            Act::Jump { seconds } => {
                now += seconds;
                world.clock.set_ms(now as u64 * 1000);
            }
            Act::Acquire { worker, lease_seconds, in_transaction } => {
                let acquire = lock().acquire(Duration::from_secs(lease_seconds));
                let result = if in_transaction {
                    let mut tx = db.transact();
                    let held = tx.add(acquire);
                    tx.commit().await.map(|done| done[held].clone())
                } else {
                    db.run(acquire).await
                };
                let is_free = truth.is_none_or(|truth| !truth.is_held(now));
                assert_eq!(result.is_ok(), is_free);
                if let Ok(held) = result {
                    let last = truth.map_or(0, |truth| truth.fence);
                    assert!(held.fence > last, "{} after {last}", held.fence);
                    let ends_at = now + lease_seconds as i64;
                    truth = Some(Truth { fence: held.fence, ends_at, is_released: false });
                    hands[worker] = Some(held);
                }
            }
            Act::Extend { worker, lease_seconds } => {
                let Some(held) = &hands[worker] else { continue };
                let extend = lock().extend(&held.token, Duration::from_secs(lease_seconds));
                let result = db.run(extend).await;
                assert_eq!(result.is_ok(), is_own(held));
                if result.is_ok() {
                    truth =
                        truth.map(|truth| Truth { ends_at: now + lease_seconds as i64, ..truth });
                }
            }
            Act::Release { worker } => {
                let Some(held) = &hands[worker] else { continue };
                let result = db.run(lock().release(&held.token)).await;
                assert_eq!(result.is_ok(), is_own(held));
                if result.is_ok() {
                    truth = truth.map(|truth| Truth { is_released: true, ..truth });
                }
            }
            Act::Check { worker } => {
                let Some(held) = &hands[worker] else { continue };
                let alone = db.run(lock().check(held.fence)).await;
                assert_eq!(alone.is_ok(), is_own(held));
                let together = db.transact().with(lock().check(held.fence)).await;
                assert_eq!(together.is_ok(), is_own(held));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn fences_are_in_order_and_stale_holders_powerless_whatever_the_clock_does(
        acts in prop::collection::vec(act(), 1..60)
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(run_history(acts));
    }
}
