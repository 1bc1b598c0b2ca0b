//! Profiles and lists of matches, as their users see them.

use http::Method;
use serde_json::{Value, json};

use crate::players::Play as _;
use crate::world::{Actor, Response, World};

async fn put(world: &World, user: &str, body: Value, headers: &[(&str, &str)]) -> Response {
    world.request(Actor::User(user), Method::PUT, "/me", body, headers).await
}

#[tokio::test]
async fn a_profile_is_made_shown_and_changed_by_its_user() {
    let world = World::new().await;
    let (bob, me) = (Actor::User("bob"), "/me");
    assert_eq!(world.get(bob, me).await.outcome(), "404 PROFILE_NOT_FOUND");
    let made = put(&world, "bob", json!({ "displayName": " Bob ", "avatar": "fox" }), &[]).await;
    assert_eq!(made.status, 201);
    let profile = json!({
        "userId": "bob", "displayName": "Bob", "avatar": "fox",
        "stats": { "played": 0, "won": 0, "kills": 0 }, "createdAt": 1_800_000_000_000_i64,
    });
    assert_eq!(made.json(), profile);
    let shown = world.get(bob, me).await;
    assert_eq!((shown.json(), &shown.headers["etag"]), (profile, &made.headers["etag"]));
    let etag = shown.headers["etag"].to_str().unwrap();
    let changed = put(&world, "bob", json!({ "displayName": "Rob" }), &[("if-match", etag)]).await;
    assert_eq!((changed.status, &changed.json()["avatar"]), (200, &json!("fox")));
    let stale = put(&world, "bob", json!({ "displayName": "Tob" }), &[("if-match", etag)]).await;
    assert_eq!(stale.outcome(), "412 PRECONDITION_FAILED");
    let picture = json!({ "displayName": "Rob", "avatar": "https://x.example/fox.png?size=2" });
    assert_eq!(put(&world, "bob", picture, &[]).await.status, 200);
    let bare = put(&world, "bob", json!({ "displayName": "Rob", "avatar": null }), &[]).await;
    assert_eq!(bare.json().get("avatar"), None);
    let stale = world.request(bob, Method::DELETE, me, Value::Null, &[("if-match", etag)]).await;
    assert_eq!(stale.outcome(), "412 PRECONDITION_FAILED");
    assert_eq!(world.get(Actor::User("ann"), me).await.outcome(), "404 PROFILE_NOT_FOUND");
}

#[tokio::test]
async fn invalid_profiles_are_refused() {
    let world = World::new().await;
    for (body, told) in [
        (json!({}), "400 VALIDATION"),
        (json!({ "displayName": "" }), "400 VALIDATION"),
        (json!({ "displayName": "  " }), "400 VALIDATION"),
        (json!({ "displayName": "x".repeat(31) }), "400 VALIDATION"),
        (json!({ "displayName": "a\u{7}b" }), "400 VALIDATION"),
        (json!({ "displayName": "Bob", "avatar": "javascript:alert(1)" }), "400 VALIDATION"),
        (json!({ "displayName": "Bob", "avatar": "data:image/svg+xml,x" }), "400 VALIDATION"),
        (json!({ "displayName": "Bob", "avatar": "//x.example/a.png" }), "400 VALIDATION"),
        (json!({ "displayName": "Bob", "avatar": "https://x.example/\"a" }), "400 VALIDATION"),
        (json!({ "displayName": "Bob", "stats": { "won": 9 } }), "400 READ_ONLY_FIELD"),
        (json!({ "displayName": "Bob", "admin": true }), "400 UNKNOWN_FIELD"),
    ] {
        assert_eq!(put(&world, "bob", body.clone(), &[]).await.outcome(), told, "{body}");
    }
    assert_eq!(world.get(Actor::Nobody, "/me").await.outcome(), "401 INVALID_TOKEN");
    let opened = world.open_match(json!({})).await;
    assert_eq!(world.get(opened.actor(), "/me").await.outcome(), "403 USER_REQUIRED");
    assert_eq!(world.get(opened.actor(), "/me/matches").await.outcome(), "403 USER_REQUIRED");
}

#[tokio::test]
async fn a_repeated_request_gets_the_stored_response() {
    let world = World::new().await;
    let once = [("idempotency-key", "once")];
    let first = put(&world, "bob", json!({ "displayName": "Bob" }), &once).await;
    let again = put(&world, "bob", json!({ "displayName": "Bob" }), &once).await;
    assert_eq!((first.status, first.json()), (again.status, again.json()));
    let other = put(&world, "bob", json!({ "displayName": "Rob" }), &once).await;
    assert_eq!(other.outcome(), "409 IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn matches_are_listed_newest_first_page_by_page() {
    let world = World::new().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        world.clock.advance_ms(1);
        ids.insert(0, world.open_match(json!({})).await);
    }
    world.join_as(Actor::User("bob"), &ids[2], "Bob").await;
    let left = world.join_as(Actor::User("bob"), &ids[1], "Bob").await;
    world.remove(left.actor(), &ids[1], &left.tribute).await;
    world.join_as(Actor::User("ann"), &ids[0], "Ann").await;
    let list = async |user, query: &str| {
        world.get(Actor::User(user), &format!("/me/matches{query}")).await
    };
    let all = list("ann", "").await.json();
    let items = all["items"].as_array().unwrap();
    assert!(items.iter().map(|item| &item["matchId"]).eq(ids.iter().map(|one| one.id.as_str())));
    let roles: Vec<_> = items.iter().map(|item| item["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["host_and_player", "host", "host"]);
    assert_eq!((&all["nextToken"], &all["hasMore"]), (&json!(null), &json!(false)));
    assert_eq!((&items[0]["status"], &items[0]["mode"]), (&json!("lobby"), &json!("quick")));
    let of_bob = list("bob", "").await.json();
    let of_bob: Vec<_> = of_bob["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["role"].as_str().unwrap())
        .collect();
    assert_eq!(of_bob, ["left", "player"]);
    let page = list("ann", "?limit=2").await.json();
    assert_eq!((page["items"].as_array().unwrap().len(), &page["hasMore"]), (2, &json!(true)));
    let token = page["nextToken"].as_str().unwrap();
    let rest = list("ann", &format!("?limit=2&nextToken={token}")).await.json();
    assert_eq!(rest["items"][0]["matchId"], ids[2].id);
    assert_eq!((rest["items"].as_array().unwrap().len(), &rest["hasMore"]), (1, &json!(false)));
    let stolen = list("bob", &format!("?limit=2&nextToken={token}")).await;
    assert_eq!(stolen.outcome(), "400 INVALID_CURSOR");
}
