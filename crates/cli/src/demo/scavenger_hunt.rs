//! ScavengerHunt: hunts, teams and what they have found.

use monotable_engine::{Item, item};

use super::World;

pub(super) fn world() -> World {
    let mut items = vec![game()];
    items.extend([("team1", "Foxes"), ("team2", "Owls")].map(|(id, name)| {
        item! {
            "PK" => "GAME#hunt1", "SK" => format!("TEAM#{id}"),
            "GSI1PK" => format!("TEAM#{id}"), "GSI1SK" => "METADATA",
            "ItemType" => "TEAM", "id" => id, "name" => name, "score" => 0,
        }
    }));
    World {
        table_name: "ScavengerHuntData-demo",
        about: "team hunts",
        keys: ["PK", "SK"],
        indexes: 3,
        items,
        query: ("PK = :value", "GAME#hunt1"),
    }
}

fn game() -> Item {
    item! {
        "PK" => "GAME#hunt1", "SK" => "METADATA",
        "ItemType" => "GAME", "id" => "hunt1", "name" => "Old town hunt", "status" => "active",
        "created_at" => "2026-05-01T09:00:00Z", "updated_at" => "2026-05-01T09:00:00Z",
    }
}
