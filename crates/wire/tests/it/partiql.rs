//! PartiQL: statements alone, in batches and in transactions, with AWS's messages.

mod batches;
mod grammar;
mod pages;
mod random;
mod reads;
mod refusals;
mod transactions;
mod writes;

use crate::fixture::World;

/// Returns the text as a JSON string.
pub(crate) fn json(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{}\"", text.replace('\t', "\\t"))
}

/// Returns the response to a statement; `rest` contains further members of the request.
pub(crate) fn execute(world: &World, statement: &str, rest: &str) -> String {
    let comma = if rest.is_empty() { "" } else { "," };
    let body = format!(r#"{{"Statement":{}{comma}{rest}}}"#, json(statement));
    world.call("ExecuteStatement", body.as_bytes())
}

/// Runs a statement that must succeed, and returns its items.
#[track_caller]
pub(crate) fn items(world: &World, statement: &str) -> String {
    let response = execute(world, statement, "");
    let items = response.strip_prefix(r#"{"Items":"#).and_then(|rest| rest.strip_suffix('}'));
    items.unwrap_or_else(|| panic!("{statement}\n{response}")).to_owned()
}

/// Returns the message of an error, or the whole response if it has none.
pub(crate) fn message(response: &str) -> String {
    let found = ["\"message\":\"", "\"Message\":\""].iter().find_map(|name| {
        let (_, rest) = response.split_once(name)?;
        let end = rest.replace("\\\"", "..").find('"')?;
        Some(rest[..end].replace("\\\"", "\""))
    });
    found.filter(|_| response.starts_with(r#"{"__type""#)).unwrap_or_else(|| response.to_owned())
}

/// Runs statements that AWS refuses, and compares the messages.
#[track_caller]
pub(crate) fn check_messages(world: &World, refusals: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (statement, expected) in refusals {
        let found = message(&execute(world, statement, ""));
        if found != *expected {
            wrong += &format!("\n{statement}\n   got {found}\nwanted {expected}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns a list of statements in the form of batches and transactions.
pub(crate) fn statements(name: &str, statements: &[&str]) -> String {
    let members: Vec<String> = statements
        .iter()
        .map(|statement| format!(r#"{{"Statement":{}}}"#, json(statement)))
        .collect();
    format!(r#"{{"{name}":[{}]}}"#, members.join(","))
}

/// Returns a team of three with scores, tags and a map, and a table of the same shape for writes.
pub(crate) fn league() -> World {
    let world = World::new();
    for (player, score) in [("1", 10), ("2", 20), ("3", 30)] {
        world.put(
            "league",
            &format!(
                r#"{{"PK":{{"S":"T"}},"SK":{{"S":"{player}"}},"score":{{"N":"{score}"}},
                    "city":{{"S":"Graz"}},"name":{{"S":"p{player}"}},
                    "info":{{"M":{{"rank":{{"N":"{player}"}},"bits":{{"L":[{{"S":"x"}}]}}}}}}}}"#
            ),
        );
    }
    world
}

/// Returns the sort keys that `SELECT SK FROM league WHERE …` finds.
#[track_caller]
pub(crate) fn players(world: &World, condition: &str) -> String {
    let items = items(world, &format!("SELECT SK FROM league WHERE {condition}"));
    items.replace(r#"{"SK":{"S":""#, "").replace(r#""}}"#, "")
}
