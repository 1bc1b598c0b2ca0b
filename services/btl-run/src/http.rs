//! The service as routes: what is asked, who may ask, what is answered. What a route does is in
//! `commands`.

mod command;
mod gm;
mod kv;
mod lobby;
mod log;
mod matches;
mod me;
mod messages;
mod play;
mod recap;
mod story;

use monotable::model::key::encode_free_text;
use monotable_kit::{Problem, RecordPlace, RecordScope, Service};
use serde_json::{Map, Value, json};

use crate::app::App;

/// The service.
pub fn service() -> Service<App> {
    Service::new(
        "btl-run",
        "btl.run",
        "A battle royale in text: turns that anybody can verify, told by a narrator.",
        problem_form,
    )
    .record_key(record_key)
    .routes(matches::routes())
    .routes(log::routes())
    .routes(messages::routes())
    .routes(story::routes())
    .routes(kv::routes())
    .routes(lobby::routes())
    .routes(play::routes())
    .routes(gm::routes())
    .routes(me::routes())
    .routes(recap::routes())
}

/// Where the answer to a request is kept: with its match, or with the user if there is none yet.
fn record_key(request: &RecordScope<'_>) -> RecordPlace {
    let scope = match (request.path.get("id"), request.principal) {
        (Some(match_id), _) => encode_free_text(match_id),
        (None, Some(user)) => format!("user:{}", encode_free_text(&user.id)),
        (None, None) => "user:".to_owned(),
    };
    RecordPlace::Shared { partition: format!("idem#{scope}"), sort: encode_free_text(request.key) }
}

/// A problem as clients of this service know it: the text, the code, the request, and details.
fn problem_form(problem: &Problem, request_id: &str) -> Value {
    let mut form = Map::new();
    form.insert("error".to_owned(), problem.message.clone().into());
    form.insert("code".to_owned(), code(problem).into());
    form.insert("requestId".to_owned(), request_id.into());
    if !problem.details.is_empty() {
        let listed = problem.details.iter().map(|(name, value)| json!({ name: value }));
        form.insert("details".to_owned(), Value::Array(listed.collect()));
    }
    Value::Object(form)
}

/// The code as clients of this service know it.
fn code(problem: &Problem) -> &'static str {
    match problem.code {
        "VERSION_CONFLICT" => "CONFLICT",
        "LIMIT_REACHED" | "RATE_LIMITED" => "RATE_LIMIT",
        "UNAUTHENTICATED" => "INVALID_TOKEN",
        code => code,
    }
}
