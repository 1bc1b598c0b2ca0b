//! Routes of links with which everybody can follow a game.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Request, Route, Schema, repeat};
use serde_json::json;

use crate::app::App;
use crate::commands::shares;

const CHAPTER: &str = "Sharing";
const REFUSALS: &[(u16, &str)] = &[
    (403, "INSUFFICIENT_ROLE"),
    (403, "NOT_A_MEMBER"),
    (404, "GAME_NOT_FOUND"),
    (409, "TEAM_DELETED"),
];

pub(super) fn routes() -> Vec<Route> {
    vec![create(), list(), revoke(), follow()]
}

fn create() -> Route {
    let path = "/games/{gameId}/shares";
    Route::new(Method::POST, path, "shareGame", async |app: Arc<App>, call: Request| {
        repeat(|| shares::create(&app, &call)).await
    })
    .about(CHAPTER, "Makes a link for everybody. Only this response has its token.")
    .optional_body(Schema::object("Nothing", []))
    .answers(201, "The link.", Some(json!({ "shareId": "s1", "token": "g1.s1.…" })))
    .refuses(REFUSALS)
    .refuses(&[(409, "LIMIT_REACHED")])
    .once()
}

fn list() -> Route {
    let path = "/games/{gameId}/shares";
    Route::new(Method::GET, path, "listShares", async |app: Arc<App>, call: Request| {
        shares::list(&app, &call).await
    })
    .about(CHAPTER, "The links of a game, without their tokens.")
    .answers(200, "The links.", Some(json!({ "shares": [{ "shareId": "s1" }], "count": 1 })))
    .refuses(REFUSALS)
}

fn revoke() -> Route {
    let path = "/games/{gameId}/shares/{shareId}";
    Route::new(Method::DELETE, path, "revokeShare", async |app: Arc<App>, call: Request| {
        repeat(|| shares::revoke(&app, &call)).await
    })
    .about(CHAPTER, "Lets a link lead nowhere.")
    .answers(204, "It leads nowhere.", None)
    .refuses(REFUSALS)
    .refuses(&[(404, "SHARE_NOT_FOUND")])
    .once()
}

fn follow() -> Route {
    Route::new(Method::GET, "/share/{token}", "followGame", async |app: Arc<App>, call: Request| {
        shares::follow(&app, &call).await
    })
    .about(CHAPTER, "The box score of a game, for whoever has a link.")
    .public()
    .answers(200, "The box score.", Some(json!({ "gameId": "g1", "teamScore": 3, "lines": [] })))
    .refuses(&[(404, "SHARE_NOT_FOUND")])
}
