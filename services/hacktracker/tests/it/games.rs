//! Games: new ones, the schedule, changes, and the way from one status to another.

use http::Method;
use monotable_hacktracker::table::{
    HackTrackerReads as _, Player, PlayerId, PlayerStatus, Role, TeamId, TeamType,
};
use serde_json::{Value, json};

use crate::world::{Rows as _, Setup as _, World, lineup};

#[tokio::test]
async fn a_game_is_scheduled_by_default() {
    let world = World::red().await;
    let body = json!({
        "teamId": "red", "scheduledStart": "2027-02-01T20:30:00+02:00", "opponentName": " Owls ",
        "lineup": [{"playerId": "red-2", "battingOrder": 5}, {"playerId": "red-1", "battingOrder": 1}],
    });
    let created = world.post("sam", "/games", body).await;
    assert_eq!((created.status, created.header("etag")), (201, "\"1\""), "{}", created.text);
    let game = created.json();
    assert_eq!(game["status"], "SCHEDULED");
    assert_eq!(game["scheduledStart"], "2027-02-01T18:30:00.000Z");
    assert_eq!(game["opponentName"], "Owls");
    assert_eq!((&game["teamScore"], &game["opponentScore"]), (&json!(0), &json!(0)));
    assert_eq!(game["lineup"][0], json!({ "playerId": "red-1", "battingOrder": 1 }));
    assert_eq!(game["innings"], 7);
    let read = world.get("pat", &format!("/games/{}", game["gameId"].as_str().unwrap())).await;
    assert_eq!(read.json(), game);
}

#[tokio::test]
async fn only_scorekeepers_managers_and_owners_make_games() {
    let world = World::red().await;
    let body = json!({ "teamId": "red" });
    for (user, told) in [
        ("ann", "201 -"),
        ("meg", "201 -"),
        ("sam", "201 -"),
        ("pat", "403 INSUFFICIENT_ROLE"),
        ("eve", "404 TEAM_NOT_FOUND"),
        ("", "401 UNAUTHENTICATED"),
    ] {
        assert_eq!(world.post(user, "/games", body.clone()).await.outcome(), told, "{user}");
    }
}

#[tokio::test]
async fn a_game_without_a_team_belongs_to_the_personal_team() {
    let world = World::red().await;
    assert_eq!(world.post("ann", "/games", json!({})).await.outcome(), "400 NO_DEFAULT_TEAM");
    world.team("own", TeamType::Personal, &[("ann", Role::Owner)], 1).await;
    let game = world.post("ann", "/games", json!({})).await.json();
    assert_eq!(game["teamId"], "own");
    // A personal team plays without a lineup.
    let start = format!("/games/{}/start", game["gameId"].as_str().unwrap());
    assert_eq!(world.post("ann", &start, Value::Null).await.outcome(), "200 -");
}

#[tokio::test]
async fn a_past_game_has_both_scores() {
    let world = World::red().await;
    let past = json!({ "teamId": "red", "status": "final", "teamScore": 3 });
    assert_eq!(world.post("sam", "/games", past).await.outcome(), "400 VALIDATION");
    let past = json!({ "teamId": "red", "status": "FINAL", "teamScore": 3, "opponentScore": 2 });
    let game = world.post("sam", "/games", past).await;
    assert_eq!((game.status, &game.json()["status"]), (201, &json!("FINAL")));
}

#[tokio::test]
async fn ht_d4_a_game_that_is_created_as_started_passes_every_check_of_a_start() {
    let world = World::red().await;
    let started =
        |lineup: Value| json!({ "teamId": "red", "status": "in_progress", "lineup": lineup });
    let empty = world.post("sam", "/games", started(json!([]))).await;
    assert_eq!(empty.outcome(), "409 LINEUP_REQUIRED");
    let first = world.post("sam", "/games", started(json!(lineup()))).await;
    assert_eq!(first.outcome(), "201 -");
    let second = world.post("sam", "/games", started(json!(lineup()))).await;
    assert_eq!(second.outcome(), "409 GAME_ALREADY_IN_PROGRESS");
    assert_eq!(second.json()["gameId"], first.json()["gameId"]);
    // Another spelling of the status does not evade the rule.
    let third = world.game(json!({})).await;
    let put =
        world.put("sam", &format!("/games/{third}"), json!({ "status": "In_Progress" })).await;
    assert_eq!(put.outcome(), "409 GAME_ALREADY_IN_PROGRESS");
    assert_eq!(put.json()["gameId"], first.json()["gameId"]);
}

