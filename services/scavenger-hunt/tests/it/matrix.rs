//! Every operation by every actor. The operations are those of the service, so that a new one fails here until the table has a
//! row for it.

use std::sync::Arc;

use http::Method;
use monotable_kit::{Field, Route};
use monotable_scavenger_hunt::service;
use monotable_scavenger_hunt::table::ScavengerHuntReads as _;
use monotable_testkit::service::{Actor, Matrix, Stage, example_body};
use serde_json::{Value, json};

use crate::world::{Hunt, Hunting, PHOTO, World, config, config_with, done, text};

/// zoe has no role, obi observes all games and olga organises them. The others have tokens: a player of the team that the request
/// is about, one of another team, one of another game; an observer and an organiser of the game, and an organiser of
/// another one. The team has found its first level and photographed it.
const MATRIX: Matrix = Matrix {
    table: "
POST   /api/clear-chat                                         -    uuu nnn ... nnn
GET    /api/events                                             -    uuu x.. xxx ..x
GET    /api/games                                              -    uuu x.. xxx ...
POST   /api/games                                              -    uuu xx. xxx xxx
DELETE /api/games/{gameId}                                     -    uuu xx. xxx x.x
GET    /api/games/{gameId}                                     -    uuu x.. xxx ..x
PATCH  /api/games/{gameId}                                     -    uuu xx. xxx x.x
POST   /api/games/{gameId}/adjust                              -    uuu xx. xxx x.x
GET    /api/games/{gameId}/audit                               -    uuu xx. xxx x.x
POST   /api/games/{gameId}/broadcast                           -    uuu xx. xxx x.x
POST   /api/games/{gameId}/control                             -    uuu xx. xxx x.x
GET    /api/games/{gameId}/dashboard                           -    uuu x.. xxx ..x
POST   /api/games/{gameId}/end                                 -    uuu xx. xxx x.x
GET    /api/games/{gameId}/links                               -    uuu xx. xxx x.x
GET    /api/games/{gameId}/photos                              -    uuu x.. xxx ..x
GET    /api/games/{gameId}/photos.zip                          -    uuu x.. xxx ..x
GET    /api/games/{gameId}/report                              -    uuu x.. xxx ..x
GET    /api/games/{gameId}/report.csv                          -    uuu x.. xxx ..x
GET    /api/games/{gameId}/stream                              -    uuu x.. xxx ..x
GET    /api/games/{gameId}/teams                               -    uuu x.. xxx ..x
DELETE /api/games/{gameId}/tokens                              -    uuu xx. xxx x.x
POST   /api/games/{gameId}/tokens                              -    uuu xx. xxx x.x
DELETE /api/games/{gameId}/users/{userId}                      -    uuu xx. xxx x.x
GET    /api/games/{gameId}/users/{userId}/export               -    uuu xx. xxx x.x
GET    /api/games/{gameId}/users/{userId}/export.zip           -    uuu xx. xxx x.x
POST   /api/games/{gameId}/users/{userId}/move                 -    uuu xx. xxx x.x
POST   /api/join                                               -    .uu ... .c. ...
GET    /api/leaderboard                                        -    uuu x.. ... ..x
POST   /api/level                                              -    uuu nnn ... nnn
DELETE /api/me                                                 -    uuu nnn ... nnn
GET    /api/me                                                 -    uuu nnn ... nnn
GET    /api/me.zip                                             -    uuu nnn ... nnn
POST   /api/message                                            -    uuu nnn ... nnn
GET    /api/photo                                              -    ... ... ... ...
GET    /api/photo-url                                          -    uuu x.. xxx ..x
GET    /api/photos                                             -    uuu nnn ... nnn
POST   /api/ping-coordinates                                   -    uuu nnn ... nnn
POST   /api/scan                                               -    uuu nnn .wk nnn
GET    /api/stream                                             -    uuu nnn ... nnn
GET    /api/teams/{teamId}/coords                              -    uuu x.. xxx ..x
POST   /api/teams/{teamId}/levels/{teamLevelId}/reopen         -    uuu xx. xxx x.x
POST   /api/teams/{teamId}/levels/{teamLevelId}/skip           -    uuu xx. xxx x.x
GET    /api/teams/{teamId}/messages                            -    uuu x.. xxx ..x
GET    /api/teams/{teamId}/photos                              -    uuu x.. xxx ..x
GET    /api/teams/{teamId}/progress                            -    uuu x.. xxx ..x
POST   /api/upload-photo                                       -    uuu nnn .-- nnn
POST   /api/users/{userId}/photos/{photoId}/review             -    uuu xx. xxx x.x
POST   /api/verify                                             -    uuu ... ... ...
GET    /enter                                                  -    ... ... ... ...
POST   /enter                                                  -    vvv vvv vvv vvv
GET    /hunt                                                   -    ... ... ... ...
GET    /join                                                   -    ... ... ... ...
POST   /join                                                   -    ... ... .c. ...
GET    /leaderboard                                            -    uuu vvv ... ...
GET    /manage                                                 -    uuu x.. xxx ...
GET    /manage/new                                             -    uuu xx. xxx xxx
GET    /manage/{gameId}                                        -    uuu x.. xxx ..x
GET    /manage/{gameId}/codes                                  -    uuu xx. xxx x.x
GET    /manage/{gameId}/log                                    -    uuu xx. xxx x.x
GET    /manage/{gameId}/photos                                 -    uuu x.. xxx ..x
GET    /manage/{gameId}/report                                 -    uuu x.. xxx ..x
GET    /manage/{gameId}/settings                               -    uuu xx. xxx x.x
GET    /manage/{gameId}/teams/{teamId}                         -    uuu x.. xxx ..x
POST   /manage/{gameId}/tokens                                 -    uuu xx. xxx x.x
GET    /me                                                     -    uuu nnn ... nnn
GET    /photos                                                 -    uuu nnn ... nnn
GET    /play                                                   -    ... ... ... ...
GET    /scan                                                   -    ... ... ... ...
GET    /screen/{gameId}                                        -    uuu x.. xxx ..x
POST   /api/games/file                                         -    uuu xx. xxx xxx
POST   /api/scan-photo                                         -    uuu nnn bbb nnn
",
    actors: &[
        "nobody", "forged", "expired", "zoe", "obi", "olga", "player", "rival", "guest", "watcher",
        "leader", "foreign",
    ],
    marks: &[
        ("403 NOT_YOUR_TEAM", 'n'),
        ("403 CONTROL_REQUIRED", 'x'),
        ("400 UNKNOWN_CODE", 'k'),
        ("400 WRONG_LOCATION", 'w'),
        ("400 VALIDATION", 'v'),
        ("400 BAD_IMAGE", 'b'),
    ],
    exempt: &[],
};

