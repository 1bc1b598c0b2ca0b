//! The defects of the original design that games resolve, one test for each.

mod legacy_games;
mod limits;

use std::sync::Arc;

use monotable::model::backend::Embedded;
use monotable_testkit::failing::{Failing, Moment};
use monotable_testkit::service::{Request, oracle};
use monotable_three_fc::table::ThreeFcReads as _;
use serde_json::{Value, json};

use crate::game_rows::{games, rows, wrong};
use crate::matchday::{MatchDay as _, goal_body};
use crate::world::{World, id};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tf_d4_concurrent_changes_of_a_game_lose_nothing() {
    let world = Arc::new(World::match_day().await);
    let game = world.live_game().await;
    let goals = format!("POST /v1/games/{game}/goals");
    let acts = [("sam".into(), goals.as_str(), goal_body("red>blue"))];
    assert_eq!(oracle::all_at_once(&world, 12, &acts).await, [12]);
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..12 {
        let (world, goals) = (Arc::clone(&world), goals.clone());
        running.spawn(async move { world.outcome_of("sam", &goals, goal_body("red>blue")).await });
    }
    assert!(running.join_all().await.iter().all(|told| told == "201 -"));
    let stored = &games(&world)[0];
    assert_eq!(stored.score("blue"), (12, 0));
    assert_eq!(wrong(&world), [] as [String; 0]);
    // The version and the status are beside the data, where conditions see them.
    let rows = world.rows();
    let row = rows
        .iter()
        .find(|row| row["pk"].as_s() == Some("GAME#g1") && row["sk"].as_s() == Some("METADATA"));
    let row = row.unwrap();
    assert_eq!(row["status"].as_s(), Some("live"));
    assert!(row.contains_key("ver"));
    // An older state of the game is refused.
    let headers = [("if-match", "\"2\"")];
    let request =
        Request::new("PATCH /v1/games/g1", json!({ "location": "North" })).headers(&headers);
    assert_eq!(world.send("sam", request).await.outcome(), "412 precondition_failed");
}

#[tokio::test]
async fn tf_d5_an_event_is_found_by_its_id_and_recorded_once() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let path = format!("POST /v1/games/{game}/goals");
    let mut body = goal_body("red>blue");
    body["eventId"] = "client-made-1".into();
    body["gameMinute"] = 4.into();
    world.play_until(&game, 1, 5).await;
    assert_eq!(world.send_to("sam", &path, body.clone()).await.status, 201);
    // A repeat in another minute is the same goal.
    body["gameMinute"] = 5.into();
    let again = world.send_to("sam", &path, body.clone()).await;
    assert_eq!((again.status, &again.json()["gameMinute"]), (200, &json!(4)));
    // Another goal can't have its id.
    body["scorerPlayerId"] = "red-2".into();
    assert_eq!(world.outcome_of("sam", &path, body).await, "409 id_taken");
    assert_eq!(games(&world)[0].goals.len(), 1);
    let pointer =
        world.app.db.goal_pointer(&id(&game), &id("client-made-1")).await.unwrap().unwrap();
    assert_eq!((pointer.third, pointer.game_minute), (1, 4));
    world
        .done(
            "sam",
            &format!("PATCH /v1/games/{game}/goals/client-made-1"),
            json!({ "gameMinute": 9 }),
        )
        .await;
    let pointer =
        world.app.db.goal_pointer(&id(&game), &id("client-made-1")).await.unwrap().unwrap();
    assert_eq!((pointer.third, pointer.game_minute), (1, 9));
    world.done("sam", &format!("DELETE /v1/games/{game}/goals/client-made-1"), Value::Null).await;
    assert_eq!(
        world
            .outcome_of("sam", &format!("DELETE /v1/games/{game}/goals/client-made-1"), Value::Null)
            .await,
        "404 not_found"
    );
    assert_eq!(wrong(&world), [] as [String; 0]);
}

