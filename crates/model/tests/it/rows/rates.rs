//! Rate windows.

use std::time::Duration;

use monotable_model::Error;
use monotable_model::rows::{Admitted, RateWindow, RateWindowKey as _};
use monotable_types::item;

use super::keys::{FlatCalls, Name, RuleTable, calls, slot};
use super::tables::{Club, Flat, KeyValue};
use super::world::{START_SECONDS, World, at, on_every_table};

on_every_table!(
    a_window_admits_requests_up_to_its_limit,
    a_full_window_stops_a_transaction,
    a_request_that_had_no_effect_is_uncounted,
);

const PER_MINUTE: RateWindow = RateWindow { length: Duration::from_secs(60), limit: 3 };

async fn a_window_admits_requests_up_to_its_limit<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let rate = calls("u1", "join", PER_MINUTE);
    let hit = || rate.hit();
    world.pass(20);
    for used in 1..=3 {
        let admitted = db.run(hit()).await.unwrap();
        assert_eq!(admitted, Admitted { used, remaining: 3 - used, resets_at: at(60) });
    }
    world.clock.advance_ms(500);
    let refused = db.run(hit()).await.unwrap_err();
    assert!(matches!(refused, Error::LimitReached { retry_after_seconds: Some(40), .. }));
    // Others have windows of their own.
    assert_eq!(db.run(calls("u1", "leave", PER_MINUTE).hit()).await.unwrap().used, 1);
    assert_eq!(db.run(calls("u2", "join", PER_MINUTE).hit()).await.unwrap().used, 1);
    world.pass(39);
    let refused = db.run(hit()).await.unwrap_err();
    assert!(matches!(refused, Error::LimitReached { retry_after_seconds: Some(1), .. }));
    world.pass(1);
    assert_eq!(db.run(hit()).await.unwrap().used, 1);
}

async fn a_request_that_had_no_effect_is_uncounted<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let rate = calls("u1", "join", PER_MINUTE);
    let hit = || rate.hit();
    db.run(hit()).await.unwrap();
    for _ in 0..5 {
        let admitted = db.run(hit()).await.unwrap();
        assert_eq!(admitted.used, 2);
        db.run(rate.undo(admitted)).await.unwrap();
    }
    // It is uncounted in the window that admitted it, and never below zero.
    let admitted = db.run(hit()).await.unwrap();
    world.pass(60);
    assert_eq!(db.run(hit()).await.unwrap().used, 1);
    for _ in 0..4 {
        db.run(rate.undo(admitted)).await.unwrap();
    }
    assert_eq!(db.run(hit()).await.unwrap().used, 2);
}

async fn a_full_window_stops_a_transaction<T: RuleTable>(world: World<T>) {
    let db = &world.db;
    let window = RateWindow { limit: 1, ..PER_MINUTE };
    let guard = slot("a");
    db.transact().with(calls("u1", "join", window).hit()).with(guard.hold("x")).await.unwrap();
    db.run(guard.release("x")).await.unwrap();
    let refused = db.transact().with(calls("u1", "join", window).hit()).with(guard.hold("y")).await;
    let Err(Error::Transaction { failures }) = refused else { panic!("the window is full") };
    assert_eq!(failures[0].label.to_string(), "count a request in rate window");
    assert!(failures[0].key.starts_with("rate#u1 / "), "{}", failures[0].key);
    assert!(matches!(failures[0].error, Error::LimitReached { retry_after_seconds: Some(60), .. }));
    assert_eq!(db.run(guard.holder()).await.unwrap(), None);
}

#[tokio::test]
async fn a_window_is_a_counter_with_its_number_in_the_key() {
    let world = World::<KeyValue>::new().await;
    world.db.run(calls("u1", "submit_action", PER_MINUTE).hit()).await.unwrap();
    let number = START_SECONDS / 60;
    assert_eq!(
        world.rows().await,
        [item! {
            "pk" => "rate#u1", "sk" => format!("submit_action#{number}"),
            "v" => 1, "ttl" => START_SECONDS + 70,
        }]
    );

    let world = World::<Flat>::new().await;
    let calls = FlatCalls { subject: Name::new("u1").unwrap() };
    world.db.run(calls.rate(PER_MINUTE).hit()).await.unwrap();
    let expected = item! {
        "id" => format!("rate#u1#{number}"), "hits" => 1, "ttl" => START_SECONDS + 70,
    };
    assert_eq!(world.rows().await, [expected]);
}

#[tokio::test]
async fn windows_that_can_not_be_are_refused() {
    let world = World::<Club>::new().await;
    let nothing = RateWindow { limit: 0, ..PER_MINUTE };
    let refused = world.db.run(calls("u1", "join", nothing).hit()).await;
    assert!(matches!(refused, Err(Error::LimitReached { .. })));
    let moment = RateWindow { length: Duration::from_millis(999), limit: 1 };
    let refused = world.db.run(calls("u1", "join", moment).hit()).await;
    assert!(matches!(refused, Err(Error::Settings(_))));
    assert!(world.rows().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_a_hundred_at_once_twenty_pass() {
    let world = World::<KeyValue>::new().await;
    let window = RateWindow { limit: 20, ..PER_MINUTE };
    let tasks: Vec<_> = (0..100)
        .map(|_| {
            let db = world.db.clone();
            tokio::spawn(async move { db.run(calls("u1", "submit_action", window).hit()).await })
        })
        .collect();
    let mut used = Vec::new();
    for task in tasks {
        match task.await.unwrap() {
            Ok(admitted) => used.push(admitted.used),
            Err(error) => assert!(matches!(error, Error::LimitReached { .. }), "{error}"),
        }
    }
    used.sort_unstable();
    assert_eq!(used, (1..=20).collect::<Vec<_>>());
}
