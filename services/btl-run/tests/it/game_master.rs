//! What a game master does, and that the log says who it was.

use serde_json::{Value, json};

use crate::players::Play as _;
use crate::world::{Actor, Opened, World};

async fn started(world: &World) -> Opened {
    let opened = world.open_match(json!({})).await;
    world.host(&opened, "start", json!({})).await;
    opened
}

/// Returns the value of the last row of the log.
fn last_event(world: &World, opened: &Opened) -> Value {
    let text = |row: &monotable::Item, name: &str| {
        row.get(name).and_then(|value| value.as_s()).unwrap_or_default().to_owned()
    };
    let partition = format!("match#{}", opened.id);
    let rows = world.rows();
    let of_log = rows
        .iter()
        .filter(|row| text(row, "pk") == partition && text(row, "sk").starts_with("log#"));
    let last = of_log.max_by_key(|row| text(row, "sk")).unwrap();
    serde_json::from_str(&text(last, "v")).unwrap()
}

#[tokio::test]
async fn rules_change_from_the_open_turn_on() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let path = opened.path("gm/rules");
    let early = world.post(opened.actor(), &path, json!({ "items": false })).await;
    assert_eq!(early.outcome(), "409 INVALID_TRANSITION");
    world.host(&opened, "start", json!({})).await;
    for (body, told) in [
        (json!({}), "400 EMPTY_BODY"),
        (json!({ "maxCraftingSlots": 2 }), "400 VALIDATION"),
        (json!({ "gravity": false }), "400 UNKNOWN_FIELD"),
        (json!({ "crafting": true, "maxCraftingSlots": 4 }), "200 -"),
        (json!({ "sponsors": true }), "200 -"),
        (json!({ "crafting": false }), "200 -"),
    ] {
        let answer = world.post(opened.actor(), &path, body.clone()).await;
        assert_eq!(answer.outcome(), told, "{body}: {}", answer.text);
    }
    let rules = world.look(&opened).await["rules"].clone();
    assert_eq!((&rules["sponsors"], &rules["crafting"]), (&json!(true), &json!(false)));
    let event = last_event(&world, &opened);
    assert_eq!(event["audit"]["actor"], format!("host/{}", opened.id));
    assert_eq!(event["audit"]["before"]["rules"]["crafting"], true);
    assert!(event["audit"]["requestId"].as_str().is_some_and(|id| !id.is_empty()));
    world.check_log(&opened).await;
}

#[tokio::test]
async fn announcements_are_for_everybody() {
    let world = World::new().await;
    let opened = started(&world).await;
    let path = opened.path("gm/announce");
    let told = world.host(&opened, "gm/announce", json!({ "text": "The river rises." })).await;
    assert_eq!(told["events"][0]["data"]["text"], "The river rises.");
    assert!(told["events"][0].get("audit").is_none());
    assert!(last_event(&world, &opened)["audit"]["actor"].as_str().is_some());
    let refused =
        async |who, text: &str| world.post(who, &path, json!({ "text": text })).await.outcome();
    assert_eq!(refused(opened.actor(), "fuck you all").await, "400 CONTENT_VIOLATION");
    assert_eq!(refused(opened.actor(), &"x".repeat(281)).await, "400 VALIDATION");
    assert_eq!(refused(opened.actor(), "").await, "400 VALIDATION");
    assert_eq!(refused(Actor::User("ann"), "hello").await, "403 NOT_YOUR_MATCH");
    assert_eq!(refused(Actor::Nobody, "hello").await, "401 INVALID_TOKEN");
}

#[tokio::test]
async fn five_events_an_hour_and_none_that_kills() {
    let world = World::new().await;
    let opened = started(&world).await;
    let path = opened.path("gm/inject");
    let inject = async |body: Value| world.post(opened.actor(), &path, body).await.outcome();
    for body in [
        json!({ "kind": "kill", "tributeId": "ai-1" }),
        json!({ "kind": "hazard", "zone": 1, "damage": 3 }),
        json!({ "kind": "hazard", "zone": 5, "damage": 1 }),
        json!({ "kind": "hazard", "zone": 1 }),
        json!({ "kind": "hazard", "zone": 1, "damage": 1, "tributeId": "ai-1" }),
    ] {
        assert_eq!(inject(body.clone()).await, "400 VALIDATION", "{body}");
    }
    let killing = json!({ "kind": "weather", "weather": "fog", "hp": 0 });
    assert_eq!(inject(killing).await, "400 UNKNOWN_FIELD");
    // What is refused does not use up the hour.
    for _ in 0..6 {
        assert_eq!(
            inject(json!({ "kind": "item_drop", "tributeId": "ai-1" })).await,
            "409 INVALID_TRANSITION"
        );
    }
    world.host(&opened, "gm/rules", json!({ "sponsors": true })).await;
    assert_eq!(inject(json!({ "kind": "item_drop", "tributeId": "ai-1" })).await, "200 -");
    assert_eq!(inject(json!({ "kind": "weather", "weather": "fog" })).await, "200 -");
    for zone in 1..=3 {
        assert_eq!(inject(json!({ "kind": "hazard", "zone": zone, "damage": 2 })).await, "200 -");
    }
    assert!(last_event(&world, &opened)["audit"]["before"]["hp"]["ai-1"].as_u64().is_some());
    let weather = json!({ "kind": "weather", "weather": "sun" });
    let limited = world.post(opened.actor(), &path, weather.clone()).await;
    assert_eq!(limited.outcome(), "429 RATE_LIMIT");
    assert_eq!(limited.headers["retry-after"], "3600");
    world.clock.advance_ms(60 * 60 * 1000);
    assert_eq!(inject(weather).await, "200 -");
    world.check_log(&opened).await;
}
