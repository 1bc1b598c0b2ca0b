//! The route of what was done to a team.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Call, Route, Schema};
use serde_json::json;

use crate::app::App;
use crate::commands::audits;

pub(super) fn routes() -> Vec<Route> {
    let entry = json!({ "actor": "u1", "action": "deleteGame", "entity": "GAME#g1" });
    let path = "/teams/{teamId}/audit";
    let list = Route::new(Method::GET, path, "listAudit", async |app: Arc<App>, call: Call| {
        audits::list(&app, &call).await
    });
    vec![
        list.about(
            "Teams",
            "Corrections and deletions, the latest first. Owners and managers only.",
        )
        .query(Schema::object("Audit", []).paged())
        .answers(200, "A page of entries.", Some(json!({ "entries": [entry], "count": 1 })))
        .refuses(&[
            (400, "INVALID_CURSOR"),
            (403, "INSUFFICIENT_ROLE"),
            (404, "TEAM_NOT_FOUND"),
        ]),
    ]
}
