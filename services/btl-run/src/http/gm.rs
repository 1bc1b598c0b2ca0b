//! Routes of game masters.

use monotable_kit::{Field, Route, Schema};
use serde_json::json;

use super::command::command;
use super::matches::{match_example, rules as rules_schema};
use crate::commands::gm;
use crate::refusal::{CHANGING, HOST_ONLY};

const CHAPTER: &str = "Game master";

pub(crate) fn routes() -> Vec<Route> {
    vec![rules(), announce(), inject()]
}

fn rules() -> Route {
    of_game_master(
        command!(POST "/match/{id}/gm/rules", "changeRules", gm::rules)
            .about(CHAPTER, "Changes the rules from the open turn on; what is left out stays.")
            .body(Schema { name: "RulesChange", ..rules_schema().must_say_something() }),
    )
}

fn announce() -> Route {
    let body = Schema::object(
        "Announcement",
        [Field::text("text", 1..=280).required().example("The river rises.")],
    );
    of_game_master(
        command!(POST "/match/{id}/gm/announce", "announce", gm::announce)
            .about(CHAPTER, "Says something to everybody.")
            .body(body)
            .refuses(&[(400, "CONTENT_VIOLATION")]),
    )
}

fn inject() -> Route {
    let body = Schema::object(
        "Injection",
        [
            Field::word("kind", &["hazard", "item_drop", "weather"]).required().example("weather"),
            Field::integer("zone", 1..=4).about("Of a hazard: the part of the arena."),
            Field::integer("damage", 1..=2).about("Of a hazard; nobody dies of it."),
            Field::id("tributeId").about("Of an item: who gets it. Items and sponsors must be on."),
            Field::text("weather", 1..=100).example("thick fog"),
        ],
    );
    of_game_master(
        command!(POST "/match/{id}/gm/inject", "inject", gm::count, gm::inject)
            .about(CHAPTER, "Makes something happen: a hazard, an item, or the weather.")
            .body(body)
            .refuses(&[(400, "CONTENT_VIOLATION"), (409, "TRIBUTE_DEAD"), (429, "RATE_LIMIT")]),
    )
}

fn of_game_master(route: Route) -> Route {
    let example = json!({ "events": [], "match": match_example() });
    route
        .answers(200, "What happened.", Some(example))
        .refuses_with(HOST_ONLY)
        .refuses_with(CHANGING)
        .refuses(&[(409, "NOT_COLLECTING")])
        .if_match()
        .once_required()
}
