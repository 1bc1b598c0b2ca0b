//! What is made of plate appearances, as clients see it.

use expect_test::expect;
use http_body_util::BodyExt;
use monotable_hacktracker::table::{GameId, HackTrackerReads as _, PlayerId, TeamId};
use serde_json::{Value, json};

use crate::world::{Setup as _, World};

/// Two final games of `red`: a win with a home run and a strikeout, and a loss with a single.
async fn season() -> (World, [String; 2]) {
    let world = World::red().await;
    let mut games = Vec::new();
    for (results, score) in [(["HR", "K"], [1, 0]), (["1B", "OUT"], [0, 4])] {
        let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
        for (player, result) in (1..).zip(results) {
            let location = json!({ "x": 0.25, "y": 0.5 });
            world.at_bat(&game, player, json!({ "result": result, "hitLocation": location })).await;
        }
        let score = json!({ "teamScore": score[0], "opponentScore": score[1] });
        world.post("sam", &format!("/games/{game}/finish"), score).await;
        world.clock.advance_ms(60_000);
        games.push(game);
    }
    (world, games.try_into().unwrap())
}

#[tokio::test]
async fn the_live_view_shows_the_situation() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    for player in 1..=4 {
        world.at_bat(&game, player, json!({ "result": "OUT" })).await;
    }
    let live = world.get("pat", &format!("/games/{game}/live")).await.json();
    assert_eq!((&live["inning"], &live["outs"]), (&json!(2), &json!(1)));
    assert_eq!(live["batter"], json!({ "playerId": "red-5", "battingOrder": 5 }));
    assert_eq!(live["inTheHole"]["playerId"], "red-7");
    // When the lineup changes, the next batter is the one after the last batter.
    let lineup = json!({ "lineup": ["red-9", "red-8", "red-7", "red-6", "red-5"] });
    world.put("sam", &format!("/games/{game}"), lineup).await;
    let live = world.get("pat", &format!("/games/{game}/live")).await.json();
    assert_eq!(live["batter"], json!({ "playerId": "red-5", "battingOrder": 5 }));
    assert_eq!(live["onDeck"], json!({ "playerId": "red-9", "battingOrder": 1 }));
    assert_eq!(
        world.get("eve", &format!("/games/{game}/live")).await.outcome(),
        "404 GAME_NOT_FOUND"
    );
}

#[tokio::test]
async fn a_box_score_has_a_line_per_place_and_reports_a_different_score() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    world.at_bat(&game, 1, json!({ "result": "HR", "rbis": 1, "runsScored": ["red-1"] })).await;
    let told = world.get("pat", &format!("/games/{game}/boxscore")).await.json();
    assert_eq!(told["lines"].as_array().unwrap().len(), 9);
    assert_eq!((&told["recordedRuns"], &told["scoreMismatch"]), (&json!(1), &json!(true)));
    world.put("sam", &format!("/games/{game}"), json!({ "scoreMode": "auto" })).await;
    let told = world.get("pat", &format!("/games/{game}/boxscore")).await.json();
    assert_eq!((&told["teamScore"], &told["scoreMismatch"]), (&json!(1), &json!(false)));
}

#[tokio::test]
async fn a_correction_moves_later_runs_to_their_inning() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    let mut ids = Vec::new();
    for (player, result) in (1..).zip(["OUT", "OUT", "1B"]) {
        ids.push(world.at_bat(&game, player, json!({ "result": result })).await);
    }
    let runs = json!({ "result": "HR", "runsScored": ["red-3", "red-4"] });
    let home_run = world.at_bat(&game, 4, runs).await;
    let innings = async || {
        let told = world.get("pat", &format!("/games/{game}/boxscore")).await.json();
        told["lineScore"]
            .as_array()
            .unwrap()
            .iter()
            .map(|inning| inning["runs"].clone())
            .collect::<Value>()
    };
    assert_eq!(innings().await, json!([2]));
    world.put("sam", &format!("/games/{game}/atbats/{}", ids[2]), json!({ "result": "OUT" })).await;
    assert_eq!(innings().await, json!([0, 2]));
    // A later correction of something else leaves it there, and the at-bat follows.
    let fixed = json!({ "rbis": 1 });
    let fixed = world.put("sam", &format!("/games/{game}/atbats/{home_run}"), fixed).await.json();
    assert_eq!((&fixed["inning"], &fixed["outs"]), (&json!(2), &json!(0)));
    assert_eq!(fixed.get("situationMismatch"), None);
    assert_eq!(innings().await, json!([0, 2]));
}

