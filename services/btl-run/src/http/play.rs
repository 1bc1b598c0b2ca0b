//! Routes of a match that is played: actions, turns, and the end.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Field, Request, Route, Schema};
use serde_json::json;

use super::command::command;
use super::matches::match_example;
use crate::app::App;
use crate::commands::{advance, end, submit};
use crate::refusal::{CHANGING, HOST_ONLY, PLAYER_ONLY};
use crate::rules::state::FREE_TEXT_CHARACTERS_MAX;

const CHAPTER: &str = "Play";
const ACTIONS: &[&str] = &["scavenge", "hide", "seek_alliance", "hunt", "craft", "explore", "rest"];

pub(crate) fn routes() -> Vec<Route> {
    vec![submit(), advance(), end()]
}

fn submit() -> Route {
    let body = Schema::object(
        "TributeAction",
        [
            Field::id("turnId").required().about("The turn that is open.").example("d1t1"),
            Field::word("action", ACTIONS).required().example("hide"),
            Field::id("targetId").about("With or against whom: another living tribute."),
            Field::text("freeText", 0..=FREE_TEXT_CHARACTERS_MAX)
                .about("Flavour for the story; it changes nothing."),
        ],
    );
    let example = json!({
        "turnId": "d1t1",
        "resolved": false,
        "events": [],
        "match": match_example(),
    });
    command!(POST "/match/{id}/action", "submitAction", submit::count, submit::submit)
        .about(CHAPTER, "Says what a tribute does, or something else until the turn is resolved.")
        .body(body)
        .answers(200, "Whether that resolved the turn, and what came of it.", Some(example))
        .refuses(&[(400, "CONTENT_VIOLATION"), (400, "STALE_TURN")])
        .refuses_with(PLAYER_ONLY)
        .refuses_with(CHANGING)
        .refuses(&[(409, "NOT_COLLECTING"), (409, "TRIBUTE_DEAD"), (429, "RATE_LIMIT")])
        .if_match()
        .once_required()
}

fn advance() -> Route {
    let body = Schema::object(
        "Advance",
        [
            Field::id("turnId")
                .about("The turn to resolve, unless `If-Match` has the version of the match in which it is open.")
                .example("d1t1"),
            Field::flag("force").about("Does not wait for players who have not chosen."),
        ],
    );
    let example = json!({ "turnId": "d1t1", "events": [], "match": match_example() });
    Route::new(
        Method::POST,
        "/match/{id}/advance",
        "advance",
        async |app: Arc<App>, call: Request| advance::advance(&app, &call).await,
    )
    .about(CHAPTER, "Resolves the turn of a quick or standard match that the request names.")
    .optional_body(body)
    .answers(200, "The turn that was resolved.", Some(example))
    .refuses(&[(400, "STALE_TURN")])
    .refuses_with(HOST_ONLY)
    .refuses_with(CHANGING)
    .refuses(&[(409, "NOT_COLLECTING"), (428, "TURN_REQUIRED")])
    .if_match()
    .once_required()
}

fn end() -> Route {
    command!(POST "/match/{id}/end", "endMatch", end::end)
        .about(CHAPTER, "Ends a lobby, or a match that nobody will win.")
        .optional_body(Schema::object("End", []))
        .answers(200, "The match.", Some(match_example()))
        .refuses_with(HOST_ONLY)
        .refuses_with(CHANGING)
        .if_match()
        .once_required()
}
