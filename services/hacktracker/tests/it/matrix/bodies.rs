//! What is sent: the examples that the routes give for the fields that must be there, with ids of the
//! team that is asked about. So that it is who asks that decides, and never what is said.

use monotable_hacktracker::table::GameStatus;
use monotable_kit::{Field, Kind, Route, Schema};
use serde_json::{Map, Value, json};

use super::user_of;
use crate::place::{self, DELETED, HIDDEN, OWN, place as world_of};
use crate::world::{Answer, World};

/// A body that the route takes.
pub(super) fn body(route: &Route, team: &str) -> Value {
    let Some(schema) = &route.body else { return Value::Null };
    let mut body = object(route, schema, team);
    if body.is_empty() && schema.must_say_something {
        // A status is a transition, which has rows of its own.
        let mut optional = schema.fields.iter().filter(|field| field.name != "status");
        let field = optional.find(|field| field.example.is_some());
        let field = field.unwrap_or_else(|| panic!("{} gives no example", route.operation));
        body.insert(field.name.to_owned(), value(route, field, team));
    }
    if schema.fields.iter().any(|field| field.name == "teamId") {
        body.insert("teamId".to_owned(), team.into());
    }
    match body.is_empty() && route.body_optional {
        true => Value::Null,
        false => Value::Object(body),
    }
}

/// Whether the team that is asked about is in the body.
pub(super) fn names_a_team(route: &Route) -> bool {
    let fields = route.body.iter().flat_map(|schema| &schema.fields);
    fields.into_iter().any(|field| field.name == "teamId" || field.name == "token")
}

fn object(route: &Route, schema: &Schema, team: &str) -> Map<String, Value> {
    let required = schema.fields.iter().filter(|field| field.required);
    required.map(|field| (field.name.to_owned(), value(route, field, team))).collect()
}

fn value(route: &Route, field: &Field, team: &str) -> Value {
    match (field.name, &field.kind, &field.example) {
        ("playerId", ..) => format!("{team}-1").into(),
        // Whoever shall own the team or have the slot has none of his own.
        ("userId", ..) => user_of(team).into(),
        ("token", ..) => place::invite_token(team).into(),
        (_, Kind::List { of, .. }, _) => match &**of {
            Kind::Object(schema) => json!([object(route, schema, team)]),
            _ => json!([]),
        },
        (_, _, Some(example)) => example.clone(),
        (name, ..) => panic!("{} gives no example of {name}", route.operation),
    }
}

/// A request with an id in what it says, of the owner for the own team.
async fn said(world: &World, path: &str, body: &Value, team: &str) -> Answer {
    let (method, path) = path.split_once(' ').unwrap();
    let text = body.to_string().replace("TEAM", team).replace("USER", user_of(team));
    let path = path.replace("TEAM", team).replace("USER", user_of(team));
    let body = if body.is_null() { Value::Null } else { serde_json::from_str(&text).unwrap() };
    world.ask("ann", method.parse().unwrap(), &path, body, &[]).await
}

/// Ids in bodies and queries that are another team's are those of nothing, too.
#[tokio::test]
async fn ids_that_are_said_tell_nothing_of_other_teams() {
    let requests = [
        ("POST /games", json!({ "teamId": "TEAM" })),
        ("POST /games", json!({ "teamId": "red", "lineup": ["red-1", "TEAM-2"] })),
        ("POST /games", json!({ "teamId": "red", "seasonId": "TEAM-season" })),
        ("PUT /games/red-game", json!({ "lineup": ["TEAM-1"] })),
        ("PUT /games/red-game", json!({ "seasonId": "TEAM-season" })),
        ("POST /games/red-game/atbats", json!({ "playerId": "TEAM-1", "result": "1B" })),
        (
            "POST /games/red-game/atbats",
            json!({ "playerId": "red-1", "result": "1B", "runsScored": ["TEAM-1"] }),
        ),
        ("PUT /games/red-game/atbats/red-atbat", json!({ "runsScored": ["TEAM-1"] })),
        ("POST /teams/red/transfer", json!({ "userId": "USER" })),
        ("POST /teams/red/players/red-9/link", json!({ "userId": "USER" })),
        ("POST /teams/red/invites", json!({ "role": "player", "playerId": "TEAM-9" })),
        ("GET /teams?userId=USER", Value::Null),
        ("GET /teams?ownerId=USER", Value::Null),
        ("GET /users/ann/career?teamId=TEAM", Value::Null),
        ("GET /teams/red/games?seasonId=TEAM-season", Value::Null),
        ("GET /teams/red/stats?seasonId=TEAM-season", Value::Null),
    ];
    let world = world_of(GameStatus::InProgress).await;
    let before = place::rows_of(&world);
    let mut wrong = Vec::new();
    for (path, body) in requests {
        let mut told = Vec::new();
        for team in HIDDEN {
            // Whoever was in a team that is deleted may know what it was.
            if team == DELETED && path.contains("career") {
                continue;
            }
            let answer = said(&world, path, &body, team).await;
            if answer.status < 300 && body != Value::Null {
                wrong.push(format!("{path} {body} of {team} is done: {}", answer.text));
            }
            told.push(super::seen(&answer, team));
        }
        if told.iter().any(|one| *one != told[0]) {
            wrong.push(format!("{path} {body}: {told:#?}"));
        }
    }
    assert_eq!(place::rows_of(&world), before);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The same requests about the own team are no mistakes.
    let own = said(&world, "POST /teams/red/invites", &json!({ "role": "player" }), OWN).await;
    assert_eq!(own.status, 201, "{}", own.text);
}
