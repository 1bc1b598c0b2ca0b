//! A match that is played: the start, actions, and turns that are resolved once.

use http::Method;
use serde_json::json;

use crate::players::{Play as _, Player};
use crate::world::{Actor, Opened, World};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// Returns a started match with so many players beside the tributes that nobody plays.
pub(crate) async fn started(world: &World, mode: &str, players: usize) -> (Opened, Vec<Player>) {
    let opened = world.open_match(json!({ "mode": mode, "aiCount": 6 })).await;
    let mut joined = Vec::new();
    for number in 0..players {
        joined.push(world.join(&opened, &format!("P{number}")).await);
    }
    world.host(&opened, "start", json!({})).await;
    (opened, joined)
}

#[tokio::test]
async fn only_the_host_starts_and_only_with_four() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "aiCount": 2 })).await;
    let bob = world.join(&opened, "Bob").await;
    let other = world.open_match(json!({})).await;
    let start = async |who| world.post(who, &opened.path("start"), json!({})).await.outcome();
    assert_eq!(start(Actor::Nobody).await, "401 INVALID_TOKEN");
    assert_eq!(start(Actor::User("ann")).await, "403 NOT_YOUR_MATCH");
    assert_eq!(start(other.actor()).await, "403 NOT_YOUR_MATCH");
    assert_eq!(start(bob.actor()).await, "403 GM_REQUIRED");
    assert_eq!(start(opened.actor()).await, "409 TOO_FEW_TRIBUTES");
    world.host(&opened, "ai", json!({})).await;
    let stale = [("if-match", "\"1\"")];
    let stale =
        world.request(opened.actor(), Method::POST, &opened.path("start"), json!({}), &stale).await;
    assert_eq!(stale.outcome(), "412 PRECONDITION_FAILED");
    let keyless = world
        .request(
            opened.actor(),
            Method::POST,
            &opened.path("start"),
            json!({}),
            &[("idempotency-key", "k")],
        )
        .await;
    assert_eq!(keyless.status, 200);
    assert_eq!(start(opened.actor()).await, "409 MATCH_IN_PROGRESS");
    let look = world.look(&opened).await;
    assert_eq!(look["turnId"], "d1t1");
    assert_eq!((&look["status"], &look["phase"]), (&json!("active"), &json!("collecting")));
    let gone = world.remove(bob.actor(), &opened, &bob.tribute).await;
    assert_eq!(gone.outcome(), "409 MATCH_IN_PROGRESS");
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_turn_is_resolved_when_the_last_player_has_chosen() {
    let world = World::new().await;
    let (opened, players) = started(&world, "quick", 2).await;
    let first = world.act(&opened, &players[0], "d1t1", "rest").await;
    assert_eq!((first.status, &first.json()["resolved"]), (200, &json!(false)));
    let seen = world.look(&opened).await;
    assert_eq!(seen["submitted"], json!([players[0].tribute]));
    assert!(seen.get("pendingAction").is_none());
    // A change of mind is the player's alone to see.
    let changed = world.act(&opened, &players[0], "d1t1", "hide").await;
    assert_eq!(changed.json()["match"]["pendingAction"]["action"], "hide");
    let second = world.act(&opened, &players[1], "d1t1", "rest").await;
    let told = second.json();
    assert_eq!(told["resolved"], true);
    assert_eq!(told["match"]["turnId"], "d1t2");
    let resolved: Vec<_> = told["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["type"] == "TURN_RESOLVED")
        .collect();
    let actions = resolved[0]["data"]["actions"].as_array().unwrap();
    let own = actions.iter().find(|one| one["tributeId"] == players[0].tribute.as_str()).unwrap();
    assert_eq!((&own["action"]["action"], &own["decidedBy"]), (&json!("hide"), &json!("player")));
    let tasks = world.keys_of("task#narrate");
    assert_eq!(tasks, [format!("{}:d1t1", opened.id)]);
    let late = world.act(&opened, &players[0], "d1t1", "rest").await;
    assert_eq!(late.outcome(), "400 STALE_TURN");
    world.check_log(&opened).await;
}

#[tokio::test]
async fn actions_that_can_not_be_are_refused() {
    let world = World::new().await;
    let (opened, players) = started(&world, "quick", 2).await;
    let (other, strangers) = started(&world, "quick", 1).await;
    let path = opened.path("action");
    let mine = players[0].actor();
    let ask = async |who, fields: serde_json::Value| {
        let mut body = json!({ "turnId": "d1t1", "action": "hunt" });
        body.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        world.post(who, &path, body).await.outcome()
    };
    assert_eq!(ask(strangers[0].actor(), json!({})).await, "403 NOT_YOUR_MATCH");
    assert_eq!(ask(opened.actor(), json!({})).await, "403 NOT_YOUR_TRIBUTE");
    assert_eq!(ask(Actor::Nobody, json!({})).await, "401 INVALID_TOKEN");
    assert_eq!(ask(Actor::Token("btl1/host/x/y"), json!({})).await, "401 INVALID_TOKEN");
    assert_eq!(ask(mine, json!({ "turnId": "d1t2" })).await, "400 STALE_TURN");
    assert_eq!(ask(mine, json!({ "action": "fly" })).await, "400 VALIDATION");
    assert_eq!(ask(mine, json!({ "effects": "win" })).await, "400 UNKNOWN_FIELD");
    assert_eq!(ask(mine, json!({ "targetId": "none" })).await, "400 VALIDATION");
    assert_eq!(ask(mine, json!({ "freeText": "x".repeat(201) })).await, "400 VALIDATION");
    assert_eq!(
        ask(mine, json!({ "freeText": "see www.spam.example" })).await,
        "400 CONTENT_VIOLATION"
    );
    assert_eq!(
        ask(mine, json!({ "freeText": "I come for you", "targetId": "ai-1" })).await,
        "200 -"
    );
    let public = world.get(Actor::Nobody, &format!("/match/{}", opened.id)).await;
    assert!(
        !public.text.contains("\"hunt\"") && !public.text.contains("I come"),
        "{}",
        public.text
    );
    world.host(&other, "end", json!({})).await;
    let over = world.act(&other, &strangers[0], "d1t1", "rest").await;
    assert_eq!(over.outcome(), "409 MATCH_ENDED");
}

#[tokio::test]
async fn a_host_waits_for_players_or_forces_the_turn() {
    let world = World::new().await;
    let (opened, players) = started(&world, "standard", 1).await;
    let path = opened.path("advance");
    let refused = world.post(opened.actor(), &path, json!({ "turnId": "d1t1" })).await;
    assert_eq!(refused.outcome(), "409 INVALID_TRANSITION");
    assert_eq!(refused.json()["details"], json!([{ "waitingFor": [players[0].tribute] }]));
    assert_eq!(
        world.post(players[0].actor(), &path, json!({ "force": true })).await.outcome(),
        "403 GM_REQUIRED"
    );
    let forced = world.host(&opened, "advance", json!({ "force": true, "turnId": "d1t1" })).await;
    assert_eq!((&forced["turnId"], &forced["match"]["turnId"]), (&json!("d1t1"), &json!("d1t2")));
    let late = world.post(opened.actor(), &path, json!({ "force": true, "turnId": "d1t1" })).await;
    assert_eq!(late.outcome(), "409 CONFLICT");
    let early = world.post(opened.actor(), &path, json!({ "force": true, "turnId": "d9t1" })).await;
    assert_eq!(early.outcome(), "400 STALE_TURN");
    let day = world.host(&opened, "advance", json!({ "force": true })).await;
    assert_eq!(day["match"]["day"], 2);
    let keys = world.keys_of(&format!("match#{}", opened.id));
    assert!(keys.contains(&"summary#1".to_owned()), "{keys:?}");
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_long_match_is_resolved_by_the_first_request_after_its_cutoff() {
    let world = World::new().await;
    let (opened, players) = started(&world, "long", 2).await;
    for body in [json!({ "force": true }), json!({ "turnId": "d1t1", "force": true })] {
        let advance = world.post(opened.actor(), &opened.path("advance"), body).await;
        assert_eq!(advance.outcome(), "409 INVALID_TRANSITION");
    }
    let cutoff = world.look(&opened).await["dayCutoffAt"].as_i64().unwrap();
    let due = |at: i64| format!("{at:013}#{}", opened.id);
    assert_eq!(world.keys_of("due#2027011521"), [due(cutoff)]);
    // Everybody has chosen: the day is over, and the next ends tomorrow.
    world.act(&opened, &players[0], "d1t1", "rest").await;
    world.act(&opened, &players[1], "d1t1", "rest").await;
    assert!(world.keys_of("due#2027011521").is_empty());
    assert_eq!(world.keys_of("due#2027011621"), [due(cutoff + DAY_MS)]);
    // Whoever comes too late finds the next day.
    world.clock.advance_ms(37 * 60 * 60 * 1000);
    let late = world.act(&opened, &players[0], "d2t1", "rest").await;
    assert_eq!(late.outcome(), "400 STALE_TURN");
    let look = world.look(&opened).await;
    assert_eq!((&look["turnId"], &look["day"]), (&json!("d3t1"), &json!(3)));
    assert!(world.keys_of("due#2027011621").is_empty());
    assert_eq!(world.keys_of("due#2027011721"), [due(cutoff + 2 * DAY_MS)]);
    // Who only looks resolves it as well.
    world.clock.advance_ms(48 * 60 * 60 * 1000);
    assert_eq!(world.look(&opened).await["turnId"], "d4t1");
    world.host(&opened, "end", json!({})).await;
    let left = world.rows().iter().any(|row| format!("{row:?}").contains("due#"));
    assert!(!left, "a due row is left");
    assert_eq!(world.keys_of("task#archive"), std::slice::from_ref(&opened.id));
    world.check_log(&opened).await;
}

#[tokio::test]
async fn an_advance_names_the_turn_that_it_means() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let path = opened.path("advance");
    let advance = async |body: serde_json::Value, headers: &[(&str, &str)]| {
        world.request(opened.actor(), Method::POST, &path, body, headers).await
    };
    assert_eq!(advance(json!({}), &[]).await.outcome(), "409 INVALID_TRANSITION");
    world.host(&opened, "start", json!({})).await;
    let version = world.look(&opened).await["version"].clone();
    for (body, headers) in [
        (json!({}), &[][..]),
        (json!({ "force": true }), &[]),
        // A star names no state.
        (json!({ "force": true }), &[("if-match", "*")]),
    ] {
        let refused = advance(body, headers).await;
        assert_eq!(refused.outcome(), "428 TURN_REQUIRED", "{}", refused.text);
        let details = refused.json()["details"].clone();
        assert_eq!(details, json!([{ "turnId": "d1t1" }, { "version": version }]));
    }
    assert_eq!(world.look(&opened).await["turnId"], "d1t1");
    let tag = format!("\"{version}\"");
    assert_eq!(advance(json!({}), &[("if-match", &tag)]).await.outcome(), "200 -");
    assert_eq!(
        advance(json!({}), &[("if-match", &tag)]).await.outcome(),
        "412 PRECONDITION_FAILED"
    );
    assert_eq!(advance(json!({ "turnId": "d1t1" }), &[]).await.outcome(), "409 CONFLICT");
    assert_eq!(world.look(&opened).await["turnId"], "d1t2");
    // What was refused for want of a turn is done under the same key once it names one.
    let key = [("idempotency-key", "same")];
    assert_eq!(advance(json!({}), &key).await.outcome(), "428 TURN_REQUIRED");
    assert_eq!(advance(json!({ "turnId": "d1t2" }), &key).await.outcome(), "200 -");
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_match_is_played_to_its_end() {
    let world = World::new().await;
    let (opened, _) = started(&world, "quick", 0).await;
    let mut told = json!(null);
    for _ in 0..15 {
        told = world.host(&opened, "advance", json!({})).await;
        if told["match"]["status"] == "ended" {
            break;
        }
    }
    assert_eq!(told["match"]["status"], "ended");
    let events = told["events"].as_array().unwrap();
    assert_eq!(events.last().unwrap()["type"], "MATCH_ENDED");
    for route in ["advance", "start", "end"] {
        let refused = world.post(opened.actor(), &opened.path(route), json!({})).await;
        assert_eq!(refused.outcome(), "409 MATCH_ENDED", "{route}");
    }
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_match_with_a_log_in_partitions_is_played_like_any_other() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "shardedLog": true })).await;
    let bob = world.join(&opened, "Bob").await;
    world.host(&opened, "start", json!({})).await;
    let told = world.act(&opened, &bob, "d1t1", "rest").await;
    assert_eq!(told.json()["resolved"], true);
    world.host(&opened, "advance", json!({ "force": true })).await;
    world.check_log(&opened).await;
    let own = world.keys_of(&format!("match#{}", opened.id));
    assert!(!own.iter().any(|key| key.starts_with("log#")), "{own:?}");
}
