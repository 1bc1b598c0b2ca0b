//! The process is killed at every storage call of an operation and of its background work.

mod commands;

use monotable_hacktracker::table::{GameStatus, Role, TeamType};
use serde_json::json;

use crate::place::own_team;
use crate::world::{Rows as _, Setup as _, World};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

/// Returns the own team in use: pat has a player, red-3 a number, and an owner's team of one is about.
async fn team(status: GameStatus) -> World {
    let world = own_team(status).await;
    world.team("solo", TeamType::Personal, &[("pat", Role::Owner)], 1).await;
    let prepared = [
        world.post("ann", "/teams/red/players/red-2/link", json!({ "userId": "pat" })).await,
        world.put("ann", "/teams/red/players/red-3", json!({ "playerNumber": 7 })).await,
    ];
    for answer in prepared {
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    if status == GameStatus::InProgress {
        for player in 1..=3 {
            world.at_bat("red-game", player, json!({ "runsScored": ["red-1"] })).await;
        }
    }
    world
}
