//! Every operation by every actor on their own, foreign, deleted and missing resources. The
//! operations are those of the service, so a new one fails here until the table has a row for it.

mod bodies;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use monotable::Item;
use monotable_hacktracker::service;
use monotable_hacktracker::table::GameStatus;
use monotable_kit::Route;
use monotable_testkit::service::{Actor, Matrix, Response, Row, Stage, Subject as _, path_with};
use serde_json::Value;

use self::table::TABLE;
use crate::place::{self, DELETED, FOREIGN, HIDDEN, MISSING, OWN, place};
use crate::world::{Softball, World};

const MATRIX: Matrix = Matrix {
    table: TABLE,
    actors: &["nobody", "forged", "expired", "zoe", "rex", "pat", "sam", "meg", "ann", "admin"],
    marks: &[
        ("401 UNAUTHENTICATED", 'u'),
        ("403 NOT_A_MEMBER", 'n'),
        ("403 INSUFFICIENT_ROLE", 'r'),
        ("403 NOT_SELF", 's'),
    ],
    exempt: &[],
};
/// The actors with a valid token; the first is a stranger.
const KNOWN: &[&str] = &["zoe", "rex", "pat", "sam", "meg", "ann", "admin"];
const STRANGER: &str = KNOWN[0];

/// Routes by method and path.
fn routes() -> BTreeMap<String, Route> {
    let named = |route: Route| (format!("{} {}", route.method, route.path), route);
    service().routes.into_iter().map(named).collect()
}

/// Returns the status of the game that a row is about; scheduled if it does not matter.
fn status_of(at: &str) -> GameStatus {
    let status = if at == "-" { "SCHEDULED" } else { at };
    serde_json::from_value(status.into()).unwrap()
}

/// The own team.
struct Own;

impl Stage<Softball> for Own {
    fn path_value(&self, route: &Route, name: &str, _at: &str) -> String {
        value_of(route, name, OWN)
    }

    fn body(&self, route: &Route, _at: &str) -> Value {
        bodies::body(route, OWN)
    }

    fn token(&self, world: &World, actor: &str) -> Option<String> {
        token(world, actor)
    }
}

/// Returns the token of an actor, if it has one.
fn token(world: &World, actor: &str) -> Option<String> {
    match actor {
        "forged" => Some(world.forged_token(&Softball::principal("ann"))),
        // Tokens are valid for an hour, and clocks may differ by a little.
        "expired" => Some(world.old_token("ann", 2 * 60 * 60)),
        "nobody" => None,
        user => world.token(Actor::User(user)),
    }
}

fn value_of(route: &Route, name: &str, team: &str) -> String {
    match name {
        "teamId" => team.to_owned(),
        "playerId" => format!("{team}-9"),
        "gameId" => format!("{team}-game"),
        "atBatId" => format!("{team}-atbat"),
        "inviteId" => format!("{team}-invite"),
        "shareId" => format!("{team}-share"),
        "userId" => user_of(team).to_owned(),
        "token" => place::share_token(team),
        other => panic!("the matrix has no value for {{{other}}} of {}", route.path),
    }
}

/// Returns a path with the ids of these teams: the one of the first id, and the one of the
/// following ids.
fn path_of(route: &Route, first: &str, behind: &str) -> String {
    let mut team = first;
    path_with(route, |name| value_of(route, name, std::mem::replace(&mut team, behind)))
}

/// Returns the user of a team: a member, a foreign user, a deleted one, or a missing one.
fn user_of(team: &str) -> &'static str {
    match team {
        OWN => "pat",
        FOREIGN => "bob",
        DELETED => "gus",
        MISSING => "nil",
        other => panic!("{other} is no team of the matrix"),
    }
}

async fn ask(world: &World, actor: &str, route: &Route, path: &str, body: Value) -> Response {
    world.request(actor, route.method.clone(), path, body, &[]).await
}

/// Returns everything that a response shows, except which team it is about.
fn seen(response: &Response, team: &str) -> String {
    let names: BTreeSet<&str> = response.headers.keys().map(http::HeaderName::as_str).collect();
    // Pages of problems show the id of their request.
    let text = response.text.replace(response.header("x-request-id"), "*");
    let text = text.replace(team, "*").replace(user_of(team), "*");
    format!("{} {text} {names:?}", response.status)
}

#[test]
fn every_route_has_rows() {
    MATRIX.assert_complete(&service());
}

/// Each actor gets what the table shows, and a refused request changes nothing.
#[tokio::test]
async fn roles_decide() {
    MATRIX.check(async |at: &str| (place(status_of(at)).await, Own)).await;
}

