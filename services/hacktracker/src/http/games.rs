//! Routes of games and of their way from one status to another.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Field, Kind, Problem, Reply, Request, Route, Schema};
use serde_json::{Value, json};

use crate::app::App;
use crate::commands::games::lineup::PLAYERS_MAX;
use crate::commands::transitions::Transition;
use crate::commands::{delete_game, games};

const CHAPTER: &str = "Games";
const STATUSES: &[&str] = &["SCHEDULED", "IN_PROGRESS", "FINAL", "POSTPONED"];
const READ_ONLY: [&str; 7] =
    ["gameId", "createdAt", "updatedAt", "startedAt", "finishedAt", "ver", "lineupChanged"];
/// How a change of a game may be refused, whatever it is.
const REFUSALS: &[(u16, &str)] = &[
    (400, "PLAYER_NOT_ON_TEAM"),
    (403, "INSUFFICIENT_ROLE"),
    (403, "NOT_A_MEMBER"),
    (404, "GAME_NOT_FOUND"),
    (409, "GAME_ALREADY_IN_PROGRESS"),
    (409, "INVALID_TRANSITION"),
    (409, "LINEUP_REQUIRED"),
    (409, "TEAM_DELETED"),
];

pub(super) fn routes() -> Vec<Route> {
    let mut routes = vec![create(), list_all(), get(), update(), delete(), list()];
    routes.extend(transitions());
    routes
}

fn create() -> Route {
    let mut fields = vec![Field::id("teamId").about("Your personal team Default unless said.")];
    fields.extend(described());
    let body = Schema::object("NewGame", fields).read_only(READ_ONLY);
    Route::new(Method::POST, "/games", "createGame", async |app: Arc<App>, call: Request| {
        games::create(&app, &call).await
    })
    .about(CHAPTER, "Puts a game on the schedule, starts one, or records a past one.")
    .body(body)
    .answers(201, "The game.", Some(example()))
    .refuses(REFUSALS)
    .refuses(&[(400, "NO_DEFAULT_TEAM"), (404, "TEAM_NOT_FOUND"), (409, "LIMIT_REACHED")])
    .once()
}

fn list_all() -> Route {
    let page = json!({ "games": [example()], "count": 1 });
    Route::new(Method::GET, "/games", "listAllGames", async |app: Arc<App>, call: Request| {
        games::list_all(&app, &call).await
    })
    .about(CHAPTER, "All games, for administrators of the platform.")
    .query(Schema::object("AllGames", []).paged())
    .answers(200, "A page of games.", Some(page))
    .refuses(&[(400, "INVALID_CURSOR"), (403, "INSUFFICIENT_ROLE")])
}

fn get() -> Route {
    Route::new(Method::GET, "/games/{gameId}", "getGame", async |app: Arc<App>, call: Request| {
        games::get(&app, &call).await
    })
    .about(CHAPTER, "A game.")
    .answers(200, "The game.", Some(example()))
    .refuses(&[(403, "NOT_A_MEMBER"), (404, "GAME_NOT_FOUND")])
}

fn update() -> Route {
    let mut read_only = READ_ONLY.to_vec();
    read_only.push("teamId");
    let body = Schema::object("GameChanges", described()).read_only(read_only).must_say_something();
    Route::new(
        Method::PUT,
        "/games/{gameId}",
        "updateGame",
        async |app: Arc<App>, call: Request| games::change(&app, &call, None).await,
    )
    .about(CHAPTER, "Changes a game. Another status is the transition that leads to it.")
    .body(body)
    .answers(200, "The game as it is then.", Some(example()))
    .refuses(REFUSALS)
    .refuses(&[(409, "LIMIT_REACHED")])
    .once()
    .if_match()
}

fn delete() -> Route {
    let path = "/games/{gameId}";
    Route::new(Method::DELETE, path, "deleteGame", async |app: Arc<App>, call: Request| {
        delete_game::delete(&app, &call).await
    })
    .about(CHAPTER, "Deletes a game with its at-bats. Final games only by owners and managers.")
    .answers(204, "It is gone.", None)
    .refuses(&[
        (403, "INSUFFICIENT_ROLE"),
        (403, "NOT_A_MEMBER"),
        (404, "GAME_NOT_FOUND"),
        (409, "INVALID_TRANSITION"),
        (409, "TEAM_DELETED"),
    ])
    .once()
    .if_match()
}

