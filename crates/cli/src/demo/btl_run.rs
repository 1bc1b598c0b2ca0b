//! btl.run: turn-based matches as values in a key-value table.

use monotable_engine::{Item, item};

use super::World;

pub(super) fn world() -> World {
    let state = r#"{"turn":2,"phase":"collect","players":["u1","u2"]}"#;
    let mut items = vec![
        value("match#m1", "state", state),
        value("invite#DEMO", "meta", r#"{"matchId":"m1"}"#),
    ];
    items.extend((1..=2).map(|sequence| {
        let event = format!(r#"{{"seq":{sequence},"type":"turn_resolved"}}"#);
        value("match#m1", &format!("log#{sequence:06}"), &event)
    }));
    World {
        table_name: "btlrun_kv",
        about: "turn-based matches as values",
        keys: ["pk", "sk"],
        indexes: 0,
        items,
        query: ("pk = :value", "match#m1"),
    }
}

fn value(partition_key: &str, sort_key: &str, value: &str) -> Item {
    item! {
        "pk" => partition_key, "sk" => sort_key,
        "v" => value, "ct" => "application/json", "ver" => 1,
    }
}
