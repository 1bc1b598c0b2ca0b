//! Every route for every actor on what is their own, somebody else's, deleted and missing. The routes are
//! those of the service, so that a new one fails here until the table says who may use it.

mod bodies;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use http::Method;
use monotable_hacktracker::service;
use monotable_hacktracker::table::GameStatus;
use monotable_kit::{JwtSettings, LocalIssuer, Route};
use serde_json::Value;

use self::table::{Row, rows};
use crate::place::{self, DELETED, FOREIGN, HIDDEN, MISSING, OWN, place, rows_of};
use crate::world::{Answer, World};

/// Who asks, in the order of the table's marks.
const ACTORS: [&str; 10] =
    ["nobody", "forged", "expired", "zoe", "rex", "pat", "sam", "meg", "ann", "admin"];
/// The place of the stranger among them.
const STRANGER: usize = 3;

/// Routes by method and path.
fn routes() -> BTreeMap<String, Route> {
    let named = |route: Route| (format!("{} {}", route.method, route.path), route);
    service().routes.into_iter().map(named).collect()
}

fn status_of(row: &Row) -> GameStatus {
    serde_json::from_value(row.game.into()).unwrap()
}

/// What the actor's token is; nobody has none.
fn authorization(world: &World, actor: &str) -> Option<String> {
    let issuer = |secret| {
        let settings = JwtSettings::new("https://issuer.example", "hacktracker");
        LocalIssuer::new(settings, &[secret; 32]).unwrap()
    };
    let now = world.app.db.now();
    // Tokens are valid for an hour, and clocks may differ by a little.
    let long_ago = now - Duration::from_secs(2 * 60 * 60);
    let token = match actor {
        "nobody" => return None,
        "forged" => issuer(8).token(&world.principal("ann"), now),
        "expired" => issuer(7).token(&world.principal("ann"), long_ago),
        user => issuer(7).token(&world.principal(user), now),
    };
    Some(format!("Bearer {token}"))
}

