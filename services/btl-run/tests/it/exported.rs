//! Matches that are over: their story in every form, and whether they were played fairly.

use http::Method;
use monotable::dynamodb::PutItem;
use monotable::item;
use monotable::model::edit;
use monotable_btl_run::jobs::narrate::narrate_due;
use monotable_btl_run::log::all_events;
use monotable_btl_run::rules::events::Event;
use monotable_btl_run::rules::story::{Story, verify};
use monotable_btl_run::table::{BtlRunReads as _, MatchId};
use serde_json::{Value, json};

use crate::played::Played as _;
use crate::players::Play as _;
use crate::world::{Actor, Opened, Response, TABLE, World};

pub(crate) async fn ended(world: &World) -> Opened {
    let opened = world.open_match(json!({ "theme": { "tone": "dark", "arena": "<mill> & *co*" } }));
    let opened = opened.await;
    let bob = world.join_as(Actor::User("bob"), &opened, "Bob").await;
    world.host(&opened, "start", json!({})).await;
    let body = json!({ "turnId": "d1t1", "action": "hide", "freeText": "bobs words" });
    world.post(bob.actor(), &opened.path("action"), body).await;
    world.play_out(&opened).await;
    narrate_due(&world.app).await.unwrap();
    opened
}

async fn export(world: &World, opened: &Opened, body: Value) -> Response {
    world.post(Actor::Nobody, &opened.path("export"), body).await
}

async fn verified(world: &World, opened: &Opened) -> Value {
    world.get(Actor::Nobody, &opened.path("verify")).await.json()
}

/// Writes an event over the one that has its number.
fn overwrite(world: &World, opened: &Opened, event: &Event) {
    let row = item! {
        "pk" => format!("match#{}", opened.id),
        "sk" => format!("log#{:06}", event.seq),
        "v" => json!(event).to_string(),
        "ct" => "application/json",
    };
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

#[tokio::test]
async fn the_seed_stays_a_secret_until_the_end() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let refused = export(&world, &opened, json!({})).await;
    assert_eq!(refused.outcome(), "409 INVALID_TRANSITION");
    let told = verified(&world, &opened).await;
    assert_eq!((&told["isRevealed"], &told["seed"]), (&json!(false), &Value::Null));
    assert_eq!((&told["isVerified"], &told["status"]), (&Value::Null, &json!("active")));
    assert_eq!(told["seedCommit"], world.look(&opened).await["seedCommit"]);
    let match_id: MatchId = opened.id.parse().unwrap();
    let seed = world.app.db.secret(&match_id).await.unwrap().unwrap().seed.reveal();
    assert!(!told.to_string().contains(&seed) && !refused.text.contains(&seed));
}

