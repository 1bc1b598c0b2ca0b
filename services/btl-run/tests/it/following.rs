//! Following a match: what has happened, and then what happens, each event once and as the follower may
//! see it.

use axum::body::{Body, BodyDataStream};
use http::Request;
use http::header::AUTHORIZATION;
use serde_json::{Value, json};
use tokio::time::{Duration, timeout};
use tower::ServiceExt as _;

use crate::played::Played as _;
use crate::players::Play as _;
use crate::world::{Actor, Opened, World};

/// Somebody who follows a match.
struct Follower {
    body: BodyDataStream,
    unread: String,
    /// Whether the stream has said that nothing more comes.
    has_ended: bool,
}

impl Follower {
    async fn new(world: &World, who: Actor<'_>, path: &str, last: Option<u64>) -> Self {
        let mut request = Request::builder().uri(path);
        if let Some(token) = world.token(who) {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let request = request.body(Body::empty()).unwrap();
        let response = world.router.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self {
            body: response.into_body().into_data_stream(),
            unread: String::new(),
            has_ended: false,
        }
    }

    /// Returns the next event, with its id.
    async fn next(&mut self) -> (u64, Value) {
        self.heard().await.unwrap()
    }

    /// Returns the next event, with its id; nothing when the stream is over.
    async fn heard(&mut self) -> Option<(u64, Value)> {
        loop {
            if let Some((frame, rest)) = self.unread.split_once("\n\n") {
                let (frame, rest) = (frame.to_owned(), rest.to_owned());
                self.unread = rest;
                if frame.starts_with(':') {
                    continue;
                }
                let field = |name: &str| {
                    frame.lines().find_map(|line| line.strip_prefix(name)).unwrap().to_owned()
                };
                if field("event: ") == "end" {
                    assert_eq!(field("data: "), r#"{"status":"ended"}"#);
                    self.has_ended = true;
                    continue;
                }
                assert_eq!(field("event: "), "log");
                let value = serde_json::from_str(&field("data: ")).unwrap();
                return Some((field("id: ").parse().unwrap(), value));
            }
            let chunk = std::future::poll_fn(|context| {
                futures_core::Stream::poll_next(std::pin::Pin::new(&mut self.body), context)
            });
            let chunk = chunk.await?.unwrap();
            self.unread.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Returns the numbers of the next events, up to one.
    async fn until(&mut self, last: u64) -> Vec<u64> {
        let mut seen = Vec::new();
        while seen.last().is_none_or(|seen| *seen < last) {
            let (id, event) = self.next().await;
            assert_eq!(event["seq"], id);
            seen.push(id);
        }
        seen
    }

    async fn is_silent(&mut self) -> bool {
        timeout(Duration::from_millis(500), self.next()).await.is_err()
    }
}

async fn last(world: &World, opened: &Opened) -> u64 {
    world.look(opened).await["logSeq"].as_u64().unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_follower_gets_past_events_and_then_new_ones() {
    let world = World::new().await;
    let (opened, players) = world.begun(json!({}), 1).await;
    let begun = last(&world, &opened).await;
    let mut all = Follower::new(&world, Actor::Nobody, &opened.path("stream"), None).await;
    let mut some = Follower::new(&world, Actor::Nobody, &opened.path("stream?after=2"), None).await;
    let mut again =
        Follower::new(&world, Actor::Nobody, &opened.path("stream?after=0"), Some(begun)).await;
    assert_eq!(all.until(begun).await, (1..=begun).collect::<Vec<_>>());
    assert_eq!(some.until(begun).await, (3..=begun).collect::<Vec<_>>());
    assert!(all.is_silent().await && again.is_silent().await);
    world.act(&opened, &players[0], "d1t1", "rest").await;
    let resolved = last(&world, &opened).await;
    assert!(resolved > begun + 1);
    for follower in [&mut all, &mut some, &mut again] {
        assert_eq!(follower.until(resolved).await, (begun + 1..=resolved).collect::<Vec<_>>());
    }
}

#[tokio::test(start_paused = true)]
async fn the_end_of_a_match_ends_its_stream_after_its_last_story() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({ "aiCount": 4 }), 0).await;
    let path = opened.path("stream");
    let mut follower = Follower::new(&world, Actor::Nobody, &path, None).await;
    world.play_out(&opened).await;
    let end = last(&world, &opened).await;
    follower.until(end).await;
    assert!(follower.is_silent().await && !follower.has_ended, "the last turn has no story yet");
    while !world.keys_of("task#narrate").is_empty() {
        world.app.work().await.unwrap();
    }
    let told = last(&world, &opened).await;
    assert!(told > end);
    follower.until(told).await;
    assert_eq!(follower.heard().await, None);
    assert!(follower.has_ended);
    // Whoever comes later gets everything, and the end.
    let mut late = Follower::new(&world, opened.actor(), &path, None).await;
    late.until(told).await;
    assert_eq!((late.heard().await, late.has_ended), (None, true));
    // A browser that connects again is told not to come back.
    let last = told.to_string();
    let again = [("last-event-id", last.as_str())];
    let again = world.request(Actor::Nobody, http::Method::GET, &path, Value::Null, &again).await;
    assert_eq!((again.status, again.text.as_str()), (204, ""));
}

#[tokio::test(start_paused = true)]
async fn a_match_that_is_cancelled_ends_its_stream_as_well() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let path = opened.path("stream");
    let mut follower = Follower::new(&world, Actor::Nobody, &path, None).await;
    world.host(&opened, "end", json!({})).await;
    follower.until(last(&world, &opened).await).await;
    assert_eq!((follower.heard().await, follower.has_ended), (None, true));
}

#[tokio::test(start_paused = true)]
async fn actions_are_hidden_before_their_turn_is_resolved() {
    let world = World::new().await;
    let (opened, players) = world.begun(json!({}), 2).await;
    let begun = last(&world, &opened).await;
    let path = opened.path(&format!("stream?after={begun}"));
    let mut spectator = Follower::new(&world, Actor::Nobody, &path, None).await;
    let mut host = Follower::new(&world, opened.actor(), &path, None).await;
    let mut own = Follower::new(&world, players[0].actor(), &path, None).await;
    world.act(&opened, &players[0], "d1t1", "hide").await;
    let id = json!(players[0].tribute);
    for other in [&mut spectator, &mut host] {
        let (_, event) = other.next().await;
        assert_eq!(event["data"], json!({ "tributeId": id }));
    }
    let (_, event) = own.next().await;
    assert_eq!(event["data"]["action"]["action"], "hide");
    world.act(&opened, &players[1], "d1t1", "rest").await;
    let resolved = last(&world, &opened).await;
    let mut seen = String::new();
    while !seen.contains("TURN_RESOLVED") {
        let (number, event) = spectator.next().await;
        assert!(number <= resolved);
        seen += &event.to_string();
    }
    assert!(seen.contains("hide"));
}

#[tokio::test(start_paused = true)]
async fn events_of_another_process_are_seen_a_little_later() {
    let world = World::new().await;
    let (opened, players) = world.begun(json!({}), 2).await;
    let begun = last(&world, &opened).await;
    let mut follower = Follower::new(&world, Actor::Nobody, &opened.path("stream"), None).await;
    follower.until(begun).await;
    let other = world.another_process().await;
    other.act(&opened, &players[0], "d1t1", "rest").await;
    assert_eq!(follower.until(begun + 1).await, [begun + 1]);
}

#[tokio::test(start_paused = true)]
async fn a_slow_follower_misses_nothing() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({ "shardedLog": true }), 0).await;
    let mut follower = Follower::new(&world, Actor::Nobody, &opened.path("stream"), None).await;
    follower.next().await;
    world.play_out(&opened).await;
    for _ in 0..100 {
        world.app.events.publish(&opened.id, "log", &json!({}));
    }
    let end = last(&world, &opened).await;
    assert_eq!(follower.until(end).await, (2..=end).collect::<Vec<_>>());
    drop(follower);
    assert_eq!(world.app.events.topics(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_with_the_token_that_it_was_opened_by() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let bob = world.join_as(Actor::User("bob"), &opened, "Bob").await;
    let ada = world.join(&opened, "Ada").await;
    world.host(&opened, "start", json!({})).await;
    let begun = last(&world, &opened).await;
    let path = opened.path(&format!("stream?after={begun}"));
    let mut old = Follower::new(&world, bob.actor(), &path, None).await;
    let mut other = Follower::new(&world, ada.actor(), &path, None).await;
    let renewed = world.post(Actor::User("bob"), &opened.path("token"), json!({})).await;
    assert_eq!(renewed.status, 201, "{}", renewed.text);
    let body = renewed.json();
    let token = body["playerToken"].as_str().unwrap();
    let action = json!({ "turnId": "d1t1", "action": "hide" });
    let acted = world.post(Actor::Token(token), &opened.path("action"), action).await;
    assert_eq!(acted.status, 200, "{}", acted.text);
    assert!(old.heard().await.is_none());
    assert_eq!(other.next().await.1["data"], json!({ "tributeId": bob.tribute }));
}
