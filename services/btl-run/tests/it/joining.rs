//! A lobby: who comes, who goes, and codes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use http::Method;
use monotable::dynamodb::DeleteItem;
use monotable::item;
use monotable::model::backend::Embedded;
use monotable_testkit::watched::{Sent, Watched};
use serde_json::{Value, json};

use crate::players::Play as _;
use crate::world::{Actor, TABLE, World};

const MINUTE_MS: u64 = 60 * 1000;

#[tokio::test]
async fn a_player_joins_with_a_token_that_only_repeats_get_again() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let body =
        json!({ "code": opened.code.to_lowercase(), "name": " Zoë  2 ", "openingChoice": 3 });
    let ask = async || {
        let headers = [("idempotency-key", "once")];
        world
            .request(Actor::User("bob"), Method::POST, &opened.path("join"), body.clone(), &headers)
            .await
    };
    let (first, again) = (ask().await, ask().await);
    assert_eq!((first.status, again.status), (201, 201), "{}", first.text);
    assert_eq!(again.headers["idempotent-replay"], "true");
    assert_eq!(first.headers["etag"], "\"2\"");
    let (first, again) = (first.json(), again.json());
    let tribute = first["tributeId"].as_str().unwrap();
    let token = first["playerToken"].as_str().unwrap();
    assert!(token.starts_with(&format!("btl1/player/{}/{tribute}/", opened.id)));
    assert_eq!(again, first);
    let own = first["match"]["roster"].as_array().unwrap().last().unwrap();
    assert_eq!((&own["name"], &own["playstyle"]), (&json!("Zoë 2"), &json!("social")));
    // Others see neither stats nor who plays it, and no row holds the token.
    let seen = world.get(Actor::Nobody, &format!("/match/{}", opened.id)).await;
    assert!(!seen.text.contains("stats") && !seen.text.contains("bob"), "{}", seen.text);
    let secret = token.rsplit('/').next().unwrap();
    assert!(!format!("{:?}", world.rows()).contains(secret));
    let mine = format!("match#2027-01-15T08:00:00.000Z#{}", opened.id);
    assert_eq!(world.keys_of("user#bob"), [mine]);
    world.check_log(&opened).await;
}

#[tokio::test]
async fn refused_joins_have_a_reason() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let other = world.open_match(json!({})).await;
    world.join_as(Actor::User("bob"), &opened, "Bob").await;
    let refused = async |who, fields: Value, name: &str| {
        world.clock.advance_ms(MINUTE_MS);
        world.try_join(who, &opened, name, fields).await.outcome()
    };
    let none = json!({});
    assert_eq!(refused(Actor::Nobody, none.clone(), "BOB").await, "409 NAME_TAKEN");
    assert_eq!(refused(Actor::Nobody, none.clone(), "brakka").await, "409 NAME_TAKEN");
    assert_eq!(refused(Actor::Nobody, none.clone(), "Ｂｏｂ").await, "409 NAME_TAKEN");
    assert_eq!(refused(Actor::User("bob"), none.clone(), "Rob").await, "409 CONFLICT");
    assert_eq!(refused(Actor::Nobody, none.clone(), "the Admin").await, "400 VALIDATION");
    assert_eq!(refused(Actor::Nobody, none.clone(), "fuck off").await, "400 CONTENT_VIOLATION");
    assert_eq!(refused(Actor::Nobody, json!({ "type": "ai" }), "X").await, "400 VALIDATION");
    assert_eq!(refused(Actor::Nobody, json!({ "hp": 99 }), "X").await, "400 UNKNOWN_FIELD");
    let strong = json!({ "vitality": 9, "wits": 9, "combat": 9, "stealth": 9, "charm": 9 });
    assert_eq!(refused(Actor::Nobody, json!({ "stats": strong }), "X").await, "400 VALIDATION");
    let code = |code: &str| json!({ "code": code });
    assert_eq!(refused(Actor::Nobody, code("ZZZZZZ"), "X").await, "404 INVITE_NOT_FOUND");
    assert_eq!(refused(Actor::Nobody, code(&other.code), "X").await, "404 INVITE_NOT_FOUND");
    let nowhere =
        world.post(Actor::Nobody, "/match/none/join", json!({ "code": "A", "name": "X" }));
    assert_eq!(nowhere.await.outcome(), "404 MATCH_NOT_FOUND");
}

