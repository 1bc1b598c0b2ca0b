//! The tokens of a match: whatever happens, in whatever order, the budget is never above its limit, and
//! what the dead had reserved comes back.

use std::sync::Arc;

use monotable::item;
use monotable::model::backend::Embedded;
use monotable_btl_run::jobs::budget::{Reserved, reserve, settle};
use monotable_btl_run::table::{BtlRunReads as _, MatchId};
use monotable_testkit::failing::{Failing, MOMENTS};
use serde_json::json;

use crate::players::Play as _;
use crate::world::{TABLE, World, narrating_later, world_of};

const MAX: u64 = 10_000;
const FIVE_MINUTES_MS: u64 = 5 * 60 * 1000;

async fn world() -> (World, MatchId) {
    let world = world_of(narrating_later().tokens_max(MAX)).await;
    let id = world.open_match(json!({})).await.id.parse().unwrap();
    (world, id)
}

async fn used_and_reserved(world: &World, id: &MatchId) -> u64 {
    world.app.db.budget(id).await.unwrap().unwrap().tokens
}

async fn used(world: &World, id: &MatchId) -> u64 {
    world.app.db.settled(id).await.unwrap().unwrap().tokens
}

async fn reserved(world: &World, id: &MatchId, tokens: u64) -> Reserved {
    reserve(&world.app, id, tokens).await.unwrap().unwrap()
}

#[tokio::test]
async fn unused_tokens_are_released() {
    let (world, id) = world().await;
    let first = reserved(&world, &id, 800).await;
    assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), (800, 0));
    settle(&world.app, first, 120).await.unwrap();
    assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), (120, 120));
    assert_eq!(world.keys_of(&format!("budget#{id}")), ["settled", "tokens"]);
    assert_eq!(reserve(&world.app, &id, MAX).await.unwrap(), None);
    let rest = reserved(&world, &id, MAX - 120).await;
    assert_eq!(reserve(&world.app, &id, 1).await.unwrap(), None);
    settle(&world.app, rest, 0).await.unwrap();
    assert_eq!(used_and_reserved(&world, &id).await, 120);
    assert_eq!(reserve(&world.app, &id, MAX + 1).await.unwrap(), None);
}

#[tokio::test]
async fn costs_above_the_reservation_are_counted_up_to_the_limit() {
    let (world, id) = world().await;
    let some = reserved(&world, &id, 800).await;
    settle(&world.app, some, 1_000).await.unwrap();
    assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), (1_000, 1_000));
    let (one, other) = (reserved(&world, &id, 4_000).await, reserved(&world, &id, 4_000).await);
    settle(&world.app, one, 9_000).await.unwrap();
    assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), (MAX, 6_000));
    settle(&world.app, other, 4_000).await.unwrap();
    assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), (MAX, MAX));
}

#[tokio::test]
async fn reservations_of_dead_processes_are_released_within_five_minutes() {
    let (world, id) = world().await;
    drop(reserved(&world, &id, 6_000).await);
    assert_eq!(reserve(&world.app, &id, 6_000).await.unwrap(), None);
    world.clock.advance_ms(FIVE_MINUTES_MS - 1_000);
    assert_eq!(reserve(&world.app, &id, 6_000).await.unwrap(), None);
    world.clock.advance_ms(1_000);
    let living = reserved(&world, &id, 6_000).await;
    assert_eq!(used_and_reserved(&world, &id).await, 6_000);
    settle(&world.app, living, 10).await.unwrap();
    assert_eq!(used_and_reserved(&world, &id).await, 10);
}

#[tokio::test]
async fn the_sweep_of_the_table_changes_nothing() {
    let (world, id) = world().await;
    let late = reserved(&world, &id, 6_000).await;
    world.clock.advance_ms(FIVE_MINUTES_MS);
    for row in world.rows() {
        let text = |name: &str| row.get(name).and_then(|value| value.as_s()).unwrap().to_owned();
        if text("sk").starts_with("res#") {
            let key = item! { "pk" => text("pk"), "sk" => text("sk") };
            world.database.delete_item(monotable::dynamodb::DeleteItem::new(TABLE, key)).unwrap();
        }
    }
    let living = reserved(&world, &id, 7_000).await;
    settle(&world.app, late, 5_000).await.unwrap();
    assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), (MAX, 3_000));
    settle(&world.app, living, 7_000).await.unwrap();
    assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), (MAX, MAX));
}

