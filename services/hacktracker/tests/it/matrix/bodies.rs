//! The bodies of requests: the examples of the routes for required fields, with ids of the
//! requested team. So the actor decides the result, and never the body.

use monotable_hacktracker::table::GameStatus;
use monotable_kit::{Field, Route};
use monotable_testkit::service::{Response, example_body};
use serde_json::{Value, json};

use super::user_of;
use crate::place::{self, DELETED, HIDDEN, OWN, place as world_of};
use crate::world::World;

/// Returns a body that the route takes.
pub(super) fn body(route: &Route, team: &str) -> Value {
    let choose = |field: &Field| match field.name {
        "teamId" => Some(team.into()),
        "playerId" if field.required => Some(format!("{team}-1").into()),
        // The new owner of the team, or the user of a player, has neither yet.
        "userId" if field.required => Some(user_of(team).into()),
        "token" if field.required => Some(place::invite_token(team).into()),
        _ => None,
    };
    let mut route = route.clone();
    if let Some(schema) = &mut route.body {
        // A status is a transition, which has rows of its own.
        schema.fields.retain(|field| field.required || field.name != "status");
    }
    example_body(&route, &choose)
}

/// Returns whether the body contains the requested team.
pub(super) fn names_a_team(route: &Route) -> bool {
    let fields = route.body.iter().flat_map(|schema| &schema.fields);
    fields.into_iter().any(|field| field.name == "teamId" || field.name == "token")
}

/// Sends a request with an id in its body, as the owner of the own team.
async fn send_with_id(world: &World, path: &str, body: &Value, team: &str) -> Response {
    let (method, path) = path.split_once(' ').unwrap();
    let text = body.to_string().replace("TEAM", team).replace("USER", user_of(team));
    let path = path.replace("TEAM", team).replace("USER", user_of(team));
    let body = if body.is_null() { Value::Null } else { serde_json::from_str(&text).unwrap() };
    world.request("ann", method.parse().unwrap(), &path, body, &[]).await
}

/// Ids in bodies and queries that are another team's are those of nothing, too.
#[tokio::test]
async fn ids_in_bodies_reveal_nothing_about_other_teams() {
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
    let before = world.stored();
    let mut wrong = Vec::new();
    for (path, body) in requests {
        let mut told = Vec::new();
        for team in HIDDEN {
            // Whoever was in a team that is deleted may know what it was.
            if team == DELETED && path.contains("career") {
                continue;
            }
            let answer = send_with_id(&world, path, &body, team).await;
            if answer.status < 300 && body != Value::Null {
                wrong.push(format!("{path} {body} of {team} is done: {}", answer.text));
            }
            told.push(super::seen(&answer, team));
        }
        if told.iter().any(|one| *one != told[0]) {
            wrong.push(format!("{path} {body}: {told:#?}"));
        }
    }
    assert_eq!(world.stored(), before);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The same requests about the own team are valid.
    let own =
        send_with_id(&world, "POST /teams/red/invites", &json!({ "role": "player" }), OWN).await;
    assert_eq!(own.status, 201, "{}", own.text);
}
