//! Routes of seasons.

use monotable_kit::{Field, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use super::teams::MANAGING;
use crate::commands::seasons;

const CHAPTER: &str = "Seasons";

pub(super) fn routes() -> Vec<Route> {
    vec![create(), list()]
}

fn create() -> Route {
    let body = Schema::object(
        "NewSeason",
        [
            Field::text("name", 1..=50).required().example("Spring 2026"),
            Field::day("startsOn").example("2026-03-01"),
            Field::day("endsOn").about("Not before startsOn.").example("2026-05-31"),
        ],
    );
    command!(POST "/teams/{teamId}/seasons", "createSeason", seasons::create)
        .about(CHAPTER, "Begins a season.")
        .body(body)
        .answers(201, "The season.", Some(example()))
        .refuses(&MANAGING)
        .once()
}

fn list() -> Route {
    let page = json!({ "seasons": [example()], "count": 1 });
    command!(GET "/teams/{teamId}/seasons", "listSeasons", seasons::list)
        .about(CHAPTER, "The seasons of a team, in the order in which they were made.")
        .query(Schema::object("Seasons", []).paged())
        .answers(200, "A page of seasons.", Some(page))
        .refuses(&[(400, "INVALID_CURSOR"), (403, "NOT_A_MEMBER"), (404, "TEAM_NOT_FOUND")])
}

fn example() -> Value {
    json!({
        "seasonId": "s1",
        "teamId": "t1",
        "name": "Spring 2026",
        "startsOn": "2026-03-01",
        "endsOn": "2026-05-31",
        "createdAt": "2026-06-01T09:30:00.000Z",
        "updatedAt": "2026-06-01T09:30:00.000Z",
        "ver": 1,
    })
}
