//! Every route for every actor, on a match in its lobby, played, ended and missing. The routes are those
//! of the service, so that a new one fails here until the table says who may use it.

mod place;
mod table;

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use monotable_btl_run::service;
use monotable_kit::{Kind, Route};
use serde_json::{Map, Value, json};

use self::place::{ACTORS, Place};
use self::table::{Row, rows};
use crate::invariants::rows::items;
use crate::served::Answer;

/// Routes by method and path.
fn routes() -> BTreeMap<String, Route> {
    let named = |route: Route| (format!("{} {}", route.method, route.path), route);
    service().routes.into_iter().map(named).collect()
}

/// A path with the ids of what is asked about.
fn path_of(route: &Route, place: &Place, at: &str) -> String {
    let is_missing = at == "missing";
    let parts = route.path.split('/').map(|part| {
        let Some(name) = part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) else {
            return part.to_owned();
        };
        match (name, at) {
            ("id", _) if is_missing => "none".to_owned(),
            ("id", _) => place.own.id.clone(),
            ("code", _) if is_missing => "ZZZZZZ".to_owned(),
            ("code", _) => place.own.code.clone(),
            ("tributeId", _) => place.bob.tribute.clone(),
            ("day", _) => "1".to_owned(),
            ("pk", "owned") => format!("match%23{}", place.own.id),
            ("sk", "owned") => "secret".to_owned(),
            ("pk", _) => "settings%23u1".to_owned(),
            ("sk", _) if route.method == Method::POST => "other".to_owned(),
            ("sk", _) => "theme".to_owned(),
            ("key", _) if route.method == Method::POST => "other".to_owned(),
            ("key", _) => "settings".to_owned(),
            (other, _) => panic!("the matrix has no value for {{{other}}} of {}", route.path),
        }
    });
    parts.collect::<Vec<_>>().join("/")
}

/// A body that the route takes, so that it is who asks that decides, and never what is said: the examples
/// that it gives for the fields that must be there.
fn body_of(route: &Route, place: &Place) -> Value {
    match route.operation {
        "joinMatch" => return json!({ "code": place.own.code, "name": "Nova" }),
        "advance" => return json!({ "turnId": "d1t1", "force": true }),
        "changeRules" => return json!({ "items": false }),
        "inject" => return json!({ "kind": "weather", "weather": "fog" }),
        _ => {}
    }
    let Some(schema) = &route.body else { return Value::Null };
    if schema.is_bare {
        return json!({});
    }
    let mut body = Map::new();
    for field in schema.fields.iter().filter(|field| field.required) {
        let example = match (&field.example, &field.kind) {
            (Some(example), _) => example.clone(),
            (None, Kind::Flag) => json!(true),
            _ => panic!("{} gives no example of {}", route.operation, field.name),
        };
        body.insert(field.name.to_owned(), example);
    }
    if body.is_empty() && schema.must_say_something {
        let field = schema.fields.iter().find_map(|field| Some((field, field.example.clone()?)));
        let (field, example) = field.unwrap_or_else(|| panic!("{} gives none", route.operation));
        body.insert(field.name.to_owned(), example);
    }
    match body.is_empty() && route.body_optional {
        true => Value::Null,
        false => Value::Object(body),
    }
}

async fn ask(place: &Place, actor: &str, route: &Route, row: &Row) -> Answer {
    let (path, body) = (path_of(route, place, row.at), body_of(route, place));
    // Ten may join in a minute from one address.
    place.served.clock.advance_ms(60 * 1000);
    place.served.ask(place.who(actor), route.method.clone(), &path, body, &[]).await
}

/// What an actor was told, as the table writes it.
fn mark(answer: &Answer) -> char {
    match answer.told().as_str() {
        "401 INVALID_TOKEN" => 'u',
        "403 NOT_YOUR_MATCH" => 'm',
        "403 GM_REQUIRED" => 'g',
        "403 NOT_YOUR_TRIBUTE" => 't',
        "403 USER_REQUIRED" => 'i',
        "403 KV_ROLE_REQUIRED" => 'k',
        "409 TRIBUTE_DEAD" => 'd',
        _ => match answer.status {
            200..=299 => '.',
            // Pages show no codes.
            401 if answer.headers["content-type"] != "application/json" => 'u',
            404 => '-',
            409 => 'c',
            _ => '?',
        },
    }
}

/// Everything that is stored, but for what is counted and remembered of requests.
fn stored(place: &Place) -> BTreeSet<String> {
    let is_kept = |row: &String| !row.contains("\"rate#") && !row.contains("\"idem#");
    let all = items(&place.served.database);
    all.iter().map(|row| format!("{row:?}")).filter(is_kept).collect()
}

#[test]
fn every_route_has_rows() {
    let rows: BTreeSet<String> = rows().into_iter().map(|row| row.route).collect();
    let routes: BTreeSet<String> = routes().into_keys().collect();
    let unknown: Vec<_> = routes.difference(&rows).collect();
    let gone: Vec<_> = rows.difference(&routes).collect();
    assert!(unknown.is_empty(), "routes that the table says nothing about: {unknown:#?}");
    assert!(gone.is_empty(), "rows of routes that are not there: {gone:#?}");
}

/// Everybody gets what the table says, whoever is refused has changed nothing, and looking changes nothing.
#[tokio::test]
async fn roles_decide() {
    let routes = routes();
    let mut places = BTreeMap::new();
    for status in ["lobby", "active", "ended"] {
        places.insert(status, Place::at(status).await);
    }
    let mut wrong = Vec::new();
    for row in rows() {
        let Some(route) = routes.get(&row.route) else { continue };
        let start = places.get(row.at).unwrap_or(&places["lobby"]);
        let (mut place, before) = (start.copy().await, stored(start));
        let mut marks = String::new();
        for actor in ACTORS {
            let answer = ask(&place, actor, route, &row).await;
            let mark = mark(&answer);
            marks.push(mark);
            if mark == '?' {
                wrong.push(format!("{} {actor}: {} {}", row.route, answer.told(), answer.text));
            }
            let is_write = mark == '.' && route.method != Method::GET;
            if !is_write && stored(&place) != before {
                wrong.push(format!("{} {}: {actor} changed something", row.route, row.at));
            }
            if is_write {
                place = start.copy().await;
            }
        }
        if marks != row.marks {
            wrong.push(format!("{} {}: {marks} instead of {}", row.route, row.at, row.marks));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