/// What the requests are about.
struct Own {
    game_id: String,
    team_id: String,
    other_team_id: String,
    user_id: String,
    photo_id: String,
    open_level: String,
    done_level: String,
    join_code: String,
    scan_code: String,
    query: [String; 3],
    tokens: Vec<(&'static str, String)>,
}

impl Stage<Hunting> for Own {
    fn path_value(&self, route: &Route, name: &str, _at: &str) -> String {
        let value = match name {
            "gameId" => &self.game_id,
            "teamId" => &self.team_id,
            "teamLevelId" if route.path.ends_with("/skip") => &self.open_level,
            "teamLevelId" => &self.done_level,
            "userId" => &self.user_id,
            "photoId" => &self.photo_id,
            other => panic!("the matrix has no value for {{{other}}} of {}", route.path),
        };
        value.clone()
    }

    fn body(&self, route: &Route, _at: &str) -> Value {
        let choose = |field: &Field| match (route.path, field.name) {
            ("/api/join" | "/join", "code") => Some(json!(self.join_code)),
            ("/api/scan", "code") => Some(json!(self.scan_code)),
            ("/api/upload-photo" | "/api/scan-photo", "photo") => Some(json!(PHOTO)),
            ("/api/games/{gameId}/control", "action") => Some(json!("pause")),
            ("/api/games/{gameId}/adjust", "teamId") => Some(json!(self.team_id)),
            ("/api/games/{gameId}/users/{userId}/move", "teamId") => {
                Some(json!(self.other_team_id))
            }
            _ => None,
        };
        match route.path {
            "/api/games" if route.method == Method::POST => config(1, 1),
            "/api/games/file" => json!({ "config": config(1, 1).to_string() }),
            "/api/message" => json!({ "message": { "text": "Where?" } }),
            _ => example_body(route, &choose),
        }
    }

