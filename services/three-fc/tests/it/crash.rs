//! The process is killed at every storage call of a command and of the work behind it.

use monotable_testkit::service::{Act, Crash};
use monotable_three_fc::table::{GameStatus, ThreeFcReads as _};
use serde_json::{Value, json};

use crate::world::{Setup as _, World, done};

async fn kill(world: &World, user: &str, route: &str, body: Value) {
    Crash::of(world).at_every_call(Act::request(user, route, &body)).await;
}

#[tokio::test]
async fn making_leagues_seasons_teams_and_sessions_survives() {
    let world = World::league().await;
    kill(&world, "zoe", "POST /v1/leagues", json!({ "name": "Three", "slug": "three" })).await;
    kill(&world, "new", "POST /v1/leagues", json!({ "leagueId": "l3", "name": "Three" })).await;
    kill(&world, "ann", "PATCH /v1/leagues/l1", json!({ "slug": "uno" })).await;
    let season = json!({ "seasonId": "s2", "name": "Winter", "slug": "winter" });
    kill(&world, "ann", "POST /v1/leagues/l1/seasons", season).await;
    kill(&world, "ann", "PATCH /v1/seasons/s1", json!({ "name": "Spring", "slug": "spring" }))
        .await;
    kill(&world, "ann", "POST /v1/seasons/s1/teams", json!({ "name": "Green" })).await;
    kill(&world, "ann", "DELETE /v1/seasons/s1/teams/red", Value::Null).await;
    let session = json!({ "sessionId": "x2", "sessionDate": "2027-01-22" });
    kill(&world, "sam", "POST /v1/seasons/s1/sessions", session).await;
}

#[tokio::test]
async fn deleting_sessions_seasons_and_leagues_survives() {
    let world = World::league().await;
    kill(&world, "ann", "DELETE /v1/sessions/x1", Value::Null).await;
    done(world.delete("ann", "/v1/sessions/x1").await, 204);
    kill(&world, "ann", "DELETE /v1/seasons/s1", Value::Null).await;
    done(world.delete("ann", "/v1/seasons/s1").await, 204);
    kill(&world, "ann", "DELETE /v1/leagues/l1", Value::Null).await;
}

#[tokio::test]
async fn changes_of_roles_survive() {
    let world = World::league().await;
    kill(&world, "ann", "PUT /v1/leagues/l1/acl/zoe", json!({ "role": "admin" })).await;
    kill(&world, "ann", "PUT /v1/leagues/l1/acl/sam", json!({ "role": "viewer" })).await;
    kill(&world, "ann", "DELETE /v1/leagues/l1/acl/vic", Value::Null).await;
}

#[tokio::test]
async fn players_who_join_and_claims_survive() {
    let world = World::league().await;
    world.game("g1", GameStatus::Scheduled).await;
    kill(&world, "sam", "POST /v1/games/g1/join-code", Value::Null).await;
    let code = done(world.post("sam", "/v1/games/g1/join-code", Value::Null).await, 201);
    let code = code["code"].as_str().unwrap();
    let join = format!("POST /v1/join/{code}");
    kill(&world, "", &join, json!({ "nickname": "Guest" })).await;
    kill(&world, "new", &join, json!({ "nickname": "New", "claim": true })).await;
    let player = json!({ "leagueId": "l1", "playerId": "p1", "nickname": "Ada" });
    kill(&world, "sam", "POST /v1/players", player.clone()).await;
    done(world.post("sam", "/v1/players", player).await, 201);
    kill(&world, "zoe", "POST /v1/players/p1/claim", json!({ "code": code })).await;
    kill(&world, "sam", "PATCH /v1/players/p1", json!({ "nickname": "Ada L." })).await;
    let picture = "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==";
    let picture = json!({ "picture": picture });
    kill(&world, "sam", "PUT /v1/players/p1/avatar", picture.clone()).await;
    done(world.put("sam", "/v1/players/p1/avatar", picture.clone()).await, 200);
    kill(&world, "sam", "PUT /v1/players/p1/avatar", picture).await;
    kill(&world, "sam", "DELETE /v1/players/p1/avatar", Value::Null).await;
    kill(&world, "ann", "POST /v1/players/p1/anonymise", Value::Null).await;
}

#[tokio::test]
async fn an_account_that_is_deleted_is_erased_whatever_happens() {
    let world = World::league().await;
    world.game("g1", GameStatus::Scheduled).await;
    let code = done(world.post("sam", "/v1/games/g1/join-code", Value::Null).await, 201);
    let join = format!("/v1/join/{}", code["code"].as_str().unwrap());
    done(world.post("zoe", &join, json!({ "nickname": "Z", "claim": true })).await, 201);
    done(world.put("eve", "/v1/leagues/l2/acl/zoe", json!({ "role": "admin" })).await, 200);
    done(world.put("zoe", "/v1/leagues/l2/acl/vic", json!({ "role": "viewer" })).await, 200);
    done(world.delete("zoe", "/v1/me").await, 204);
    assert!(!world.app.db.job_tickets().page().await.unwrap().rows.is_empty());
    Crash::of(&world).at_every_call(Act::Work).await;
}
