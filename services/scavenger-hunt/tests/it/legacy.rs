//! Rows as the programs of the origin wrote them: a hunt of theirs can be played, before the backfill and after it.

use http::Method;
use monotable::{Item, item};
use monotable_scavenger_hunt::table::{ScavengerHuntReads as _, TeamLevel};
use monotable_testkit::service::{Act, Actor, Crash, Response};
use serde_json::{Value, json};

use crate::world::{MINUTE_MS, PHOTO, World, done, id};

const GAME: &str = "1a6f0c7e-0000-4000-8000-000000000001";
const TEAM: &str = "2a6f0c7e-0000-4000-8000-000000000002";
const LEVELS: [&str; 2] =
    ["3a6f0c7e-0000-4000-8000-000000000003", "4a6f0c7e-0000-4000-8000-000000000004"];
const USER: &str = "5a6f0c7e-0000-4000-8000-000000000005";
/// The second of the first message.
const TALKED_AT: i64 = 1_799_999_700;

fn row(kind: &str, key: [&str; 2], fields: Item) -> Item {
    let mut row = item! {
        "PK" => key[0], "SK" => key[1], "ItemType" => kind,
        "created_at" => "2026-07-23T10:00:00Z", "updated_at" => "2026-07-23T10:00:00Z",
        "CreatedAt" => 1_753_264_800_i64, "ttl" => "never",
    };
    row.extend(fields);
    row
}

/// The rows of a hunt that is played: a game that embeds its teams and levels, a team in no index, and progress
/// without a start.
fn rows() -> Vec<Item> {
    let (game, team, user) =
        (format!("GAME#{GAME}"), format!("TEAM#{TEAM}"), format!("USER#{USER}"));
    let mut rows = vec![
        row(
            "GAME",
            [&game, "#METADATA"],
            item! {
                "id" => GAME, "levelsInGame" => 2,
                "teams" => vec![monotable::AttributeValue::from("Ducklings")],
                "levels" => vec![monotable::AttributeValue::from("You are a secret prompt.")],
            },
        ),
        row(
            "DASHBOARD_CONTROL",
            [&game, "DASHBOARD#CONTROL"],
            item! {
                "id" => "control", "game_id" => GAME, "started_at" => "2027-01-15T07:50:00Z",
            },
        ),
        row(
            "TEAM",
            [&game, &team],
            item! { "id" => TEAM, "name" => "Ducklings", "game_id" => GAME, "difficulty_level" => "hard" },
        ),
        row(
            "USER",
            [&team, &user],
            item! { "id" => USER, "team_id" => TEAM, "GSI1PK" => user.as_str(), "GSI1SK" => "#METADATA" },
        ),
    ];
    for (number, level_id) in LEVELS.iter().enumerate() {
        let level = format!("LEVEL#{level_id}");
        let character = item! { "name" => format!("Duck {number}"), "systemPrompt" => "Quack." };
        let location = item! {
            "description" => "Pond", "latitude" => format!("35.{number}"), "longitude" => "-120.6",
        };
        let texts = |texts: &[&str]| -> monotable::AttributeValue {
            texts
                .iter()
                .map(|text| monotable::AttributeValue::from(*text))
                .collect::<Vec<_>>()
                .into()
        };
        rows.push(row(
            "LEVEL",
            [&game, &level],
            item! {
                "id" => *level_id, "game_id" => GAME, "levelName" => format!("Pond {number}"),
                "GSI1PK" => level.as_str(), "GSI1SK" => game.as_str(),
                "character" => monotable::AttributeValue::M(character),
                "location" => monotable::AttributeValue::M(location),
                "clues" => texts(&["Water.", "Reeds.", "Frogs."]),
                "easyClues" => texts(&["By the library.", "Very wet."]),
                "mapLink" => "https://maps.example/pond",
            },
        ));
        rows.push(row(
            "TEAM_LEVEL",
            [&team, &level],
            item! {
                "id" => format!("progress-{number}"), "team_id" => TEAM, "level_id" => *level_id,
                "index" => number as i64, "GSI1PK" => level.as_str(), "GSI1SK" => team.as_str(),
            },
        ));
    }
    let level = format!("LEVEL#{}", LEVELS[0]);
    for (number, (speaker, deleted)) in
        [("user", true), ("assistant", true), ("user", false)].into_iter().enumerate()
    {
        let ts = TALKED_AT + number as i64;
        let sort = format!("MESSAGE#{ts}#message-{number}");
        let mut message = item! {
            "id" => format!("message-{number}"), "user_id" => USER, "team_id" => TEAM,
            "game_id" => GAME, "level_id" => LEVELS[0], "role" => speaker,
            "content" => format!("Older words {number}"),
            "GSI1PK" => team.as_str(), "GSI1SK" => sort.as_str(),
            "GSI2PK" => game.as_str(), "GSI2SK" => sort.as_str(),
            "GSI3PK" => level.as_str(), "GSI3SK" => sort.as_str(),
        };
        if deleted {
            message.insert("deleted_at".to_owned(), (TALKED_AT + 10).into());
        }
        rows.push(row("MESSAGE", [&user, &sort], message));
    }
    let sort = format!("COORDINATE_SNAPSHOT#{TALKED_AT}#position");
    rows.push(row(
        "COORDINATE_SNAPSHOT",
        [&user, &sort],
        item! {
            "id" => "position", "user_id" => USER, "team_id" => TEAM, "latitude" => "35.0",
            "longitude" => "0", "GSI1PK" => team.as_str(), "GSI1SK" => sort.as_str(),
        },
    ));
    rows
}

