//! A lobby: who comes, who goes, and codes.

use http::Method;
use serde_json::{Value, json};

use crate::served::{Served, Who};

const MINUTE_MS: u64 = 60 * 1000;

#[tokio::test]
async fn a_player_joins_with_a_token_that_only_repeats_get_again() {
    let served = Served::new().await;
    let opened = served.open_match(json!({})).await;
    let body =
        json!({ "code": opened.code.to_lowercase(), "name": " Zoë  2 ", "openingChoice": 3 });
    let ask = async || {
        let headers = [("idempotency-key", "once")];
        served
            .ask(Who::User("bob"), Method::POST, &opened.path("join"), body.clone(), &headers)
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
    let seen = served.get(Who::Nobody, &format!("/match/{}", opened.id)).await;
    assert!(!seen.text.contains("stats") && !seen.text.contains("bob"), "{}", seen.text);
    let secret = token.rsplit('/').next().unwrap();
    assert!(!format!("{:?}", served.rows()).contains(secret));
    let mine = format!("match#2027-01-15T08:00:00.000Z#{}", opened.id);
    assert_eq!(served.keys_of("user#bob"), [mine]);
    served.check_log(&opened).await;
}

#[tokio::test]
async fn who_can_not_join_is_told_why() {
    let served = Served::new().await;
    let opened = served.open_match(json!({})).await;
    let other = served.open_match(json!({})).await;
    served.join_as(Who::User("bob"), &opened, "Bob").await;
    let refused = async |who, fields: Value, name: &str| {
        served.clock.advance_ms(MINUTE_MS);
        served.try_join(who, &opened, name, fields).await.told()
    };
    let none = json!({});
    assert_eq!(refused(Who::Nobody, none.clone(), "BOB").await, "409 NAME_TAKEN");
    assert_eq!(refused(Who::Nobody, none.clone(), "brakka").await, "409 NAME_TAKEN");
    assert_eq!(refused(Who::Nobody, none.clone(), "Ｂｏｂ").await, "409 NAME_TAKEN");
    assert_eq!(refused(Who::User("bob"), none.clone(), "Rob").await, "409 CONFLICT");
    assert_eq!(refused(Who::Nobody, none.clone(), "the Admin").await, "400 VALIDATION");
    assert_eq!(refused(Who::Nobody, none.clone(), "fuck off").await, "400 CONTENT_VIOLATION");
    assert_eq!(refused(Who::Nobody, json!({ "type": "ai" }), "X").await, "400 VALIDATION");
    assert_eq!(refused(Who::Nobody, json!({ "hp": 99 }), "X").await, "400 UNKNOWN_FIELD");
    let strong = json!({ "vitality": 9, "wits": 9, "combat": 9, "stealth": 9, "charm": 9 });
    assert_eq!(refused(Who::Nobody, json!({ "stats": strong }), "X").await, "400 VALIDATION");
    let code = |code: &str| json!({ "code": code });
    assert_eq!(refused(Who::Nobody, code("ZZZZZZ"), "X").await, "404 INVITE_NOT_FOUND");
    assert_eq!(refused(Who::Nobody, code(&other.code), "X").await, "404 INVITE_NOT_FOUND");
    let nowhere = served.post(Who::Nobody, "/match/none/join", json!({ "code": "A", "name": "X" }));
    assert_eq!(nowhere.await.told(), "404 MATCH_NOT_FOUND");
}

#[tokio::test]
async fn eleven_a_minute_are_too_many_from_one_address() {
    let served = Served::new().await;
    let opened = served.open_match(json!({ "aiCount": 0 })).await;
    for number in 0..10 {
        let joined = served.try_join(Who::Nobody, &opened, &format!("P{number}"), json!({})).await;
        assert_eq!(joined.status, 201, "{}", joined.text);
    }
    let late = served.try_join(Who::Nobody, &opened, "P10", json!({})).await;
    assert_eq!(late.told(), "429 RATE_LIMIT");
    for number in 0..61 {
        let guess = served.get(Who::Nobody, "/invite/AAAAAA").await.told();
        let expected = if number < 60 { "404 INVITE_NOT_FOUND" } else { "429 RATE_LIMIT" };
        assert_eq!(guess, expected, "{number}");
    }
    assert_eq!(late.headers["retry-after"], "60");
    served.clock.advance_ms(MINUTE_MS);
    assert_eq!(served.try_join(Who::Nobody, &opened, "P10", json!({})).await.status, 201);
}

#[tokio::test]
async fn a_full_lobby_makes_room_where_nobody_plays() {
    let served = Served::new().await;
    let opened = served.open_match(json!({ "aiCount": 24 })).await;
    for number in 0..24 {
        served.join(&opened, &format!("P{number}")).await;
    }
    let look = served.look(&opened).await;
    let roster = look["roster"].as_array().unwrap();
    assert!(roster.len() == 24 && roster.iter().all(|one| one["type"] == "human"));
    served.clock.advance_ms(MINUTE_MS);
    let late = served.try_join(Who::Nobody, &opened, "P24", json!({})).await;
    assert_eq!(late.told(), "409 LOBBY_FULL");
    assert_eq!(
        served.post(opened.who(), &opened.path("ai"), json!({})).await.told(),
        "409 LOBBY_FULL"
    );
    served.check_log(&opened).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_who_want_one_name_one_gets_it() {
    let served = std::sync::Arc::new(Served::new().await);
    let opened = served.open_match(json!({})).await;
    let join = |_| {
        let (served, opened) = (std::sync::Arc::clone(&served), opened.clone());
        tokio::spawn(async move {
            served.try_join(Who::Nobody, &opened, "Echo", json!({})).await.told()
        })
    };
    let mut told = Vec::new();
    for joining in (0..8).map(join).collect::<Vec<_>>() {
        told.push(joining.await.unwrap());
    }
    told.sort();
    assert_eq!(told[0], "201 -");
    assert!(told[1..].iter().all(|told| told == "409 NAME_TAKEN"), "{told:?}");
    served.check_log(&opened).await;
}

#[tokio::test]
async fn who_leaves_or_is_removed_loses_the_token() {
    let served = Served::new().await;
    let opened = served.open_match(json!({})).await;
    let (ann, bob) = (
        served.join_as(Who::User("ann"), &opened, "Ann").await,
        served.join_as(Who::User("bob"), &opened, "Bob").await,
    );
    let role = |user: &str| {
        let rows = served.rows();
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
        served.remove(bob.who(), &opened, &ann.tribute).await.told(),
        "403 NOT_YOUR_TRIBUTE"
    );
    assert_eq!(
        served.remove(Who::User("ann"), &opened, &bob.tribute).await.told(),
        "403 NOT_YOUR_MATCH"
    );
    assert_eq!(served.remove(Who::Nobody, &opened, &bob.tribute).await.told(), "401 INVALID_TOKEN");
    assert_eq!(served.remove(opened.who(), &opened, "none").await.told(), "404 TRIBUTE_NOT_FOUND");
    assert_eq!(served.remove(bob.who(), &opened, &bob.tribute).await.status, 200);
    assert_eq!(role("bob").unwrap(), r#"{"role":"left"}"#);
    assert_eq!(served.remove(bob.who(), &opened, &bob.tribute).await.told(), "401 INVALID_TOKEN");
    assert_eq!(served.remove(opened.who(), &opened, &ann.tribute).await.status, 200);
    assert_eq!(role("ann").unwrap(), r#"{"role":"host"}"#);
    let gone = served.act(&opened, &ann, "d1t1", "rest").await;
    assert_eq!(gone.told(), "401 INVALID_TOKEN");
    let again = served.join_as(Who::User("bob"), &opened, "Bob").await;
    assert_ne!(again.tribute, bob.tribute);
    assert_eq!(role("bob").unwrap(), r#"{"role":"player"}"#);
    served.check_log(&opened).await;
}

#[tokio::test]
async fn a_code_lives_as_long_as_something_happens_in_its_lobby() {
    let served = Served::new().await;
    let opened = served.open_match(json!({})).await;
    let invite = async || served.get(Who::Nobody, &format!("/invite/{}", opened.code)).await;
    assert_eq!(invite().await.json()["openPlaces"], 24);
    served.clock.advance_ms(28 * MINUTE_MS);
    let bob = served.join(&opened, "Bob").await;
    served.clock.advance_ms(29 * MINUTE_MS);
    served.host(&opened, "ai", json!({})).await;
    served.clock.advance_ms(29 * MINUTE_MS);
    let found = invite().await;
    assert_eq!((found.status, &found.json()["playerCount"]), (200, &json!(1)));
    assert!(!found.text.contains("Bob"), "{}", found.text);
    served.clock.advance_ms(MINUTE_MS);
    assert_eq!(invite().await.told(), "404 INVITE_NOT_FOUND");
    let late = served.try_join(Who::Nobody, &opened, "Late", json!({})).await;
    assert_eq!(late.told(), "409 INVITE_EXPIRED");
    assert_eq!(
        served.post(bob.who(), &opened.path("invite"), json!({})).await.told(),
        "403 GM_REQUIRED"
    );
    let renewed = served.host(&opened, "invite", json!({})).await;
    let code = json!({ "code": renewed["inviteCode"] });
    assert_eq!(served.try_join(Who::Nobody, &opened, "Late", code).await.status, 201);
    assert_eq!(
        served.keys_of(&format!("invite#{}", renewed["inviteCode"].as_str().unwrap())),
        ["meta"]
    );
}

#[tokio::test]
async fn the_code_ends_with_the_start_and_with_the_lobby() {
    let served = Served::new().await;
    let opened = served.open_match(json!({})).await;
    served.host(&opened, "start", json!({})).await;
    assert!(served.keys_of(&format!("invite#{}", opened.code)).is_empty());
    let late = served.try_join(Who::Nobody, &opened, "Late", json!({})).await;
    assert_eq!(late.told(), "409 MATCH_IN_PROGRESS");
    assert_eq!(
        late.json()["details"],
        json!([{ "spectate": format!("/btl-run/match/{}", opened.id) }])
    );
    let renew = served.post(opened.who(), &opened.path("invite"), json!({})).await;
    assert_eq!(renew.told(), "409 MATCH_IN_PROGRESS");

    let other = served.open_match(json!({})).await;
    served.host(&other, "end", json!({})).await;
    assert!(served.keys_of(&format!("invite#{}", other.code)).is_empty());
    let late = served.try_join(Who::Nobody, &other, "Late", json!({})).await;
    assert_eq!(late.told(), "409 MATCH_ENDED");
}
