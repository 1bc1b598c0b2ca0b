//! Routes of rosters.

use monotable_kit::{Field, Kind, Route, Schema};
use serde_json::{Value, json};

use super::command::command;
use super::teams::MANAGING;
use crate::commands::{links, players};

const CHAPTER: &str = "Players";
const POSITIONS: &[&str] = &["1B", "2B", "3B", "SS", "OF", "C", "P", "DH", "UTIL"];
const STATUSES: &[&str] = &["active", "inactive", "sub"];
const READ_ONLY: [&str; 10] = [
    "playerId",
    "teamId",
    "userId",
    "isGhost",
    "linkedAt",
    "lastUnlinkedAt",
    "paCount",
    "createdAt",
    "updatedAt",
    "ver",
];

pub(super) fn routes() -> Vec<Route> {
    vec![add(), add_several(), list(), get(), change(), remove(), link(), unlink()]
}

fn first_name() -> Field {
    Field::text("firstName", 1..=50)
        .about("Letters of any script, hyphens, apostrophes, periods and single spaces.")
        .example("Mary Ann")
}

fn described() -> Vec<Field> {
    vec![
        Field::text("lastName", 1..=50).nullable().example("O'Neil"),
        Field::integer("playerNumber", 0..=99)
            .nullable()
            .about("Worn by one player of a team who is not inactive.")
            .example(12),
        Field::list("positions", Kind::Word(POSITIONS), 0..=18)
            .nullable()
            .about("Two at most.")
            .example(json!(["SS", "2B"])),
        Field::word("status", STATUSES).example("active"),
    ]
}

fn new_player() -> Schema {
    let mut fields = vec![first_name().required()];
    fields.extend(described());
    Schema::object("NewPlayer", fields).read_only(READ_ONLY)
}

fn add() -> Route {
    command!(POST "/teams/{teamId}/players", "addPlayer", players::add)
        .about(CHAPTER, "Adds a player to the roster: a ghost, until somebody claims it.")
        .body(new_player())
        .answers(201, "The player.", Some(example()))
        .refuses(&MANAGING)
        .refuses(&[(409, "NUMBER_TAKEN"), (409, "LIMIT_REACHED")])
        .once()
}

fn add_several() -> Route {
    let list = Field::list("players", Kind::Object(new_player()), 1..=players::BULK_MAX);
    let page = json!({ "players": [example()], "count": 1 });
    command!(POST "/teams/{teamId}/players/bulk", "addPlayers", players::add_several)
        .about(CHAPTER, "Adds up to 25 players: all of them, or none.")
        .body(Schema::object("NewPlayers", [list.required()]))
        .answers(201, "The players.", Some(page))
        .refuses(&MANAGING)
        .refuses(&[(409, "NUMBER_TAKEN"), (409, "LIMIT_REACHED")])
        .once()
}

fn list() -> Route {
    let query = Schema::object(
        "Roster",
        [
            Field::word("status", STATUSES),
            Field::flag("isGhost"),
            Field::flag("includeRoles").about("With the roles of their users in the team."),
        ],
    );
    let page = json!({ "players": [example()], "count": 1 });
    command!(GET "/teams/{teamId}/players", "listPlayers", players::list)
        .about(CHAPTER, "The roster: by number, then by last and first name.")
        .query(query)
        .answers(200, "All players.", Some(page))
        .refuses(&[(403, "NOT_A_MEMBER"), (404, "TEAM_NOT_FOUND")])
}

fn get() -> Route {
    command!(GET "/teams/{teamId}/players/{playerId}", "getPlayer", players::get)
        .about(CHAPTER, "A player.")
        .answers(200, "The player.", Some(example()))
        .refuses(&[(403, "NOT_A_MEMBER"), (404, "TEAM_NOT_FOUND"), (404, "PLAYER_NOT_FOUND")])
}

fn change() -> Route {
    let mut fields = vec![first_name()];
    fields.extend(described());
    let body = Schema::object("PlayerChanges", fields).read_only(READ_ONLY);
    command!(PUT "/teams/{teamId}/players/{playerId}", "updatePlayer", players::change)
        .about(CHAPTER, "Changes a player. Names and positions also by the player's own user.")
        .body(body.must_say_something())
        .answers(200, "The player as it is then.", Some(example()))
        .refuses(&MANAGING)
        .refuses(&[(404, "PLAYER_NOT_FOUND"), (409, "NUMBER_TAKEN")])
        .once()
        .if_match()
}

fn remove() -> Route {
    command!(DELETE "/teams/{teamId}/players/{playerId}", "removePlayer", players::remove)
        .about(CHAPTER, "Removes a ghost that never batted and is in no lineup to be played.")
        .answers(204, "It is removed.", None)
        .refuses(&MANAGING)
        .refuses(&[(404, "PLAYER_NOT_FOUND"), (409, "PLAYER_LINKED"), (409, "PLAYER_HAS_STATS")])
        .once()
        .if_match()
}

fn link() -> Route {
    let user = Field::id("userId").required().about("A member of the team.").example("u2");
    command!(POST "/teams/{teamId}/players/{playerId}/link", "linkPlayer", links::link)
        .about(CHAPTER, "Makes a ghost a member's. What it did counts for the member's career.")
        .body(Schema::object("Claimant", [user]))
        .answers(200, "The player as it is then.", Some(example()))
        .refuses(&MANAGING)
        .refuses(&[
            (404, "PLAYER_NOT_FOUND"),
            (404, "USER_NOT_FOUND"),
            (409, "PLAYER_ALREADY_LINKED"),
        ])
        .once()
        .if_match()
}

fn unlink() -> Route {
    command!(DELETE "/teams/{teamId}/players/{playerId}/link", "unlinkPlayer", links::unlink)
        .about(CHAPTER, "Makes a player a ghost again. The career of its user keeps what was.")
        .answers(200, "The player as it is then.", Some(example()))
        .refuses(&MANAGING)
        .refuses(&[(404, "PLAYER_NOT_FOUND")])
        .once()
        .if_match()
}

fn example() -> Value {
    json!({
        "playerId": "p1",
        "teamId": "t1",
        "userId": null,
        "firstName": "Mary Ann",
        "lastName": "O'Neil",
        "playerNumber": 12,
        "positions": ["SS", "2B"],
        "status": "active",
        "isGhost": true,
        "paCount": 0,
        "createdAt": "2026-06-01T09:30:00.000Z",
        "updatedAt": "2026-06-01T09:30:00.000Z",
        "ver": 1,
    })
}