#[tokio::test]
async fn ht_d10_a_lineup_has_players_of_the_team_only() {
    let world = World::red().await;
    world.team("blue", TeamType::Managed, &[("bob", Role::Owner)], 2).await;
    let body = json!({ "teamId": "red", "lineup": ["red-1", "blue-2", "nobody"] });
    let refused = world.post("sam", "/games", body).await;
    assert_eq!(refused.outcome(), "400 PLAYER_NOT_ON_TEAM");
    assert_eq!(refused.json()["playerIds"], json!(["blue-2", "nobody"]));
    let game = world.game(json!({})).await;
    let put = json!({ "lineup": [{"playerId": "blue-2", "battingOrder": 1}] });
    let refused = world.put("sam", &format!("/games/{game}"), put).await;
    assert_eq!(refused.outcome(), "400 PLAYER_NOT_ON_TEAM");
    // Both forms are stored in one.
    let put = json!({ "lineup": [{"playerId": "red-3", "battingOrder": 2}, {"playerId": "red-4", "battingOrder": 1}] });
    world.put("sam", &format!("/games/{game}"), put).await;
    let stored = world.app.db.game(&game.parse().unwrap()).await.unwrap().unwrap();
    assert_eq!(stored.lineup.iter().map(AsRef::as_ref).collect::<Vec<&str>>(), ["red-4", "red-3"]);
}

#[tokio::test]
async fn ht_d18_statuses_change_by_transitions_alone() {
    let world = World::red().await;
    let game = world.game(json!({})).await;
    let path = format!("/games/{game}");
    let put = |status: &'static str| world.put("meg", &path, json!({ "status": status }));
    let refused = put("FINAL").await;
    assert_eq!(refused.outcome(), "409 INVALID_TRANSITION");
    assert_eq!(
        (&refused.json()["from"], &refused.json()["to"]),
        (&json!("SCHEDULED"), &json!("FINAL"))
    );
    assert_eq!(put("POSTPONED").await.json()["status"], "POSTPONED");
    // A new date is needed for a game that was put off.
    assert_eq!(put("SCHEDULED").await.outcome(), "400 VALIDATION");
    let date = json!({ "scheduledStart": "2027-02-02T10:00:00Z" });
    let again = world.post("meg", &format!("{path}/reschedule"), date).await;
    assert_eq!(again.json()["status"], "SCHEDULED");
    assert_eq!(put("IN_PROGRESS").await.json()["startedAt"], "2027-01-15T08:00:00.000Z");
    let suspended = world.post("meg", &format!("{path}/suspend"), Value::Null).await;
    assert_eq!(suspended.json()["status"], "POSTPONED");
    assert_eq!(world.post("meg", &format!("{path}/start"), Value::Null).await.outcome(), "200 -");
    let score = json!({ "teamScore": 7, "opponentScore": 6 });
    let over = world.post("sam", &format!("{path}/finish"), score).await.json();
    assert_eq!((&over["status"], &over["teamScore"]), (&json!("FINAL"), &json!(7)));
    for (user, told) in [("sam", "403 INSUFFICIENT_ROLE"), ("meg", "200 -")] {
        let reopened = world.post(user, &format!("{path}/reopen"), Value::Null).await;
        assert_eq!(reopened.outcome(), told);
    }
    assert_eq!(
        world.post("meg", &format!("{path}/start"), Value::Null).await.outcome(),
        "409 INVALID_TRANSITION"
    );
}

#[tokio::test]
async fn a_final_game_is_corrected_by_owners_and_managers_and_that_is_written_down() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "FINAL", "teamScore": 1, "opponentScore": 0 })).await;
    let path = format!("/games/{game}");
    let fix = json!({ "teamScore": 2 });
    assert_eq!(world.put("sam", &path, fix.clone()).await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(world.put("meg", &path, fix).await.outcome(), "200 -");
    world.post("ann", &format!("{path}/reopen"), Value::Null).await;
    let audit = world.app.db.audit(&TeamId::new("red").unwrap()).page().await.unwrap().rows;
    let told: Vec<String> =
        audit.iter().map(|entry| format!("{} {}", entry.actor, entry.action)).collect();
    assert_eq!(told, ["ann reopenGame", "meg updateGame"]);
    let (reopened, corrected) = (&audit[0], &audit[1]);
    assert_eq!(reopened.before["status"], "FINAL");
    assert_eq!((&*corrected.before["teamScore"], &*corrected.after["teamScore"]), ("1", "2"));
    assert!(!corrected.before.contains_key("opponentScore"));
    assert_eq!(audit[1].entity, format!("GAME#{game}"));
}

