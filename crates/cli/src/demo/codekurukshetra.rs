//! CodeKurukshetra: registration for a hackathon.

use monotable_engine::{Item, item};

use super::World;

pub(super) fn world() -> World {
    let mut items = vec![
        item! {
            "PK" => "CONFIG", "SK" => "HACKATHON", "entity_type" => "config",
            "event_name" => "CodeKurukshetra", "max_team_size" => 4,
        },
        item! {
            "PK" => "TEAM#t1", "SK" => "PROFILE",
            "GSI1PK" => "PAYMENT_STATUS#pending", "GSI1SK" => "TEAM#t1",
            "GSI2PK" => "TRACK#web", "GSI2SK" => "TEAM#t1",
            "entity_type" => "team", "team_id" => "t1", "name" => "Null Pointers", "track" => "web",
        },
    ];
    items.extend([("p1", "asha"), ("p2", "ravi")].map(|(id, name)| participant(id, name)));
    World {
        table_name: "codekurukshetra_main",
        about: "hackathon registration",
        keys: ["PK", "SK"],
        indexes: 3,
        items,
        query: ("PK = :value", "TEAM#t1"),
    }
}

fn participant(id: &str, name: &str) -> Item {
    item! {
        "PK" => format!("PARTICIPANT#{id}"), "SK" => "PROFILE",
        "GSI1PK" => format!("EMAIL#{name}@example.com"), "GSI1SK" => "PARTICIPANT",
        "GSI2PK" => "TEAM#t1", "GSI2SK" => format!("PARTICIPANT#{id}"),
        "entity_type" => "participant", "participant_id" => id, "first_name" => name,
        "email" => format!("{name}@example.com"), "payment_status" => "pending",
    }
}
