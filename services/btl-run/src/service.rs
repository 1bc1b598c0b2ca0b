//! The service as a list of operations, from which its routes and its documentation are generated.

use monotable_kit::{Problem, Service, TokenScheme, operations};
use serde_json::{Map, Value, json};

use crate::api::{gm, kv, lobby, log, matches, me, messages, play, story};
use crate::pages;

/// Tokens of matches.
const MATCH_TOKENS: TokenScheme = TokenScheme {
    name: "matchToken",
    format: "btl1/host/<match>/<secret> or btl1/player/<match>/<tribute>/<secret>",
    about: "The token of a match's host (`adminToken` of `createMatch`) or of a player (`playerToken` of \
            `joinMatch`). It is valid in that match only, and needed for everything that a host or a \
            player does.",
};

/// The name of the service, with which its paths begin.
pub(crate) const NAME: &str = "btl-run";

/// Returns the service.
pub fn service() -> Service {
    Service::new(
        NAME,
        "btl.run",
        "A battle royale in text: turns that anyone can verify, with a narrator.",
        problem_form,
    )
    .home("/my-matches")
    .tokens(MATCH_TOKENS)
    .chapter("Matches", operations![matches::create, matches::get])
    .chapter("What happened", operations![log::read, log::follow, log::summary, log::summaries])
    .chapter("Alliances", operations![messages::list, messages::send])
    .chapter("Stories", operations![story::export, story::verify])
    .chapter("Key-value rows", kv::routes())
    .chapter(
        "Lobby",
        operations![
            lobby::get_invite,
            lobby::renew_invite,
            lobby::join,
            lobby::add_ai,
            lobby::remove_tribute,
            lobby::start,
            lobby::renew_token,
        ],
    )
    .chapter("Play", operations![play::submit, play::advance, play::end])
    .chapter("Game master", operations![gm::change_rules, gm::announce, gm::inject])
    .chapter("Me", operations![me::get, me::put, me::delete, me::matches])
    .chapter("Matches", operations![matches::pin])
    .chapter("Stories", operations![story::recap])
    .chapter("Pages", operations![pages::my_matches, pages::story])
    .refuse_invalid_tokens()
}

/// Returns a problem in the form that clients of this service know: the text, the code, the
/// request, and details.
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

/// Returns the code that clients of this service know.
fn code(problem: &Problem) -> &'static str {
    match problem.code {
        "VERSION_CONFLICT" => "CONFLICT",
        "LIMIT_REACHED" | "RATE_LIMITED" => "RATE_LIMIT",
        "UNAUTHENTICATED" => "INVALID_TOKEN",
        code => code,
    }
}