/// A field that is added to an entity is in no response until a view names it.
#[tokio::test]
async fn added_fields_are_in_no_response() {
    let add_field = |row: &mut Item, name: &str| drop(row.insert(name.to_owned(), "leak".into()));
    let set_up = async |at: &str| (place(status_of(at)).await, Own);
    MATRIX.assert_hides_new_fields(set_up, add_field).await;
}

/// Routes on which the team alone does not hide anything, and why.
fn is_open(row: &Row, actor: &str, team: &str) -> bool {
    match row.route.as_str() {
        // Whoever has a token of these was given it.
        "POST /invites/accept" | "GET /share/{token}" => true,
        "GET /share/{token}/plays" | "GET /share/{token}/events" | "GET /live/{token}" => true,
        // Administrators see every account, and owners the teams that they deleted.
        "GET /users/{userId}" => actor == "admin" && team == FOREIGN,
        "POST /teams/{teamId}/restore" => actor == "ann" && team == DELETED,
        _ => false,
    }
}

/// For every caller, foreign and deleted resources look as if they had never existed, and so does
/// the own team for a stranger.
#[tokio::test]
async fn hidden_resources_look_like_missing_ones() {
    let routes = routes();
    let mut wrong = Vec::new();
    for row in MATRIX.rows() {
        let Some(route) = routes.get(&row.route) else { continue };
        let has_ids = route.path.contains('{') || bodies::names_a_team(route);
        if !has_ids {
            continue;
        }
        let world = place(status_of(row.at)).await;
        let before = world.stored();
        let to = async |actor: &str, team: &str| {
            let path = path_of(route, team, team);
            let answer = ask(&world, actor, route, &path, bodies::body(route, team)).await;
            seen(&answer, team)
        };
        let expected = to(STRANGER, MISSING).await;
        if !is_open(&row, STRANGER, OWN) && to(STRANGER, OWN).await != expected {
            wrong.push(format!("{} tells a stranger that there is one", row.route));
        }
        for actor in KNOWN {
            for team in HIDDEN.into_iter().filter(|team| !is_open(&row, actor, team)) {
                let told = to(actor, team).await;
                if told != expected {
                    wrong.push(format!("{} {team} by {actor}: {told}\n not {expected}", row.route));
                }
            }
        }
        if world.stored() != before && !is_open(&row, STRANGER, OWN) && row.route != RESTORE {
            wrong.push(format!("{} changed what is hidden", row.route));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The only route that can change a deleted resource.
const RESTORE: &str = "POST /teams/{teamId}/restore";

/// Behind an id of the own team, ids of another team are those of nothing.
#[tokio::test]
async fn ids_of_other_teams_lead_nowhere() {
    let routes = routes();
    let mut wrong = Vec::new();
    for row in MATRIX.rows() {
        let Some(route) = routes.get(&row.route) else { continue };
        if route.path.matches('{').count() < 2 {
            continue;
        }
        let world = place(status_of(row.at)).await;
        let before = world.stored();
        for actor in KNOWN {
            let mut told = Vec::new();
            for team in HIDDEN {
                let path = path_of(route, OWN, team);
                let answer = ask(&world, actor, route, &path, bodies::body(route, OWN)).await;
                if answer.status < 300 {
                    wrong.push(format!("{} did {path} for {actor}", row.route));
                }
                told.push(seen(&answer, team));
            }
            if told.iter().any(|one| *one != told[0]) {
                wrong.push(format!("{} tells {actor} of another team: {told:#?}", row.route));
            }
        }
        if world.stored() != before {
            wrong.push(format!("{} changed something of another team", row.route));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A game that was deleted looks as if it had never been, while its rows go and when they have gone.
#[tokio::test]
async fn deleted_resources_look_like_missing_ones() {
    let world = place(GameStatus::Final).await;
    let deleted = world.delete("ann", "/games/red-game").await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    let mut wrong = Vec::new();
    for moment in ["while its rows go", "when they have gone"] {
        for route in routes().values().filter(|route| route.path.contains("{gameId}")) {
            for actor in KNOWN {
                let deleted = path_of(route, OWN, OWN);
                let missing = deleted.replace("red-game", "none-game");
                let body = bodies::body(route, OWN);
                let one = seen(&ask(&world, actor, route, &deleted, body.clone()).await, OWN);
                let other = seen(&ask(&world, actor, route, &missing, body).await, OWN);
                if one != other {
                    wrong.push(format!("{deleted} {moment} by {actor}: {one}\n not {other}"));
                }
            }
        }
        world.app.work().await.unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn operations_are_unavailable_while_the_backend_does_not_respond() {
    let set_up = async |at: &str| (place(status_of(at)).await, Own);
    MATRIX.assert_unavailable_without_backend(set_up).await;
}
