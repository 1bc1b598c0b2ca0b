//! The process is killed at every call of the table and of the blobs, in a command and in the work behind it.

use http::Method;
use monotable_scavenger_hunt::table::ScavengerHuntReads as _;
use monotable_testkit::service::{Act, Actor, Crash};
use serde_json::{Value, json};

use crate::world::{DAY_MS, Hunt, PHOTO, World, config_with, done};

async fn kill(hunt: &Hunt, actor: Actor<'_>, route: &str, body: Value) {
    let route = route.replace("{game}", &hunt.game_id);
    Crash::of(&hunt.world).at_every_call(Act::request(actor, &route, &body)).await;
}

/// Scenario 6: a hunt that is set up again after a kill is the same.
#[tokio::test]
async fn setting_up_a_hunt_survives() {
    let world = World::new().await;
    let game = config_with(3, 4, json!({ "levelsInGame": 3 }));
    Crash::of(&world).at_every_call(Act::request("olga", "POST /api/games", &game)).await;
}

/// Scenario 6, by what was made: ids, codes and routes.
#[tokio::test]
async fn a_hunt_that_is_set_up_in_pieces_is_the_same_one() {
    let game = config_with(3, 4, json!({ "levelsInGame": 2 }));
    let whole = World::new().await;
    let of = async |world: &World, key: &str| {
        let headers = [("idempotency-key", key)];
        let made = world.request("olga", Method::POST, "/api/games", game.clone(), &headers).await;
        done(made, 201)
    };
    let routes = async |world: &World| {
        let mut rows: Vec<String> = Vec::new();
        for row in world.rows().iter().filter(|row| row["ItemType"] == "TEAM_LEVEL".into()) {
            rows.push(format!("{:?} {:?} {:?}", row["PK"], row["SK"], row["index"]));
        }
        rows.sort();
        rows
    };
    let (expected, expected_routes) = (of(&whole, "one").await, routes(&whole).await);
    for call in 0..20 {
        let world = World::new().await;
        let backend = monotable::model::backend::Embedded::new(world.database.clone());
        let moment = monotable_testkit::failing::MOMENTS[call % 2];
        let failing = monotable_testkit::failing::Failing::at(&backend, call, moment);
        let dying = world.dying(failing).await;
        dying
            .request(
                "olga",
                Method::POST,
                "/api/games",
                game.clone(),
                &[("idempotency-key", "one")],
            )
            .await;
        let made = of(&world, "one").await;
        assert_eq!(made["levels"], expected["levels"], "{call}");
        assert_eq!(made["teams"], expected["teams"], "{call}");
        world.finish_work("a hunt in pieces").await;
        assert_eq!(routes(&world).await, expected_routes, "{call}");
        world.check_quiet("a hunt in pieces").await;
    }
}

#[tokio::test]
async fn scans_and_photos_survive() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    let code = json!({ "code": hunt.levels[0].1 });
    kill(&hunt, Actor::Token(&token), "POST /api/scan", code).await;
    done(hunt.scan(&token, 0).await, 200);
    kill(&hunt, Actor::Token(&token), "POST /api/upload-photo", json!({ "photo": PHOTO })).await;
}

/// The completion of the last level and the victory are one.
#[tokio::test]
async fn the_last_scan_survives() {
    let hunt = Hunt::live_with(config_with(2, 2, json!({ "photo_required": false }))).await;
    let token = hunt.join(0).await;
    done(hunt.scan(&token, 0).await, 200);
    let code = json!({ "code": hunt.levels[1].1 });
    kill(&hunt, Actor::Token(&token), "POST /api/scan", code).await;
}

