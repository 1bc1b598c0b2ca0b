//! Routes of what happened: the log, the stories of days, and the stream of those who follow.

use monotable_kit::{Field, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use crate::commands::{log, stream, summaries};
use crate::rules::events::SEQ_MAX;

const CHAPTER: &str = "What happened";

pub(crate) fn routes() -> Vec<Route> {
    vec![list(), stream(), summary(), summaries()]
}

/// The query parameters of a list of what has numbers.
pub(super) fn numbered(name: &'static str) -> Schema {
    Schema::object(
        name,
        [
            after(),
            Field::integer("limit", 1..=200)
                .about("How many elements the page has at most; 50 unless said.")
                .example(25),
            Field::text("nextToken", 1..=8_192)
                .about("Where the page before ended, as that page said; instead of `after`."),
        ],
    )
}

fn after() -> Field {
    Field::integer("after", 0..=i64::from(SEQ_MAX))
        .about("The number behind which to begin; 0 is the beginning.")
        .example(12)
}

/// A page of a list.
pub(super) fn page_example(item: &Value) -> Value {
    json!({ "items": [item], "nextToken": null, "hasMore": false })
}

fn list() -> Route {
    command!(GET "/match/{id}/log", "readLog", log::list)
        .about(CHAPTER, "Events in order; actions are hidden until their turn is resolved.")
        .public()
        .query(numbered("LogPage"))
        .answers(200, "A page of the log.", Some(page_example(&event_example())))
        .refuses(&[(400, "INVALID_CURSOR"), (404, "MATCH_NOT_FOUND")])
}

fn stream() -> Route {
    command!(GET "/match/{id}/stream", "followMatch", stream::follow)
        .about(CHAPTER, "Events as they happen, behind those that have; ids are their numbers.")
        .public()
        .query(Schema::object("Follow", [after()]))
        .produces(&["text/event-stream"])
        .answers(
            200,
            "Server-sent events of type `log`, each as in the log, and `end` behind the last.",
            None,
        )
        .answers(204, "The match is over, and the client has seen everything.", None)
        .refuses(&[(404, "MATCH_NOT_FOUND")])
}

fn summary() -> Route {
    command!(GET "/match/{id}/summary/{day}", "readSummary", summaries::show)
        .about(CHAPTER, "The story of a day that is over.")
        .public()
        .answers(200, "The story of the day.", Some(summary_example()))
        .refuses(&[(404, "MATCH_NOT_FOUND"), (404, "SUMMARY_NOT_FOUND")])
}

fn summaries() -> Route {
    command!(GET "/match/{id}/summaries", "listSummaries", summaries::list)
        .about(CHAPTER, "The stories of all days that are over, by day.")
        .public()
        .answers(200, "All of them.", Some(page_example(&summary_example())))
        .refuses(&[(404, "MATCH_NOT_FOUND")])
}

fn event_example() -> Value {
    json!({
        "seq": 13,
        "timestamp": 1_800_000_000_000_i64,
        "day": 1,
        "turn": 1,
        "turnId": "d1t1",
        "visibility": "actor",
        "type": "TRIBUTE_ACTION_SUBMITTED",
        "data": { "tributeId": "t1" },
    })
}

fn summary_example() -> Value {
    json!({
        "day": 1,
        "narration": "Another watch passes in the old forest. Ilse falls to Brakka.",
        "deaths": ["t2"],
        "highlights": ["Ilse falls to Brakka."],
        "aliveCount": 5,
        "tokensUsed": 640,
    })
}
