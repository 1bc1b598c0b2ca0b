//! Every operation by every actor. The operations are those of the service, so that a new one fails here until
//! the table has a row for it.

use std::sync::Arc;

use monotable_kit::outbox::{Letter, Mailer, Mailing};
use monotable_kit::{Field, Route};
use monotable_testkit::service::{Matrix, Stage, example_body};
use monotable_three_fc::service;
use monotable_three_fc::table::{Join, Stamps};
use serde_json::{Value, json};

use crate::world::{Football, Setup as _, World, done, id};

/// Where goals are recorded.
const GOALS: &str = "/v1/games/{gameId}/goals";
const QUICK_GOALS: &str = "/v1/games/{gameId}/goals/quick";
/// The code of the game.
const CODE: &str = "7K3M9QWX";

/// zoe has no role, vic is a viewer, sam a scorekeeper and ann the admin. A league is deleted when it is `empty`,
/// a season when it is `bare`, and a session when it is `idle`. A game is scheduled, `live` with one goal, `played`
/// to its end, or `over`.
const MATRIX: Matrix = Matrix {
    table: "
POST   /v1/auth/magic/start                   -      ... ....
POST   /v1/auth/magic/complete                -      iii iiii
GET    /v1/auth/session                       -      uuu ....
DELETE /v1/auth/session                       -      uuu ....
GET    /v1/me                                 -      uuu ....
DELETE /v1/me                                 -      uuu ...c
POST   /v1/leagues                            -      uuu ....
GET    /v1/leagues                            -      uuu ....
GET    /v1/leagues/{leagueId}                 -      uuu l...
PATCH  /v1/leagues/{leagueId}                 -      uuu laa.
DELETE /v1/leagues/{leagueId}                 -      uuu laac
DELETE /v1/leagues/{leagueId}                 empty  uuu laa.
GET    /v1/leagues/{leagueId}/acl             -      uuu laa.
POST   /v1/leagues/{leagueId}/acl             -      uuu laa.
GET    /v1/leagues/{leagueId}/acl/{userId}    -      uuu l.a.
PUT    /v1/leagues/{leagueId}/acl/{userId}    -      uuu laa.
DELETE /v1/leagues/{leagueId}/acl/{userId}    -      uuu laa.
GET    /v1/leagues/{leagueId}/audit           -      uuu laa.
POST   /v1/leagues/{leagueId}/seasons         -      uuu laa.
GET    /v1/leagues/{leagueId}/seasons         -      uuu l...
GET    /v1/seasons/{seasonId}                 -      uuu l...
PATCH  /v1/seasons/{seasonId}                 -      uuu laa.
DELETE /v1/seasons/{seasonId}                 -      uuu laac
DELETE /v1/seasons/{seasonId}                 bare   uuu laa.
POST   /v1/seasons/{seasonId}/teams           -      uuu laa.
GET    /v1/seasons/{seasonId}/teams           -      uuu l...
PATCH  /v1/seasons/{seasonId}/teams/{teamId}  -      uuu laa.
DELETE /v1/seasons/{seasonId}/teams/{teamId}  -      uuu laa.
POST   /v1/seasons/{seasonId}/sessions        -      uuu ll..
GET    /v1/seasons/{seasonId}/sessions        -      uuu l...
DELETE /v1/sessions/{sessionId}               -      uuu laac
DELETE /v1/sessions/{sessionId}               idle   uuu laa.
POST   /v1/players                            -      uuu ll..
GET    /v1/players/{playerId}                 -      uuu ....
PATCH  /v1/players/{playerId}                 -      uuu ll..
GET    /v1/players/{playerId}/statistics      -      uuu nnnn
GET    /v1/players/{playerId}/seasons/{seasonId}/appearances - uuu nnnn
POST   /v1/players/{playerId}/claim           -      uuu ....
POST   /v1/players/{playerId}/anonymise       -      uuu laa.
PUT    /v1/players/{playerId}/avatar          -      uuu ll..
DELETE /v1/players/{playerId}/avatar          -      uuu ll..
GET    /v1/avatar                             -      vvv vvvv
GET    /v1/leagues/{leagueId}/players         -      uuu l...
POST   /v1/games/{gameId}/join-code           -      uuu ll..
POST   /v1/join/{code}                        -      .uu ....
POST   /v1/sessions/{sessionId}/games         -      uuu ll..
GET    /v1/sessions/{sessionId}/games         -      uuu l...
GET    /v1/seasons/{seasonId}/games           -      uuu l...
GET    /v1/games/{gameId}                     -      uuu l...
GET    /v1/games/{gameId}/stream              -      uuu l...
PATCH  /v1/games/{gameId}                     -      uuu ll..
PATCH  /v1/games/{gameId}                     over   uuu llg.
DELETE /v1/games/{gameId}                     -      uuu laa.
DELETE /v1/games/{gameId}                     over   uuu laa.
PUT    /v1/games/{gameId}/teams/{teamId}      -      uuu ll..
DELETE /v1/games/{gameId}/teams/{teamId}      -      uuu ll..
POST   /v1/games/{gameId}/roster              -      uuu ll..
GET    /v1/games/{gameId}/roster              -      uuu l...
DELETE /v1/games/{gameId}/roster/{playerId}   -      uuu ll..
POST   /v1/games/{gameId}/thirds/{n}/start    -      uuu ll..
POST   /v1/games/{gameId}/thirds/{n}/finish   live   uuu ll..
POST   /v1/games/{gameId}/goals               live   uuu ll..
POST   /v1/games/{gameId}/goals/quick         live   uuu ll..
GET    /v1/games/{gameId}/goals               live   uuu l...
PATCH  /v1/games/{gameId}/goals/{eventId}     live   uuu ll..
PATCH  /v1/games/{gameId}/goals/{eventId}     over   uuu llg.
PATCH  /v1/games/{gameId}/goals/{eventId}/quick live uuu ll..
PATCH  /v1/games/{gameId}/goals/{eventId}/quick over uuu llg.
DELETE /v1/games/{gameId}/goals/{eventId}     live   uuu ll..
DELETE /v1/games/{gameId}/goals/{eventId}     over   uuu llg.
POST   /v1/games/{gameId}/goals/undo          live   uuu ll..
POST   /v1/games/{gameId}/finish              played uuu ll..
POST   /v1/games/{gameId}/reopen              over   uuu laa.
GET    /v1/games/{gameId}/audit               -      uuu ll..
GET    /v1/public/leagues                     -      ... ....
GET    /v1/public/leagues/{idOrSlug}/seasons  -      ... ....
GET    /v1/public/seasons/{seasonId}/games    -      ... ....
GET    /v1/public/games/{gameId}              -      ... ....
GET    /v1/public/games/{gameId}/timeline     -      ... ....
GET    /v1/public/games/{gameId}/stream       -      ... ....
GET    /v1/public/seasons/{seasonId}/standings             - ... ....
GET    /v1/public/seasons/{seasonId}/leaderboards/players  - ... ....
GET    /v1/public/seasons/{seasonId}/head-to-head          - ... ....
GET    /v1/public/seasons/{seasonId}/assist-network        - ... ....
GET    /v1/public/resolve/{league}/{season}/{game}         - ... ....
GET    /leagues                               -      ... ....
GET    /leagues/{idOrSlug}                    -      ... ....
GET    /seasons/{seasonId}                    -      ... ....
GET    /sessions/{sessionId}                  -      ... ....
GET    /games/{gameId}                        live   ... ....
GET    /games/{gameId}/result.svg             over   ... ....
GET    /join/{code}                           -      ... ....
GET    /score/{gameId}                        live   uuu ll..
GET    /score/{gameId}                        over   uuu llg.
GET    /score/{gameId}/goals/{eventId}        live   uuu ll..
GET    /score/{gameId}/goals/{eventId}        over   uuu llg.
GET    /me                                    -      uuu ....
GET    /manage                                -      uuu ....
GET    /manage/leagues/{leagueId}             -      uuu l...
GET    /manage/leagues/{leagueId}/players/{playerId} - uuu ll..
GET    /manage/seasons/{seasonId}             -      uuu l...
GET    /manage/seasons/{seasonId}/teams/{teamId} -   uuu laa.
GET    /manage/sessions/{sessionId}           -      uuu l...
GET    /manage/games/{gameId}                 -      uuu ll..
",
    actors: &["nobody", "forged", "expired", "zoe", "vic", "sam", "ann"],
    marks: &[
        ("401 unauthorized", 'u'),
        ("403 league_access_required", 'l'),
        ("403 admin_required", 'a'),
        ("403 game_locked", 'g'),
        ("403 not_claim_owner", 'n'),
        // Nobody has a link.
        ("400 validation", 'v'),
        ("400 invalid_or_expired_magic_link", 'i'),
    ],
    exempt: &[],
};