    fn query(&self, route: &Route) -> &str {
        match route.path {
            "/api/leaderboard" | "/api/events" => &self.query[0],
            "/api/photo-url" => &self.query[1],
            "/api/photo" => &self.query[2],
            _ => "",
        }
    }

    fn token(&self, world: &World, actor: &str) -> Option<String> {
        let own = self.tokens.iter().find(|(name, _)| *name == actor);
        match (own, actor) {
            (Some((_, token)), _) => Some(token.clone()),
            (None, "nobody") => None,
            (None, "forged") => {
                use monotable_testkit::service::Subject as _;
                Some(world.forged_token(&Hunting::principal("olga")))
            }
            (None, "expired") => Some(world.old_token("olga", 2 * 60 * 60)),
            (None, user) => world.token(Actor::User(user)),
        }
    }

    /// Attempts are counted, also those that are refused.
    fn is_compared(&self, row: &str) -> bool {
        !row.contains("RATE#")
    }
}

async fn stage(_at: &str) -> (World, Own) {
    let world = Arc::new(World::new().await);
    let hunt = Hunt::in_world(Arc::clone(&world), config(2, 3)).await;
    let other = config_with(1, 1, json!({ "name": "Other" }));
    let foreign = Hunt::in_world(Arc::clone(&world), other).await;
    hunt.control("start").await;
    foreign.control("start").await;
    let player = hunt.join(0).await;
    let taken = {
        done(hunt.scan(&player, 0).await, 200);
        hunt.photo(&player).await
    };
    let token = async |hunt: &Hunt, role: &str| {
        let path = format!("/api/games/{}/tokens", hunt.game_id);
        text(&done(world.post("olga", &path, json!({ "role": role })).await, 201)["token"])
    };
    let user = world.app.db.users(&hunt.team_id(0)).first().await.unwrap().unwrap();
    let route = hunt.route(0).await;
    let (user_id, photo_id) = (user.id.to_string(), text(&taken["id"]));
    let link = text(&taken["url"]);
    let own = Own {
        query: [
            format!("gameId={}", hunt.game_id),
            format!("userId={user_id}&photoId={photo_id}"),
            link.split_once('?').unwrap().1.to_owned(),
        ],
        tokens: vec![
            ("rival", hunt.join(1).await),
            ("guest", foreign.join(0).await),
            ("watcher", token(&hunt, "observer").await),
            ("leader", token(&hunt, "organiser").await),
            ("foreign", token(&foreign, "organiser").await),
            ("player", player),
        ],
        game_id: hunt.game_id.clone(),
        team_id: hunt.teams[0].0.clone(),
        other_team_id: hunt.teams[1].0.clone(),
        user_id,
        photo_id,
        open_level: route[1].id.to_string(),
        done_level: route[0].id.to_string(),
        join_code: hunt.teams[0].1.clone(),
        scan_code: hunt.levels[1].1.clone(),
    };
    drop((hunt, foreign));
    let Ok(world) = Arc::try_unwrap(world) else { panic!("the world is shared") };
    (world, own)
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
        row.insert(name.to_owned(), "secret".into());
    };
    MATRIX.assert_hides_new_fields(stage, add).await;
}

#[tokio::test]
async fn operations_are_unavailable_while_the_backend_does_not_respond() {
    MATRIX.assert_unavailable_without_backend(stage).await;
}
