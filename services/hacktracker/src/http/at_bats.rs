//! Routes of plate appearances.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Field, Kind, Request, Route, Schema};
use serde_json::{Value, json};

use crate::app::App;
use crate::commands::at_bats;

const CHAPTER: &str = "At-bats";
/// Results, and other words that are taken for them.
const RESULTS: &[&str] =
    &["K", "BB", "HBP", "1B", "2B", "3B", "HR", "OUT", "SAC", "FC", "E", "FO", "ROE", "SF"];
const HIT_TYPES: &[&str] =
    &["fly_ball", "ground_ball", "line_drive", "pop_up", "bunt", "ground_out"];
const REFUSALS: &[(u16, &str)] = &[
    (400, "PLAYER_NOT_IN_LINEUP"),
    (400, "RBI_NOT_ALLOWED"),
    (403, "INSUFFICIENT_ROLE"),
    (403, "NOT_A_MEMBER"),
    (404, "GAME_NOT_FOUND"),
    (409, "GAME_NOT_IN_PROGRESS"),
    (409, "TEAM_DELETED"),
];
const ONE: &str = "/games/{gameId}/atbats/{atBatId}";
const ALL: &str = "/games/{gameId}/atbats";

pub(super) fn routes() -> Vec<Route> {
    vec![record(), list(), get(), update(), delete(), undo(), end_inning()]
}

fn record() -> Route {
    let mut fields = vec![
        Field::id("playerId").required().about("Who bats."),
        Field::integer("battingOrder", 1..=99).about("The place in the lineup unless said."),
        Field::id("beforeAtBatId").about(
            "Inserts it in front of this one, which was played next. After the game only owners and \
             managers can.",
        ),
    ];
    fields.extend(play(true));
    let read_only = ["atBatId", "gameId", "teamId", "happenedAt", "createdAt", "updatedAt", "ver"];
    Route::new(Method::POST, ALL, "recordAtBat", async |app: Arc<App>, call: Request| {
        at_bats::record(&app, &call).await
    })
    .about(CHAPTER, "Records a plate appearance. The inning and the outs are known unless said.")
    .body(Schema::object("NewAtBat", fields).read_only(read_only))
    .answers(201, "The at-bat.", Some(example()))
    .refuses(REFUSALS)
    .refuses(&[(400, "PLAYER_NOT_ON_TEAM"), (404, "ATBAT_NOT_FOUND")])
    .refuses(&[(409, "LINEUP_REQUIRED"), (409, "LIMIT_REACHED"), (409, "NO_ROOM")])
    .once()
}

fn list() -> Route {
    let page = json!({ "atBats": [example()], "count": 1 });
    Route::new(Method::GET, ALL, "listAtBats", async |app: Arc<App>, call: Request| {
        at_bats::list(&app, &call).await
    })
    .about(CHAPTER, "The at-bats of a game, in the order in which they were played.")
    .query(Schema::object("AtBats", []).paged())
    .answers(200, "A page of at-bats; a bare array under Accept-Version: 1.", Some(page))
    .refuses(&[(400, "INVALID_CURSOR"), (403, "NOT_A_MEMBER"), (404, "GAME_NOT_FOUND")])
}

fn get() -> Route {
    Route::new(Method::GET, ONE, "getAtBat", async |app: Arc<App>, call: Request| {
        at_bats::get(&app, &call).await
    })
    .about(CHAPTER, "An at-bat.")
    .answers(200, "The at-bat.", Some(example()))
    .refuses(&[(403, "NOT_A_MEMBER"), (404, "GAME_NOT_FOUND"), (404, "ATBAT_NOT_FOUND")])
}

fn update() -> Route {
    let batter = Field::id("playerId").about("Who batted, if somebody else was recorded.");
    let fields = [vec![batter], play(false)].concat();
    let body = Schema::object("AtBatChanges", fields).must_say_something().read_only([
        "atBatId",
        "gameId",
        "teamId",
        "battingOrder",
        "situationMismatch",
        "happenedAt",
        "createdAt",
        "updatedAt",
        "ver",
    ]);
    Route::new(Method::PUT, ONE, "updateAtBat", async |app: Arc<App>, call: Request| {
        at_bats::update(&app, &call).await
    })
    .about(CHAPTER, "Corrects an at-bat. After the game only owners and managers can.")
    .body(body)
    .answers(200, "The at-bat as it is then.", Some(example()))
    .refuses(REFUSALS)
    .refuses(&[(400, "PLAYER_NOT_ON_TEAM"), (404, "ATBAT_NOT_FOUND"), (409, "LINEUP_REQUIRED")])
    .once()
    .if_match()
}