#[tokio::test]
async fn tf_d6_minutes_have_four_digits_and_events_are_in_the_order_of_their_ids() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let mut events = Vec::new();
    for minute in [100, 9, 9, 9, 11] {
        events.push(world.goal(&game, "red>blue", 1, minute).await);
    }
    let keys: Vec<String> = games(&world)[0].goals.iter().map(|goal| goal.sk.clone()).collect();
    let expected = [
        format!("GOAL#1#0009#{}", events[1]),
        format!("GOAL#1#0009#{}", events[2]),
        format!("GOAL#1#0009#{}", events[3]),
        format!("GOAL#1#0011#{}", events[4]),
        format!("GOAL#1#0100#{}", events[0]),
    ];
    assert_eq!(keys, expected);
    assert!(events.iter().all(|event| event.len() == 26), "{events:?}");
    let shown = world.done("vic", &format!("GET /v1/games/{game}/goals"), Value::Null).await;
    let shown: Vec<&str> = shown["goals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|goal| goal["eventId"].as_str().unwrap())
        .collect();
    let order = [1, 2, 3, 4, 0].map(|index: usize| events[index].as_str());
    assert_eq!(shown, order);
}

#[tokio::test]
async fn tf_d7_a_rescheduled_game_moves_in_its_session() {
    let world = World::match_day().await;
    world.game("d1", "early").await;
    let body = json!({ "gameId": "late", "gameStartTs": "2026-02-22T01:00:00Z" });
    world.done("sam", "POST /v1/sessions/d1/games", body).await;
    let listed = async || {
        let list = world.done("vic", "GET /v1/sessions/d1/games", Value::Null).await;
        let games = list["games"].as_array().unwrap().iter();
        let games: Vec<String> = games
            .map(|game| {
                format!(
                    "{} {}",
                    game["gameId"].as_str().unwrap(),
                    game["gameStartTs"].as_str().unwrap()
                )
            })
            .collect();
        games
    };
    assert_eq!(listed().await, ["early 2026-02-21T22:00:00.000Z", "late 2026-02-22T01:00:00.000Z"]);
    let earlier = json!({ "gameStartTs": "2026-02-22T08:00:00+11:00" });
    world.done("sam", "PATCH /v1/games/late", earlier).await;
    assert_eq!(listed().await, ["late 2026-02-21T21:00:00.000Z", "early 2026-02-21T22:00:00.000Z"]);
    let keys: Vec<String> = rows(&world)
        .into_iter()
        .filter(|row| row.pk == "SESSION#d1" && row.sk.starts_with("GAME#"))
        .map(|row| row.sk)
        .collect();
    let expected = ["GAME#2026-02-21T21:00:00.000Z#late", "GAME#2026-02-21T22:00:00.000Z#early"];
    assert_eq!(keys, expected);
    assert_eq!(wrong(&world), [] as [String; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tf_d8_a_player_is_in_one_team_of_a_game() {
    let world = Arc::new(World::match_day().await);
    let body = json!({ "gameId": "g1", "gameStartTs": "2026-02-22T01:00:00Z" });
    world.done("sam", "POST /v1/sessions/d1/games", body).await;
    let roster = "POST /v1/games/g1/roster";
    let in_team = |team: &str| json!({ "playerId": "red-1", "teamId": team });
    let other = Arc::new(world.another_process().await);
    let mut running = tokio::task::JoinSet::new();
    for number in 0..12 {
        let world = Arc::clone(if number % 2 == 0 { &world } else { &other });
        let body = in_team(["red", "blue", "yellow"][number % 3]);
        running.spawn(async move { world.outcome_of("sam", roster, body).await });
    }
    let told = running.join_all().await;
    assert_eq!(told.iter().filter(|told| *told == "201 -").count(), 1, "{told:?}");
    let team = games(&world)[0].roster["red-1"].clone();
    let other = if team == "red" { "blue" } else { "red" };
    assert_eq!(world.outcome_of("sam", roster, in_team(other)).await, "409 player_in_other_team");
    let moved = json!({ "playerId": "red-1", "teamId": other, "fromTeamId": team });
    assert_eq!(world.done("sam", roster, moved).await["teamId"], other);
    assert_eq!(games(&world)[0].roster["red-1"], other);
    assert_eq!(wrong(&world), [] as [String; 0]);
    let unknown = json!({ "playerId": "nobody", "teamId": other });
    assert_eq!(world.outcome_of("sam", roster, unknown).await, "404 not_found");
    let foreign = json!({ "playerId": "red-2", "teamId": "green" });
    assert_eq!(world.outcome_of("sam", roster, foreign).await, "400 invalid_goal_teams");
}

#[tokio::test]
async fn a_player_with_goals_or_assists_stays() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let mut body = goal_body("red>blue");
    body["assistPlayerIds"] = json!(["yellow-2"]);
    world.done("sam", &format!("POST /v1/games/{game}/goals"), body).await;
    let remove = |player: &str| format!("DELETE /v1/games/{game}/roster/{player}");
    for player in ["red-1", "yellow-2"] {
        assert_eq!(
            world.outcome_of("sam", &remove(player), Value::Null).await,
            "409 player_has_events"
        );
    }
    let moved = json!({ "playerId": "red-1", "teamId": "blue", "fromTeamId": "red" });
    let roster = format!("POST /v1/games/{game}/roster");
    assert_eq!(world.outcome_of("sam", &roster, moved).await, "409 player_has_events");
    assert_eq!(world.outcome_of("sam", &remove("red-3"), Value::Null).await, "204 -");
    assert_eq!(world.outcome_of("sam", &remove("red-3"), Value::Null).await, "404 not_found");
    assert_eq!(wrong(&world), [] as [String; 0]);
}

/// Deletes a game by a process that dies after the commit, so that all of the work is left.
async fn delete_and_die(world: &World, route: &str) {
    let embedded = Embedded::new(world.database.clone());
    for fatal in 0.. {
        let failing = Failing::at(&embedded, fatal, Moment::Before);
        let dying = world.over(failing.clone()).await;
        if dying.send_to("ann", route, Value::Null).await.is_success() {
            assert!(failing.has_died());
            return;
        }
    }
}

#[tokio::test]
async fn tf_d11_of_a_deleted_game_nothing_is_left() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    world.goal(&game, "red>blue", 1, 3).await;
    world.finish(&game).await;
    let create = json!({ "gameId": game, "gameStartTs": "2026-02-22T01:00:00Z" });
    assert_eq!(
        world.outcome_of("sam", &format!("DELETE /v1/games/{game}"), Value::Null).await,
        "403 admin_required"
    );
    let path = format!("DELETE /v1/games/{game}?cascadeEmptySession=false");
    delete_and_die(&world, &path).await;
    // It counts nowhere from now on, although its rows are still there.
    assert_eq!(
        world.outcome_of("ann", &format!("GET /v1/games/{game}"), Value::Null).await,
        "404 acl_scope_not_found"
    );
    assert_eq!(
        world.outcome_of("", &format!("GET /v1/public/games/{game}"), Value::Null).await,
        "404 not_found"
    );
    let table = world.done("", "GET /v1/public/seasons/s1/standings", Value::Null).await;
    assert_eq!(table["standings"][0]["played"], 0);
    assert!(games(&world)[0].appearances.is_empty());
    let again = "POST /v1/sessions/d1/games";
    assert_eq!(world.outcome_of("sam", again, create.clone()).await, "409 id_taken");
    world.finish_work("after the deletion").await;
    assert!(games(&world).is_empty(), "{:?}", games(&world));
    world.done("sam", again, create).await;
    assert!(games(&world)[0].goals.is_empty());
    // Rows that an older program left behind are in the way as well.
    let residue = monotable::item! {
        "pk" => "GAME#old", "sk" => "ROSTER#red#p1", "entityType" => "roster",
        "createdAt" => "2026-01-01T00:00:00.000Z", "updatedAt" => "2026-01-01T00:00:00.000Z",
        "data" => r#"{"gameId":"old","teamId":"red","playerId":"p1"}"#,
    };
    world.put_rows([residue]);
    let create = json!({ "gameId": "old", "gameStartTs": "2026-02-22T01:00:00Z" });
    assert_eq!(world.outcome_of("sam", again, create).await, "409 id_taken");
}

#[tokio::test]
async fn tf_d12_an_empty_session_goes_with_its_last_game_unless_one_is_added() {
    let world = World::match_day().await;
    world.game("d1", "g1").await;
    world.game("d1", "g2").await;
    world.done("ann", "DELETE /v1/games/g1", Value::Null).await;
    world.finish_work("one game is left").await;
    assert!(world.app.db.session(&id("d1")).await.unwrap().is_some());
    delete_and_die(&world, "DELETE /v1/games/g2").await;
    // Another game comes before the work is done.
    world.game("d1", "g3").await;
    world.finish_work("another game was added").await;
    assert!(world.app.db.session(&id("d1")).await.unwrap().is_some());
    world.done("ann", "DELETE /v1/games/g3", Value::Null).await;
    world.finish_work("no game is left").await;
    assert!(world.app.db.session(&id("d1")).await.unwrap().is_none());
    let season = id("s1");
    assert!(world.app.db.session_in(&season, &id("d1")).await.unwrap().is_none());
}

#[tokio::test]
async fn tf_d13_only_the_ways_of_the_state_machine_are_open() {
    let world = World::match_day().await;
    for status in ["live", "finished"] {
        let body =
            json!({ "gameId": "g9", "gameStartTs": "2026-02-22T01:00:00Z", "status": status });
        assert_eq!(
            world.outcome_of("sam", "POST /v1/sessions/d1/games", body).await,
            "409 invalid_transition"
        );
    }
    let game = world.game("d1", "g1").await;
    let patch = format!("PATCH /v1/games/{game}");
    for status in ["live", "finished"] {
        let body = json!({ "status": status });
        assert_eq!(world.outcome_of("ann", &patch, body).await, "409 invalid_transition");
    }
    world.done("ann", &patch, json!({ "status": "scheduled", "location": "South" })).await;
    let act = async |user: &str, act: &str| {
        world.outcome_of(user, &format!("POST /v1/games/{game}/{act}"), Value::Null).await
    };
    assert_eq!(act("sam", "finish").await, "409 invalid_transition");
    assert_eq!(act("sam", "reopen").await, "403 admin_required");
    assert_eq!(act("ann", "reopen").await, "409 invalid_transition");
    assert_eq!(act("sam", "thirds/2/start").await, "409 third_order");
    assert_eq!(act("sam", "thirds/4/start").await, "400 validation");
    assert_eq!(act("sam", "thirds/1/finish").await, "409 third_not_running");
    assert_eq!(act("sam", "thirds/1/start").await, "200 -");
    assert_eq!(act("sam", "finish").await, "409 third_order");
    let early = json!({ "reason": "Thunderstorm" });
    let finish = format!("POST /v1/games/{game}/finish");
    assert_eq!(world.outcome_of("sam", &finish, early.clone()).await, "403 admin_required");
    assert_eq!(world.done("ann", &finish, early).await["status"], "finished");
    assert_eq!(act("ann", "finish").await, "200 -", "it is finished already");
    assert_eq!(act("sam", "thirds/2/start").await, "403 game_locked");
    assert_eq!(act("ann", "reopen").await, "200 -");
    assert_eq!(act("sam", "thirds/2/start").await, "200 -");
    assert_eq!(wrong(&world), [] as [String; 0]);
}

#[tokio::test]
async fn a_third_starts_when_every_team_has_a_player() {
    let world = World::match_day().await;
    let body = json!({ "gameId": "g1", "gameStartTs": "2026-02-22T01:00:00Z" });
    world.done("sam", "POST /v1/sessions/d1/games", body).await;
    for team in ["red", "blue"] {
        let body = json!({ "playerId": format!("{team}-1"), "teamId": team });
        world.done("sam", "POST /v1/games/g1/roster", body).await;
    }
    let start = "POST /v1/games/g1/thirds/1/start";
    assert_eq!(world.outcome_of("sam", start, Value::Null).await, "409 invalid_transition");
    let body = json!({ "playerId": "yellow-1", "teamId": "yellow" });
    world.done("sam", "POST /v1/games/g1/roster", body).await;
    assert_eq!(world.outcome_of("vic", start, Value::Null).await, "403 league_access_required");
    assert_eq!(world.done("sam", start, Value::Null).await["status"], "live");
}

#[tokio::test]
async fn tf_d14_a_repeated_request_has_one_effect_for_a_day() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let path = format!("POST /v1/games/{game}/goals");
    let headers = [("idempotency-key", "key-of-sam@example.org")];
    let send =
        async |body: Value| world.send("sam", Request::new(&path, body).headers(&headers)).await;
    let first = send(goal_body("red>blue")).await;
    assert_eq!(first.status, 201);
    let again = send(goal_body("red>blue")).await;
    assert_eq!((again.status, again.json()), (201, first.json()));
    assert_eq!(again.header("idempotent-replay"), "true");
    assert_eq!(send(goal_body("blue>red")).await.outcome(), "409 idempotency_conflict");
    assert_eq!(games(&world)[0].goals.len(), 1);
    // Keys of records contain hashes only.
    let records = world.rows().into_iter().filter_map(|row| row["pk"].as_s().map(str::to_owned));
    let records: Vec<String> = records.filter(|pk| pk.starts_with("IDEMPOTENCY#")).collect();
    assert_eq!(records.len(), 1, "{records:?}");
    assert!(!records[0].contains(['/', ':', '@']) && !records[0].contains("sam"), "{records:?}");
    // The record is not trusted after a day, although its row is still there.
    world.clock.advance_ms(24 * 60 * 60 * 1000);
    let mut late = goal_body("blue>red");
    late["gameMinute"] = 9.into();
    assert_eq!(send(late).await.status, 201);
    assert_eq!(games(&world)[0].goals.len(), 2);
}

