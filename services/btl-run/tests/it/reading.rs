//! Reading what happened: pages of the log, and the stories of days.

use http::Method;
use monotable::dynamodb::PutItem;
use monotable::item;
use monotable_btl_run::log::{all_events, events_after};
use monotable_btl_run::table::MatchId;
use serde_json::{Value, json};

use crate::played::Played as _;
use crate::players::Play as _;
use crate::world::{Actor, Opened, TABLE, World};

fn numbers(page: &Value) -> Vec<u64> {
    page["items"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()).collect()
}

async fn page(world: &World, opened: &Opened, query: &str) -> Value {
    let answer = world.get(Actor::Nobody, &opened.path(&format!("log{query}"))).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

#[tokio::test]
async fn the_log_has_pages_after_a_number() {
    for sharded in [false, true] {
        let world = World::new().await;
        let (opened, _) = world.begun(json!({ "shardedLog": sharded }), 1).await;
        for number in 0..20 {
            let body = json!({ "text": format!("word {number}") });
            world.host(&opened, "gm/announce", body).await;
        }
        let last = world.look(&opened).await["logSeq"].as_u64().unwrap();
        let all: Vec<u64> = (1..=last).collect();
        for query in ["?limit=200", "?after=0&limit=200"] {
            let whole = page(&world, &opened, query).await;
            assert_eq!(numbers(&whole), all);
            assert_eq!((&whole["hasMore"], &whole["nextToken"]), (&json!(false), &Value::Null));
        }
        let behind = page(&world, &opened, &format!("?after={}", last - 3)).await;
        assert_eq!(numbers(&behind), [last - 2, last - 1, last]);
        for after in [last, last + 1, 999_999] {
            let nothing = page(&world, &opened, &format!("?after={after}")).await;
            assert_eq!((numbers(&nothing), &nothing["hasMore"]), (vec![], &json!(false)));
        }
        let (mut seen, mut query) = (Vec::new(), "?limit=7".to_owned());
        loop {
            let page = page(&world, &opened, &query).await;
            seen.extend(numbers(&page));
            assert_eq!(page["hasMore"], !page["nextToken"].is_null());
            let Some(next) = page["nextToken"].as_str() else { break };
            assert_eq!(numbers(&page).len(), 7);
            query = format!("?limit=7&nextToken={next}");
        }
        assert_eq!(seen, all);
    }
}

#[tokio::test]
async fn cursors_of_other_logs_are_refused() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let (other, _) = world.begun(json!({}), 1).await;
    let next = page(&world, &opened, "?limit=1").await["nextToken"].as_str().unwrap().to_owned();
    let told = async |opened: &Opened, query: &str| {
        world.get(Actor::Nobody, &opened.path(&format!("log{query}"))).await.outcome()
    };
    assert_eq!(told(&opened, &format!("?nextToken={next}")).await, "200 -");
    assert_eq!(told(&other, &format!("?nextToken={next}")).await, "400 INVALID_CURSOR");
    assert_eq!(told(&opened, "?nextToken=AAAA").await, "400 INVALID_CURSOR");
    for query in [
        "?limit=0",
        "?limit=201",
        "?after=-1",
        "?after=x",
        "?after=1000000",
        &format!("?after=1&nextToken={next}"),
    ] {
        assert_eq!(told(&opened, query).await, "400 VALIDATION", "{query}");
    }
    assert_eq!(told(&opened, "?other=1").await, "400 UNKNOWN_FIELD");
    let nowhere = Opened { id: "nowhere".to_owned(), ..opened.clone() };
    for path in ["log", "summaries", "summary/1", "stream", "verify"] {
        let answer = world.get(Actor::Nobody, &nowhere.path(path)).await;
        assert_eq!(answer.outcome(), "404 MATCH_NOT_FOUND", "{path}");
    }
}

#[tokio::test]
async fn actions_are_hidden_from_other_viewers_until_their_turn_is_resolved() {
    let world = World::new().await;
    let (opened, players) = world.begun(json!({}), 2).await;
    let body = json!({ "turnId": "d1t1", "action": "explore", "freeText": "over the hills" });
    let acted = world.post(players[0].actor(), &opened.path("action"), body).await;
    assert_eq!(acted.status, 200, "{}", acted.text);
    let text = async |who| json!(world.log(who, &opened).await).to_string();
    for who in [Actor::Nobody, Actor::User("ann"), opened.actor(), players[1].actor()] {
        let seen = text(who).await;
        assert!(seen.contains("TRIBUTE_ACTION_SUBMITTED") && !seen.contains("over the hills"));
        assert!(!seen.contains("explore"), "{who:?}");
    }
    assert!(text(players[0].actor()).await.contains("over the hills"));
    world.advance(&opened).await;
    assert!(text(Actor::Nobody).await.contains("over the hills"));
}