#[tokio::test]
async fn a_match_that_is_over_can_be_played_again_by_strangers() {
    let world = World::new().await;
    let opened = ended(&world).await;
    let told = verified(&world, &opened).await;
    assert_eq!((&told["isVerified"], &told["difference"]), (&json!(true), &Value::Null), "{told}");
    let answer = export(&world, &opened, json!({ "format": "json" })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(answer.headers["content-type"], "application/json");
    let story: Story = serde_json::from_str(&answer.text).unwrap();
    let played = verify(story.seed.as_ref().unwrap(), &story.events).unwrap();
    assert_eq!(json!(played.turn_count), told["turnCount"]);
    assert_eq!(json!(played.event_count), told["eventCount"]);
    assert_eq!(json!(story.seed), told["seed"]);
    assert_eq!(played.state.winner_id, story.state.winner_id);
    for secret in [
        "userId",
        "hostUserId",
        "\"bob\"",
        "\"ann\"",
        "tokenHashes",
        "\"memory\"",
        "audit",
        "requestId",
    ] {
        assert!(!answer.text.contains(secret), "{secret}");
    }
    // Without a body it is the same.
    assert_eq!(export(&world, &opened, Value::Null).await.text, answer.text);
    assert_eq!(export(&world, &opened, json!({ "format": "pdf" })).await.status, 400);
}

#[tokio::test]
async fn stories_come_as_pages_that_run_nothing() {
    let world = World::new().await;
    let opened = ended(&world).await;
    let seed = verified(&world, &opened).await["seed"].as_str().unwrap().to_owned();
    let html = export(&world, &opened, json!({ "format": "html" })).await;
    assert_eq!(html.headers["content-type"], "text/html; charset=utf-8");
    assert!(
        html.headers["content-security-policy"].to_str().unwrap().contains("default-src 'none'")
    );
    assert!(html.text.contains("&lt;mill&gt; &amp; *co*") && !html.text.contains("<mill>"));
    let markdown = export(&world, &opened, json!({ "format": "markdown" })).await;
    assert_eq!(markdown.headers["content-type"], "text/markdown; charset=utf-8");
    assert!(markdown.text.contains("&lt;mill&gt; &amp; \\*co\\*"));
    for page in [&html, &markdown] {
        assert!(page.text.contains(&seed) && page.text.contains("Day 1"));
    }
}

#[tokio::test]
async fn a_forged_log_is_found() {
    let world = World::new().await;
    let opened = ended(&world).await;
    let match_id: MatchId = opened.id.parse().unwrap();
    let row = world.app.match_row(&match_id).await.unwrap();
    let crowned = world.app.db.transact().with(edit(&row, |row| row.state.winner_id = None));
    crowned.await.unwrap();
    let told = verified(&world, &opened).await;
    assert_eq!(told["isVerified"], false);
    assert!(told["difference"].as_str().unwrap().contains("result in"), "{told}");
    let events = all_events(&world.app, &row.state).await.unwrap();
    let mut event = events.iter().find(|event| event.body.is_of_resolution()).unwrap().clone();
    event.timestamp += 1;
    overwrite(&world, &opened, &event);
    let told = verified(&world, &opened).await;
    assert_eq!(told["isVerified"], false);
    assert!(told["difference"].as_str().unwrap().contains("event"), "{told}");
}

#[tokio::test]
async fn erased_users_are_not_in_the_story() {
    let world = World::new().await;
    let opened = ended(&world).await;
    let before = export(&world, &opened, json!({ "format": "markdown" })).await;
    assert!(before.text.contains("Bob says: “bobs words”"), "{}", before.text);
    let gone = world.request(Actor::User("bob"), Method::DELETE, "/me", Value::Null, &[]).await;
    assert_eq!(gone.status, 204);
    while !world.keys_of("task#erase").is_empty() {
        world.app.work().await.unwrap();
    }
    let told = verified(&world, &opened).await;
    assert_eq!(told["isVerified"], true, "{told}");
    for format in ["json", "markdown", "html"] {
        let story = export(&world, &opened, json!({ "format": format })).await;
        assert_eq!(story.status, 200);
        assert!(!story.text.contains("Bob") && !story.text.contains("bobs words"), "{format}");
        assert!(story.text.contains("Tribute"), "{format}");
    }
}

#[tokio::test]
async fn matches_of_older_programs_are_exported_as_far_as_possible() {
    let world = World::new().await;
    let state = json!({
        "matchId": "old-1", "createdAt": 1, "mode": "standard", "status": "completed", "day": 2,
        "turn": 1, "maxDays": 10, "hostUserId": "u-host", "memoryBlob": "remembered",
        "winnerId": "t1", "logSeq": 2, "chat": "unknown words",
        "roster": [{ "id": "t1", "type": "human", "name": "Ann", "hp": 4, "maxHp": 15,
            "alive": true, "userId": "u-ann", "rank": 1,
            "stats": { "vit": 5, "wits": 5, "combat": 5, "stealth": 5, "charm": 5 } }],
    });
    let event = |seq: u64| {
        json!({ "seq": seq, "timestamp": seq, "type": "GM_ANNOUNCEMENT",
            "data": { "text": format!("word {seq}") } })
    };
    let summary = json!({ "day": 1, "narration": "It rained.", "deaths": [], "highlights": [],
        "aliveCount": 1, "tokensUsed": 0 });
    let rows = [
        ("state", state),
        ("log#000001", event(1)),
        ("log#000002", event(2)),
        ("log#000003", event(3)),
        ("summary#1", summary),
    ];
    for (sk, value) in rows {
        let row = item! { "pk" => "match#old-1", "sk" => sk, "v" => value.to_string() };
        world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    }
    let opened = Opened { id: "old-1".to_owned(), host: String::new(), code: String::new() };
    let told = verified(&world, &opened).await;
    assert_eq!((&told["isVerified"], &told["seed"]), (&json!(false), &Value::Null));
    assert_eq!(told["difference"], "the match was played without a seed");
    let story = export(&world, &opened, json!({})).await;
    assert_eq!(story.status, 200, "{}", story.text);
    assert!(story.text.contains("word 2") && !story.text.contains("word 3"));
    for hidden in ["u-host", "u-ann", "remembered", "unknown words", "seed\""] {
        assert!(!story.text.contains(hidden), "{hidden}");
    }
    for format in ["markdown", "html"] {
        let page = export(&world, &opened, json!({ "format": format })).await;
        assert!(page.text.contains("Ann") && page.text.contains("Day 1"));
    }
    let log = world.log(Actor::Nobody, &opened).await;
    assert_eq!(log.len(), 2);
}

#[tokio::test]
async fn a_match_that_an_older_program_ended_is_over() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    let mut state = json!(row.state);
    state["status"] = json!("completed");
    let row = item! {
        "pk" => format!("match#{}", opened.id), "sk" => "state", "v" => state.to_string(),
    };
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    let look = world.look(&opened).await;
    assert_eq!((&look["status"], &look["phase"]), (&json!("ended"), &json!("ended")));
    let story = export(&world, &opened, json!({})).await;
    assert_eq!(story.status, 200, "{}", story.text);
    assert_eq!(story.json()["match"]["phase"], "ended");
    assert_eq!(verified(&world, &opened).await["isVerified"], false);
}
