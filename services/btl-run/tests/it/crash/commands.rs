//! Which commands, and from which state of things.

use serde_json::{Value, json};

use super::{Act, By, Stage};
use crate::served::Who;

fn action(turn: &str) -> Value {
    json!({ "turnId": turn, "action": "hunt", "freeText": "for the mill" })
}

#[tokio::test]
async fn matches_are_opened_whole_or_not_at_all() {
    let stage = Stage::lobby(json!({}), &["bob"]).await;
    for (user, mode) in [("cleo", "quick"), ("ann", "long")] {
        let body = json!({ "mode": mode, "shardedLog": mode == "long" });
        stage.kill_at_every_call(Act::new(By::User(user), "POST /match", body)).await;
    }
}

#[tokio::test]
async fn players_come_and_go_whole_or_not_at_all() {
    let stage = Stage::lobby(json!({}), &["bob"]).await;
    let code = &stage.opened.code;
    let join = |name: &str| json!({ "code": code, "name": name });
    let tribute = format!("DELETE /match/{{m}}/tribute/{}", stage.players[0].tribute);
    for act in [
        Act::new(By::User("cleo"), "POST /match/{m}/join", join("Cleo")),
        Act::new(By::Nobody, "POST /match/{m}/join", join("Nemo")),
        Act::new(By::Host, "POST /match/{m}/ai", Value::Null),
        Act::new(By::Host, &tribute, Value::Null),
        Act::new(By::Host, "POST /match/{m}/invite", Value::Null),
        Act::new(By::User("bob"), "POST /match/{m}/token", json!({})),
    ] {
        stage.kill_at_every_call(act).await;
    }
}

#[tokio::test]
async fn matches_are_started_whole_or_not_at_all() {
    for mode in ["quick", "long"] {
        let stage = Stage::lobby(json!({ "mode": mode }), &["bob"]).await;
        stage.kill_at_every_call(Act::new(By::Host, "POST /match/{m}/start", json!({}))).await;
    }
}

/// The last player to choose resolves the turn, in one transaction with the choice.
#[tokio::test]
async fn turns_are_resolved_whole_or_not_at_all() {
    let stage = Stage::started(json!({ "aiCount": 3 }), &["bob", "cleo"]).await;
    let submit = |number| Act::new(By::Player(number), "POST /match/{m}/action", action("d1t1"));
    stage.kill_at_every_call(submit(0)).await;
    let force = json!({ "turnId": "d1t1", "force": true });
    stage.kill_at_every_call(Act::new(By::Host, "POST /match/{m}/advance", force)).await;
    stage.served.act(&stage.opened, &stage.players[1], "d1t1", "hunt").await;
    stage.kill_at_every_call(submit(0)).await;
}

/// The end of a day writes its story, and a log that is spread is written as well.
#[tokio::test]
async fn days_end_whole_or_not_at_all() {
    let fields = json!({ "mode": "standard", "aiCount": 6, "shardedLog": true });
    let stage = Stage::started(fields, &[]).await;
    stage.served.host(&stage.opened, "advance", json!({})).await;
    crate::invariants::work(&stage.served, "the first turn").await;
    let advance = Act::new(By::Host, "POST /match/{m}/advance", json!({ "turnId": "d1t2" }));
    stage.kill_at_every_call(advance).await;
}

#[tokio::test]
async fn game_masters_meddle_whole_or_not_at_all() {
    let stage = Stage::started(json!({ "aiCount": 4 }), &["bob"]).await;
    stage.served.host(&stage.opened, "gm/rules", json!({ "sponsors": true })).await;
    let item = json!({ "kind": "item_drop", "tributeId": "ai-1" });
    for (path, body) in [
        ("POST /match/{m}/gm/rules", json!({ "crafting": true })),
        ("POST /match/{m}/gm/announce", json!({ "text": "The river rises." })),
        ("POST /match/{m}/gm/inject", item),
    ] {
        stage.kill_at_every_call(Act::new(By::Host, path, body)).await;
    }
}

/// A turn whose time is over is resolved by the clock or by whoever comes, and the next one is waited for.
#[tokio::test]
async fn a_cutoff_is_kept_whole_or_not_at_all() {
    let stage = Stage::started(json!({ "mode": "long", "aiCount": 4 }), &["bob"]).await;
    stage.served.clock.advance_ms(13 * 60 * 60 * 1000);
    stage.kill_at_every_call(Act::work()).await;
    stage.kill_at_every_call(Act::new(By::Nobody, "GET /match/{m}", Value::Null)).await;
}

/// An ended match is counted and will be forgotten, whoever was killed on the way.
#[tokio::test]
async fn ended_matches_are_archived_in_steps() {
    let stage = Stage::started(json!({ "aiCount": 4 }), &["bob", "cleo"]).await;
    for turn in ["d1t1", "d1t2", "d1t3"] {
        stage.served.host(&stage.opened, "advance", json!({ "force": true, "turnId": turn })).await;
    }
    crate::invariants::work(&stage.served, "three turns").await;
    let end = Act::new(By::Host, "POST /match/{m}/end", Value::Null);
    stage.kill_at_every_call(end.with_work()).await;
}

/// Who wants to be forgotten is, in every match.
#[tokio::test]
async fn people_are_forgotten_in_steps() {
    let stage = Stage::lobby(json!({ "aiCount": 4 }), &["bob", "cleo"]).await;
    let served = &stage.served;
    let other = served.open_match(json!({ "aiCount": 4 })).await;
    served.join_as(Who::User("bob"), &other, "Bob").await;
    served.host(&other, "start", json!({})).await;
    served.host(&other, "advance", json!({ "force": true })).await;
    crate::invariants::work(served, "the first turn").await;
    let erasure = Act::new(By::User("bob"), "DELETE /me", Value::Null);
    stage.kill_at_every_call(erasure.with_work()).await;
}
