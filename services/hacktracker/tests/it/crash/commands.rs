//! Which commands, and from which state of things.

use monotable_hacktracker::table::GameStatus;
use monotable_testkit::service::{Act, Crash};
use serde_json::{Value, json};

use super::{DAY_MS, team};
use crate::place::invite_token;
use crate::seed::{printed_item, rows};
use crate::world::World;

async fn all(status: GameStatus, acts: &[(&str, &str, Value)]) {
    let world = team(status).await;
    for (user, route, body) in acts {
        Crash::of(&world).at_every_call(Act::request(*user, route, body)).await;
    }
}

#[tokio::test]
async fn commands_about_games() {
    let score = json!({ "teamScore": 3, "opponentScore": 2 });
    let lineup = json!({ "lineup": ["red-1", "red-2"], "status": "IN_PROGRESS" });
    all(
        GameStatus::Scheduled,
        &[
            ("sam", "POST /games", json!({ "teamId": "red", "seasonId": "red-season" })),
            ("sam", "POST /games/red-game/start", Value::Null),
            ("sam", "PUT /games/red-game", lineup),
        ],
    )
    .await;
    all(GameStatus::InProgress, &[("sam", "POST /games/red-game/finish", score)]).await;
    all(
        GameStatus::Final,
        &[
            ("ann", "POST /games/red-game/reopen", Value::Null),
            ("ann", "DELETE /games/red-game", Value::Null),
        ],
    )
    .await;
}

#[tokio::test]
async fn commands_about_at_bats() {
    let run = json!({ "playerId": "red-2", "result": "HR", "rbis": 1, "runsScored": ["red-2"] });
    let forgotten = json!({ "playerId": "red-3", "result": "HR", "beforeAtBatId": "red-atbat" });
    all(
        GameStatus::InProgress,
        &[
            ("sam", "POST /games/red-game/atbats", run),
            ("sam", "PUT /games/red-game/atbats/red-atbat", json!({ "runsScored": ["red-4"] })),
            ("sam", "DELETE /games/red-game/atbats/red-atbat", Value::Null),
            ("sam", "POST /games/red-game/atbats/undo", Value::Null),
            ("sam", "POST /games/red-game/atbats", forgotten),
            ("sam", "PUT /games/red-game/atbats/red-atbat", json!({ "playerId": "red-5" })),
            ("sam", "POST /games/red-game/innings/end", Value::Null),
        ],
    )
    .await;
}

#[tokio::test]
async fn commands_about_people() {
    all(
        GameStatus::Scheduled,
        &[
            ("zoe", "POST /teams", json!({ "name": "Green" })),
            ("zoe", "POST /invites/accept", json!({ "token": invite_token("red") })),
            ("ann", "POST /teams/red/transfer", json!({ "userId": "meg" })),
            ("ann", "POST /teams/red/players", json!({ "firstName": "Nel", "playerNumber": 8 })),
            ("ann", "PUT /teams/red/players/red-3", json!({ "playerNumber": 9 })),
            ("ann", "DELETE /teams/red/players/red-9", Value::Null),
            ("ann", "DELETE /teams/red/players/red-2/link", Value::Null),
            ("ann", "POST /teams/red/players/red-9/link", json!({ "userId": "sam" })),
            ("ann", "DELETE /teams/red/members/pat", Value::Null),
            ("ann", "POST /teams/red/invites", json!({ "role": "player", "email": "a@b.org" })),
            ("ann", "DELETE /teams/red", Value::Null),
        ],
    )
    .await;
}

/// An invitation with a roster slot.
#[tokio::test]
async fn the_claim_of_a_ghost() {
    let world = team(GameStatus::Scheduled).await;
    let body = json!({ "role": "player", "playerId": "red-4" });
    let invite = world.post("ann", "/teams/red/invites", body).await;
    let body = json!({ "token": invite.json()["token"] });
    let claim = Act::request("zoe", "POST /invites/accept", &body);
    Crash::of(&world).at_every_call(claim).await;
}

#[tokio::test]
async fn the_end_of_a_user() {
    let world = team(GameStatus::InProgress).await;
    let erasure = Act::request("pat", "DELETE /users/pat", &Value::Null);
    let gone = world.copy().await;
    assert_eq!(gone.delete("pat", "/users/pat").await.status, 204);
    gone.app.work().await.unwrap();
    gone.clock.advance_ms(31 * DAY_MS);
    Crash::of(&gone).at_every_call(Act::Work).await;
    Crash::of(&world).at_every_call(erasure).await;
}

#[tokio::test]
async fn the_end_of_a_team() {
    let world = team(GameStatus::InProgress).await;
    assert_eq!(world.delete("ann", "/teams/red").await.status, 200);
    let back = Act::request("ann", "POST /teams/red/restore", &Value::Null);
    Crash::of(&world).at_every_call(back).await;
    world.clock.advance_ms(31 * DAY_MS);
    Crash::of(&world).at_every_call(Act::Work).await;
}

#[tokio::test]
async fn the_rows_of_older_programs() {
    let world = World::new().await;
    world.put_rows(rows::ALL.into_iter().map(printed_item));
    Crash::of(&world).at_every_call(Act::Backfill).await;
}
