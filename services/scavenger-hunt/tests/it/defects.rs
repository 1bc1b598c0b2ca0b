//! One test for each defect of the specification that no other test is about. Those are in the file that the list names.
//!
//! | | |
//! |---|---|
//! | SH-D3, D8, D9, D20, D21 | `talk.rs` |
//! | SH-D6, D12 | `secrecy.rs` |
//! | SH-D7 | `scenarios.rs`, `histories.rs` |
//! | SH-D11 | `photos.rs` |
//! | SH-D13 | `positions.rs` |
//! | SH-D22 | `talk.rs` |
//! | SH-D25 | `rules/shuffle.rs`, `rules/route.rs` |

use std::collections::BTreeSet;

use http::Method;
use monotable_scavenger_hunt::table::{LevelId, ScavengerHuntReads as _};
use monotable_testkit::service::Actor;
use serde_json::{Value, json};

use crate::world::{DAY_MS, Hunt, MINUTE_MS, config, config_with, done, id, text};

/// A row with an expiry is gone from that second on, and stays in the table for a day: nothing depends on when it goes.
#[tokio::test]
async fn sh_d01_an_expired_row_is_absent_before_it_is_removed() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    hunt.state(&token).await;
    done(hunt.say(&token, "Hello?").await, 200);
    done(hunt.act(&token, "/api/clear-chat", Value::Null).await, 200);
    let messages = || {
        let rows = hunt.world.rows();
        rows.iter().filter(|row| row["ItemType"] == "MESSAGE".into()).count()
    };
    assert_eq!((hunt.state(&token).await["messageHistory"].clone(), messages()), (json!([]), 2));
    hunt.world.clock.advance_ms(10 * MINUTE_MS);
    assert_eq!(done(hunt.say(&token, "And now?").await, 200)["kind"], "clue");
    hunt.world.clock.advance_ms(DAY_MS - 11 * MINUTE_MS);
    hunt.world.running.sweep().await.unwrap();
    assert_eq!(messages(), 4);
    hunt.world.clock.advance_ms(2 * MINUTE_MS);
    hunt.world.running.sweep().await.unwrap();
    assert_eq!(messages(), 2);
    assert_eq!(done(hunt.say(&token, "And now?").await, 200)["kind"], "map");
}

/// A partition of an index has rows of several types. Each query returns those of its own.
#[tokio::test]
async fn sh_d02_index_queries_return_rows_of_one_type() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    hunt.clear(&token, 0).await;
    done(hunt.say(&token, "Hello?").await, 200);
    done(hunt.ping(&token, 1.0, 1.0).await, 200);
    let (db, team, level) = (&hunt.world.app.db, hunt.team_id(0), id::<LevelId>(&hunt.levels[1].0));
    assert_eq!(db.level(&level).await.unwrap().unwrap().id, level);
    assert_eq!(db.teams_at(&level).count().await.unwrap(), 2);
    assert_eq!(db.team(&team).await.unwrap().unwrap().id, team);
    assert_eq!(db.messages_of_team(&team).count().await.unwrap(), 2);
    assert_eq!(db.photos_of_team(&team).count().await.unwrap(), 1);
    assert_eq!(db.track_of_team(&team).count().await.unwrap(), 1);
    assert_eq!(db.messages_of_game(&hunt.id()).count().await.unwrap(), 2);
    assert_eq!(db.photos_of_game(&hunt.id()).count().await.unwrap(), 1);
    assert_eq!(db.messages_at(&level).count().await.unwrap(), 2);
    assert_eq!(db.photos_at(&id::<LevelId>(&hunt.levels[0].0)).count().await.unwrap(), 1);
}

/// A team that was assigned to a level is there from its arrival to its completion.
#[tokio::test]
async fn sh_d04_teams_at_a_level_are_those_that_are_there() {
    let hunt = Hunt::live().await;
    let db = &hunt.world.app.db;
    let at = async |level: usize| {
        let level = id::<LevelId>(&hunt.levels[level].0);
        let (ever, now) = (db.teams_at(&level), db.teams_now_at(&level));
        (ever.count().await.unwrap(), now.count().await.unwrap())
    };
    assert_eq!((at(0).await, at(1).await), ((2, 0), (2, 0)));
    let token = hunt.join(0).await;
    hunt.state(&token).await;
    assert_eq!((at(0).await, at(1).await), ((2, 1), (2, 0)));
    hunt.clear(&token, 0).await;
    assert_eq!((at(0).await, at(1).await), ((2, 0), (2, 1)));
}

