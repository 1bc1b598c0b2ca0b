//! The key-value interface: who may do what to which rows, and what versions are worth.

use std::sync::Arc;

use http::Method;
use monotable::model::backend::Embedded;
use monotable_kit::{Metrics, State as _};
use monotable_testkit::failing::Failing;
use serde_json::{Value, json};

use crate::players::Play as _;
use crate::world::{Actor, Response, World};

const READER: Actor<'_> = Actor::User("kv:read");
const WRITER: Actor<'_> = Actor::User("kv:write");
const ADMIN: Actor<'_> = Actor::User("kv:admin");
const THEME: &str = "/kv/settings%23u1/theme";

async fn ask(world: &World, who: Actor<'_>, method: Method, path: &str, body: Value) -> Response {
    world.request(who, method, path, body, &[]).await
}

async fn ask_with(world: &World, method: Method, body: Value, if_match: &str) -> String {
    let answer = world.request(WRITER, method, THEME, body, &[("if-match", if_match)]).await;
    answer.outcome()
}

fn etag(answer: &Response) -> &str {
    answer.headers["etag"].to_str().unwrap()
}

#[tokio::test]
async fn a_value_is_created_read_replaced_merged_and_removed() {
    let world = World::new().await;
    assert_eq!(world.get(READER, THEME).await.outcome(), "404 NOT_FOUND");
    let created = ask(&world, WRITER, Method::POST, THEME, json!({ "a": 1, "b": [2] })).await;
    assert_eq!((created.status, etag(&created)), (201, "\"1\""));
    assert_eq!(created.json(), json!({ "success": true, "version": 1 }));
    let again = ask(&world, WRITER, Method::POST, THEME, json!(2)).await;
    assert_eq!(again.outcome(), "409 CONFLICT");

    let read = world.get(READER, THEME).await;
    assert_eq!((etag(&read), read.json()), ("\"1\"", json!({ "a": 1, "b": [2] })));

    let put = ask(&world, WRITER, Method::PUT, THEME, json!({ "a": 2, "c": 3 })).await;
    assert_eq!((put.status, etag(&put)), (200, "\"2\""));
    let merged = ask(&world, WRITER, Method::PATCH, THEME, json!({ "a": { "x": 1 } })).await;
    assert_eq!((merged.status, etag(&merged)), (200, "\"3\""));
    let read = world.get(READER, THEME).await;
    assert_eq!(read.json(), json!({ "a": { "x": 1 }, "c": 3 }), "fields are replaced, not merged");

    let removed = ask(&world, WRITER, Method::DELETE, THEME, Value::Null).await;
    assert_eq!((removed.status, removed.json()), (200, json!({ "success": true })));
    assert_eq!(world.get(READER, THEME).await.outcome(), "404 NOT_FOUND");
    let gone = ask(&world, WRITER, Method::PATCH, THEME, json!({})).await;
    assert_eq!(gone.outcome(), "404 NOT_FOUND");
    assert_eq!(ask(&world, WRITER, Method::DELETE, THEME, Value::Null).await.status, 200);
}

