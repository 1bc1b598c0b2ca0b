//! Those who come at the same moment: each turn is resolved once, and nobody is overheard.

use std::sync::Arc;

use http::Method;
use serde_json::json;

use crate::players::Player;
use crate::served::Served;
use crate::turns::started;

/// How often fifty advances at the same moment resolve a turn, and that the others are told so.
async fn fifty_advances(body: serde_json::Value, key: Option<&'static str>) {
    let served = Arc::new(Served::new().await);
    let (opened, _) = started(&served, "quick", 0).await;
    let advance = |_| {
        let (served, opened, body) = (Arc::clone(&served), opened.clone(), body.clone());
        tokio::spawn(async move {
            let headers: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().collect();
            served.ask(opened.who(), Method::POST, &opened.path("advance"), body, &headers).await
        })
    };
    let (mut fresh, mut replayed) = (0, 0);
    for advancing in (0..50).map(advance).collect::<Vec<_>>() {
        let answer = advancing.await.unwrap();
        match answer.status {
            200 if answer.headers.contains_key("idempotent-replay") => replayed += 1,
            200 => fresh += 1,
            _ => assert_eq!(answer.told(), "409 CONFLICT", "{}", answer.text),
        }
    }
    assert_eq!((fresh, replayed > 0), (1, key.is_some()));
    assert_eq!(served.look(&opened).await["turnId"], "d1t2");
    served.check_log(&opened).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_advances_of_a_turn_resolve_it_once() {
    fifty_advances(json!({ "turnId": "d1t1" }), None).await;
    fifty_advances(json!({ "turnId": "d1t1" }), Some("same")).await;
}

/// With the limits that services have unless they are set: nobody is turned away for arriving together.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn fifty_that_arrive_together_are_within_the_usual_limits() {
    let served = Arc::new(Served::new().await);
    let (opened, _) = started(&served, "quick", 0).await;
    let router = served.router_with(monotable_kit::Throttle::default());
    let advance = |number| {
        let (served, router, opened) = (Arc::clone(&served), router.clone(), opened.clone());
        tokio::spawn(async move {
            let key = format!("together-{number}");
            let (path, body) = (opened.path("advance"), json!({ "turnId": "d1t1" }));
            let headers = [("idempotency-key", key.as_str())];
            let who = opened.who();
            served.ask_at(router, who, Method::POST, &path, body, &headers).await.told()
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
    let served = Arc::new(Served::new().await);
    let (opened, players) = started(&served, "quick", 2).await;
    let act = |_| {
        let (served, opened, player) = (Arc::clone(&served), opened.clone(), players[0].clone());
        tokio::spawn(async move { served.act(&opened, &player, "d1t1", "rest").await.status })
    };
    let mut limited = 0;
    for acting in (0..100).map(act).collect::<Vec<_>>() {
        match acting.await.unwrap() {
            429 => limited += 1,
            status => assert_eq!(status, 200),
        }
    }
    assert_eq!(limited, 80);
    served.check_log(&opened).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn players_who_choose_at_the_same_moment_are_all_heard() {
    let served = Arc::new(Served::new().await);
    let (opened, players) = started(&served, "quick", 18).await;
    let act = |player: Player| {
        let (served, opened) = (Arc::clone(&served), opened.clone());
        tokio::spawn(async move { served.act(&opened, &player, "d1t1", "rest").await })
    };
    let mut resolved = 0;
    for acting in players.into_iter().map(act).collect::<Vec<_>>() {
        let answer = acting.await.unwrap();
        assert_eq!(answer.status, 200, "{}", answer.text);
        resolved += usize::from(answer.json()["resolved"] == true);
    }
    assert_eq!(resolved, 1);
    served.check_log(&opened).await;
}