fn delete() -> Route {
    Route::new(Method::DELETE, ONE, "deleteAtBat", async |app: Arc<App>, call: Request| {
        at_bats::delete(&app, &call).await
    })
    .about(CHAPTER, "Deletes an at-bat. After the game only owners and managers can.")
    .answers(204, "It is gone.", None)
    .refuses(REFUSALS)
    .refuses(&[(404, "ATBAT_NOT_FOUND")])
    .once()
    .if_match()
}

fn undo() -> Route {
    let path = "/games/{gameId}/atbats/undo";
    Route::new(Method::POST, path, "undoLastAtBat", async |app: Arc<App>, call: Request| {
        at_bats::undo(&app, &call).await
    })
    .about(CHAPTER, "Takes the last at-bat back: that one, if the request says which.")
    .optional_body(Schema::object("LastAtBat", [Field::id("atBatId")]))
    .answers(200, "The at-bat that is gone.", Some(example()))
    .refuses(REFUSALS)
    .refuses(&[(404, "ATBAT_NOT_FOUND"), (412, "PRECONDITION_FAILED")])
    .once()
}

fn end_inning() -> Route {
    let path = "/games/{gameId}/innings/end";
    Route::new(Method::POST, path, "endInning", async |app: Arc<App>, call: Request| {
        at_bats::end_inning(&app, &call).await
    })
    .about(
        CHAPTER,
        "Ends the inning with the last at-bat, before the third out: with that one, if the request \
         says which. `endsInning: null` on the at-bat takes it back.",
    )
    .optional_body(Schema::object("LastAtBatOfInning", [Field::id("atBatId")]))
    .answers(200, "The at-bat with which the inning ends.", Some(example()))
    .refuses(REFUSALS)
    .refuses(&[(409, "INNING_NOT_BEGUN"), (412, "PRECONDITION_FAILED")])
    .once()
}

/// What can be said about a play, when it is recorded and later.
fn play(is_new: bool) -> Vec<Field> {
    // Older clients send numbers as texts.
    let part =
        || Kind::OneOf(vec![Kind::Number { range: 0.0..=1.0 }, Kind::Text { length: 1..=32 }]);
    let location = Schema::object(
        "HitLocation",
        [
            Field::new("x", part()).required().about("From left to right, 0 to 1."),
            Field::new("y", part()).required().about("From top to bottom, 0 to 1."),
        ],
    );
    let result = Field::word("result", RESULTS).example("1B");
    vec![
        if is_new { result.required() } else { result },
        Field::integer("inning", 1..=99),
        Field::integer("outs", 0..=2).about("Outs before the play."),
        Field::new("hitLocation", Kind::Object(location)).nullable(),
        Field::word("hitType", HIT_TYPES).nullable().example("line_drive"),
        Field::integer("rbis", 0..=4).nullable(),
        Field::integer("outsOnPlay", 0..=3).nullable().about("What the result makes unless said."),
        Field::list("runsScored", Kind::Id, 0..=4)
            .nullable()
            .about("Who scored. The batter of a home run does so without being named."),
        Field::flag("endsInning").nullable().about(
            "true ends the inning before the third out; false lets it go on behind the run limit.",
        ),
    ]
}

pub(super) fn example() -> Value {
    json!({
        "atBatId": "0197f0c2-9d6e-7c1a-8f00-5f2f6f1f9a02",
        "gameId": "0197f0c2-9d6e-7c1a-8f00-5f2f6f1f9a01",
        "playerId": "0197f0c2-9d6e-7c1a-8f00-5f2f6f1f9a03",
        "teamId": "0197f0c2-9d6e-7c1a-8f00-5f2f6f1f9a00",
        "result": "1B",
        "inning": 1,
        "outs": 0,
        "battingOrder": 1,
        "outsOnPlay": 0,
        "createdAt": "2026-06-01T18:31:00.000Z",
        "updatedAt": "2026-06-01T18:31:00.000Z",
        "ver": 1
    })
}