#[tokio::test]
async fn tf_d18_long_lists_are_read_to_their_end() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    // More than a page of 1 MB: the rows of an older program carry much that nobody reads.
    let ballast = "x".repeat(60_000);
    let goals = (0..40).map(|number| {
        let data = json!({
            "gameId": game, "eventId": format!("e{number:02}"), "third": 1, "gameMinute": number,
            "scoringTeamId": "red", "concedingTeamId": "blue", "scorerPlayerId": "red-1",
            "assistPlayerIds": [], "ownGoal": false, "note": ballast,
        });
        monotable::item! {
            "pk" => format!("GAME#{game}"), "sk" => format!("GOAL#1#{number:04}#e{number:02}"),
            "entityType" => "goal", "createdAt" => "2026-02-22T01:00:00.000Z",
            "updatedAt" => "2026-02-22T01:00:00.000Z", "data" => data.to_string(),
        }
    });
    world.put_rows(goals);
    world.clock.advance_ms(10_000);
    let timeline =
        world.done("", &format!("GET /v1/public/games/{game}/timeline"), Value::Null).await;
    assert_eq!(timeline["count"], 40);
    let shown = world.done("", &format!("GET /v1/public/games/{game}"), Value::Null).await;
    assert_eq!(shown["teams"][1]["conceded"], 40);
    // A goal without a pointer gets one when it is corrected, and keeps what nobody reads.
    world
        .done("sam", &format!("PATCH /v1/games/{game}/goals/e07"), json!({ "gameMinute": 90 }))
        .await;
    let stored = &games(&world)[0];
    let moved = stored.goals.iter().find(|goal| goal.sk == "GOAL#1#0090#e07").unwrap();
    assert_eq!(moved.data["note"].as_str().unwrap().len(), ballast.len());
    assert_eq!((stored.goals.len(), stored.pointers.len()), (40, 1));
}