#[tokio::test]
async fn a_game_is_changed_only_in_the_requested_version() {
    let world = World::red().await;
    let path = format!("/games/{}", world.game(json!({})).await);
    let change = json!({ "location": "Field 3", "opponentName": null });
    let with = |version: &'static str| {
        let headers = [("if-match", version)];
        let (world, path, change) = (&world, &path, change.clone());
        async move { world.request("sam", Method::PUT, path, change, &headers).await.outcome() }
    };
    assert_eq!(with("\"1\"").await, "200 -");
    assert_eq!(with("\"1\"").await, "412 PRECONDITION_FAILED");
    for (body, told) in [
        (json!({}), "400 EMPTY_BODY"),
        (json!({ "colour": "red" }), "400 UNKNOWN_FIELD"),
        (json!({ "teamId": "blue" }), "400 READ_ONLY_FIELD"),
        (json!({ "teamScore": 1000 }), "400 VALIDATION"),
        (json!({ "lineup": ["red-1", "red-1"] }), "400 VALIDATION"),
        (json!({ "seasonId": "nope" }), "400 VALIDATION"),
    ] {
        assert_eq!(world.put("sam", &path, body.clone()).await.outcome(), told, "{body}");
    }
}

#[tokio::test]
async fn hidden_games_are_missing_games() {
    let world = World::red().await;
    let game = world.game(json!({})).await;
    let hidden = world.get("eve", &format!("/games/{game}")).await;
    let missing = world.get("eve", "/games/nope").await;
    assert_eq!((hidden.status, &hidden.text), (404, &missing.text));
    assert_eq!(missing.outcome(), "404 GAME_NOT_FOUND");
}

#[tokio::test]
async fn a_game_that_an_older_program_started_can_be_finished() {
    let world = World::red().await;
    for (game, word) in [("g1", "IN_PROGRESS"), ("g2", "in_progress")] {
        world.old_game(game, word, "2027-01-01T10:00:00Z");
        let body = json!({ "playerId": "red-1", "result": "1B" });
        let lineup = json!({ "lineup": ["red-1"] });
        assert_eq!(world.put("sam", &format!("/games/{game}"), lineup).await.outcome(), "200 -");
        let recorded = world.post("sam", &format!("/games/{game}/atbats"), body).await;
        assert_eq!(recorded.outcome(), "201 -");
        let over = world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
        assert_eq!((over.status, &over.json()["status"]), (200, &json!("FINAL")), "{}", over.text);
    }
    assert_eq!(world.app.db.active_game(&TeamId::new("red").unwrap()).await.unwrap(), None);
}

#[tokio::test]
async fn a_lineup_is_looked_at_again_when_the_game_starts() {
    let world = World::red().await;
    let game = world.game(json!({})).await;
    let (team, player) = (TeamId::new("red").unwrap(), PlayerId::new("red-4").unwrap());
    let player = world.app.db.player(&team, &player).await.unwrap().unwrap();
    let inactive = |player: &mut Player| player.status = PlayerStatus::Inactive;
    world.app.db.edit(player, inactive).await.unwrap();
    let refused = world.post("sam", &format!("/games/{game}/start"), Value::Null).await;
    assert_eq!(refused.outcome(), "409 LINEUP_REQUIRED");
    assert_eq!(refused.json()["playerIds"], json!(["red-4"]));
    // While it is played, a lineup can't be taken away altogether.
    let lineup = json!({ "lineup": ["red-1"], "status": "IN_PROGRESS" });
    assert_eq!(world.put("sam", &format!("/games/{game}"), lineup).await.outcome(), "200 -");
    let none = world.put("sam", &format!("/games/{game}"), json!({ "lineup": null })).await;
    assert_eq!(none.outcome(), "409 LINEUP_REQUIRED");
}