#[tokio::test]
async fn a_run_counts_for_a_player_who_did_not_bat() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    world.at_bat(&game, 2, json!({ "result": "2B", "runsScored": ["red-1"] })).await;
    world.post("sam", &format!("/games/{game}/finish"), Value::Null).await;
    let card = world.get("pat", "/players/red/red-1/stats").await.json();
    assert_eq!((&card["games"], &card["totals"]["R"]), (&json!(1), &json!(1)));
    let career = world.get("ann", "/users/ann/career").await.json();
    assert_eq!(career["totals"]["R"], 1);
}

#[tokio::test]
async fn followers_of_a_game_receive_every_change() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    let path = format!("/games/{game}/events");
    assert_eq!(world.get("eve", &path).await.outcome(), "404 GAME_NOT_FOUND");
    let response = world.follow("pat", &path).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let mut body = response.into_body();
    let mut next = async || {
        loop {
            let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
            let text = String::from_utf8(frame.to_vec()).unwrap();
            if let Some(data) = text.lines().find_map(|line| line.strip_prefix("data: ")) {
                return serde_json::from_str::<Value>(data).unwrap();
            }
        }
    };
    assert_eq!(next().await["outs"], 0);
    world.at_bat(&game, 1, json!({ "result": "K" })).await;
    let told = next().await;
    assert_eq!((&told["outs"], &told["batter"]["playerId"]), (&json!(1), &json!("red-2")));
    world.post("sam", &format!("/games/{game}/atbats/undo"), Value::Null).await;
    assert_eq!(next().await["outs"], 0);
    world.post("sam", &format!("/games/{game}/finish"), json!({ "teamScore": 2 })).await;
    let told = next().await;
    assert_eq!((&told["status"], &told["teamScore"]), (&json!("FINAL"), &json!(2)));
    drop(body);
    assert_eq!(world.app.events.topics(), 0);
}