#[tokio::test]
async fn tf_d20_undo_takes_back_what_was_entered_last() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let first = world.goal(&game, "red>blue", 1, 15).await;
    let second = world.goal(&game, "blue>red", 1, 2).await;
    let undo = format!("POST /v1/games/{game}/goals/undo");
    // Who means another goal than the last is refused.
    assert_eq!(world.outcome_of("sam", &undo, json!({ "eventId": first })).await, "409 conflict");
    assert_eq!(world.done("sam", &undo, Value::Null).await["eventId"], second.as_str());
    assert_eq!(
        world.done("sam", &undo, json!({ "eventId": first })).await["eventId"],
        first.as_str()
    );
    assert_eq!(world.outcome_of("sam", &undo, Value::Null).await, "404 not_found");
    let audit = world.app.db.audit(&id(&game)).all().await.unwrap();
    let undone = audit.iter().filter(|entry| entry.action == "undoLastGoal");
    assert_eq!(
        undone.map(|entry| entry.before["time"].as_str()).collect::<Vec<_>>(),
        ["1/15", "1/2"]
    );
    assert_eq!(wrong(&world), [] as [String; 0]);
}

#[tokio::test]
async fn tf_d22_a_game_keeps_the_names_of_its_teams() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let team = world.app.db.team(&id("s1"), &id("red")).await.unwrap().unwrap();
    world.app.db.edit(team, |team| team.name = "Scarlet".to_owned()).await.unwrap();
    let name = async || {
        let shown = world.done("", &format!("GET /v1/public/games/{game}"), Value::Null).await;
        shown["teams"][0]["name"].as_str().unwrap().to_owned()
    };
    assert_eq!(name().await, "RED");
    let team = format!("/v1/games/{game}/teams/red");
    world.done("sam", &format!("PUT {team}"), json!({ "name": "Foxes", "color": "#FF8800" })).await;
    assert_eq!(name().await, "Foxes");
    world.done("sam", &format!("PUT {team}"), json!({ "name": "Wolves" })).await;
    assert_eq!(name().await, "Wolves");
    assert_eq!(
        rows(&world)
            .iter()
            .filter(|row| row.sk == "TEAM#red" && row.pk.starts_with("GAME#"))
            .count(),
        1
    );
    world.done("sam", &format!("DELETE {team}"), Value::Null).await;
    assert_eq!(name().await, "Scarlet");
    assert_eq!(
        world.outcome_of("sam", &format!("DELETE {team}"), Value::Null).await,
        "404 not_found"
    );
    let other = format!("PUT /v1/games/{game}/teams/green");
    assert_eq!(world.outcome_of("sam", &other, json!({ "name": "Green" })).await, "404 not_found");
}