#[tokio::test]
async fn rows_outside_the_log_are_not_returned() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let last = world.look(&opened).await["logSeq"].as_u64().unwrap();
    let orphan = json!({ "seq": last + 1, "timestamp": 1, "type": "GM_ANNOUNCEMENT",
        "data": { "text": "lost" }, "day": 1, "turn": 1, "visibility": "public" });
    let row = item! {
        "pk" => format!("match#{}", opened.id),
        "sk" => format!("log#{:06}", last + 1),
        "v" => orphan.to_string(),
    };
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    let seen = page(&world, &opened, "?limit=200").await;
    assert_eq!(numbers(&seen).last(), Some(&last));
    assert_eq!(seen["hasMore"], false);
    assert!(!seen.to_string().contains("lost"));
}

/// Writes a row of the log.
fn overwrite(world: &World, opened: &Opened, seq: u64, value: &str) {
    let row = item! {
        "pk" => format!("match#{}", opened.id),
        "sk" => format!("log#{seq:06}"),
        "v" => value,
    };
    world.database.put_item(PutItem::new(TABLE, row)).unwrap();
}

#[tokio::test]
async fn unreadable_rows_hide_no_others() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    for number in 0..6 {
        let body = json!({ "text": format!("word {number}") });
        world.host(&opened, "gm/announce", body).await;
    }
    let last = world.look(&opened).await["logSeq"].as_u64().unwrap();
    for seq in [1, 2, 3, 5, last] {
        overwrite(&world, &opened, seq, "{broken");
    }
    let readable: Vec<u64> = (1..last).filter(|seq| ![1, 2, 3, 5].contains(seq)).collect();
    for limit in [1, 2, 200] {
        let (mut all, mut seen, mut query) = (Vec::new(), Vec::new(), format!("?limit={limit}"));
        loop {
            let page = page(&world, &opened, &query).await;
            all.extend(numbers(&page));
            let items = page["items"].as_array().unwrap().iter();
            let readable = items.filter(|item| item.get("unreadable").is_none());
            seen.extend(readable.map(|item| item["seq"].as_u64().unwrap()));
            let Some(next) = page["nextToken"].as_str() else { break };
            query = format!("?limit={limit}&nextToken={next}");
        }
        assert_eq!(seen, readable, "limit {limit}");
        assert_eq!(all, (1..=last).collect::<Vec<_>>(), "limit {limit}: the others are reported");
    }
    let row = world.app.match_row(&opened.id.parse().unwrap()).await.unwrap();
    let events = all_events(&world.app, &row.state).await.unwrap();
    assert_eq!(events.iter().map(|event| u64::from(event.seq)).collect::<Vec<_>>(), readable);
    let two = events_after(&world.app, &row.state, 0, 2).await.unwrap();
    assert_eq!(two.iter().map(|event| event.seq).collect::<Vec<_>>(), [4, 6]);
}

#[tokio::test]
async fn events_of_other_programs_are_shown_without_their_details() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let other = json!({ "seq": 2, "timestamp": 17, "type": "TRIBUTE_JOINED",
        "data": { "secret": "words" }, "more": "words" });
    overwrite(&world, &opened, 2, &other.to_string());
    let seen = page(&world, &opened, "?after=1&limit=1").await;
    let shown = json!({ "seq": 2, "timestamp": 17, "type": "TRIBUTE_JOINED" });
    assert_eq!(seen["items"], json!([shown]));
}

#[tokio::test]
async fn days_that_are_over_have_a_story() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let told = async |day: &str| {
        world.get(Actor::Nobody, &opened.path(&format!("summary/{day}"))).await.outcome()
    };
    assert_eq!(told("1").await, "404 SUMMARY_NOT_FOUND");
    for day in ["x", "-1", "0", "1.5"] {
        assert_eq!(told(day).await, "400 VALIDATION", "{day}");
    }
    let broken = item! {
        "pk" => format!("match#{}", opened.id), "sk" => "summary#9", "v" => "{broken",
    };
    world.database.put_item(PutItem::new(TABLE, broken)).unwrap();
    assert_eq!(told("9").await, "404 SUMMARY_NOT_FOUND");
    for _ in 0..3 {
        world.advance(&opened).await;
    }
    let first = world.get(Actor::Nobody, &opened.path("summary/1")).await.json();
    assert_eq!(first["day"], 1);
    assert!(first["narration"].as_str().is_some_and(|text| text.len() > 10));
    let all = world.get(Actor::Nobody, &opened.path("summaries")).await.json();
    let expected =
        json!({ "items": [first], "nextToken": null, "hasMore": false, "unreadable": 1 });
    assert_eq!(all, expected);
}

