//! How much a game holds, and that its largest transactions fit.

use std::sync::Arc;

use monotable_three_fc::table::Player;
use serde_json::{Value, json};

use crate::game_rows::{games, wrong};
use crate::matchday::{MatchDay as _, goal_body};
use crate::world::{World, id};

#[tokio::test]
async fn limits_hold() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    for minute in 0..60 {
        world.goal(&game, "red>blue", 1, minute).await;
    }
    let body = goal_body("red>blue");
    assert_eq!(
        world.outcome_of("sam", &format!("POST /v1/games/{game}/goals"), body).await,
        "409 conflict"
    );
    let body = |number: usize| json!({ "gameId": format!("x{number}"), "gameStartTs": "2026-02-22T01:00:00Z" });
    for number in 1..20 {
        world.done("sam", "POST /v1/sessions/d1/games", body(number)).await;
    }
    assert_eq!(
        world.outcome_of("sam", "POST /v1/sessions/d1/games", body(20)).await,
        "409 conflict"
    );
    assert_eq!(
        world.outcome_of("vic", "POST /v1/sessions/d1/games", body(20)).await,
        "403 league_access_required"
    );
    assert_eq!(
        world.outcome_of("zoe", "GET /v1/sessions/d1/games", Value::Null).await,
        "403 league_access_required"
    );
    let listed = world.done("vic", "GET /v1/seasons/s1/games", Value::Null).await;
    assert_eq!(listed["count"], 20);
}

async fn create_player(world: &World, player_id: &str) {
    let player = Player {
        player_id: id(player_id),
        nickname: "Extra".to_owned(),
        claimed_by_user_id: None,
        avatar: None,
        avatar_key: None,
        league_id: None,
        stamps: Default::default(),
    };
    world.app.db.create(&player).await.unwrap();
}

/// A game of sixty players, with everything that finishing writes, fits into one transaction.
#[tokio::test]
async fn a_full_game_is_finished_in_one_transaction() {
    let world = Arc::new(World::match_day().await);
    let game = world.live_game().await;
    for number in 10..61 {
        let player_id = format!("p{number}");
        create_player(&world, &player_id).await;
        let body = json!({ "playerId": player_id, "teamId": "red" });
        world.done("sam", &format!("POST /v1/games/{game}/roster"), body).await;
    }
    create_player(&world, "p99").await;
    let body = json!({ "playerId": "p99", "teamId": "red" });
    assert_eq!(
        world.outcome_of("sam", &format!("POST /v1/games/{game}/roster"), body).await,
        "409 conflict"
    );
    let goal = world.goal(&game, "red>blue", 1, 1).await;
    world.finish(&game).await;
    assert_eq!(games(&world)[0].appearances.len(), 60);
    // The correction changes the outcome of all of them.
    world.done("ann", &format!("DELETE /v1/games/{game}/goals/{goal}"), Value::Null).await;
    assert_eq!(wrong(&world), [] as [String; 0]);
    let start = json!({ "gameStartTs": "2026-03-01T01:00:00Z" });
    world.done("ann", &format!("PATCH /v1/games/{game}"), start).await;
    assert_eq!(wrong(&world), [] as [String; 0]);
    world.done("ann", &format!("POST /v1/games/{game}/reopen"), Value::Null).await;
    assert_eq!(wrong(&world), [] as [String; 0]);
    world.finish(&game).await;
    world.done("ann", &format!("DELETE /v1/games/{game}"), Value::Null).await;
    world.finish_work("after the deletion").await;
    assert!(games(&world).is_empty());
}
