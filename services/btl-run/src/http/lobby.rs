//! Routes of lobbies: invitations, those who come and go, and the start.

use monotable_kit::{Field, Kind, Route, Schema};
use serde_json::json;

use super::command::command;
use super::matches::match_example;
use crate::commands::{invite, join, lobby, start, token};
use crate::refusal::{CHANGING, HOST_ONLY};

const CHAPTER: &str = "Lobby";
pub(crate) fn routes() -> Vec<Route> {
    vec![show_invite(), renew_invite(), join(), add_ai(), remove(), start(), renew_token()]
}

fn show_invite() -> Route {
    let example = json!({
        "code": "K7Q2MD",
        "matchId": "m1",
        "mode": "quick",
        "tributeCount": 6,
        "playerCount": 2,
        "openPlaces": 22,
        "expiresAt": 1_800_001_800_000_i64,
    });
    command!(GET "/invite/{code}", "getInvite", invite::count, invite::show)
        .about(CHAPTER, "What a code is an invitation to.")
        .public()
        .answers(200, "The match in short.", Some(example))
        .refuses(&[(404, "INVITE_NOT_FOUND"), (429, "RATE_LIMIT")])
}

fn renew_invite() -> Route {
    let example = json!({
        "matchId": "m1",
        "inviteCode": "K7Q2MD",
        "expiresAt": 1_800_001_800_000_i64,
    });
    command!(POST "/match/{id}/invite", "renewInvite", invite::renew)
        .about(CHAPTER, "A new code for a lobby; the old one ends.")
        .optional_body(Schema::object("NewInvite", []))
        .answers(201, "The code.", Some(example))
        .refuses_with(HOST_ONLY)
        .refuses_with(CHANGING)
        .refuses(&[(409, "MATCH_IN_PROGRESS")])
        .once()
}

fn join() -> Route {
    let body = Schema::object(
        "Newcomer",
        [
            Field::text("code", 1..=32).required().example("K7Q2MD"),
            Field::text("name", 1..=50)
                .required()
                .about("Letters of any script, digits, spaces, hyphens and apostrophes.")
                .example("Zoë"),
            Field::word("type", &["human", "hybrid"])
                .about("For a hybrid, its persona chooses while its player is away."),
            Field::new("stats", Kind::Object(stats())),
            Field::new("persona", Kind::Object(persona())),
            Field::word("playstyle", &["aggressive", "cautious", "social", "balanced"])
                .about("What it does while nobody says."),
            Field::integer("openingChoice", 1..=3)
                .about("From a choice link: fight, hide or make friends."),
        ],
    );
    let example = json!({
        "matchId": "m1",
        "tributeId": "t1",
        "playerToken": "btl1/player/m1/t1/…",
        "match": match_example(),
    });
    command!(POST "/match/{id}/join", "joinMatch", join::count, join::join)
        .about(CHAPTER, "Joins a match with its code. Only this response has the player's token.")
        .public()
        .body(body)
        .answers(201, "The tribute and its player's token.", Some(example))
        .refuses_with(CHANGING)
        .refuses(&[
            (400, "CONTENT_VIOLATION"),
            (404, "INVITE_NOT_FOUND"),
            (404, "MATCH_NOT_FOUND"),
            (409, "INVITE_EXPIRED"),
            (409, "LOBBY_FULL"),
            (409, "MATCH_IN_PROGRESS"),
            (409, "NAME_TAKEN"),
            (429, "RATE_LIMIT"),
        ])
        .once_required()
}

fn stats() -> Schema {
    let stat = |name| Field::integer(name, 0..=10).required().example(5);
    Schema::object("Stats", ["vitality", "wits", "combat", "stealth", "charm"].map(stat))
}

fn persona() -> Schema {
    Schema::object(
        "Persona",
        [
            Field::text("archetype", 1..=100).required().example("scout"),
            Field::list("quirks", Kind::Text { length: 1..=100 }, 1..=3)
                .required()
                .example(json!(["climbs the tallest tree"])),
            Field::text("catchphrase", 1..=100),
        ],
    )
}

fn add_ai() -> Route {
    let example = json!({ "tributeId": "ai-7", "match": match_example() });
    command!(POST "/match/{id}/ai", "addAi", lobby::add_ai)
        .about(CHAPTER, "Adds a tribute that nobody plays.")
        .optional_body(Schema::object("NewAi", []))
        .answers(201, "The tribute.", Some(example))
        .refuses_with(HOST_ONLY)
        .refuses_with(CHANGING)
        .refuses(&[(409, "LOBBY_FULL"), (409, "MATCH_IN_PROGRESS")])
        .if_match()
        .once()
}

fn remove() -> Route {
    command!(DELETE "/match/{id}/tribute/{tributeId}", "removeTribute", lobby::remove)
        .about(CHAPTER, "A host takes a tribute out, or a player leaves; the player's token ends.")
        .answers(200, "The match.", Some(match_example()))
        .refuses(&[(403, "NOT_YOUR_MATCH"), (403, "NOT_YOUR_TRIBUTE")])
        .refuses(&[(404, "MATCH_NOT_FOUND"), (404, "TRIBUTE_NOT_FOUND")])
        .refuses_with(CHANGING)
        .refuses(&[(409, "MATCH_IN_PROGRESS")])
        .if_match()
        .once()
}

fn start() -> Route {
    command!(POST "/match/{id}/start", "startMatch", start::start)
        .about(CHAPTER, "Opens the first turn; the code ends.")
        .optional_body(Schema::object("Start", []))
        .answers(200, "The match.", Some(match_example()))
        .refuses_with(HOST_ONLY)
        .refuses_with(CHANGING)
        .refuses(&[(409, "MATCH_IN_PROGRESS"), (409, "TOO_FEW_TRIBUTES")])
        .if_match()
        .once_required()
}

fn renew_token() -> Route {
    let body = Schema::object(
        "NewToken",
        [Field::word("role", &["host", "player"])
            .about("Which token, for who is both; the host's unless set.")],
    );
    let example = json!({ "matchId": "m1", "adminToken": "btl1/host/m1/…" });
    command!(POST "/match/{id}/token", "renewToken", token::renew)
        .about(CHAPTER, "A new token for a user who is host or player; the old one ends.")
        .optional_body(body)
        .answers(201, "The token, as `adminToken` or `playerToken`.", Some(example))
        .refuses(&[(403, "NOT_YOUR_MATCH"), (403, "USER_REQUIRED"), (404, "MATCH_NOT_FOUND")])
        .refuses(&[(409, "CONFLICT"), (409, "INVALID_TRANSITION")])
        .once()
}
