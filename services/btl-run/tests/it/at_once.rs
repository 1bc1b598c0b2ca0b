//! Those who come at the same moment: each turn is resolved once, and nobody is overheard.

use std::sync::Arc;

use http::Method;
use monotable_kit::ThrottleSettings;
use monotable_testkit::service::Setting;
use serde_json::json;

use crate::players::{Play as _, Player};
use crate::turns::started;
use crate::world::{World, narrating_later};

/// How often fifty advances at the same moment resolve a turn, and that the others are told so.
async fn fifty_advances(body: serde_json::Value, key: Option<&'static str>) {
    let world = Arc::new(World::new().await);
    let (opened, _) = started(&world, "quick", 0).await;
    let advance = |_| {
        let (world, opened, body) = (Arc::clone(&world), opened.clone(), body.clone());
        tokio::spawn(async move {
            let headers: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().collect();
            world
                .request(opened.actor(), Method::POST, &opened.path("advance"), body, &headers)
                .await
        })
    };
    let (mut fresh, mut replayed) = (0, 0);
    for advancing in (0..50).map(advance).collect::<Vec<_>>() {
        let answer = advancing.await.unwrap();
        match answer.status {
            200 if answer.headers.contains_key("idempotent-replay") => replayed += 1,
            200 => fresh += 1,
            _ => assert_eq!(answer.outcome(), "409 CONFLICT", "{}", answer.text),
        }
    }
    assert_eq!((fresh, replayed > 0), (1, key.is_some()));
    assert_eq!(world.look(&opened).await["turnId"], "d1t2");
    world.check_log(&opened).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_advances_of_a_turn_resolve_it_once() {
    fifty_advances(json!({ "turnId": "d1t1" }), None).await;
    fifty_advances(json!({ "turnId": "d1t1" }), Some("same")).await;
}

/// With the limits that services have unless they are set: nobody is turned away for arriving together.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_that_arrive_together_are_within_the_usual_limits() {
    let world = Arc::new(World::new().await);
    let (opened, _) = started(&world, "quick", 0).await;
    let limits = ThrottleSettings::default();
    let limited = Setting { limits, ..Setting::new(narrating_later()) };
    let limited = Arc::new(world.another_process_with(limited).await);
    let advance = |_| {
        let (world, opened) = (Arc::clone(&limited), opened.clone());
        tokio::spawn(async move {
            let body = json!({ "turnId": "d1t1" });
            world.post(opened.actor(), &opened.path("advance"), body).await.outcome()
        })
    };
    let mut told = std::collections::BTreeMap::new();
    for advancing in (0..50).map(advance).collect::<Vec<_>>() {
        *told.entry(advancing.await.unwrap()).or_insert(0) += 1;
    }
    let expected = [("200 -".to_owned(), 1), ("409 CONFLICT".to_owned(), 49)];
    assert_eq!(told, expected.into_iter().collect());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_a_hundred_actions_in_a_minute_twenty_pass() {
    let world = Arc::new(World::new().await);
    let (opened, players) = started(&world, "quick", 2).await;
    let act = |_| {
        let (world, opened, player) = (Arc::clone(&world), opened.clone(), players[0].clone());
        tokio::spawn(async move { world.act(&opened, &player, "d1t1", "rest").await.status })
    };
    let mut limited = 0;
    for acting in (0..100).map(act).collect::<Vec<_>>() {
        match acting.await.unwrap() {
            429 => limited += 1,
            status => assert_eq!(status, 200),
        }
    }
    assert_eq!(limited, 80);
    world.check_log(&opened).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_choices_are_all_recorded() {
    let world = Arc::new(World::new().await);
    let (opened, players) = started(&world, "quick", 18).await;
    let act = |player: Player| {
        let (world, opened) = (Arc::clone(&world), opened.clone());
        tokio::spawn(async move { world.act(&opened, &player, "d1t1", "rest").await })
    };
    let mut resolved = 0;
    for acting in players.into_iter().map(act).collect::<Vec<_>>() {
        let answer = acting.await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text);
        resolved += usize::from(answer.json()["resolved"] == true);
    }
    assert_eq!(resolved, 1);
    world.check_log(&opened).await;
}