#[tokio::test]
async fn if_match_decides_for_every_write() {
    let world = World::new().await;
    assert_eq!(ask_with(&world, Method::PUT, json!(1), "\"1\"").await, "412 PRECONDITION_FAILED");
    assert_eq!(
        ask_with(&world, Method::DELETE, Value::Null, "\"1\"").await,
        "412 PRECONDITION_FAILED"
    );
    ask(&world, WRITER, Method::PUT, THEME, json!({ "a": 1 })).await;
    for (method, body) in
        [(Method::PUT, json!(2)), (Method::PATCH, json!({ "b": 2 })), (Method::DELETE, Value::Null)]
    {
        let told = ask_with(&world, method.clone(), body.clone(), "\"2\"").await;
        assert_eq!(told, "412 PRECONDITION_FAILED", "{method}");
        let told = ask_with(&world, method.clone(), body, "\"0\"").await;
        assert_eq!(told, "412 PRECONDITION_FAILED", "{method}");
    }
    assert_eq!(world.get(READER, THEME).await.json(), json!({ "a": 1 }));
    assert_eq!(ask_with(&world, Method::PUT, json!({ "a": 2 }), "\"1\"").await, "200 -");
    assert_eq!(ask_with(&world, Method::PATCH, json!({ "b": 3 }), "\"2\"").await, "200 -");
    assert_eq!(world.get(READER, THEME).await.json(), json!({ "a": 2, "b": 3 }));
    assert_eq!(ask_with(&world, Method::DELETE, Value::Null, "\"3\"").await, "200 -");
    let refused =
        world.request(WRITER, Method::POST, THEME, json!(1), &[("if-match", "\"1\"")]).await;
    assert_eq!(refused.outcome(), "400 VALIDATION", "a creation has nothing to compare with");
}

/// Returns the answers to several requests of which each has read before any has written.
async fn at_once(world: &Arc<World>, method: Method, count: usize) -> Vec<u16> {
    let tasks: Vec<_> = (0..count)
        .map(|number| {
            let (world, method) = (Arc::clone(world), method.clone());
            let body = json!({ format!("field{number}"): number });
            tokio::spawn(async move { ask(&world, WRITER, method, THEME, body).await.status })
        })
        .collect();
    let mut statuses = Vec::new();
    for task in tasks {
        statuses.push(task.await.unwrap());
    }
    statuses.sort_unstable();
    statuses
}

#[tokio::test(start_paused = true)]
async fn of_many_creations_one_wins_and_no_merge_is_lost() {
    let first = World::new().await;
    let backend = Failing::never(&Embedded::new(first.database.clone())).polite();
    let world = Arc::new(first.over(backend).await);
    assert_eq!(at_once(&world, Method::POST, 4).await, [201, 409, 409, 409]);
    assert_eq!(at_once(&world, Method::PATCH, 4).await, [200; 4]);
    let value = world.get(READER, THEME).await.json();
    assert_eq!(value.as_object().unwrap().len(), 4, "{value}");
}

#[tokio::test]
async fn roles_decide_access_to_rows() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    ask(&world, WRITER, Method::PUT, THEME, json!(1)).await;
    let writes = [
        (Method::POST, json!(1)),
        (Method::PUT, json!(1)),
        (Method::PATCH, json!({})),
        (Method::DELETE, Value::Null),
    ];
    for who in [Actor::Nobody, Actor::User("ann"), Actor::Token(&opened.host), READER] {
        for (method, body) in &writes {
            for path in [THEME, "/kv1/settings"] {
                let answer = ask(&world, who, method.clone(), path, body.clone()).await;
                let expected = match who {
                    Actor::Nobody => "401 INVALID_TOKEN",
                    _ => "403 KV_ROLE_REQUIRED",
                };
                assert_eq!(answer.outcome(), expected, "{who:?} {method} {path}");
            }
        }
    }
    for who in [Actor::Nobody, Actor::User("ann"), Actor::Token(&opened.host), WRITER] {
        for path in [THEME, "/kv/settings%23u1", "/kv1/settings"] {
            assert!(world.get(who, path).await.status / 100 == 4, "{who:?} {path}");
        }
    }
    for who in [READER, ADMIN] {
        assert_eq!(world.get(who, THEME).await.status, 200);
        assert_eq!(world.get(who, "/kv/settings%23u1").await.status, 200);
    }
    assert_eq!(ask(&world, ADMIN, Method::PUT, THEME, json!(2)).await.status, 200);
}