/// What the requests are about.
struct Own;

impl Stage<Football> for Own {
    fn path_value(&self, route: &Route, name: &str, _at: &str) -> String {
        let value = match name {
            "playerId" if route.path.contains("/roster/") => "red-1",
            "leagueId" | "idOrSlug" => "l1",
            "league" => "one",
            "season" => "autumn",
            "game" => "g1",
            "eventId" => "e1",
            "n" => "1",
            "seasonId" => "s1",
            "sessionId" => "x1",
            "teamId" => "red",
            "userId" => "vic",
            "playerId" => "p1",
            "gameId" => "g1",
            "code" => CODE,
            other => panic!("the matrix has no value for {{{other}}} of {}", route.path),
        };
        value.to_owned()
    }

    fn body(&self, route: &Route, _at: &str) -> Value {
        let choose = |field: &Field| match (route.path, field.name) {
            ("/v1/players", "leagueId") => Some(json!("l1")),
            ("/v1/seasons/{seasonId}/teams", "teamId") => Some(json!("green")),
            ("/v1/players/{playerId}/claim", "code") => Some(json!(CODE)),
            ("/v1/join/{code}", "nickname") => Some(json!("Guest")),
            ("/v1/games/{gameId}/roster", "playerId") => Some(json!("p1")),
            ("/v1/games/{gameId}/roster", "teamId") | (GOALS, "scoringTeamId") => {
                Some(json!("red"))
            }
            (GOALS | QUICK_GOALS, "concedingTeamId") => Some(json!("blue")),
            (GOALS | QUICK_GOALS, "scorerPlayerId") => Some(json!("red-1")),
            (
                "/v1/games/{gameId}/goals/{eventId}" | "/v1/games/{gameId}/goals/{eventId}/quick",
                "gameMinute",
            ) => Some(json!(3)),
            ("/v1/leagues/{leagueId}/acl", "email") => Some(json!("vic@example.org")),
            _ => None,
        };
        example_body(route, &choose)
    }
}

