//! What follows from rows, held against calculations that are written otherwise, and against printed
//! examples.

mod books;
mod oracle;
mod random;
mod situations;
mod statistics;
mod tables;

use monotable::model::{Entity, StampValues};
use monotable_hacktracker::table::{AtBat, Game, Player, PlayerLink};
use serde_json::{Value, json};

/// Returns an id.
fn id<I: std::str::FromStr<Err: std::fmt::Debug>>(text: &str) -> I {
    text.parse().unwrap()
}

/// Returns a row with the fields that every row has, and additional ones.
fn row<E: Entity>(base: Value, said: Value) -> E {
    let (Value::Object(mut row), Value::Object(said)) = (base, said) else { unreachable!() };
    row.extend(said);
    let time = |name: &str| {
        let time = row.get(name).and_then(Value::as_str);
        time.unwrap_or("2026-05-01T18:00:00.000Z").parse().unwrap()
    };
    let stamps = StampValues {
        version: row.get("ver").and_then(Value::as_u64).unwrap_or_default(),
        created: time("createdAt"),
        updated: time("updatedAt"),
        expires: None,
    };
    let mut row: E = serde_json::from_value(Value::Object(row)).unwrap();
    row.set_stamps(stamps);
    row
}

/// Returns a game of team `t`.
fn game(name: &str, said: Value) -> Game {
    row(json!({ "gameId": name, "teamId": "t", "status": "FINAL" }), said)
}

/// Returns the plate appearance with a number, in a game: one minute after the one before.
fn at_bat(game: &str, number: usize, player: &str, result: &str, said: Value) -> AtBat {
    let base = json!({
        "gameId": game, "atBatId": format!("{game}-{number:04}"), "playerId": player,
        "teamId": "t", "result": result, "inning": 1, "outs": 0, "battingOrder": 1,
        "createdAt": format!("2026-05-01T{:02}:{:02}:00Z", 18 + number / 60, number % 60),
    });
    row(base, said)
}

/// Returns a player of team `t`.
fn player(name: &str, said: Value) -> Player {
    row(json!({ "teamId": "t", "playerId": name, "firstName": name, "isGhost": true }), said)
}

/// Returns a link of user `u` to a player.
fn link(player: &str, said: Value) -> PlayerLink {
    let base = json!({
        "userId": "u", "playerId": player, "teamId": "t", "teamName": "Sluggers", "periods": [{}],
    });
    row(base, said)
}