#[tokio::test]
async fn what_players_do_survives() {
    let hunt = Hunt::live().await;
    kill(
        &hunt,
        Actor::Nobody,
        "POST /api/join",
        json!({ "code": hunt.teams[0].1, "displayName": "Ada" }),
    )
    .await;
    let token = hunt.join(0).await;
    let player = Actor::Token(&token);
    kill(&hunt, player, "POST /api/level", json!({})).await;
    let said = json!({ "message": { "text": "Where?" } });
    kill(&hunt, player, "POST /api/message", said).await;
    done(hunt.say(&token, "Where?").await, 200);
    kill(&hunt, player, "POST /api/clear-chat", Value::Null).await;
    let here = json!({ "latitude": 1, "longitude": 2 });
    kill(&hunt, player, "POST /api/ping-coordinates", here).await;
}

/// A hunt whose first team has found its first level and photographed it, with the ids of its player, its team and the photo.
async fn photographed() -> (Hunt, [String; 3]) {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    hunt.clear(&token, 0).await;
    let user = hunt.world.app.db.users(&hunt.team_id(0)).first().await.unwrap().unwrap();
    let photo = hunt.route(0).await[0].photo_id.clone().unwrap();
    let ids = [user.id.to_string(), hunt.teams[0].0.clone(), photo.to_string()];
    (hunt, ids)
}

#[tokio::test]
async fn what_organisers_do_to_a_game_survives() {
    let (hunt, [_, team, _]) = photographed().await;
    for (act, body) in [
        ("POST /api/games/{game}/control", json!({ "action": "pause" })),
        ("POST /api/games/{game}/adjust", json!({ "teamId": team, "points": 5, "reason": "r" })),
        ("POST /api/games/{game}/broadcast", json!({ "text": "Come back" })),
        ("POST /api/games/{game}/tokens", json!({ "role": "observer" })),
        ("PATCH /api/games/{game}", json!({ "name": "New", "ends_at": "2030-01-01T00:00:00Z" })),
        ("POST /api/games/{game}/end", Value::Null),
    ] {
        kill(&hunt, Actor::User("olga"), act, body).await;
    }
}

#[tokio::test]
async fn what_organisers_do_to_a_team_survives() {
    let (hunt, [user, team, photo]) = photographed().await;
    let route = hunt.route(0).await;
    let other = json!({ "teamId": hunt.teams[1].0 });
    for (act, body) in [
        (format!("POST /api/teams/{team}/levels/{}/skip", route[1].id), Value::Null),
        (format!("POST /api/teams/{team}/levels/{}/reopen", route[0].id), Value::Null),
        (format!("POST /api/users/{user}/photos/{photo}/review"), json!({ "review": "rejected" })),
        (format!("POST /api/games/{{game}}/users/{user}/move"), other),
    ] {
        kill(&hunt, Actor::User("olga"), &act, body).await;
    }
}

/// A user who is removed leaves neither a row nor a photo.
#[tokio::test]
async fn removing_a_user_survives() {
    let (hunt, [user, ..]) = photographed().await;
    let remove = format!("DELETE /api/games/{{game}}/users/{user}");
    kill(&hunt, Actor::User("olga"), &remove, Value::Null).await;
}

/// A game that is deleted leaves neither a row nor a photo.
#[tokio::test]
async fn deleting_a_game_survives() {
    let (hunt, _) = photographed().await;
    kill(&hunt, Actor::User("olga"), "DELETE /api/games/{game}", Value::Null).await;
}

/// Personal data goes some days after the end of a game, whatever happens to the process meanwhile.
#[tokio::test]
async fn retiring_a_game_survives() {
    let settings =
        json!({ "photo_required": false, "ends_at": "2027-01-16T00:00:00Z", "retention_days": 2 });
    let hunt = Hunt::live_with(config_with(1, 2, settings)).await;
    let token = hunt.join(0).await;
    hunt.clear(&token, 0).await;
    done(hunt.say(&token, "Hello").await, 200);
    hunt.world.clock.advance_ms(DAY_MS);
    Crash::of(&hunt.world).at_every_call(Act::Work).await;
    hunt.world.app.work().await.unwrap();
    hunt.world.clock.advance_ms(2 * DAY_MS);
    Crash::of(&hunt.world).at_every_call(Act::Work).await;
}
