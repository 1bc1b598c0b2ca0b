//! Opening a match: what is written, what is told, and what is refused.

use serde_json::{Value, json};

use crate::players::Play as _;
use crate::world::{Actor, World};

fn text<'a>(row: &'a monotable::Item, name: &str) -> &'a str {
    row.get(name).and_then(|value| value.as_s()).unwrap_or_default()
}

#[tokio::test]
async fn a_match_is_opened_with_everything_that_it_needs() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let mut keys: Vec<(String, String)> = world
        .rows()
        .iter()
        .map(|row| {
            let key =
                |name| text(row, name).replace(&opened.id, "<m>").replace(&opened.code, "<c>");
            (key("pk"), key("sk"))
        })
        .collect();
    keys.sort();
    let keys: Vec<String> = keys.iter().map(|(pk, sk)| format!("{pk} {sk}")).collect();
    expect_test::expect![[r#"
        budget#<m> settled
        budget#<m> tokens
        idem#user:ann key-0
        invite#<c> meta
        match#<m> log#000001
        match#<m> secret
        match#<m> state
        rate#ann create#500000
        user#ann lobbies
        user#ann match#2027-01-15T08:00:00.000Z#<m>"#]]
    .assert_eq(&keys.join("\n"));
}

#[tokio::test]
async fn the_value_of_the_state_is_the_state_and_nothing_else() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let rows = world.rows();
    let row = rows.iter().find(|row| text(row, "sk") == "state").unwrap();
    let mut attributes: Vec<&str> = row.keys().map(String::as_str).collect();
    attributes.sort_unstable();
    assert_eq!(attributes, ["ct", "pk", "sk", "v", "ver"]);
    let value: Value = serde_json::from_str(text(row, "v")).unwrap();
    assert_eq!(value["matchId"], json!(opened.id));
    assert_eq!(value["version"], json!(1));
    for name in ["match_id", "pk", "sk", "ct", "ver", "ttl", "state"] {
        assert!(value.get(name).is_none(), "{name}");
    }
    let read = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    assert_eq!(read.state.unknown, Default::default());
    assert_eq!(serde_json::to_value(&read.state).unwrap(), value);
}

#[tokio::test]
async fn a_repeat_gets_the_same_match_and_its_token() {
    let world = World::new().await;
    let ask = async || {
        let (headers, body) = ([("idempotency-key", "once")], json!({ "mode": "quick" }));
        world.request(Actor::User("ann"), http::Method::POST, "/match", body, &headers).await
    };
    let (first, again) = (ask().await, ask().await);
    assert_eq!((first.status, again.status), (201, 201));
    assert!(first.json()["adminToken"].is_string());
    assert_eq!(first.text, again.text);
}

#[tokio::test]
async fn a_user_opens_at_most_five_lobbies() {
    let world = World::new().await;
    for _ in 0..5 {
        world.open_match(json!({})).await;
    }
    world.clock.advance_ms(60 * 60 * 1000);
    let sixth = world.post(Actor::User("ann"), "/match", json!({ "mode": "quick" })).await;
    assert_eq!(sixth.outcome(), "409 TOO_MANY_LOBBIES");
    assert_eq!(sixth.json()["details"][0]["matchIds"].as_array().unwrap().len(), 5);
    assert_eq!(
        world.post(Actor::User("bob"), "/match", json!({ "mode": "quick" })).await.status,
        201
    );
}

#[tokio::test]
async fn rate_limits_contain_the_time_to_retry() {
    let world = World::new().await;
    // What is refused does not use up the hour.
    for _ in 0..6 {
        let odd = json!({ "mode": "long", "timezone": "Nowhere/Land" });
        assert_eq!(world.post(Actor::User("ann"), "/match", odd).await.status, 400);
    }
    for _ in 0..5 {
        let opened = world.open_match(json!({})).await;
        world.host(&opened, "end", json!({})).await;
    }
    world.clock.advance_ms(23 * 60 * 1000);
    let sixth = world.post(Actor::User("ann"), "/match", json!({ "mode": "quick" })).await;
    assert_eq!(sixth.outcome(), "429 RATE_LIMIT");
    let told = sixth.json();
    let text = "This can be done 5 times in 60 minutes; try again in 37 minutes.";
    assert_eq!(
        (&told["error"], &told["details"]),
        (&json!(text), &json!([{ "retryAfterSeconds": 2220 }]))
    );
}

#[tokio::test]
async fn an_arena_is_named_in_words_for_everybody() {
    let world = World::new().await;
    let theme = json!({ "tone": "dark", "arena": "fuck" });
    let refused =
        world.post(Actor::User("ann"), "/match", json!({ "mode": "quick", "theme": theme }));
    assert_eq!(refused.await.outcome(), "400 CONTENT_VIOLATION");
    let body = json!({ "mode": "long", "cutoff": "+1:00" });
    assert_eq!(world.post(Actor::User("ann"), "/match", body).await.outcome(), "400 VALIDATION");
}
