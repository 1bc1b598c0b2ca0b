//! What everybody can see, and that it is nobody's address.

use http_body_util::BodyExt as _;
use monotable_three_fc::table::ThreeFcReads as _;
use serde_json::{Value, json};

use crate::matchday::MatchDay as _;
use crate::world::{World, id};

/// Asks everything public about the season and a game.
async fn look_at_everything(world: &World, game: &str) {
    let season = "GET /v1/public/seasons/s1";
    for path in [
        "GET /v1/public/leagues".to_owned(),
        "GET /v1/public/leagues/lg/seasons".to_owned(),
        "GET /v1/public/leagues/triangle/seasons".to_owned(),
        format!("GET /v1/public/resolve/triangle/summer/{game}"),
        format!("GET /v1/public/games/{game}"),
        format!("GET /v1/public/games/{game}/timeline"),
        format!("{season}/games"),
        format!("{season}/standings"),
        format!("{season}/leaderboards/players"),
        format!("{season}/head-to-head"),
        format!("{season}/assist-network"),
    ] {
        let before = world.traffic.exchanges().len();
        world.done("", &path, Value::Null).await;
        for exchange in &world.traffic.exchanges()[before..] {
            let text = &exchange.text;
            for secret in
                ["@", "ann", "sam", "vic", "user-of-", "recordedBy", "createdBy", "UserId"]
            {
                assert!(!text.contains(secret), "{path} contains {secret}: {text}");
            }
        }
    }
}

#[tokio::test]
async fn public_responses_contain_no_address_and_no_user() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    look_at_everything(&world, &game).await;
    let goal = world.goal(&game, "red>blue", 1, 3).await;
    world.goal(&game, ">red", 1, 4).await;
    look_at_everything(&world, &game).await;
    world.finish(&game).await;
    look_at_everything(&world, &game).await;
    let path = format!("PATCH /v1/games/{game}/goals/{goal}");
    world.done("ann", &path, json!({ "assistPlayerIds": ["red-2"] })).await;
    world.done("ann", &format!("POST /v1/games/{game}/reopen"), Value::Null).await;
    look_at_everything(&world, &game).await;
}

#[tokio::test]
async fn hidden_games_and_foreign_addresses_are_not_found() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    for path in [
        format!("/v1/public/resolve/triangle/winter/{game}"),
        format!("/v1/public/resolve/square/summer/{game}"),
        "/v1/public/resolve/triangle/summer/g9".to_owned(),
        "/v1/public/seasons/s9/standings".to_owned(),
        "/v1/public/leagues/square/seasons".to_owned(),
        "/v1/public/games/g9".to_owned(),
    ] {
        assert_eq!(world.get("", &path).await.outcome(), "404 not_found", "{path}");
    }
    let found = world.done("", &format!("GET /v1/public/resolve/lg/s1/{game}"), Value::Null).await;
    assert_eq!(found["canonicalPath"], format!("/triangle/summer/{game}"));
    world.done("sam", &format!("PATCH /v1/games/{game}"), json!({ "publicVisible": false })).await;
    for path in ["", "/timeline", "/stream"] {
        let path = format!("/v1/public/games/{game}{path}");
        assert_eq!(world.get("", &path).await.outcome(), "404 not_found", "{path}");
    }
    let listed = world.done("", "GET /v1/public/seasons/s1/games", Value::Null).await;
    assert_eq!(listed["count"], 0);
    assert_eq!(world.done("vic", "GET /v1/seasons/s1/games", Value::Null).await["count"], 1);
}

#[tokio::test]
async fn private_statistics_are_for_the_owner_of_the_player() {
    let world = World::match_day().await;
    let path = "GET /v1/players/red-1/statistics";
    assert_eq!(world.outcome_of("ann", path, Value::Null).await, "403 not_claim_owner");
    assert_eq!(world.outcome_of("", path, Value::Null).await, "401 unauthorized");
    let own = world.done("user-of-red", path, Value::Null).await;
    assert_eq!(own["seasons"], json!([]));
    let unknown = "GET /v1/players/nobody/statistics";
    assert_eq!(world.outcome_of("ann", unknown, Value::Null).await, "404 not_found");
}