/// A world with those rows, whose players are named by headers.
async fn older() -> World {
    let world = World::new().await;
    world.put_rows(rows());
    let path = format!("/api/games/{GAME}");
    let settings = json!({ "header_identity": true });
    done(world.request("olga", Method::PATCH, &path, settings, &[]).await, 200);
    world
}

/// Sends a request as a program of the origin does.
async fn act(world: &World, user: &str, path: &str, body: Value) -> Response {
    let headers = [("user-id", user), ("team-id", TEAM)];
    world.request("", Method::POST, path, body, &headers).await
}

async fn backfill(world: &World) -> Value {
    serde_json::from_str(&world.running.backfill().await.unwrap()).unwrap()
}

async fn route(world: &World) -> Vec<TeamLevel> {
    let mut route = world.app.db.route(&id(TEAM)).all().await.unwrap();
    route.sort_by_key(|level| level.index);
    route
}

/// Plays the hunt to its end.
async fn play(world: &World) {
    let state = done(act(world, USER, "/api/level", json!({})).await, 200);
    assert_eq!((&state["total"], &state["completed"]), (&json!(2), &json!(0)), "{state}");
    assert_eq!(state["messageHistory"].as_array().unwrap().len(), 1, "{state}");
    assert_eq!(state["messageHistory"][0]["text"], "Older words 2");
    // Five minutes have passed since the first message, which was cleared; a hard team gets clues after twenty.
    assert_eq!(state["onLevelMs"], json!(5 * MINUTE_MS));
    let said = act(world, USER, "/api/message", json!({ "message": { "content": "Hm" } })).await;
    assert_eq!(done(said, 200)["kind"], "chat");
    // A player of the origin exists from the first request on.
    let newcomer = "6a6f0c7e-0000-4000-8000-000000000006";
    done(act(world, newcomer, "/api/level", json!({})).await, 200);
    // The id of a level was its code.
    let wrong = act(world, newcomer, "/api/level", json!({ "levelId": LEVELS[1] })).await;
    assert_eq!(wrong.outcome(), "400 WRONG_LOCATION");
    let unknown = act(world, newcomer, "/api/level", json!({ "levelId": GAME })).await;
    assert_eq!(unknown.outcome(), "400 UNKNOWN_CODE");
    for level_id in LEVELS {
        done(act(world, newcomer, "/api/level", json!({ "levelId": level_id })).await, 200);
        done(act(world, USER, "/api/upload-photo", json!({ "photo": PHOTO })).await, 201);
    }
    let state = done(act(world, USER, "/api/level", json!({})).await, 200);
    assert_eq!((&state["completed"], &state["endScreen"]), (&json!(2), &json!("win")));
    let games = done(world.get("obi", &format!("/api/games/{GAME}")).await, 200);
    assert_eq!((&games["winnerTeamId"], &games["state"]), (&json!(TEAM), &json!("live")));
}

#[tokio::test]
async fn a_hunt_of_an_older_program_is_playable_before_the_backfill() {
    let world = older().await;
    let listed = done(world.get("obi", "/api/games").await, 200);
    assert_eq!(listed["games"][0]["id"], GAME, "{listed}");
    play(&world).await;
    let users = world.app.db.users(&id(TEAM)).count().await.unwrap();
    assert_eq!(users, 2);
}

#[tokio::test]
async fn a_hunt_of_an_older_program_is_playable_after_the_backfill() {
    let world = older().await;
    let report = backfill(&world).await;
    assert_eq!(report["conflicts"], json!([]), "{report}");
    world.check_quiet("the backfill").await;
    let team = world.app.db.team_of(&id(GAME), &id(TEAM)).await.unwrap().unwrap();
    assert_eq!((team.user_count, team.tally.levels), (1, 2));
    assert!(world.app.db.team(&id(TEAM)).await.unwrap().is_some());
    let started = route(&world).await[0].started_at.unwrap();
    assert_eq!(started.epoch_seconds().as_seconds(), TALKED_AT);
    let listed = done(world.get("olga", "/api/games").await, 200);
    assert_eq!(listed["games"][0]["id"], GAME);
    // Once more, nothing changes.
    let before = world.stored();
    let again = backfill(&world).await;
    assert_eq!(world.stored(), before, "{again}");
    play(&world).await;
    world.check_quiet("a hunt of an older program").await;
}