/// A team without levels is found by its id alone.
#[tokio::test]
async fn sh_d05_a_team_leads_to_its_game() {
    let hunt = Hunt::live().await;
    let team = hunt.world.app.db.team(&hunt.team_id(1)).await.unwrap().unwrap();
    assert_eq!(team.game_id, hunt.id());
    let path = format!("/api/teams/{}/progress", hunt.teams[1].0);
    assert_eq!(done(hunt.world.get("obi", &path).await, 200)["gameId"], hunt.game_id);
}

/// A completion is written once, and no row is made for a level that is not in the route.
#[tokio::test]
async fn sh_d10_a_level_is_completed_once() {
    let settings = json!({ "levelsInGame": 2, "photo_required": false, "route_mode": "ordered" });
    let hunt = Hunt::live_with(config_with(1, 3, settings)).await;
    let token = hunt.join(0).await;
    let count = hunt.route(0).await.len();
    done(hunt.scan(&token, 0).await, 200);
    let first = hunt.route(0).await[0].completed_at;
    hunt.world.clock.advance_ms(MINUTE_MS);
    done(hunt.scan(&token, 0).await, 200);
    assert_eq!(hunt.route(0).await[0].completed_at, first);
    let unassigned = hunt.scan(&token, 1).await;
    assert_eq!(unassigned.outcome(), "400 WRONG_LOCATION");
    assert_eq!(hunt.route(0).await.len(), count);
}

/// The order of completions decides which level was the last, not the order of ids.
#[tokio::test]
async fn sh_d11_the_photo_is_of_the_level_that_the_own_team_found_last() {
    let mut game = config(2, 3);
    for (place, level) in game["levels"].as_array_mut().unwrap().iter_mut().enumerate() {
        // The ids fall while the route goes on.
        level["id"] = json!(format!("{:08x}-0000-4000-8000-000000000000", 9 - place));
    }
    let hunt = Hunt::live_with(game).await;
    let (one, other) = (hunt.join(0).await, hunt.join(1).await);
    hunt.clear(&one, 0).await;
    // A photo of another team at this level is no photo of this team.
    done(hunt.scan(&other, 0).await, 200);
    assert_eq!(hunt.scan(&other, 1).await.outcome(), "409 PHOTO_REQUIRED");
    hunt.clear(&one, 1).await;
    let route = hunt.route(0).await;
    assert!(route[0].photo_id.is_some() && route[1].photo_id.is_some());
    assert_eq!(route[0].level_id.as_str(), hunt.levels[0].0);
}

/// The equator and the prime meridian are places.
#[tokio::test]
async fn sh_d13_zero_is_a_position() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    assert_eq!(done(hunt.ping(&token, 0.0, 0.0).await, 200)["accepted"], true);
    let track = hunt.world.app.db.track_of_team(&hunt.team_id(0)).all().await.unwrap();
    assert_eq!((track[0].latitude.0, track[0].longitude.0), (0.0, 0.0));
}

/// A photo and its file have one id.
#[tokio::test]
async fn sh_d14_a_photo_and_its_file_have_one_id() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    done(hunt.scan(&token, 0).await, 200);
    let taken = text(&hunt.photo(&token).await["id"]);
    let photos = hunt.world.app.db.photos_of_team(&hunt.team_id(0)).all().await.unwrap();
    let key = photos[0].object_key.clone().unwrap();
    let expected = format!("{}/{}/1800000000_{taken}.gif", hunt.teams[0].0, hunt.levels[0].0);
    assert_eq!((key, photos[0].id.as_str()), (expected, taken.as_str()));
}

/// Ids of a configuration are those of the game: codes may be printed already.
#[tokio::test]
async fn sh_d15_ids_of_a_configuration_are_kept() {
    let ids = ["aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"];
    let mut game = config(1, 1);
    game["id"] = json!("cccccccc-0000-4000-8000-000000000003");
    game["teams"][0]["id"] = json!(ids[0]);
    game["levels"][0]["id"] = json!(ids[1]);
    let hunt = Hunt::set_up(game.clone()).await;
    assert_eq!(hunt.game_id, game["id"]);
    assert_eq!((hunt.teams[0].0.as_str(), hunt.levels[0].0.as_str()), (ids[0], ids[1]));
    // Another game can't have them.
    game["id"] = json!("dddddddd-0000-4000-8000-000000000004");
    let taken = hunt.world.post("olga", "/api/games", game).await;
    assert_eq!(taken.outcome(), "409 ID_TAKEN");
}

/// The row of a game is small however many teams and levels there are, and has no prompt.
#[tokio::test]
async fn sh_d16_a_game_embeds_nothing() {
    let hunt = Hunt::set_up(config(40, 40)).await;
    let row = hunt.world.rows().into_iter().find(|row| row["ItemType"] == "GAME".into()).unwrap();
    let text = format!("{row:?}");
    assert!(text.len() < 2_000 && !text.contains("proud duck") && !row.contains_key("teams"));
}

