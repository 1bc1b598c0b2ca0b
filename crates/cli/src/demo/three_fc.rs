//! 3FC: leagues of three-sided football.

use monotable_engine::{Item, item};

use super::World;

pub(super) fn world() -> World {
    let mut items = vec![
        envelope("LEAGUE#l1", "METADATA", "league", r#"{"leagueId":"l1","name":"Harbour League"}"#),
        envelope("LEAGUE#l1", "SEASON#s1", "season", r#"{"seasonId":"s1","name":"Summer 2026"}"#),
        envelope("SEASON#s1", "METADATA", "season", r#"{"seasonId":"s1","leagueId":"l1"}"#),
    ];
    items.extend(["Red", "Blue", "Yellow"].map(|name| {
        let id = name.to_lowercase();
        let data = format!(r#"{{"teamId":"{id}","name":"{name}"}}"#);
        envelope("SEASON#s1", &format!("TEAM#{id}"), "team", &data)
    }));
    World {
        table_name: "3fc-demo-app",
        about: "three-sided football leagues",
        keys: ["pk", "sk"],
        indexes: 0,
        items,
        query: ("pk = :value", "SEASON#s1"),
    }
}

fn envelope(partition_key: &str, sort_key: &str, entity_type: &str, data: &str) -> Item {
    item! {
        "pk" => partition_key, "sk" => sort_key, "entityType" => entity_type,
        "createdAt" => "2026-06-01T12:00:00Z", "updatedAt" => "2026-06-01T12:00:00Z", "data" => data,
    }
}
