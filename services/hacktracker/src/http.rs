//! The service as routes: what is asked, who may ask, what is answered. What a route does is in
//! `commands`.

mod command;
mod invites;
mod shares;
mod teams;
mod users;

use monotable_kit::{Problem, Service, operations};
use serde_json::{Map, Value};

use crate::api::{at_bats, audit, availability, games, players, seasons, statistics};

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
    .chapter(
        "Players",
        operations![
            players::add,
            players::add_several,
            players::list,
            players::get,
            players::update,
            players::remove,
            players::link,
            players::unlink,
        ],
    )
    .routes(invites::routes())
    .chapter("Seasons", operations![seasons::create, seasons::list])
    .chapter("Teams", operations![audit::list])
    .chapter(
        "Games",
        operations![
            games::create,
            games::list_all,
            games::get,
            games::update,
            games::delete,
            games::list,
            games::start,
            games::finish,
            games::suspend,
            games::reschedule,
            games::reopen,
        ],
    )
    .chapter(
        "At-bats",
        operations![
            at_bats::record,
            at_bats::list,
            at_bats::get,
            at_bats::update,
            at_bats::delete,
            at_bats::undo,
            at_bats::end_inning,
        ],
    )
    .chapter("Games", operations![availability::set, availability::list, availability::propose])
    .chapter(
        "Statistics",
        operations![
            statistics::live,
            statistics::events,
            statistics::box_score,
            statistics::team,
            statistics::record,
            statistics::leaders,
            statistics::player,
            statistics::spray,
            statistics::career,
        ],
    )
    .routes(shares::routes())
}

/// A problem as clients of this service know it: the text, the code, and the details beside them.
fn problem_form(problem: &Problem, _request_id: &str) -> Value {
    let mut form: Map<String, Value> = problem.details.clone();
    form.insert("error".to_owned(), problem.message.clone().into());
    form.insert("code".to_owned(), problem.code.into());
    Value::Object(form)
}