#[tokio::test]
async fn eleven_a_minute_are_too_many_from_one_address() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "aiCount": 0 })).await;
    for number in 0..10 {
        let joined = world.try_join(Actor::Nobody, &opened, &format!("P{number}"), json!({})).await;
        assert_eq!(joined.status, 201, "{}", joined.text);
    }
    let late = world.try_join(Actor::Nobody, &opened, "P10", json!({})).await;
    assert_eq!(late.outcome(), "429 RATE_LIMIT");
    for number in 0..61 {
        let guess = world.get(Actor::Nobody, "/invite/AAAAAA").await.outcome();
        let expected = if number < 60 { "404 INVITE_NOT_FOUND" } else { "429 RATE_LIMIT" };
        assert_eq!(guess, expected, "{number}");
    }
    assert_eq!(late.headers["retry-after"], "60");
    world.clock.advance_ms(MINUTE_MS);
    assert_eq!(world.try_join(Actor::Nobody, &opened, "P10", json!({})).await.status, 201);
}

#[tokio::test]
async fn a_player_replaces_an_ai_tribute_in_a_full_lobby() {
    let world = World::new().await;
    let opened = world.open_match(json!({ "aiCount": 24 })).await;
    for number in 0..24 {
        world.join(&opened, &format!("P{number}")).await;
    }
    let look = world.look(&opened).await;
    let roster = look["roster"].as_array().unwrap();
    assert!(roster.len() == 24 && roster.iter().all(|one| one["type"] == "human"));
    world.clock.advance_ms(MINUTE_MS);
    let late = world.try_join(Actor::Nobody, &opened, "P24", json!({})).await;
    assert_eq!(late.outcome(), "409 LOBBY_FULL");
    assert_eq!(
        world.post(opened.actor(), &opened.path("ai"), json!({})).await.outcome(),
        "409 LOBBY_FULL"
    );
    world.check_log(&opened).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_joins_with_one_name_have_one_winner() {
    let world = std::sync::Arc::new(World::new().await);
    let opened = world.open_match(json!({})).await;
    let join = |_| {
        let (world, opened) = (std::sync::Arc::clone(&world), opened.clone());
        tokio::spawn(async move {
            world.try_join(Actor::Nobody, &opened, "Echo", json!({})).await.outcome()
        })
    };
    let mut told = Vec::new();
    for joining in (0..8).map(join).collect::<Vec<_>>() {
        told.push(joining.await.unwrap());
    }
    told.sort();
    assert_eq!(told[0], "201 -");
    assert!(told[1..].iter().all(|told| told == "409 NAME_TAKEN"), "{told:?}");
    world.check_log(&opened).await;
}

#[tokio::test]
async fn leaving_or_removed_players_lose_their_token() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let (ann, bob) = (
        world.join_as(Actor::User("ann"), &opened, "Ann").await,
        world.join_as(Actor::User("bob"), &opened, "Bob").await,
    );
    let role = |user: &str| {
        let rows = world.rows();
        let text = |row: &monotable::Item, name: &str| {
            row.get(name).and_then(|value| value.as_s()).unwrap_or_default().to_owned()
        };
        let mine = rows.iter().find(|row| {
            text(row, "pk") == format!("user#{user}") && text(row, "sk").starts_with("match#")
        });
        mine.map(|row| text(row, "v"))
    };
    assert_eq!(role("ann").unwrap(), r#"{"role":"host_and_player"}"#);
    assert_eq!(
        world.remove(bob.actor(), &opened, &ann.tribute).await.outcome(),
        "403 NOT_YOUR_TRIBUTE"
    );
    assert_eq!(
        world.remove(Actor::User("ann"), &opened, &bob.tribute).await.outcome(),
        "403 NOT_YOUR_MATCH"
    );
    assert_eq!(
        world.remove(Actor::Nobody, &opened, &bob.tribute).await.outcome(),
        "401 INVALID_TOKEN"
    );
    assert_eq!(
        world.remove(opened.actor(), &opened, "none").await.outcome(),
        "404 TRIBUTE_NOT_FOUND"
    );
    assert_eq!(world.remove(bob.actor(), &opened, &bob.tribute).await.status, 200);
    assert_eq!(role("bob").unwrap(), r#"{"role":"left"}"#);
    assert_eq!(
        world.remove(bob.actor(), &opened, &bob.tribute).await.outcome(),
        "401 INVALID_TOKEN"
    );
    assert_eq!(world.remove(opened.actor(), &opened, &ann.tribute).await.status, 200);
    assert_eq!(role("ann").unwrap(), r#"{"role":"host"}"#);
    let gone = world.act(&opened, &ann, "d1t1", "rest").await;
    assert_eq!(gone.outcome(), "401 INVALID_TOKEN");
    let again = world.join_as(Actor::User("bob"), &opened, "Bob").await;
    assert_ne!(again.tribute, bob.tribute);
    assert_eq!(role("bob").unwrap(), r#"{"role":"player"}"#);
    world.check_log(&opened).await;
}

#[tokio::test]
async fn a_code_lives_as_long_as_something_happens_in_its_lobby() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let invite = async || world.get(Actor::Nobody, &format!("/invite/{}", opened.code)).await;
    assert_eq!(invite().await.json()["openPlaces"], 24);
    world.clock.advance_ms(28 * MINUTE_MS);
    let bob = world.join(&opened, "Bob").await;
    world.clock.advance_ms(29 * MINUTE_MS);
    world.host(&opened, "ai", json!({})).await;
    world.clock.advance_ms(29 * MINUTE_MS);
    let found = invite().await;
    assert_eq!((found.status, &found.json()["playerCount"]), (200, &json!(1)));
    assert!(!found.text.contains("Bob"), "{}", found.text);
    world.clock.advance_ms(MINUTE_MS);
    assert_eq!(invite().await.outcome(), "404 INVITE_NOT_FOUND");
    let late = world.try_join(Actor::Nobody, &opened, "Late", json!({})).await;
    assert_eq!(late.outcome(), "409 INVITE_EXPIRED");
    assert_eq!(
        world.post(bob.actor(), &opened.path("invite"), json!({})).await.outcome(),
        "403 GM_REQUIRED"
    );
    let renewed = world.host(&opened, "invite", json!({})).await;
    let code = json!({ "code": renewed["inviteCode"] });
    assert_eq!(world.try_join(Actor::Nobody, &opened, "Late", code).await.status, 201);
    assert_eq!(
        world.keys_of(&format!("invite#{}", renewed["inviteCode"].as_str().unwrap())),
        ["meta"]
    );
}

#[tokio::test]
async fn the_code_ends_with_the_start_and_with_the_lobby() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    world.host(&opened, "start", json!({})).await;
    assert!(world.keys_of(&format!("invite#{}", opened.code)).is_empty());
    let late = world.try_join(Actor::Nobody, &opened, "Late", json!({})).await;
    assert_eq!(late.outcome(), "409 MATCH_IN_PROGRESS");
    assert_eq!(
        late.json()["details"],
        json!([{ "spectate": format!("/btl-run/match/{}", opened.id) }])
    );
    let renew = world.post(opened.actor(), &opened.path("invite"), json!({})).await;
    assert_eq!(renew.outcome(), "409 MATCH_IN_PROGRESS");

    let other = world.open_match(json!({})).await;
    world.host(&other, "end", json!({})).await;
    assert!(world.keys_of(&format!("invite#{}", other.code)).is_empty());
    let late = world.try_join(Actor::Nobody, &other, "Late", json!({})).await;
    assert_eq!(late.outcome(), "409 MATCH_ENDED");
}

/// Another process may end the code at any moment of a start.
#[tokio::test]
async fn a_code_that_ends_during_the_start_does_not_block_it() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    for moment in 0..20 {
        let (copy, reads) = (world.copy().await, AtomicUsize::new(0));
        let database = copy.database.clone();
        let key = item! { "pk" => format!("invite#{}", opened.code), "sk" => "meta" };
        let embedded = Arc::new(Embedded::new(database.clone()));
        let backend = Watched::new(embedded, move |sent| {
            let is_read = matches!(sent, Sent::Read);
            if is_read && reads.fetch_add(1, Ordering::Relaxed) == moment {
                database.delete_item(DeleteItem::new(TABLE, key.clone())).unwrap();
            }
        });
        let started = copy.over(backend).await.host(&opened, "start", json!({})).await;
        assert_eq!(started["status"], "active", "at read {moment}");
    }
}
