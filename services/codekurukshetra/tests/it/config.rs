//! What everybody may know of the event.

use serde_json::json;

use crate::world::{Event, done};

#[tokio::test]
async fn everybody_sees_the_settings_and_the_places_that_are_left() {
    let event = Event::new().await;
    let config = done(event.get("", "/hackathon/config").await, 200);
    assert_eq!(config["event_name"], "CodeKurukshetra");
    assert_eq!((&config["is_open"], &config["places_left"]), (&json!(true), &json!(500)));
    let tracks = done(event.get("", "/hackathon/tracks").await, 200);
    assert_eq!(tracks["tracks"][0], "ai-ml");
    assert_eq!(done(event.get("", "/hackathon/health").await, 200)["status"], "ok");
    assert!(!event.has("STATS", "TOTALS"), "nothing was counted");
}

#[tokio::test]
async fn without_settings_the_response_says_how_to_make_them() {
    let event = Event::empty().await;
    let error = done(event.get("", "/hackathon/config").await, 503);
    assert_eq!(error["code"], "NOT_CONFIGURED");
    assert!(error["message"].as_str().unwrap().contains("PUT /hackathon/admin/config"));
}
