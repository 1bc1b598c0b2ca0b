//! Routes of matches: opening one, and looking at it.

use monotable_kit::{Field, Kind, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use crate::commands::{create, look};
use crate::rules::state::ARENA_CHARACTERS_MAX;

const CHAPTER: &str = "Matches";

pub(crate) fn routes() -> Vec<Route> {
    vec![create(), show()]
}

fn create() -> Route {
    let body = Schema::object(
        "NewMatch",
        [
            Field::word("mode", &["quick", "standard", "long"]).required().example("quick"),
            Field::new("rules", Kind::Object(rules())),
            Field::new("theme", Kind::Object(theme())),
            Field::integer("maxDays", 1..=30).about("5, 10 or 20 by mode unless set."),
            Field::text("timezone", 1..=64)
                .about("Where days of a long match end, by its IANA name; UTC unless set.")
                .example("Europe/Berlin"),
            Field::text("cutoff", 5..=5).about("When they end, local time.").example("21:00"),
            Field::integer("maxRealDays", 7..=30).about("7, 14 or 30; for long matches."),
            Field::integer("aiCount", 0..=24).about("Tributes that nobody plays; 6 unless set."),
            Field::flag("shardedLog").about("Spreads the log over four partitions."),
        ],
    );
    let example = json!({
        "matchId": "m1",
        "adminToken": "btl1/host/m1/…",
        "inviteCode": "K7Q2MD",
        "seedCommit": "9f86d0…",
        "match": match_example(),
    });
    command!(POST "/match", "createMatch", create::count, create::open_match)
        .about(CHAPTER, "Opens a match. Only this response has its host's token.")
        .body(body)
        .answers(201, "The match, its code, and the host's token.", Some(example))
        .refuses(&[(400, "CONTENT_VIOLATION"), (403, "USER_REQUIRED")])
        .refuses(&[(409, "TOO_MANY_LOBBIES"), (429, "RATE_LIMIT")])
        .once_required()
}

fn show() -> Route {
    command!(GET "/match/{id}", "getMatch", look::show)
        .about(CHAPTER, "A match, as whoever asks may see it.")
        .public()
        .answers(200, "The match.", Some(match_example()))
        .refuses(&[(404, "MATCH_NOT_FOUND")])
}

/// The rules of a match.
pub(super) fn rules() -> Schema {
    Schema::object(
        "Rules",
        [
            Field::flag("items").about("Whether there is anything to find; on unless set."),
            Field::flag("crafting").about("Whether two items make a better one."),
            Field::flag("sponsors").about("Whether the game master may send items."),
            Field::integer("maxCraftingSlots", 1..=4).about("Only with crafting."),
        ],
    )
}

fn theme() -> Schema {
    Schema::object(
        "Theme",
        [
            Field::word("tone", &["classic", "comedy", "dark"]).required(),
            Field::text("arena", 1..=ARENA_CHARACTERS_MAX).required().example("the old forest"),
        ],
    )
}

/// A match as everybody sees it.
pub(super) fn match_example() -> Value {
    json!({
        "matchId": "m1",
        "mode": "quick",
        "status": "lobby",
        "phase": "lobby",
        "day": 1,
        "turn": 0,
        "roster": [],
        "submitted": [],
        "logSeq": 1,
        "version": 1,
    })
}
