//! Routes of messages among allies.

use monotable_kit::{Field, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use super::log::{numbered, page_example};
use crate::commands::messages::{self, MESSAGE_CHARACTERS_MAX};

const CHAPTER: &str = "Alliances";

pub(crate) fn routes() -> Vec<Route> {
    vec![list(), send()]
}

fn list() -> Route {
    command!(GET "/match/{id}/alliance/messages", "readMessages", messages::list)
        .about(CHAPTER, "The messages of the alliance that the player's tribute is in.")
        .query(numbered("MessagePage"))
        .answers(200, "A page of messages.", Some(page_example(&message_example())))
        .refuses(&[
            (400, "INVALID_CURSOR"),
            (403, "NOT_YOUR_MATCH"),
            (403, "NOT_YOUR_TRIBUTE"),
            (404, "MATCH_NOT_FOUND"),
        ])
}

fn send() -> Route {
    let text = Field::text("text", 1..=MESSAGE_CHARACTERS_MAX).required();
    let body = Schema::object("Message", [text.example("Meet me at the mill.")]);
    let route = command!(
        POST "/match/{id}/alliance/messages", "sendMessage", messages::count, messages::send
    );
    route
        .about(CHAPTER, "Writes to the allies of the player's tribute.")
        .body(body)
        .answers(201, "The message.", Some(message_example()))
        .refuses(&[
            (400, "CONTENT_VIOLATION"),
            (403, "NOT_YOUR_MATCH"),
            (403, "NOT_YOUR_TRIBUTE"),
            (404, "MATCH_NOT_FOUND"),
            (409, "INVALID_TRANSITION"),
            (409, "MATCH_ENDED"),
            (409, "TRIBUTE_DEAD"),
            (409, "NO_ALLIANCE"),
            (429, "RATE_LIMIT"),
        ])
        .once()
}

fn message_example() -> Value {
    json!({
        "seq": 1,
        "allianceId": "a-d1t1-1",
        "tributeId": "t1",
        "text": "Meet me at the mill.",
        "timestamp": 1_800_000_000_000_i64,
    })
}