/// A path with the ids of these teams: that of the first id, and that of those behind it.
fn path_of(route: &Route, first: &str, behind: &str) -> String {
    let mut team = first;
    let parts = route.path.split('/').map(|part| {
        let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) else {
            return part.to_owned();
        };
        let value = match name {
            "teamId" => team.to_owned(),
            "playerId" => format!("{team}-9"),
            "gameId" => format!("{team}-game"),
            "atBatId" => format!("{team}-atbat"),
            "inviteId" => format!("{team}-invite"),
            "shareId" => format!("{team}-share"),
            "userId" => user_of(team).to_owned(),
            "token" => place::share_token(team),
            other => panic!("the matrix has no value for {{{other}}} of {}", route.path),
        };
        team = behind;
        value
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The user that stands for a team's: a member, somebody else, one who is deleted, and none.
fn user_of(team: &str) -> &'static str {
    match team {
        OWN => "pat",
        FOREIGN => "bob",
        DELETED => "gus",
        MISSING => "nil",
        other => panic!("{other} is no team of the matrix"),
    }
}

async fn ask(world: &World, actor: &str, route: &Route, path: &str, body: Value) -> Answer {
    let token = authorization(world, actor);
    let headers: Vec<(&str, &str)> =
        token.iter().map(|token| ("authorization", token.as_str())).collect();
    world.ask("", route.method.clone(), path, body, &headers).await
}

/// What an actor was told, as the table writes it.
fn mark(answer: &Answer) -> char {
    match answer.told().as_str() {
        "401 UNAUTHENTICATED" => 'u',
        "403 NOT_A_MEMBER" => 'n',
        "403 INSUFFICIENT_ROLE" => 'r',
        "403 NOT_SELF" => 's',
        _ => match answer.status {
            200..=299 => '.',
            404 => '-',
            409 => 'c',
            _ => '?',
        },
    }
}

/// All that can be told from an answer but who was asked about.
fn seen(answer: &Answer, team: &str) -> String {
    let names: BTreeSet<&str> = answer.headers.keys().map(http::HeaderName::as_str).collect();
    // Pages of problems show the id of their request.
    let text = answer.text.replace(answer.header("x-request-id"), "*");
    let text = text.replace(team, "*").replace(user_of(team), "*");
    format!("{} {text} {names:?}", answer.status)
}

#[test]
fn every_route_has_rows() {
    let routes = routes();
    let rows: BTreeSet<String> = rows().into_iter().map(|row| row.route).collect();
    let routes: BTreeSet<String> = routes.into_keys().collect();
    let unknown: Vec<_> = routes.difference(&rows).collect();
    let gone: Vec<_> = rows.difference(&routes).collect();
    assert!(unknown.is_empty(), "routes that the table says nothing about: {unknown:#?}");
    assert!(gone.is_empty(), "rows of routes that are not there: {gone:#?}");
}

/// Everybody gets what the table says, and whoever is refused has changed nothing.
#[tokio::test]
async fn roles_decide() {
    let routes = routes();
    let mut wrong = Vec::new();
    for row in rows() {
        let Some(route) = routes.get(&row.route) else { continue };
        let start = place(status_of(&row)).await;
        let (mut world, before) = (start.copy().await, rows_of(&start));
        let mut marks = String::new();
        for actor in ACTORS {
            let path = path_of(route, OWN, OWN);
            let answer = ask(&world, actor, route, &path, bodies::body(route, OWN)).await;
            marks.push(mark(&answer));
            let (is_done, is_read) = (answer.status < 300, route.method == Method::GET);
            if mark(&answer) == '?' {
                wrong.push(format!("{} by {actor}: {} {}", row.route, answer.told(), answer.text));
            }
            if !is_done && !is_read && rows_of(&world) != before {
                wrong.push(format!("{} changed something though {actor} is refused", row.route));
            }
            if is_done && !is_read {
                world = start.copy().await;
            }
        }
        if marks != row.marks {
            wrong.push(format!("{} {}: {} instead of {}", row.route, row.game, marks, row.marks));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Routes on which the team alone does not hide anything, and why.
fn is_open(row: &Row, actor: &str, team: &str) -> bool {
    match row.route.as_str() {
        // Whoever has a token of these was given it.
        "POST /invites/accept" | "GET /share/{token}" => true,
        "GET /share/{token}/plays" | "GET /share/{token}/events" | "GET /live/{token}" => true,
        // Administrators see every account, and everybody a team that was theirs to delete.
        "GET /users/{userId}" => actor == "admin" && team == FOREIGN,
        "POST /teams/{teamId}/restore" => actor == "ann" && team == DELETED,
        _ => false,
    }
}

/// What is somebody else's or deleted looks to everybody as if it had never been, and as the own team
/// looks to a stranger.
#[tokio::test]
async fn the_hidden_looks_like_the_missing() {
    let routes = routes();
    let mut wrong = Vec::new();
    for row in rows() {
        let Some(route) = routes.get(&row.route) else { continue };
        let has_ids = route.path.contains('{') || bodies::names_a_team(route);
        if !has_ids {
            continue;
        }
        let world = place(status_of(&row)).await;
        let before = rows_of(&world);
        let to = async |actor: &str, team: &str| {
            let path = path_of(route, team, team);
            let answer = ask(&world, actor, route, &path, bodies::body(route, team)).await;
            seen(&answer, team)
        };
        let stranger = ACTORS[STRANGER];
        let expected = to(stranger, MISSING).await;
        if !is_open(&row, stranger, OWN) && to(stranger, OWN).await != expected {
            wrong.push(format!("{} tells a stranger that there is one", row.route));
        }
        for actor in &ACTORS[STRANGER..] {
            for team in HIDDEN.into_iter().filter(|team| !is_open(&row, actor, team)) {
                let told = to(actor, team).await;
                if told != expected {
                    wrong.push(format!("{} {team} by {actor}: {told}\n not {expected}", row.route));
                }
            }
        }
        if rows_of(&world) != before && !is_open(&row, stranger, OWN) && row.route != RESTORE {
            wrong.push(format!("{} changed what is hidden", row.route));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The one route by which somebody may change what is deleted.
const RESTORE: &str = "POST /teams/{teamId}/restore";

/// Behind an id of the own team, ids of another team are those of nothing.
#[tokio::test]
async fn ids_of_other_teams_lead_nowhere() {
    let routes = routes();
    let mut wrong = Vec::new();
    for row in rows() {
        let Some(route) = routes.get(&row.route) else { continue };
        if route.path.matches('{').count() < 2 {
            continue;
        }
        let world = place(status_of(&row)).await;
        let before = rows_of(&world);
        for actor in &ACTORS[STRANGER..] {
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
        if rows_of(&world) != before {
            wrong.push(format!("{} changed something of another team", row.route));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A game that was deleted looks as if it had never been, while its rows go and when they have gone.
#[tokio::test]
async fn the_deleted_looks_like_the_missing() {
    let world = place(GameStatus::Final).await;
    let deleted = world.delete("ann", "/games/red-game").await;
    assert_eq!(deleted.status, 204, "{}", deleted.text);
    let mut wrong = Vec::new();
    for moment in ["while its rows go", "when they have gone"] {
        for route in routes().values().filter(|route| route.path.contains("{gameId}")) {
            for actor in &ACTORS[STRANGER..] {
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
