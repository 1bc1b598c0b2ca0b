//! The service as routes: what is asked, who may ask, what is answered. What a route does is in
//! `commands`.

mod at_bats;
mod availability;
mod command;
mod games;
mod invites;
mod players;
mod shares;
mod statistics;
mod teams;
mod users;

use monotable_kit::{Problem, Service, operations};
use serde_json::{Map, Value};

use crate::api::{audit, seasons};

/// The service.
pub fn service() -> Service {
    Service::new(
        "hacktracker",
        "HackTracker",
        "Softball teams, rosters, games and batting statistics.",
        problem_form,
    )
    .routes(users::routes())
    .routes(teams::routes())
    .routes(players::routes())
    .routes(invites::routes())
    .chapter("Seasons", operations![seasons::create, seasons::list])
    .chapter("Teams", operations![audit::list])
    .routes(games::routes())
    .routes(at_bats::routes())
    .routes(availability::routes())
    .routes(statistics::routes())
    .routes(shares::routes())
}

/// A problem as clients of this service know it: the text, the code, and the details beside them.
fn problem_form(problem: &Problem, _request_id: &str) -> Value {
    let mut form: Map<String, Value> = problem.details.clone();
    form.insert("error".to_owned(), problem.message.clone().into());
    form.insert("code".to_owned(), problem.code.into());
    Value::Object(form)
}