#[tokio::test]
async fn late_settlements_are_counted_as_far_as_possible() {
    for is_taken in [false, true] {
        let (world, id) = world().await;
        let late = reserved(&world, &id, 6_000).await;
        world.clock.advance_ms(FIVE_MINUTES_MS);
        let other = if is_taken { Some(reserved(&world, &id, 9_000).await) } else { None };
        // The clock of the late one may be behind.
        world.clock.set_ms(crate::world::START_MS);
        settle(&world.app, late, 5_000).await.unwrap();
        let expected = if is_taken { (MAX, 1_000) } else { (5_000, 5_000) };
        assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), expected);
        drop(other);
    }
}

#[tokio::test]
async fn budgets_of_older_programs_count_as_used() {
    let (world, id) = world().await;
    let key = item! { "pk" => format!("budget#{id}"), "sk" => "settled" };
    world.database.delete_item(monotable::dynamodb::DeleteItem::new(TABLE, key)).unwrap();
    let old = item! { "pk" => format!("budget#{id}"), "sk" => "tokens", "v" => 4_000 };
    world.database.put_item(monotable::dynamodb::PutItem::new(TABLE, old)).unwrap();
    assert_eq!(reserve(&world.app, &id, 6_001).await.unwrap(), None);
    let rest = reserved(&world, &id, 6_000).await;
    settle(&world.app, rest, 1).await.unwrap();
    assert_eq!((used_and_reserved(&world, &id).await, used(&world, &id).await), (4_001, 4_001));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_at_once_never_exceed_the_limit() {
    let (world, id) = world().await;
    let world = Arc::new(world);
    let tasks: Vec<_> = (0..40_u64)
        .map(|number| {
            let (world, id) = (Arc::clone(&world), id.clone());
            tokio::spawn(async move {
                let mut counted = 0;
                for round in 0..10 {
                    let Some(one) = reserve(&world.app, &id, 900).await.unwrap() else { continue };
                    assert!(used_and_reserved(&world, &id).await <= MAX);
                    match (number + round) % 5 {
                        // The owner dies, and time goes by.
                        0 => drop(one),
                        1 => {
                            world.clock.advance_ms(70_000);
                            settle(&world.app, one, 20).await.unwrap();
                            counted += 20;
                        }
                        _ => {
                            tokio::task::yield_now().await;
                            settle(&world.app, one, 10).await.unwrap();
                            counted += 10;
                        }
                    }
                    assert!(used_and_reserved(&world, &id).await <= MAX);
                }
                counted
            })
        })
        .collect();
    let mut counted = 0;
    for task in tasks {
        counted += task.await.unwrap();
    }
    world.clock.advance_ms(FIVE_MINUTES_MS);
    assert!(counted > 0);
    assert_eq!(used(&world, &id).await, counted);
    let all = reserved(&world, &id, MAX - counted).await;
    assert_eq!(used_and_reserved(&world, &id).await, MAX);
    settle(&world.app, all, 0).await.unwrap();
    assert_eq!(used_and_reserved(&world, &id).await, counted);
}

#[tokio::test]
async fn a_process_that_dies_at_any_call_leaves_a_usable_budget() {
    for moment in MOMENTS {
        for call in 0.. {
            let (world, id) = world().await;
            // What an earlier process left, so that there is something to give back as well.
            drop(reserved(&world, &id, 500).await);
            world.clock.advance_ms(FIVE_MINUTES_MS);
            let backend = Failing::at(&Embedded::new(world.database.clone()), call, moment);
            let dying = world.over(backend.clone()).await;
            let mut settled = false;
            if let Ok(Some(one)) = reserve(&dying.app, &id, 800).await {
                settled = settle(&dying.app, one, 300).await.is_ok();
            }
            let when = format!("{moment:?} call {call}");
            assert!(used_and_reserved(&world, &id).await <= 1_300, "{when}");
            world.clock.advance_ms(FIVE_MINUTES_MS);
            let used = used(&world, &id).await;
            assert!(used == 300 || (used == 0 && !settled), "{when}: {used}");
            let all = reserved(&world, &id, MAX - used).await;
            settle(&world.app, all, 0).await.unwrap();
            assert_eq!(used_and_reserved(&world, &id).await, used, "{when}");
            if !backend.has_died() {
                assert!(settled && call > 4);
                break;
            }
        }
    }
}
