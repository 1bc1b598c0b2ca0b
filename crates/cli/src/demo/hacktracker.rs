//! HackTracker: softball teams, their players and games.

use monotable_engine::{Item, item, list, map};

use super::World;

const PLAYERS: [(&str, &str, i64); 5] =
    [("p1", "Ann", 12), ("p2", "Bea", 7), ("p3", "Cem", 23), ("p4", "Dov", 4), ("p5", "Eve", 31)];

pub(super) fn world() -> World {
    let mut items = vec![user("u1", "ann@example.com"), team(), membership()];
    items.extend(PLAYERS.map(|(id, name, number)| {
        item! {
            "PK" => "TEAM#t1", "SK" => format!("PLAYER#{id}"),
            "GSI2PK" => "ENTITY#PLAYER", "GSI2SK" => format!("METADATA#{id}"),
            "playerId" => id, "firstName" => name, "playerNumber" => number,
        }
    }));
    items.extend(["g1", "g2"].map(game));
    World {
        table_name: "hacktracker-demo",
        about: "softball teams, players, games",
        keys: ["PK", "SK"],
        indexes: 5,
        items,
        query: ("PK = :value", "TEAM#t1"),
    }
}

fn user(id: &str, email: &str) -> Item {
    item! {
        "PK" => format!("USER#{id}"), "SK" => "METADATA",
        "GSI1PK" => format!("COGNITO#sub-{id}"), "GSI1SK" => "USER",
        "GSI2PK" => "ENTITY#USER", "GSI2SK" => format!("METADATA#{id}"),
        "userId" => id, "email" => email,
    }
}

fn team() -> Item {
    item! {
        "PK" => "TEAM#t1", "SK" => "METADATA",
        "GSI2PK" => "ENTITY#TEAM", "GSI2SK" => "METADATA#t1",
        "teamId" => "t1", "name" => "Riverside Sluggers", "season" => "2026",
    }
}

fn membership() -> Item {
    item! {
        "PK" => "USER#u1", "SK" => "TEAM#t1",
        "teamId" => "t1", "role" => "team-owner", "joinedAt" => "2026-03-01T10:00:00Z",
    }
}

fn game(id: &str) -> Item {
    item! {
        "PK" => format!("GAME#{id}"), "SK" => "METADATA",
        "GSI2PK" => "ENTITY#GAME", "GSI2SK" => format!("METADATA#{id}"),
        "GSI3PK" => "TEAM#t1", "GSI3SK" => format!("GAME#{id}"),
        "gameId" => id, "teamId" => "t1", "status" => "SCHEDULED",
        "lineup" => list![map! { "playerId" => "p1", "battingOrder" => 1 }],
    }
}