#[tokio::test]
async fn a_team_has_statistics_a_record_and_leaders() {
    let (world, games) = season().await;
    let stats = world.get("pat", "/teams/red/stats").await.json();
    assert_eq!((&stats["games"], &stats["totals"]["H"]), (&json!(2), &json!(2)));
    let table = world.get("pat", "/teams/red/stats?format=csv").await;
    assert!(table.header("content-type").starts_with("text/csv"));
    assert_eq!(table.text.lines().count(), 11);
    let record = world.get("pat", "/teams/red/record").await.json();
    assert_eq!((&record["wins"], &record["losses"]), (&json!(1), &json!(1)));
    expect![[r#"
        G,W,L,T,RF,RA
        2,1,1,0,1,4
    "#]]
    .assert_eq(&world.get("pat", "/teams/red/record?format=csv").await.text.replace('\r', ""));
    let leaders = "/teams/red/leaders?rate=slg&minimum=1&format=csv";
    expect![[r#"
        Rank,Number,First name,Last name,Player id,SLG,PA,AB
        1,,red-1,,red-1,2.500,2,2
        2,,red-2,,red-2,0.000,2,2
    "#]]
    .assert_eq(&world.get("pat", leaders).await.text.replace('\r', ""));
    let none = world.get("pat", "/teams/red/stats?from=2030-01-01").await.json();
    assert_eq!(none["games"], 0);
    // A reopened game counts only on request.
    world.post("ann", &format!("/games/{}/reopen", games[1]), Value::Null).await;
    assert_eq!(world.get("pat", "/teams/red/stats").await.json()["games"], 1);
    assert_eq!(world.get("pat", "/teams/red/stats?includeLive=true").await.json()["games"], 2);
    for path in ["/teams/red/stats", "/teams/red/record", "/teams/red/leaders"] {
        assert_eq!(world.get("eve", path).await.outcome(), "404 TEAM_NOT_FOUND");
    }
}

#[tokio::test]
async fn a_player_has_a_card_and_a_spray_chart() {
    let (world, games) = season().await;
    let card = world.get("pat", "/players/red/red-1/stats?last=1").await.json();
    assert_eq!((&card["games"], &card["totals"]["PA"]), (&json!(2), &json!(2)));
    assert_eq!(card["trend"][0]["gameId"], games[1].as_str());
    let spray = world.get("pat", "/players/red/red-1/spray").await.json();
    assert_eq!((&spray["count"], &spray["points"][0]["x"]), (&json!(2), &json!(0.25)));
    assert_eq!(
        world.get("pat", "/players/red/nobody/stats").await.outcome(),
        "404 PLAYER_NOT_FOUND"
    );
    assert_eq!(world.get("eve", "/players/red/red-1/stats").await.outcome(), "404 TEAM_NOT_FOUND");
}

#[tokio::test]
async fn a_career_is_ones_own() {
    let (world, _) = season().await;
    let career = world.get("ann", "/users/ann/career").await.json();
    assert_eq!((&career["games"], &career["totals"]["HR"]), (&json!(2), &json!(1)));
    assert_eq!(career["teams"][0]["teamId"], "red");
    let none = world.get("ann", "/users/ann/career?teamType=PERSONAL").await.json();
    assert_eq!(none["games"], 0);
    assert_eq!(world.get("meg", "/users/ann/career").await.outcome(), "403 NOT_SELF");
}

#[tokio::test]
async fn ht_d13_a_deleted_game_counts_nowhere_and_leaves_nothing() {
    let (world, games) = season().await;
    let game = &games[0];
    world.put("meg", &format!("/games/{game}/rsvp/red-2"), json!({ "answer": "yes" })).await;
    world.post("sam", &format!("/games/{game}/shares"), Value::Null).await;
    let path = format!("/games/{game}");
    assert_eq!(world.delete("sam", &path).await.outcome(), "403 INSUFFICIENT_ROLE");
    assert_eq!(world.delete("meg", &path).await.status, 204);
    assert_eq!(world.delete("meg", &path).await.outcome(), "404 GAME_NOT_FOUND");

    // The rows are still there, and count no more.
    let game_id: GameId = game.parse().unwrap();
    assert_eq!(world.app.db.at_bats(&game_id).count().await.unwrap(), 2);
    let check = || async {
        assert_eq!(world.get("pat", &path).await.outcome(), "404 GAME_NOT_FOUND");
        assert_eq!(world.get("pat", "/teams/red/games").await.json()["count"], 1);
        assert_eq!(world.get("pat", "/teams/red/stats").await.json()["games"], 1);
        assert_eq!(world.get("pat", "/players/red/red-1/stats").await.json()["totals"]["HR"], 0);
        assert_eq!(world.get("ann", "/users/ann/career").await.json()["games"], 1);
    };
    check().await;
    assert_eq!(world.app.work().await.unwrap().jobs.done, 1);
    check().await;
    assert_eq!(world.app.db.game_rows(&game_id).count().await.unwrap(), 0);
    let (team, player) = (TeamId::new("red").unwrap(), PlayerId::new("red-1").unwrap());
    assert_eq!(world.app.db.at_bats_of(&player).count().await.unwrap(), 1);
    let player = world.app.db.player(&team, &player).await.unwrap().unwrap();
    assert_eq!(player.pa_count, Some(1));
    let audit = world.app.db.audit(&team).page().await.unwrap().rows;
    assert_eq!((audit[0].action.as_str(), audit[0].actor.as_str()), ("deleteGame", "meg"));
    assert_eq!(world.app.work().await.unwrap(), Default::default());
}

#[tokio::test]
async fn ht_d25_scorekeepers_delete_games_unless_they_are_in_progress_or_final() {
    let world = World::red().await;
    let game = world.game(json!({})).await;
    assert_eq!(
        world.delete("pat", &format!("/games/{game}")).await.outcome(),
        "403 INSUFFICIENT_ROLE"
    );
    assert_eq!(world.delete("sam", &format!("/games/{game}")).await.status, 204);
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    let played = world.delete("ann", &format!("/games/{game}")).await;
    assert_eq!(played.outcome(), "409 INVALID_TRANSITION");
}

#[tokio::test]
async fn a_large_game_is_deleted_in_steps() {
    let world = World::red().await;
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    for number in 0..100 {
        world.at_bat(&game, 1 + number % 9, json!({})).await;
    }
    world.post("sam", &format!("/games/{game}/suspend"), Value::Null).await;
    assert_eq!(world.delete("sam", &format!("/games/{game}")).await.status, 204);
    assert_eq!(world.app.work().await.unwrap().jobs.done, 1);
    let team = TeamId::new("red").unwrap();
    for player in world.app.db.roster(&team).page().await.unwrap().rows {
        assert_eq!(player.pa_count, Some(0));
    }
    assert_eq!(world.app.db.game_rows(&game.parse().unwrap()).count().await.unwrap(), 0);
}

#[tokio::test]
async fn a_proposed_lineup_has_the_available_players_in_the_last_order() {
    let world = World::red().await;
    let order = ["red-3", "red-1", "red-2", "red-4"];
    let last = world.game(json!({ "status": "IN_PROGRESS", "lineup": order })).await;
    world.post("sam", &format!("/games/{last}/finish"), Value::Null).await;
    let game = world.game(json!({ "lineup": [] })).await;
    let path = format!("/games/{game}/lineup-proposal");
    let proposed = |told: &Value| -> Vec<String> {
        let lineup = told["lineup"].as_array().unwrap().iter();
        lineup.map(|place| place["playerId"].as_str().unwrap().to_owned()).collect()
    };
    let everybody = world.get("pat", &path).await.json();
    assert_eq!(everybody["lastUsed"], last.as_str());
    assert_eq!(proposed(&everybody)[..5], ["red-3", "red-1", "red-2", "red-4", "red-5"]);
    for (player, answer) in
        [("red-5", "yes"), ("red-2", "YES"), ("red-3", "no"), ("red-4", "maybe"), ("red-1", "yes")]
    {
        let rsvp = format!("/games/{game}/rsvp/{player}");
        assert_eq!(world.put("meg", &rsvp, json!({ "answer": answer })).await.status, 200);
    }
    let told = world.get("pat", &path).await.json();
    assert_eq!(proposed(&told), ["red-1", "red-2", "red-5"]);
    assert_eq!(told["maybe"][0]["playerId"], "red-4");
    assert_eq!(told["unanswered"].as_array().unwrap().len(), 4);
    assert_eq!(world.get("pat", &format!("/games/{game}/rsvp")).await.json()["count"], 5);

    // Players reply for themselves.
    let own = format!("/games/{game}/rsvp/red-1");
    let own_answer = world.put("ann", &own, json!({ "answer": "no" })).await.json();
    assert_eq!(own_answer["answeredBy"], "ann");
    // The response has the times that are stored.
    let stored = world.get("pat", &format!("/games/{game}/rsvp")).await.json();
    let mut stored = stored["rsvps"].as_array().unwrap().iter();
    assert_eq!(stored.find(|rsvp| rsvp["playerId"] == "red-1"), Some(&own_answer));
    for (user, told) in [("pat", "403 INSUFFICIENT_ROLE"), ("eve", "404 GAME_NOT_FOUND")] {
        assert_eq!(world.put(user, &own, json!({ "answer": "no" })).await.outcome(), told);
    }
    let nobody = format!("/games/{game}/rsvp/nobody");
    let told = world.put("meg", &nobody, json!({ "answer": "no" })).await.outcome();
    assert_eq!(told, "404 PLAYER_NOT_FOUND");
}

#[tokio::test]
async fn a_career_and_a_player_card_count_the_same_games() {
    let (world, _) = season().await;
    let totals = async |query: &str| {
        let card = world.get("ann", &format!("/players/red/red-1/stats{query}")).await.json();
        let career = world.get("ann", &format!("/users/ann/career{query}")).await.json();
        assert_eq!((&card["totals"], &card["games"]), (&career["totals"], &career["games"]));
        card["totals"]["PA"].clone()
    };
    assert_eq!(totals("").await, 2);
    let game = world.game(json!({ "status": "IN_PROGRESS" })).await;
    world.at_bat(&game, 1, json!({})).await;
    assert_eq!(totals("").await, 3);
    assert_eq!(totals("?includeLive=false").await, 2);
    world.post("sam", &format!("/games/{game}/suspend"), Value::Null).await;
    assert_eq!(totals("").await, 3);
    assert_eq!(totals("?includeLive=false").await, 2);
}

#[tokio::test]
async fn a_scope_that_ends_before_it_begins_is_refused() {
    let (world, _) = season().await;
    let days = "from=2027-02-01&to=2027-01-31";
    for path in [
        "/teams/red/stats",
        "/teams/red/record",
        "/teams/red/leaders",
        "/players/red/red-1/stats",
        "/players/red/red-1/spray",
    ] {
        let refused = world.get("pat", &format!("{path}?{days}")).await;
        assert_eq!(refused.outcome(), "400 VALIDATION", "{path}");
        assert_eq!(refused.json()["fields"][0]["field"], "from");
        let one_day = world.get("pat", &format!("{path}?from=2027-01-31&to=2027-01-31")).await;
        assert_eq!(one_day.status, 200);
    }
}