fn list() -> Route {
    let query = Schema::object(
        "Schedule",
        [Field::word("status", STATUSES), Field::id("seasonId").about("Of this season only.")],
    );
    let page = json!({ "games": [example()], "count": 1 });
    Route::new(
        Method::GET,
        "/teams/{teamId}/games",
        "listGames",
        async |app: Arc<App>, call: Request| games::list(&app, &call).await,
    )
    .about(CHAPTER, "The games of a team, the latest first, those without a date last.")
    .query(query.paged())
    .answers(200, "A page of games; a bare array under Accept-Version: 1.", Some(page))
    .refuses(&[(400, "INVALID_CURSOR"), (403, "NOT_A_MEMBER"), (404, "TEAM_NOT_FOUND")])
}

fn transitions() -> Vec<Route> {
    let scores = || Schema::object("FinalScore", scores());
    let nothing = || Schema::object("Nothing", []);
    let date = Schema::object(
        "NewDate",
        [Field::instant("scheduledStart").required().example("2026-06-02T18:30:00Z")],
    );
    vec![
        transition("/games/{gameId}/start", "startGame", Transition::Start)
            .about(CHAPTER, "Starts a game, or goes on with one that was suspended.")
            .optional_body(nothing()),
        transition("/games/{gameId}/finish", "finishGame", Transition::Finish)
            .about(CHAPTER, "Ends a game, with its final score if that is said.")
            .optional_body(scores()),
        transition("/games/{gameId}/suspend", "suspendGame", Transition::Suspend)
            .about(CHAPTER, "Stops a game in the middle. Its at-bats are kept.")
            .optional_body(nothing()),
        transition("/games/{gameId}/reschedule", "rescheduleGame", Transition::Reschedule)
            .about(CHAPTER, "Gives a game that was put off a new date.")
            .body(date),
        transition("/games/{gameId}/reopen", "reopenGame", Transition::Reopen)
            .about(CHAPTER, "Goes on with a game that was over. Owners and managers only.")
            .optional_body(nothing()),
    ]
}

fn transition(path: &'static str, operation: &'static str, way: Transition) -> Route {
    let handler = move |app: Arc<App>, call: Request| async move {
        let changed: Result<Reply, Problem> = games::change(&app, &call, Some(way)).await;
        changed
    };
    Route::new(Method::POST, path, operation, handler)
        .answers(200, "The game as it is then.", Some(example()))
        .refuses(REFUSALS)
        .once()
        .if_match()
}

/// The fields that say what a game is.
fn described() -> Vec<Field> {
    let place = Schema::object(
        "LineupPlace",
        [Field::id("playerId").required(), Field::integer("battingOrder", 1..=1_000).required()],
    );
    let entry = Kind::OneOf(vec![Kind::Id, Kind::Object(place)]);
    let mut fields = vec![
        Field::word("status", STATUSES).example("SCHEDULED"),
        Field::instant("scheduledStart").nullable().example("2026-06-01T18:30:00Z"),
        Field::text("opponentName", 1..=80).nullable().example("Night Owls"),
        Field::text("location", 1..=120).nullable().example("Field 3"),
        Field::id("seasonId").nullable().about("A season of the team."),
        Field::list("lineup", entry, 0..=PLAYERS_MAX)
            .nullable()
            .about("Players in batting order: ids, or objects with a battingOrder each."),
        Field::integer("innings", 1..=30).nullable().about("7 unless said."),
        Field::integer("inningRunLimit", 1..=99)
            .nullable()
            .about("With so many runs an inning of the team ends."),
        Field::word("scoreMode", &["auto", "manual"]).about(
            "auto counts the runs of the at-bats; a teamScore that is written makes it manual.",
        ),
    ];
    fields.extend(scores());
    fields
}

fn scores() -> Vec<Field> {
    vec![Field::integer("teamScore", 0..=999), Field::integer("opponentScore", 0..=999)]
}

pub(super) fn example() -> Value {
    json!({
        "gameId": "0197f0c2-9d6e-7c1a-8f00-5f2f6f1f9a01",
        "teamId": "0197f0c2-9d6e-7c1a-8f00-5f2f6f1f9a00",
        "status": "SCHEDULED",
        "scheduledStart": "2026-06-01T18:30:00.000Z",
        "opponentName": "Night Owls",
        "teamScore": 0,
        "opponentScore": 0,
        "lineup": [],
        "innings": 7,
        "scoreMode": "manual",
        "createdAt": "2026-05-20T09:00:00.000Z",
        "updatedAt": "2026-05-20T09:00:00.000Z",
        "ver": 1
    })
}
