//! The process is killed at every storage call of commands of games.

use monotable_testkit::service::{Act, Crash};
use serde_json::{Value, json};

use crate::matchday::{MatchDay as _, goal_body};
use crate::world::World;

async fn all(world: &World, acts: &[(&str, &str, Value)]) {
    for (user, route, body) in acts {
        Crash::of(world).at_every_call(Act::request(*user, route, body)).await;
    }
}

async fn live() -> World {
    let world = World::match_day().await;
    world.live_game().await;
    let mut body = goal_body("blue>red");
    body["eventId"] = "e1".into();
    body["gameMinute"] = 7.into();
    world.play_until("g1", 1, 9).await;
    world.done("sam", "POST /v1/games/g1/goals", body).await;
    world
}

#[tokio::test]
async fn record_goal() {
    all(&live().await, &[("sam", "POST /v1/games/g1/goals", goal_body("red>blue"))]).await;
}

#[tokio::test]
async fn corrections_of_goals() {
    let acts = [
        (
            "sam",
            "PATCH /v1/games/g1/goals/e1",
            json!({ "gameMinute": 9, "assistPlayerIds": ["red-2"] }),
        ),
        ("sam", "DELETE /v1/games/g1/goals/e1", Value::Null),
        ("sam", "POST /v1/games/g1/goals/undo", Value::Null),
    ];
    all(&live().await, &acts).await;
}

#[tokio::test]
async fn finish_game_and_reopen_game() {
    let world = live().await;
    for act in ["1/finish", "2/start", "2/finish", "3/start", "3/finish"] {
        world.done("sam", &format!("POST /v1/games/g1/thirds/{act}"), Value::Null).await;
    }
    all(&world, &[("sam", "POST /v1/games/g1/finish", Value::Null)]).await;
    world.done("sam", "POST /v1/games/g1/finish", Value::Null).await;
    let acts = [
        ("ann", "POST /v1/games/g1/reopen", Value::Null),
        ("ann", "DELETE /v1/games/g1/goals/e1", Value::Null),
        ("ann", "DELETE /v1/games/g1", Value::Null),
    ];
    all(&world, &acts).await;
}

#[tokio::test]
async fn rosters_and_schedules() {
    let acts = [
        (
            "sam",
            "POST /v1/games/g1/roster",
            json!({ "playerId": "red-2", "teamId": "blue", "fromTeamId": "red" }),
        ),
        ("sam", "DELETE /v1/games/g1/roster/red-3", Value::Null),
        ("sam", "PATCH /v1/games/g1", json!({ "gameStartTs": "2026-02-23T09:00:00Z" })),
        ("sam", "PUT /v1/games/g1/teams/red", json!({ "name": "Foxes" })),
        ("sam", "POST /v1/games/g1/thirds/1/finish", Value::Null),
        ("sam", "POST /v1/sessions/d1/games", json!({ "gameStartTs": "2026-02-23T09:00:00Z" })),
    ];
    all(&live().await, &acts).await;
}