#[tokio::test]
async fn stories_of_days_come_in_the_order_of_days() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let match_id: MatchId = opened.id.parse().unwrap();
    for day in [1, 10, 11, 2, 9] {
        let story = json!({ "day": day, "narration": "It rains.", "deaths": [], "highlights": [],
            "aliveCount": 3, "tokensUsed": 0 });
        let row = item! {
            "pk" => format!("match#{match_id}"),
            "sk" => format!("summary#{day}"),
            "v" => story.to_string(),
        };
        world.database.put_item(PutItem::new(TABLE, row)).unwrap();
    }
    let all = world.get(Actor::Nobody, &opened.path("summaries")).await.json();
    let days: Vec<_> =
        all["items"].as_array().unwrap().iter().map(|one| one["day"].as_u64().unwrap()).collect();
    assert_eq!(days, [1, 2, 9, 10, 11]);
}

#[tokio::test]
async fn different_views_have_different_etags() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let bob = world.join(&opened, "Bob").await;
    let path = format!("/match/{}", opened.id);
    let see = async |who, known: &str| {
        let headers = [("if-none-match", known)];
        let seen = world.request(who, Method::GET, &path, Value::Null, &headers).await;
        (seen.status, seen.headers["etag"].to_str().unwrap().to_owned(), seen.text)
    };
    let (_, of_host, host_view) = see(opened.actor(), "").await;
    let (_, of_bob, bob_view) = see(bob.actor(), "").await;
    let (_, of_nobody, view) = see(Actor::Nobody, "").await;
    assert!(host_view != bob_view && bob_view != view);
    assert!(of_host != of_bob && of_bob != of_nobody);
    assert!(of_host.starts_with("\"2-") && of_bob.starts_with("\"2-"), "{of_host}");
    assert_eq!(see(bob.actor(), &of_bob).await.0, 304);
    assert_eq!(see(bob.actor(), &of_nobody).await.0, 200);
    // Each of them names the version for a write.
    let add = async |tag: &str| {
        let headers = [("if-match", tag)];
        world
            .request(opened.actor(), Method::POST, &opened.path("ai"), json!({}), &headers)
            .await
            .outcome()
    };
    assert_eq!(add(&of_host).await, "201 -");
    assert_eq!(add(&of_host).await, "412 PRECONDITION_FAILED");
}

#[test]
fn the_document_names_the_codes_and_tokens_of_the_service() {
    let document = monotable_btl_run::service().openapi();
    let responses = &document["paths"]["/match/{id}/join"]["post"]["responses"];
    for (status, code) in [("401", "INVALID_TOKEN"), ("429", "RATE_LIMIT")] {
        let examples = &responses[status]["content"]["application/json"]["examples"];
        assert_eq!(examples[code]["value"]["code"], code, "{examples}");
        assert_eq!(examples.as_object().unwrap().len(), 1, "{examples}");
    }
    let text = document.to_string();
    assert!(!text.contains("UNAUTHENTICATED") && !text.contains("RATE_LIMITED"));
    assert!(document["components"]["schemas"]["Problem"]["properties"]["details"].is_object());
    assert!(document["components"]["securitySchemes"]["matchToken"].is_object());
    for path in ["/health", "/ready"] {
        assert!(document["paths"][path]["get"].is_object(), "{path}");
    }
}

/// Whoever shows a token wants to be somebody: they are not shown what strangers see.
#[tokio::test]
async fn a_wrong_token_is_refused_where_none_is_needed() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let path = format!("/match/{}", opened.id);
    assert_eq!(world.get(Actor::Nobody, &path).await.status, 200);
    let wrong = format!("btl1/host/{}/wrong", opened.id);
    for path in [path, opened.path("log")] {
        let refused = world.get(Actor::Token(&wrong), &path).await;
        assert_eq!(refused.outcome(), "401 INVALID_TOKEN", "{path}");
    }
}
