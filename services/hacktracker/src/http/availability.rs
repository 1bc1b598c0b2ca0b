//! Routes of who comes to a game.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Field, Request, Route, Schema, repeat};
use serde_json::json;

use crate::app::App;
use crate::commands::availability;

const CHAPTER: &str = "Games";

pub(super) fn routes() -> Vec<Route> {
    vec![set(), list(), propose()]
}

fn set() -> Route {
    let path = "/games/{gameId}/rsvp/{playerId}";
    let answer = Field::word("answer", &["yes", "no", "maybe"]).required().example("yes");
    Route::new(Method::PUT, path, "setAvailability", async |app: Arc<App>, call: Request| {
        repeat(|| availability::set(&app, &call)).await
    })
    .about(CHAPTER, "Says whether a player comes: players for themselves, managers for all.")
    .body(Schema::object("Rsvp", [answer]))
    .answers(200, "What is known now.", Some(json!({ "playerId": "p1", "answer": "yes" })))
    .refuses(&[
        (403, "INSUFFICIENT_ROLE"),
        (403, "NOT_A_MEMBER"),
        (404, "GAME_NOT_FOUND"),
        (404, "PLAYER_NOT_FOUND"),
        (409, "TEAM_DELETED"),
    ])
    .once()
}

fn list() -> Route {
    let path = "/games/{gameId}/rsvp";
    let example = json!({ "rsvps": [{ "playerId": "p1", "answer": "yes" }], "count": 1 });
    Route::new(Method::GET, path, "listAvailability", async |app: Arc<App>, call: Request| {
        availability::list(&app, &call).await
    })
    .about(CHAPTER, "Who has said whether they come.")
    .answers(200, "All that was said.", Some(example))
    .refuses(&[(403, "NOT_A_MEMBER"), (404, "GAME_NOT_FOUND")])
}

fn propose() -> Route {
    let path = "/games/{gameId}/lineup-proposal";
    let example = json!({
        "lastUsed": "g1",
        "lineup": [{ "battingOrder": 1, "playerId": "p1", "firstName": "Ann" }],
        "maybe": [],
        "unanswered": []
    });
    Route::new(Method::GET, path, "proposeLineup", async |app: Arc<App>, call: Request| {
        availability::propose(&app, &call).await
    })
    .about(CHAPTER, "A lineup of those who come, in the order that was used last.")
    .answers(200, "A lineup to start from.", Some(example))
    .refuses(&[(403, "NOT_A_MEMBER"), (404, "GAME_NOT_FOUND")])
}
