//! Which commands, and from which state of things.

use monotable_testkit::service::Act;
use serde_json::{Value, json};

use super::Stage;
use crate::players::Play as _;
use crate::world::Actor;

fn action(turn: &str) -> Value {
    json!({ "turnId": turn, "action": "hunt", "freeText": "for the mill" })
}

#[tokio::test]
async fn matches_are_opened_whole_or_not_at_all() {
    let stage = Stage::lobby(json!({}), &["bob"]).await;
    for (user, mode) in [("cleo", "quick"), ("ann", "long")] {
        let body = json!({ "mode": mode, "shardedLog": mode == "long" });
        stage.kill(Actor::User(user), "POST /match", &body).await;
    }
}

#[tokio::test]
async fn players_come_and_go_whole_or_not_at_all() {
    let stage = Stage::lobby(json!({}), &["bob"]).await;
    let code = &stage.opened.code;
    let join = |name: &str| json!({ "code": code, "name": name });
    let tribute = format!("DELETE /match/{{m}}/tribute/{}", stage.players[0].tribute);
    stage.kill(Actor::User("cleo"), "POST /match/{m}/join", &join("Cleo")).await;
    stage.kill(Actor::Nobody, "POST /match/{m}/join", &join("Nemo")).await;
    stage.kill_host("POST /match/{m}/ai", &Value::Null).await;
    stage.kill_host(&tribute, &Value::Null).await;
    stage.kill_host("POST /match/{m}/invite", &Value::Null).await;
    stage.kill(Actor::User("bob"), "POST /match/{m}/token", &json!({})).await;
}

#[tokio::test]
async fn matches_are_started_whole_or_not_at_all() {
    for mode in ["quick", "long"] {
        let stage = Stage::lobby(json!({ "mode": mode }), &["bob"]).await;
        stage.kill_host("POST /match/{m}/start", &json!({})).await;
    }
}

/// The last player to choose resolves the turn, in one transaction with the choice.
#[tokio::test]
async fn turns_are_resolved_whole_or_not_at_all() {
    let stage = Stage::started(json!({ "aiCount": 3 }), &["bob", "cleo"]).await;
    let bob = stage.players[0].actor();
    stage.kill(bob, "POST /match/{m}/action", &action("d1t1")).await;
    let force = json!({ "turnId": "d1t1", "force": true });
    stage.kill_host("POST /match/{m}/advance", &force).await;
    stage.world.act(&stage.opened, &stage.players[1], "d1t1", "hunt").await;
    stage.kill(bob, "POST /match/{m}/action", &action("d1t1")).await;
}

/// The end of a day writes its story, and a log that is spread is written as well.
#[tokio::test]
async fn days_end_whole_or_not_at_all() {
    let fields = json!({ "mode": "standard", "aiCount": 6, "shardedLog": true });
    let stage = Stage::started(fields, &[]).await;
    stage.world.host(&stage.opened, "advance", json!({})).await;
    stage.world.finish_work("the first turn").await;
    stage.kill_host("POST /match/{m}/advance", &json!({ "turnId": "d1t2" })).await;
}

#[tokio::test]
async fn game_masters_meddle_whole_or_not_at_all() {
    let stage = Stage::started(json!({ "aiCount": 4 }), &["bob"]).await;
    stage.world.host(&stage.opened, "gm/rules", json!({ "sponsors": true })).await;
    let item = json!({ "kind": "item_drop", "tributeId": "ai-1" });
    for (path, body) in [
        ("POST /match/{m}/gm/rules", json!({ "crafting": true })),
        ("POST /match/{m}/gm/announce", json!({ "text": "The river rises." })),
        ("POST /match/{m}/gm/inject", item),
    ] {
        stage.kill_host(path, &body).await;
    }
}

/// A turn whose time is over is resolved by the clock or by whoever comes, and the next one is waited for.
#[tokio::test]
async fn a_cutoff_is_kept_whole_or_not_at_all() {
    let stage = Stage::started(json!({ "mode": "long", "aiCount": 4 }), &["bob"]).await;
    stage.world.clock.advance_ms(13 * 60 * 60 * 1000);
    stage.working().at_every_call(Act::Work).await;
    stage.kill(Actor::Nobody, "GET /match/{m}", &Value::Null).await;
}

/// An ended match is counted and will be forgotten, whoever was killed on the way.
#[tokio::test]
async fn ended_matches_are_archived_in_steps() {
    let stage = Stage::started(json!({ "aiCount": 4 }), &["bob", "cleo"]).await;
    for turn in ["d1t1", "d1t2", "d1t3"] {
        stage.world.host(&stage.opened, "advance", json!({ "force": true, "turnId": turn })).await;
    }
    stage.world.finish_work("three turns").await;
    let route = format!("POST {}", stage.opened.path("end"));
    let end = Act::request(stage.opened.actor(), &route, &Value::Null);
    stage.working().at_every_call(end).await;
}

/// Who wants to be forgotten is, in every match.
#[tokio::test]
async fn people_are_forgotten_in_steps() {
    let stage = Stage::lobby(json!({ "aiCount": 4 }), &["bob", "cleo"]).await;
    let world = &stage.world;
    let other = world.open_match(json!({ "aiCount": 4 })).await;
    world.join_as(Actor::User("bob"), &other, "Bob").await;
    world.host(&other, "start", json!({})).await;
    world.host(&other, "advance", json!({ "force": true })).await;
    world.finish_work("the first turn").await;
    let erasure = Act::request("bob", "DELETE /me", &Value::Null);
    stage.working().at_every_call(erasure).await;
}