#[tokio::test]
async fn tf_d24_goals_that_break_the_rules_are_refused() {
    let world = World::match_day().await;
    let game = world.game("d1", "g1").await;
    let path = format!("POST /v1/games/{game}/goals");
    assert_eq!(
        world.outcome_of("sam", &path, goal_body("red>blue")).await,
        "409 invalid_transition"
    );
    world.done("sam", &format!("POST /v1/games/{game}/thirds/1/start"), Value::Null).await;
    let refused = async |change: Value| {
        let mut body = goal_body("red>blue");
        body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        world.outcome_of("sam", &path, body).await
    };
    assert_eq!(refused(json!({ "third": 2, "gameMinute": 1 })).await, "409 third_not_running");
    assert_eq!(refused(json!({ "concedingTeamId": "red" })).await, "400 invalid_goal_teams");
    assert_eq!(refused(json!({ "scoringTeamId": null })).await, "400 invalid_goal_teams");
    assert_eq!(refused(json!({ "scorerPlayerId": "blue-1" })).await, "400 not_rostered");
    assert_eq!(refused(json!({ "assistPlayerIds": ["red-1"] })).await, "400 invalid_assists");
    assert_eq!(refused(json!({ "assistPlayerIds": ["nobody"] })).await, "400 not_rostered");
    assert_eq!(refused(json!({ "gameMinute": 181 })).await, "400 validation");
    assert_eq!(refused(json!({ "recordedBy": "sam" })).await, "400 validation");
    world.done("sam", &format!("POST /v1/games/{game}/thirds/1/finish"), Value::Null).await;
    assert_eq!(refused(json!({})).await, "409 third_not_running");
    assert_eq!(refused(json!({ "third": 1 })).await, "400 validation");
    assert_eq!(refused(json!({ "third": 1, "gameMinute": 20 })).await, "400 validation");
    world.play_until(&game, 1, 20).await;
    assert_eq!(refused(json!({ "third": 1, "gameMinute": 20 })).await, "201 -");
}