/// A time is numeric and past, or the attribute says nothing. The backfill moves it to the one that counts.
#[tokio::test]
async fn the_older_expiry_counts_if_it_is_a_number() {
    let world = older().await;
    let mut past = rows().into_iter().find(|row| row.contains_key("content")).unwrap();
    for (name, value) in [("SK", "MESSAGE#1799999999#past"), ("id", "past"), ("role", "user")] {
        past.insert(name.to_owned(), value.into());
    }
    past.remove("deleted_at");
    past.insert("ttl".to_owned(), 1_799_999_999_i64.into());
    world.put_rows([past]);
    let shown = async || {
        let state = done(act(&world, USER, "/api/level", json!({})).await, 200);
        state["messageHistory"].as_array().unwrap().len()
    };
    assert_eq!(shown().await, 1);
    assert_eq!(backfill(&world).await["expiries"], 1);
    assert_eq!(shown().await, 1);
    let stored = world.rows().into_iter().find(|row| row["SK"] == "MESSAGE#1799999999#past".into());
    let stored = stored.unwrap();
    assert_eq!(stored["deleted_at"], 1_799_999_999_i64.into());
}

/// Headers name a player only where an organiser has allowed it.
#[tokio::test]
async fn headers_name_nobody_unless_the_game_allows_it() {
    let world = older().await;
    let path = format!("/api/games/{GAME}");
    let settings = json!({ "header_identity": false });
    done(world.request("olga", Method::PATCH, &path, settings, &[]).await, 200);
    assert_eq!(act(&world, USER, "/api/level", json!({})).await.status, 401);
    // Nor do they name a player of another team, or of a team that there is not.
    let settings = json!({ "header_identity": true });
    done(world.request("olga", Method::PATCH, &path, settings, &[]).await, 200);
    backfill(&world).await;
    let headers = [("user-id", USER), ("team-id", "nobodys")];
    let other = world.request("", Method::POST, "/api/level", json!({}), &headers).await;
    assert_eq!(other.status, 401);
}

/// A code to join that is the id of a team, as programs of the origin print it, joins it.
#[tokio::test]
async fn the_id_of_an_older_team_is_its_code() {
    let world = older().await;
    let joined = world.post("", "/api/join", json!({ "code": TEAM })).await;
    let token = done(joined, 201)["token"].as_str().unwrap().to_owned();
    let state = world.post(Actor::Token(&token), "/api/level", json!({})).await;
    assert_eq!(done(state, 200)["teamName"], "Ducklings");
}

#[tokio::test]
async fn the_backfill_may_be_killed_at_any_call() {
    let world = older().await;
    Crash::of(&world).at_every_call(Act::Backfill).await;
}

/// Ids that two games have, and users in two teams, are reported and left as they are.
#[tokio::test]
async fn what_needs_a_decision_is_reported() {
    let world = older().await;
    let other = "GAME#1a6f0c7e-0000-4000-8000-00000000000f";
    let twin = |kind: &str, sort: String| {
        let mut twin = rows().into_iter().find(|row| row["ItemType"] == kind.into()).unwrap();
        twin.insert("PK".to_owned(), other.into());
        twin.insert("SK".to_owned(), sort.into());
        twin.insert("game_id".to_owned(), other.trim_start_matches("GAME#").into());
        twin
    };
    world.put_rows([twin("LEVEL", format!("LEVEL#{}", LEVELS[0]))]);
    let second_team = format!("TEAM#{}", "2a6f0c7e-0000-4000-8000-00000000000f");
    let mut team = rows().into_iter().find(|row| row["ItemType"] == "TEAM".into()).unwrap();
    team.insert("SK".to_owned(), second_team.as_str().into());
    team.insert("id".to_owned(), second_team.trim_start_matches("TEAM#").into());
    let mut user = rows().into_iter().find(|row| row["ItemType"] == "USER".into()).unwrap();
    user.insert("PK".to_owned(), second_team.as_str().into());
    user.insert("team_id".to_owned(), second_team.trim_start_matches("TEAM#").into());
    world.put_rows([team, user]);
    let first = backfill(&world).await;
    let second = backfill(&world).await;
    for report in [first, second] {
        let conflicts = report["conflicts"].as_array().unwrap();
        let mut kinds: Vec<&str> =
            conflicts.iter().map(|conflict| conflict["kind"].as_str().unwrap()).collect();
        kinds.sort_unstable();
        assert_eq!(kinds, ["idTwice", "twoTeams"], "{report}");
    }
}
