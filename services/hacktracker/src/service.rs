//! The service as a list of operations, from which its routes and its documentation are made.

use monotable_kit::{Problem, Service, operations};
use serde_json::{Map, Value};

use crate::api::{
    at_bats, audit, availability, games, invites, members, players, seasons, shares, statistics,
    teams, users,
};

/// The service.
pub fn service() -> Service {
    Service::new(
        "hacktracker",
        "HackTracker",
        "Softball teams, rosters, games and batting statistics.",
        problem_form,
    )
    .chapter(
        "Users",
        operations![
            users::context,
            users::list,
            users::get,
            users::update,
            users::delete,
            users::export,
        ],
    )
    .chapter(
        "Teams",
        operations![
            teams::create,
            teams::list,
            teams::get,
            teams::update,
            teams::delete,
            teams::restore,
            teams::transfer,
        ],
    )
    .chapter("Members", operations![members::list, members::change_role, members::remove])
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
    .chapter(
        "Invitations",
        operations![invites::create, invites::list, invites::revoke, invites::accept],
    )
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
    .chapter("Sharing", operations![shares::create, shares::list, shares::revoke, shares::follow])
}

/// A problem as clients of this service know it: the text, the code, and the details beside them.
fn problem_form(problem: &Problem, _request_id: &str) -> Value {
    let mut form: Map<String, Value> = problem.details.clone();
    form.insert("error".to_owned(), problem.message.clone().into());
    form.insert("code".to_owned(), problem.code.into());
    Value::Object(form)
}