/// Nobody is who a header says, unless a game allows it.
#[tokio::test]
async fn sh_d18_headers_are_no_identity() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    hunt.state(&token).await;
    let user = hunt.world.app.db.users(&hunt.team_id(0)).first().await.unwrap().unwrap();
    let headers = [("user-id", user.id.as_str()), ("team-id", hunt.teams[0].0.as_str())];
    let sent = hunt.world.request("", Method::POST, "/api/level", json!({}), &headers).await;
    assert_eq!(sent.status, 401);
    // A player is there as soon as the response is, whatever an index says.
    assert_eq!(hunt.state(&hunt.join(1).await).await["teamName"], "Team 1");
}

/// A user is in one team of a game.
#[tokio::test]
async fn sh_d19_a_user_is_in_one_team() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    let body = json!({ "code": hunt.teams[1].1 });
    let second = hunt.world.post(Actor::Token(&token), "/api/join", body).await;
    assert_eq!(second.outcome(), "409 ALREADY_IN_TEAM");
    // The same team again is no second user, and ends the token before.
    let body = json!({ "code": hunt.teams[0].1, "displayName": "Ada" });
    let again = done(hunt.world.post(Actor::Token(&token), "/api/join", body).await, 201);
    assert_eq!(hunt.world.app.db.users(&hunt.team_id(0)).count().await.unwrap(), 1);
    assert_eq!(hunt.act(&token, "/api/level", json!({})).await.status, 401);
    assert_eq!(hunt.state(&text(&again["token"])).await["displayName"], "Ada");
    hunt.world.check_quiet("a user who joins twice").await;
}

/// Two checkpoints in one second at one level are two rows, and each game has a feed of its own.
#[tokio::test]
async fn sh_d23_checkpoints_do_not_replace_each_other() {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    hunt.clear(&token, 0).await;
    hunt.photo(&token).await;
    let feed = hunt.world.app.db.checkpoints_of(&hunt.id()).all().await.unwrap();
    assert_eq!(feed.len(), 3);
    let keys: BTreeSet<String> =
        feed.iter().map(|event| format!("{} {}", event.ts, event.mark)).collect();
    assert_eq!(keys.len(), 3);
    let other = Hunt::in_world(
        std::sync::Arc::clone(&hunt.world),
        config_with(1, 1, json!({ "name": "Other" })),
    )
    .await;
    assert_eq!(hunt.world.app.db.checkpoints_of(&other.id()).count().await.unwrap(), 0);
    assert_eq!(hunt.world.app.db.checkpoints().count().await.unwrap(), 3);
    let events =
        done(hunt.organise(Method::GET, "/api/events?gameId={game}", Value::Null).await, 200);
    assert_eq!(events["events"].as_array().unwrap().len(), 3);
    assert_eq!(events["events"][2]["kind"], "cleared");
}

/// Two organisers who let the clock go on at once do it once.
#[tokio::test(flavor = "multi_thread")]
async fn sh_d24_a_pause_ends_once() {
    let hunt = std::sync::Arc::new(Hunt::live().await);
    hunt.world.clock.advance_ms(MINUTE_MS);
    hunt.control("pause").await;
    hunt.world.clock.advance_ms(5 * MINUTE_MS);
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let hunt = std::sync::Arc::clone(&hunt);
        running.spawn(async move {
            let body = json!({ "action": "unpause" });
            hunt.organise(Method::POST, "/api/games/{game}/control", body).await.outcome()
        });
    }
    let mut outcomes = running.join_all().await;
    outcomes.sort_unstable();
    assert_eq!(outcomes[0], "200 -");
    assert!(outcomes[1..].iter().all(|outcome| outcome == "409 CLOCK_CONFLICT"), "{outcomes:?}");
    let game = done(hunt.organise(Method::GET, "/api/games/{game}", Value::Null).await, 200);
    assert_eq!(game["totalPausedMs"], json!(5 * MINUTE_MS));
}

/// A route follows from the seed of its game, which is stored.
#[tokio::test]
async fn sh_d25_routes_follow_from_a_stored_seed() {
    let settings = json!({ "levelsInGame": 4 });
    let hunt = Hunt::set_up(config_with(12, 8, settings)).await;
    let mut routes = BTreeSet::new();
    for team in 0..12 {
        let route: Vec<String> =
            hunt.route(team).await.iter().map(|level| level.level_id.to_string()).collect();
        assert_eq!((route.len(), route.last()), (4, Some(&hunt.levels[7].0)));
        routes.insert(route);
    }
    assert!(routes.len() > 6, "{routes:?}");
    let game = hunt.world.app.db.game(&hunt.id()).await.unwrap().unwrap();
    assert!(game.route_seed.is_some());
}
