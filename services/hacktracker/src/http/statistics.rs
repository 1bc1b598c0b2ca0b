//! Routes of what is made of plate appearances.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Field, Request, Route, Schema};
use serde_json::json;

use crate::app::App;
use crate::commands::statistics;

const CHAPTER: &str = "Statistics";
const NO_GAME: &[(u16, &str)] = &[(403, "NOT_A_MEMBER"), (404, "GAME_NOT_FOUND")];
const NO_TEAM: &[(u16, &str)] = &[(403, "NOT_A_MEMBER"), (404, "TEAM_NOT_FOUND")];
const NO_PLAYER: &[(u16, &str)] =
    &[(403, "NOT_A_MEMBER"), (404, "TEAM_NOT_FOUND"), (404, "PLAYER_NOT_FOUND")];
const TABLES: &[&str] = &["application/json", "text/csv"];

pub(super) fn routes() -> Vec<Route> {
    vec![
        live(),
        events(),
        boxscore(),
        stats(),
        record(),
        leaders(),
        player_stats(),
        player_spray(),
        career(),
    ]
}

fn live() -> Route {
    let path = "/games/{gameId}/live";
    Route::new(Method::GET, path, "getLive", async |app: Arc<App>, call: Request| {
        statistics::live(&app, &call).await
    })
    .about(CHAPTER, "How a game stands: inning, outs, who bats and who is next.")
    .answers(200, "The situation.", Some(json!({ "gameId": "g1", "inning": 2, "outs": 1 })))
    .refuses(NO_GAME)
}

fn events() -> Route {
    let path = "/games/{gameId}/events";
    Route::new(Method::GET, path, "followLive", async |app: Arc<App>, call: Request| {
        statistics::events(&app, &call).await
    })
    .about(CHAPTER, "How a game stands, now and whenever that changes, as server-sent events.")
    .produces(&["text/event-stream"])
    .answers(
        200,
        "Events named `live` with what getLive answers, and `signed-out` if the token expires.",
        None,
    )
    .refuses(NO_GAME)
}

fn boxscore() -> Route {
    let path = "/games/{gameId}/boxscore";
    Route::new(Method::GET, path, "getBoxScore", async |app: Arc<App>, call: Request| {
        statistics::boxscore(&app, &call).await
    })
    .about(CHAPTER, "The box score of a game.")
    .answers(200, "The box score.", Some(json!({ "gameId": "g1", "teamScore": 3, "lines": [] })))
    .refuses(NO_GAME)
}

fn stats() -> Route {
    let path = "/teams/{teamId}/stats";
    Route::new(Method::GET, path, "getTeamStatistics", async |app: Arc<App>, call: Request| {
        statistics::team(&app, &call).await
    })
    .about(CHAPTER, "What the players of a team have done.")
    .query(Schema::object("TeamStatisticsQuery", [scope(), vec![format()]].concat()))
    .produces(TABLES)
    .answers(200, "A line for each player, and the total.", None)
    .refuses(NO_TEAM)
}

fn record() -> Route {
    let path = "/teams/{teamId}/record";
    let example = json!({ "games": 3, "wins": 2, "losses": 1, "ties": 0 });
    Route::new(Method::GET, path, "getTeamRecord", async |app: Arc<App>, call: Request| {
        statistics::team_record(&app, &call).await
    })
    .about(CHAPTER, "Games won, lost and tied.")
    .query(Schema::object("RecordQuery", [dates(), vec![format()]].concat()))
    .produces(TABLES)
    .answers(200, "The record.", Some(example))
    .refuses(NO_TEAM)
}

fn leaders() -> Route {
    let path = "/teams/{teamId}/leaders";
    let further = vec![
        Field::word("rate", &["AVG", "OBP", "SLG", "OPS"]).about("AVG unless said."),
        Field::integer("minimum", 0..=100_000)
            .about("Plate appearances at least; two a final game unless said."),
        format(),
    ];
    Route::new(Method::GET, path, "getLeaders", async |app: Arc<App>, call: Request| {
        statistics::team_leaders(&app, &call).await
    })
    .about(CHAPTER, "Who of a team is best at a rate.")
    .query(Schema::object("LeadersQuery", [scope(), further].concat()))
    .produces(TABLES)
    .answers(200, "The leaders, with how often they batted.", None)
    .refuses(NO_TEAM)
}

fn player_stats() -> Route {
    let path = "/players/{teamId}/{playerId}/stats";
    let last = Field::integer("last", 1..=100).about("Games of the trend; 5 unless said.");
    Route::new(Method::GET, path, "getPlayerStatistics", async |app: Arc<App>, call: Request| {
        statistics::player(&app, &call).await
    })
    .about(CHAPTER, "What a player has done, and in the last games.")
    .query(Schema::object("PlayerStatisticsQuery", [own_scope(), vec![last]].concat()))
    .answers(200, "Totals and trend.", None)
    .refuses(NO_PLAYER)
}

fn player_spray() -> Route {
    let path = "/players/{teamId}/{playerId}/spray";
    Route::new(Method::GET, path, "getSprayChart", async |app: Arc<App>, call: Request| {
        statistics::player_spray(&app, &call).await
    })
    .about(CHAPTER, "Where a player's balls went.")
    .query(Schema::object("SprayQuery", own_scope()))
    .answers(200, "Points with what came of them.", None)
    .refuses(NO_PLAYER)
}

fn career() -> Route {
    let path = "/users/{userId}/career";
    let query = [
        Field::id("teamId"),
        Field::word("teamType", &["MANAGED", "PERSONAL"]).aliases(&["team_type"]),
        Field::id("seasonId"),
        own_live(),
    ];
    Route::new(Method::GET, path, "getCareer", async |app: Arc<App>, call: Request| {
        statistics::own_career(&app, &call).await
    })
    .about(CHAPTER, "One's own statistics across teams, also those that were left.")
    .query(Schema::object("CareerQuery", query))
    .answers(200, "Totals, and a line for each team.", None)
    .refuses(&[(403, "NOT_SELF")])
}

/// Which games count.
fn dates() -> Vec<Field> {
    vec![
        Field::id("seasonId").about("Of this season only."),
        Field::day("from").about("From this day on.").example("2026-05-01"),
        Field::day("to").about("Until this day."),
    ]
}

fn scope() -> Vec<Field> {
    let live = Field::flag("includeLive").about("Also games that are being played.");
    [dates(), vec![live]].concat()
}

/// Which games of one player count.
fn own_scope() -> Vec<Field> {
    [dates(), vec![own_live()]].concat()
}

fn own_live() -> Field {
    Field::flag("includeLive").about("false leaves out games that are not over.")
}

fn format() -> Field {
    Field::word("format", &["json", "csv"]).about("json unless said.")
}