#[tokio::test]
async fn tf_d25_rows_keep_the_time_of_their_creation() {
    let world = World::match_day().await;
    let game = world.live_game().await;
    let goal = world.goal(&game, "red>blue", 1, 3).await;
    let stamps = || {
        let rows = world.rows();
        let of_game = rows.iter().filter(|row| {
            let (pk, sk) = (row["pk"].as_s().unwrap(), row["sk"].as_s().unwrap());
            let is_listed = pk == "SESSION#d1" && sk.starts_with("GAME#");
            is_listed
                || (pk == "GAME#g1"
                    && ["META", "GOAL#", "GOALID", "ROSTER#red#red-2", "ROSTER#blue#red-2"]
                        .iter()
                        .any(|start| sk.starts_with(start)))
        });
        let text = |row: &monotable::Item, name: &str| row[name].as_s().unwrap().to_owned();
        let mut stamps: Vec<(String, String, String)> = of_game
            .map(|row| (text(row, "entityType"), text(row, "createdAt"), text(row, "updatedAt")))
            .collect();
        stamps.sort();
        stamps
    };
    let before = stamps();
    world.clock.advance_ms(60_000);
    for (route, body) in [
        (format!("PATCH /v1/games/{game}/goals/{goal}"), json!({ "third": 1, "gameMinute": 9 })),
        (format!("PATCH /v1/games/{game}"), json!({ "gameStartTs": "2026-02-23T09:00:00Z" })),
        (
            format!("POST /v1/games/{game}/roster"),
            json!({ "playerId": "red-2", "teamId": "blue", "fromTeamId": "red" }),
        ),
    ] {
        world.done("sam", &route, body).await;
    }
    let after = stamps();
    assert_eq!(before.len(), 5, "{before:?}");
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((&before.0, &before.1), (&after.0, &after.1));
        assert_ne!(before.2, after.2, "{after:?} was written");
    }
}
