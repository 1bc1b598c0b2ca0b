//! Streams of events: how they end, and how many a caller can have. Time is paused, so that no request may
//! wait for a network.

use http_body_util::BodyExt;
use monotable_testkit::service::Actor;
use serde_json::json;

use crate::world::{Setup as _, World};

/// Returns the texts of a stream until it ends.
async fn read_all(response: axum::response::Response) -> String {
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_with_the_token_and_their_number_is_bounded() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    let path = format!("/games/{game}/events");
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(world.follow("pat", &path).await);
    }
    assert!(open.iter().all(|response| response.status() == 200));
    let refused = world.follow("pat", &path).await;
    assert_eq!(
        (refused.status().as_u16(), &refused.headers()["retry-after"]),
        (429, &"10".parse().unwrap())
    );
    assert_eq!(world.follow("sam", &path).await.status(), 200);
    drop(open);
    // A token that is valid for five more minutes; streams last longer.
    let response = world.follow(Actor::Token(&world.old_token("pat", 55 * 60)), &path).await;
    let started = tokio::time::Instant::now();
    let text = read_all(response).await;
    assert_eq!(started.elapsed().as_secs(), 6 * 60);
    assert!(
        text.ends_with("event: signed-out\ndata: {\"reason\":\"You are signed out.\"}\n\n"),
        "{text}"
    );
    assert_eq!(world.app.events.topics(), 0);
}
