//! Links to the story of a day.

use serde_json::json;

use crate::players::Play as _;
use crate::world::{Actor, World};

#[tokio::test]
async fn a_day_that_is_over_can_be_sent_around() {
    let world = World::new().await;
    let theme = json!({ "tone": "classic", "arena": "<b>\"Ash\" & Co</b>" });
    let opened =
        world.open_match(json!({ "mode": "standard", "aiCount": 6, "theme": theme })).await;
    let path = format!("/r/{}", opened.id);
    assert_eq!(world.get(Actor::Nobody, &path).await.outcome(), "404 SUMMARY_NOT_FOUND");
    world.host(&opened, "start", json!({})).await;
    for _ in 0..4 {
        world.host(&opened, "advance", json!({ "force": true })).await;
    }
    let last = world.get(Actor::Nobody, &path).await;
    assert_eq!(last.headers["content-type"], "text/html; charset=utf-8");
    let policy = last.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    assert!(
        last.text.contains("Day 2 in &lt;b&gt;&quot;Ash&quot; &amp; Co&lt;/b&gt;"),
        "{}",
        last.text
    );
    assert!(last.text.contains("<a href=\"?day=1\">") && !last.text.contains("<b>"));
    let first = world.get(Actor::Nobody, &format!("{path}?day=1")).await;
    assert!(first.text.contains("<h1>Day 1 in") && first.text.contains("<a href=\"?day=2\">"));
    let summary = world.get(Actor::Nobody, &opened.path("summary/1")).await.json();
    let alive = format!("<p>{} alive.</p>", summary["aliveCount"]);
    assert!(first.text.contains(&alive), "{}", first.text);
    for (query, told) in [
        ("?day=3", "404 SUMMARY_NOT_FOUND"),
        ("?day=0", "400 VALIDATION"),
        ("?day=x", "400 VALIDATION"),
    ] {
        assert_eq!(world.get(Actor::Nobody, &format!("{path}{query}")).await.outcome(), told);
    }
    assert_eq!(world.get(Actor::Nobody, "/r/none").await.outcome(), "404 MATCH_NOT_FOUND");
}