/// Returns the next event of a stream.
async fn next(stream: &mut axum::body::Body) -> Value {
    let frame = stream.frame().await.unwrap().unwrap().into_data().unwrap();
    let text = String::from_utf8(frame.to_vec()).unwrap();
    assert!(text.contains("event: game"), "{text}");
    let data = text.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    serde_json::from_str(data).unwrap()
}

#[tokio::test]
async fn followers_see_every_change() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let response = world.follow("", &format!("/v1/public/games/{game}/stream")).await;
    assert_eq!(response.status(), 200);
    let mut stream = response.into_body();
    assert_eq!(next(&mut stream).await["lastGoals"], json!([]));
    let goal = world.goal(&game, "red>blue", 1, 2).await;
    let seen = next(&mut stream).await;
    assert_eq!(seen["lastGoals"][0]["eventId"], goal.as_str());
    assert_eq!(seen["lastGoals"][0]["scorer"]["nickname"], "Nick red-1");
    assert_eq!(seen["leadingTeamIds"], json!(["red"]));
    world.done("sam", &format!("POST /v1/games/{game}/goals/undo"), Value::Null).await;
    let seen = next(&mut stream).await;
    assert_eq!((&seen["teams"][1]["conceded"], &seen["status"]), (&json!(0), &json!("live")));
    world.finish(&game).await;
    let mut last = next(&mut stream).await;
    while last["status"] != "finished" {
        last = next(&mut stream).await;
    }
    world.done("ann", &format!("DELETE /v1/games/{game}"), Value::Null).await;
    assert!(stream.frame().await.is_none(), "the stream of a deleted game ends");
}

#[tokio::test]
async fn league_pages_begin_with_all_leagues() {
    let world = World::match_day().await;
    let leagues = world.done("", "GET /v1/public/leagues", Value::Null).await;
    assert_eq!(
        leagues["leagues"],
        json!([{ "leagueId": "lg", "name": "Triangle", "slug": "triangle" }])
    );
    let league = world.app.db.league(&id("lg")).await.unwrap().unwrap();
    let now = world.app.db.now();
    world.app.db.edit(league, |league| league.deleted_at = Some(now)).await.unwrap();
    assert_eq!(world.done("", "GET /v1/public/leagues", Value::Null).await["count"], 0);
    assert_eq!(
        world.outcome_of("", "GET /v1/public/leagues/lg/seasons", Value::Null).await,
        "404 not_found"
    );
    assert_eq!(
        world.outcome_of("", "GET /v1/public/seasons/s1/standings", Value::Null).await,
        "404 not_found"
    );
}

#[tokio::test]
async fn members_follow_a_game_that_is_hidden_from_the_public() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let path = format!("PATCH /v1/games/{game}");
    world.done("sam", &path, json!({ "publicVisible": false })).await;
    let public = world.follow("", &format!("/v1/public/games/{game}/stream")).await;
    assert_eq!(public.status(), 404);
    let response = world.follow("vic", &format!("/v1/games/{game}/stream")).await;
    assert_eq!(response.status(), 200);
    let mut stream = response.into_body();
    assert_eq!(next(&mut stream).await["lastGoals"], json!([]));
    let goal = world.goal(&game, "red>blue", 1, 0).await;
    assert_eq!(next(&mut stream).await["lastGoals"][0]["eventId"], json!(goal));
    // Those who lose their role hear no more.
    world.done("ann", "DELETE /v1/leagues/lg/acl/vic", Value::Null).await;
    assert!(stream.frame().await.is_none());
    let refused = world.follow("vic", &format!("/v1/games/{game}/stream")).await;
    assert_eq!(refused.status(), 403);
    // So do those who delete their accounts.
    let role = json!({ "role": "viewer" });
    world.done("ann", "PUT /v1/leagues/lg/acl/vic", role).await;
    let response = world.follow("vic", &format!("/v1/games/{game}/stream")).await;
    let mut stream = response.into_body();
    next(&mut stream).await;
    world.done("vic", "DELETE /v1/me", Value::Null).await;
    assert!(stream.frame().await.is_none());
    let page = world.send_to("sam", &format!("GET /score/{game}"), Value::Null).await;
    let live = format!("data-live=\"/3fc/v1/games/{game}/stream\"");
    assert!(page.text.contains(&live), "{}", page.text);
}
