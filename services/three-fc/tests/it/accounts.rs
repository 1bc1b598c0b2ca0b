//! Accounts, and what is left of one that was deleted.

use monotable_three_fc::table::{GameStatus, ThreeFcReads as _};
use serde_json::{Value, json};

use crate::world::{Setup as _, World, done, id};

#[tokio::test]
async fn an_address_belongs_to_one_account() {
    let world = World::league().await;
    assert_eq!(done(world.get("zoe", "/v1/me").await, 200)["email"], "zoe@example.org");
    assert!(world.has("EMAIL#zoe@example.org", "UNIQUE"));
    // Another subject with the same address has an account without it.
    let mut other =
        <crate::world::Football as monotable_testkit::service::Subject>::principal("zoe");
    other.id = "zoe2".to_owned();
    let get = http::Method::GET;
    let second = world.request_as(Some(&other), get, "/v1/me", Value::Null, &[]).await;
    let second = done(second, 200);
    assert_eq!((&second["userId"], second.get("email")), (&json!("zoe2"), None));
}

#[tokio::test]
async fn a_deleted_account_leaves_nothing_that_names_the_user() {
    let world = World::league().await;
    world.game("g1", GameStatus::Scheduled).await;
    let code = done(world.post("sam", "/v1/games/g1/join-code", Value::Null).await, 201);
    let path = format!("/v1/join/{}", code["code"].as_str().unwrap());
    let joined =
        done(world.post("zoe", &path, json!({ "nickname": "Z", "claim": true })).await, 201);
    done(world.put("eve", "/v1/leagues/l2/acl/zoe", json!({ "role": "admin" })).await, 200);
    done(world.put("ann", "/v1/leagues/l1/acl/zoe", json!({ "role": "viewer" })).await, 200);
    done(world.put("zoe", "/v1/leagues/l2/acl/vic", json!({ "role": "viewer" })).await, 200);

    assert_eq!(world.delete("ann", "/v1/me").await.outcome(), "409 last_admin");
    done(world.delete("zoe", "/v1/me").await, 204);
    assert_eq!(world.get("zoe", "/v1/me").await.outcome(), "401 unauthorized");
    assert_eq!(world.get("zoe", "/v1/leagues/l2").await.outcome(), "403 league_access_required");
    world.finish_work("an erasure").await;
    world.check_quiet("an erasure").await;
    let player = world.app.db.player(&id(joined["playerId"].as_str().unwrap())).await.unwrap();
    assert_eq!(player.unwrap().claimed_by_user_id, None);
    let league = world.app.db.league(&id("l2")).await.unwrap().unwrap();
    assert_eq!(league.admin_count, Some(1));
    let rows = world.stored();
    assert!(!rows.iter().any(|row| row.contains("zoe@")), "no address is left");
    let named = |name: &str| rows.iter().filter(|row| row.contains(name)).count();
    assert_eq!((named("ACL#USER#zoe"), named(r#"actor\":\"zoe"#)), (0, 0));
    assert_eq!(named("USER#zoe\""), 1, "that the account was deleted");
    let lines = done(world.get("eve", "/v1/leagues/l2/audit").await, 200);
    let actors: Vec<_> =
        lines["entries"].as_array().unwrap().iter().map(|line| &line["actor"]).collect();
    assert!(
        actors.contains(&&json!("deleted-user")) && actors.contains(&&json!("eve")),
        "{actors:?}"
    );
    // Nobody gives the account anything any more, and it comes back by no request.
    let refused = world.put("eve", "/v1/leagues/l2/acl/zoe", json!({ "role": "viewer" })).await;
    assert_eq!(refused.outcome(), "404 not_found");
    assert_eq!(
        world.post("zoe", "/v1/leagues", json!({ "name": "Z" })).await.outcome(),
        "401 unauthorized"
    );
}

#[tokio::test]
async fn the_only_member_of_a_league_may_go() {
    let world = World::league().await;
    done(world.delete("eve", "/v1/me").await, 204);
    world.finish_work("an erasure").await;
    let league = world.app.db.league(&id("l2")).await.unwrap().unwrap();
    assert_eq!(league.admin_count, Some(0));
    world.check_quiet("a league without members").await;
}