#[tokio::test]
async fn rows_of_the_game_are_written_by_admins_alone() {
    let world = World::new().await;
    for prefix in ["match", "invite", "user", "rate", "lock", "idem", "budget", "due", "task"] {
        let path = format!("/kv/{prefix}%23x/some");
        for (method, body) in [
            (Method::POST, json!(1)),
            (Method::PUT, json!(1)),
            (Method::PATCH, json!({})),
            (Method::DELETE, Value::Null),
        ] {
            let answer = ask(&world, WRITER, method.clone(), &path, body).await;
            assert_eq!(answer.outcome(), "403 KV_ROLE_REQUIRED", "{method} {path}");
        }
        assert_eq!(ask(&world, ADMIN, Method::POST, &path, json!(1)).await.status, 201, "{path}");
    }
}

#[tokio::test]
async fn secrets_are_read_by_admins_alone() {
    let world = World::new().await;
    let opened = world.open_match(json!({})).await;
    let pk = format!("match%23{}", opened.id);
    let message = json!({ "text": "psst" });
    ask(&world, ADMIN, Method::PUT, &format!("/kv/{pk}/ally%23a%23000001"), message).await;
    let private = [
        format!("/kv/{pk}/secret"),
        format!("/kv/{pk}/ally%23a%23000001"),
        format!("/kv/{pk}/state"),
        format!("/kv/{pk}/log%23000001"),
        "/kv/user%23ann/lobbies".to_owned(),
        "/kv/idem%23user:ann/key-0".to_owned(),
        "/kv/idem%23user:ann".to_owned(),
        "/kv/lock%23match%23m1/v".to_owned(),
        "/kv/lock%23match%23m1".to_owned(),
    ];
    for path in &private {
        assert_eq!(world.get(READER, path).await.outcome(), "403 KV_ROLE_REQUIRED", "{path}");
        assert_ne!(world.get(ADMIN, path).await.status, 403, "{path}");
    }
    assert!(world.get(ADMIN, &private[0]).await.text.contains("tokenHashes"));
    assert_eq!(world.get(ADMIN, &private[5]).await.status, 200);

    let sorts = |answer: Response| -> Vec<String> {
        let items = answer.json()["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["sk"].as_str().unwrap().to_owned()).collect()
    };
    let path = format!("/kv/{pk}");
    let summary = json!({ "day": 1, "narration": "Nothing happens." });
    ask(&world, ADMIN, Method::PUT, &format!("/kv/{pk}/summary%231"), summary).await;
    assert_eq!(sorts(world.get(READER, &path).await), ["summary#1"]);
    let all = sorts(world.get(ADMIN, &path).await);
    assert_eq!(all, ["ally#a#000001", "log#000001", "secret", "state", "summary#1"]);
    let asked_for = world.get(READER, &format!("/kv/{pk}?prefix=secret")).await;
    assert_eq!(sorts(asked_for), [""; 0]);
}

#[tokio::test]
async fn nothing_of_it_is_for_browsers() {
    let world = World::new().await;
    for header in [("origin", "https://app.example.org"), ("sec-fetch-site", "same-origin")] {
        for (method, path) in [
            (Method::GET, THEME),
            (Method::PUT, THEME),
            (Method::GET, "/kv/settings%23u1"),
            (Method::GET, "/kv1/settings"),
            (Method::DELETE, "/kv1/settings"),
        ] {
            let answer = world.request(ADMIN, method.clone(), path, Value::Null, &[header]).await;
            assert_eq!(answer.outcome(), "403 NOT_FROM_BROWSERS", "{method} {path} {header:?}");
        }
    }
}

#[tokio::test]
async fn keys_of_one_part_are_kept_as_the_older_service_kept_them() {
    let world = World::new().await;
    let path = "/kv1/user:john.a_b-1";
    assert_eq!(ask(&world, WRITER, Method::PUT, path, json!({ "score": 1 })).await.status, 200);
    assert_eq!(world.get(READER, path).await.json(), json!({ "score": 1 }));
    assert_eq!(world.get(READER, "/kv/user:john.a_b-1/v0").await.json(), json!({ "score": 1 }));
    let row = world.rows().into_iter().next().unwrap();
    assert_eq!((row["pk"].as_s(), row["sk"].as_s()), (Some("user:john.a_b-1"), Some("v0")));
    let long = "x".repeat(513);
    for bad in ["match%23m1", "a%20b", "%C3%A4", long.as_str()] {
        let answer = world.get(ADMIN, &format!("/kv1/{bad}")).await;
        assert_eq!(answer.outcome(), "400 VALIDATION", "{bad}");
    }
}

#[tokio::test]
async fn parts_of_keys_are_percent_encoded() {
    let world = World::new().await;
    let path = "/kv/a%2Fb%20c%23%C3%A4/%25%3F";
    assert_eq!(ask(&world, WRITER, Method::PUT, path, json!("x")).await.status, 200);
    let row = world.rows().into_iter().next().unwrap();
    assert_eq!((row["pk"].as_s(), row["sk"].as_s()), (Some("a/b c#ä"), Some("%?")));
    for bad in ["/kv/a%0A/b", "/kv/a/%00", "/kv/%20a/b", "/kv/%FF/b"] {
        assert_eq!(world.get(ADMIN, bad).await.outcome(), "400 VALIDATION", "{bad}");
    }
}

#[tokio::test]
async fn a_partition_is_read_in_pages_whose_tokens_are_good_for_it_alone() {
    let world = World::new().await;
    for number in 1..=5 {
        let path = format!("/kv/list%23a/item%23{number}");
        ask(&world, WRITER, Method::PUT, &path, json!({ "n": number })).await;
    }
    ask(&world, WRITER, Method::PUT, "/kv/list%23a/other", json!(0)).await;
    let numbers = |answer: &Response| -> Vec<Value> {
        let items = answer.json()["items"].as_array().unwrap().clone();
        items.iter().map(|item| item["value"]["n"].clone()).collect()
    };
    let first = world.get(READER, "/kv/list%23a?prefix=item%23&limit=2").await;
    assert_eq!(
        (numbers(&first), first.json()["hasMore"].clone()),
        (vec![json!(1), json!(2)], json!(true))
    );
    let shown = first.json()["items"][0].clone();
    let expected = json!({
        "sk": "item#1", "value": { "n": 1 }, "version": 1, "contentType": "application/json",
    });
    assert_eq!(shown, expected);
    let token = first.json()["nextToken"].as_str().unwrap().to_owned();
    let second =
        world.get(READER, &format!("/kv/list%23a?prefix=item%23&limit=3&nextToken={token}")).await;
    assert_eq!(numbers(&second), [json!(3), json!(4), json!(5)]);
    assert_eq!(second.json()["hasMore"], json!(false));
    assert_eq!(second.json().get("nextToken"), None);

    let range = world.get(READER, "/kv/list%23a?from=item%232&to=item%234").await;
    assert_eq!(numbers(&range), [json!(2), json!(3), json!(4)], "both ends are included");
    let (kept, last) = token.split_at(token.len() - 1);
    let altered = format!("{kept}{}", if last == "A" { "B" } else { "A" });
    for (query, expected) in [
        (format!("prefix=item%23&nextToken={altered}"), "400 INVALID_CURSOR"),
        (format!("prefix=o&nextToken={token}"), "400 INVALID_CURSOR"),
        (format!("nextToken={token}"), "400 INVALID_CURSOR"),
        ("prefix=a&from=b&to=c".to_owned(), "400 VALIDATION"),
        ("from=b".to_owned(), "400 VALIDATION"),
        ("to=b".to_owned(), "400 VALIDATION"),
        ("limit=101".to_owned(), "400 VALIDATION"),
    ] {
        let answer = world.get(READER, &format!("/kv/list%23a?{query}")).await;
        assert_eq!(answer.outcome(), expected, "{query}");
    }
    let elsewhere =
        world.get(READER, &format!("/kv/list%23b?prefix=item%23&nextToken={token}")).await;
    assert_eq!(elsewhere.outcome(), "400 INVALID_CURSOR");
}

#[tokio::test]
async fn an_expiry_is_set_kept_and_taken_away() {
    let world = World::new().await;
    let now = (crate::world::START_MS / 1000) as i64;
    let ttl = |world: &World| world.rows()[0].get("ttl").and_then(|ttl| ttl.as_n()?.to_i64());
    let path = |ttl: i64| format!("{THEME}?ttl={ttl}");
    assert_eq!(ask(&world, WRITER, Method::POST, &path(now + 60), json!({})).await.status, 201);
    assert_eq!(ttl(&world), Some(now + 60));
    ask(&world, WRITER, Method::PUT, THEME, json!({})).await;
    ask(&world, WRITER, Method::PATCH, THEME, json!({ "a": 1 })).await;
    assert_eq!(ttl(&world), Some(now + 60), "it stays unless it is changed");
    ask(&world, WRITER, Method::PATCH, &path(now + 90), json!({ "a": 1 })).await;
    assert_eq!(ttl(&world), Some(now + 90));
    let past = ask(&world, WRITER, Method::PUT, &path(now), json!({})).await;
    assert_eq!(past.outcome(), "400 VALIDATION");
    world.clock.advance_ms(90_000);
    assert_eq!(world.get(READER, THEME).await.outcome(), "404 NOT_FOUND");
    let again = ask(&world, WRITER, Method::POST, THEME, json!({})).await;
    assert_eq!((again.status, etag(&again)), (201, "\"1\""));
    assert_eq!(ttl(&world), None);
    ask(&world, WRITER, Method::PUT, &path(now + 200), json!({})).await;
    ask(&world, WRITER, Method::PUT, &path(0), json!({})).await;
    assert_eq!(ttl(&world), None);
}

#[tokio::test]
async fn sizes_are_bounded_and_large_rows_are_reported() {
    let world = World::new().await;
    let mut random = 7_u64;
    let mut noise = |characters: usize| -> String {
        (0..characters)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                char::from(b'#' + (random >> 58) as u8)
            })
            .collect()
    };
    let small = ask(&world, WRITER, Method::PUT, THEME, json!(noise(50_000))).await;
    assert_eq!((small.status, small.json().get("warning")), (200, None));
    let large = ask(&world, WRITER, Method::PUT, THEME, json!(noise(200_000))).await;
    assert_eq!(large.status, 200);
    assert!(large.json()["warning"].as_str().unwrap().contains("100 KB"));
    let metrics = Metrics::new("btl-run");
    world.app.measure(&metrics);
    assert!(metrics.text().contains("\nbtl_run_large_rows_total{service=\"btl-run\"} 1\n"));
    let body = ask(&world, WRITER, Method::PUT, THEME, json!("x".repeat(256 * 1024))).await;
    assert_eq!(body.status, 413, "{}", body.text);

    for (field, expected) in [("a", "200 -"), ("b", "200 -"), ("c", "413 VALUE_TOO_LARGE")] {
        let path = "/kv/large/value";
        if field == "a" {
            ask(&world, WRITER, Method::PUT, path, json!({})).await;
        }
        let merged =
            ask(&world, WRITER, Method::PATCH, path, json!({ field: noise(200_000) })).await;
        assert_eq!(merged.outcome(), expected, "{field}");
    }
}

#[tokio::test]
async fn a_repeated_creation_gets_the_first_response() {
    let world = World::new().await;
    let create = async |path: &str, key: &str| {
        let headers = [("idempotency-key", key)];
        world.request(WRITER, Method::POST, path, json!({ "a": 1 }), &headers).await
    };
    let (first, again) = (create(THEME, "k1").await, create(THEME, "k1").await);
    assert_eq!((first.status, &first.text), (201, &again.text));
    assert_eq!(again.headers["idempotent-replay"], "true");
    assert_eq!(create(THEME, "k2").await.outcome(), "409 CONFLICT");
    let other = format!("{THEME}?ttl=1900000000");
    assert_eq!(create(&other, "k1").await.outcome(), "409 IDEMPOTENCY_KEY_REUSED");
}