/// Takes every e-mail.
struct Sink;

impl Mailer for Sink {
    fn deliver<'a>(&'a self, _: &'a Letter) -> Mailing<'a> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Plays the game `g1` until it is in a state.
async fn game(world: &World, at: &str) {
    let body = json!({ "gameId": "g1", "gameStartTs": "2027-01-15T09:00:00Z" });
    done(world.post("sam", "/v1/sessions/x1/games", body).await, 201);
    for player in ["p1", "red-1", "blue-1", "yellow-1"] {
        let body = json!({ "leagueId": "l1", "playerId": player, "nickname": player });
        done(world.post("sam", "/v1/players", body).await, 201);
        if let Some((team, _)) = player.split_once('-') {
            let body = json!({ "teamId": team, "playerId": player });
            done(world.post("sam", "/v1/games/g1/roster", body).await, 201);
        }
    }
    let name = json!({ "name": "Foxes" });
    assert!(world.put("sam", "/v1/games/g1/teams/red", name).await.is_success());
    let third = async |what: &str| {
        let told = world.post("sam", &format!("/v1/games/g1/thirds/{what}"), Value::Null).await;
        assert!(told.is_success(), "{}", told.text);
    };
    if at == "-" {
        return;
    }
    third("1/start").await;
    let goal = json!({
        "eventId": "e1", "concedingTeamId": "blue", "scoringTeamId": "red", "scorerPlayerId": "red-1",
    });
    done(world.post("sam", "/v1/games/g1/goals", goal).await, 201);
    if at == "live" {
        return;
    }
    for what in ["1/finish", "2/start", "2/finish", "3/start", "3/finish"] {
        third(what).await;
    }
    if at == "over" {
        let told = world.post("sam", "/v1/games/g1/finish", Value::Null).await;
        assert!(told.is_success(), "{}", told.text);
    }
}

async fn stage(at: &str) -> (World, Own) {
    let world = World::league().await;
    match at {
        "idle" => {}
        "bare" => drop(done(world.delete("ann", "/v1/sessions/x1").await, 204)),
        "empty" => {
            done(world.delete("ann", "/v1/sessions/x1").await, 204);
            done(world.delete("ann", "/v1/seasons/s1").await, 204);
        }
        _ => {
            game(&world, at).await;
            let ttl_epoch =
                Some((world.now() + std::time::Duration::from_secs(3600)).epoch_seconds());
            let (code, game_id) = (id(CODE), id("g1"));
            let join = Join { code, game_id, ttl_epoch, stamps: Stamps::default() };
            world.app.db.create(&join).await.unwrap();
        }
    }
    (world.process_with_mailer(Arc::new(Sink)).await, Own)
}

#[tokio::test]
async fn everybody_gets_what_the_table_shows() {
    MATRIX.check(stage).await;
}

#[test]
fn no_operation_is_left_out() {
    MATRIX.assert_complete(&service());
}

/// A field that is added to a row is in no response until a view has it.
#[tokio::test]
async fn views_are_lists_of_what_is_sent() {
    let add = |row: &mut monotable::Item, name: &str| {
        let data = row.get("data").and_then(|data| data.as_s()).map(str::to_owned);
        if let Some(Value::Object(mut data)) =
            data.and_then(|data| serde_json::from_str(&data).ok())
        {
            data.insert(name.to_owned(), json!("secret"));
            row.insert("data".to_owned(), Value::Object(data).to_string().into());
        }
    };
    MATRIX.assert_hides_new_fields(stage, add).await;
}

#[tokio::test]
async fn operations_are_unavailable_while_the_backend_does_not_respond() {
    MATRIX.assert_unavailable_without_backend(stage).await;
}
