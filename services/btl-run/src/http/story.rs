//! Routes of matches that are over: their story, and whether they were played fairly.

use monotable_kit::{Field, Route, Schema};
use serde_json::json;

use super::command::command;
use crate::commands::{export, verify};

const CHAPTER: &str = "Stories";

pub(crate) fn routes() -> Vec<Route> {
    vec![export(), verify()]
}

fn export() -> Route {
    let format = Field::word("format", &["json", "markdown", "html"])
        .about("JSON unless set, from which anybody can play the match again.");
    let example = json!({ "match": {}, "events": [], "summaries": [], "seed": "5f0c…" });
    command!(POST "/match/{id}/export", "exportMatch", export::export)
        .about(CHAPTER, "The story of a match that is over, with its seed.")
        .public()
        .optional_body(Schema::object("Export", [format]))
        .produces(&["application/json", "text/markdown", "text/html"])
        .answers(200, "The story.", Some(example))
        .refuses(&[(404, "MATCH_NOT_FOUND"), (409, "INVALID_TRANSITION")])
        .changes_nothing()
}

fn verify() -> Route {
    let example = json!({
        "matchId": "m1",
        "status": "ended",
        "seedCommit": "9f86d0…",
        "rulesVer": 1,
        "rngVer": 1,
        "isRevealed": true,
        "seed": "5f0c…",
        "isVerified": true,
        "difference": null,
        "turnCount": 9,
        "eventCount": 58,
    });
    command!(GET "/match/{id}/verify", "verifyMatch", verify::verify)
        .about(CHAPTER, "Plays a match again from its seed, once that is no secret any more.")
        .public()
        .answers(200, "Whether seed, log and match agree.", Some(example))
        .refuses(&[(404, "MATCH_NOT_FOUND")])
}
