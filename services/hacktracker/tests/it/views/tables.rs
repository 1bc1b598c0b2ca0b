//! Box scores, cards and exports as they are shown.

use expect_test::expect;
use monotable_hacktracker::rules::box_score::box_score;
use monotable_hacktracker::rules::csv;
use monotable_hacktracker::rules::player_card::{player_card, spray};
use monotable_hacktracker::rules::roster::sort_roster;
use monotable_hacktracker::rules::team_stats::team_statistics;
use monotable_hacktracker::rules::{GameLog, Scope};
use serde_json::{Value, json};

use super::{at_bat, game, id, player};

/// Three innings of a and b; c was replaced by b, and x is unknown.
fn log(said: Value) -> GameLog {
    let plays = vec![
        at_bat(
            "g",
            0,
            "a",
            "1B",
            json!({ "hitLocation": { "x": "0.25", "y": 0.5 }, "hitType": "line_drive" }),
        ),
        at_bat(
            "g",
            1,
            "c",
            "HR",
            json!({ "battingOrder": 2, "rbis": 2, "runsScored": ["a", "c"], "hitLocation": { "x": 1, "y": 0 } }),
        ),
        at_bat(
            "g",
            2,
            "a",
            "SAC",
            json!({ "inning": 3, "hitType": "bunt", "rbis": 1, "runsScored": ["b"] }),
        ),
        at_bat(
            "g",
            3,
            "b",
            "INT",
            json!({ "inning": 3, "battingOrder": 2, "rbis": 3, "hitLocation": { "x": 0, "y": 0 } }),
        ),
        at_bat("g", 4, "a", "BB", json!({ "inning": 3 })),
    ];
    GameLog::new(game("g", said), plays)
}

#[test]
fn a_box_score_has_a_line_for_every_place_the_totals_and_the_innings() {
    let log = log(
        json!({ "lineup": ["a", "b"], "teamScore": 3, "opponentScore": 5, "opponentName": "Pioneers" }),
    );
    let roster = [player("a", json!({ "playerNumber": 7, "lastName": "Doe" }))];
    let shown = serde_json::to_value(box_score(&log, &roster)).unwrap();
    expect![[r#"[{"inning":1,"runs":2},{"inning":2,"runs":0},{"inning":3,"runs":1}]"#]]
        .assert_eq(&shown["lineScore"].to_string());
    let head =
        ["opponentName", "opponentScore", "teamScore", "recordedRuns", "scoreMismatch", "status"];
    expect![[r#"["Pioneers",5,3,3,false,"FINAL"]"#]]
        .assert_eq(&json!(head.map(|name| &shown[name])).to_string());
    let mut rows = String::new();
    for line in shown["lines"].as_array().unwrap() {
        let columns = ["battingOrder", "inLineup", "playerId", "playerNumber", "lastName"];
        let figures = ["PA", "AB", "R", "H", "RBI", "BB", "SH", "TB", "AVG", "OBP", "unrecognised"];
        let who = columns.map(|name| line[name].to_string()).join(" ");
        let figures = figures.map(|name| format!("{name} {}", line["line"][name])).join(" ");
        rows += &format!("{who}: {figures}\n");
    }
    expect![[r#"
        1 true "a" 7 "Doe": PA 3 AB 1 R 1 H 1 RBI 1 BB 1 SH 1 TB 1 AVG 1.0 OBP 1.0 unrecognised 0
        2 true "b" null null: PA 0 AB 0 R 1 H 0 RBI 0 BB 0 SH 0 TB 0 AVG null OBP null unrecognised 1
        2 false "c" null null: PA 1 AB 1 R 1 H 1 RBI 2 BB 0 SH 0 TB 4 AVG 1.0 OBP 1.0 unrecognised 0
    "#]]
    .assert_eq(&rows);
    expect![[r#"{"1B":1,"2B":0,"3B":0,"AB":2,"AVG":1.0,"BB":1,"FC":0,"H":2,"HBP":0,"HR":1,"K":0,"OBP":1.0,"OPS":3.5,"PA":4,"R":3,"RBI":3,"ROE":0,"SF":0,"SH":1,"SLG":2.5,"TB":5,"unrecognised":1}"#]]
        .assert_eq(&shown["totals"].to_string());
}

#[test]
fn a_score_that_contradicts_the_plays_is_reported() {
    let mismatch = |log: &GameLog| box_score(log, &[]).score_mismatch;
    assert!(!mismatch(&log(json!({ "teamScore": 3 }))));
    assert!(mismatch(&log(json!({ "teamScore": 4 }))));
    // No runner is listed as scoring: there is nothing to contradict, unless the score should
    // follow.
    let silent = |said| GameLog::new(game("g", said), vec![at_bat("g", 0, "a", "HR", json!({}))]);
    assert!(!mismatch(&silent(json!({ "teamScore": 1 }))));
    assert!(mismatch(&silent(json!({ "teamScore": 1, "scoreMode": "auto" }))));
}

#[test]
fn a_card_shows_the_last_games_first_and_where_balls_went() {
    let mut second = log(json!({ "scheduledStart": "2026-06-01T18:00:00Z" }));
    second.game.game_id = id("g2");
    second.at_bats.truncate(1);
    second.at_bats[0].game_id = id("g2");
    let logs = [log(json!({})), second];
    let card = player_card(&logs, &id("a"), &Scope::default(), 1);
    assert_eq!((card.games, card.totals.plate_appearances), (2, 4));
    assert_eq!((card.trend[0].game_id.as_ref(), card.trend_totals.plate_appearances), ("g2", 1));
    let points =
        |player| serde_json::to_string(&spray(&logs[..1], &id(player), &Scope::default())).unwrap();
    expect![[r#"[{"gameId":"g","atBatId":"g-0000","x":0.25,"y":0.5,"result":"1B","hitType":"line_drive"}]"#]]
        .assert_eq(&points("a"));
    expect![[r#"[{"gameId":"g","atBatId":"g-0001","x":1.0,"y":0.0,"result":"HR"}]"#]]
        .assert_eq(&points("c"));
    expect!["[]"].assert_eq(&points("b"));
}

#[test]
fn the_export_is_a_table_without_formulas() {
    let roster = [
        player("a", json!({ "playerNumber": 0, "lastName": "=cmd|' /C calc'!A0" })),
        player("b", json!({ "firstName": "Bo \"B\"", "lastName": "Smith, Jr." })),
    ];
    let statistics = team_statistics(&[log(json!({}))], &roster, &Scope::default());
    expect![[r#"
        Number,First name,Last name,Player id,G,PA,AB,R,H,1B,2B,3B,HR,RBI,BB,HBP,K,FC,ROE,SF,SH,TB,AVG,OBP,SLG,OPS
        0,a,'=cmd|' /C calc'!A0,a,1,3,1,1,1,1,0,0,0,1,1,0,0,0,0,0,1,1,1.000,1.000,1.000,2.000
        ,"Bo ""B""","Smith, Jr.",b,1,0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,,,,
        ,,,c,1,1,1,1,1,0,0,0,1,2,0,0,0,0,0,0,0,4,1.000,1.000,4.000,5.000
        ,Total,,,1,4,2,3,2,1,0,0,1,3,1,0,0,0,0,0,1,5,1.000,1.000,2.500,3.500
    "#]]
    .assert_eq(&csv::statistics(&statistics).replace("\r\n", "\n"));
    assert_eq!(csv::statistics(&statistics).matches("\r\n").count(), 5);
}

#[test]
fn a_roster_is_sorted_by_number_and_name_with_missing_ones_last() {
    let mut roster = vec![
        player("none", json!({})),
        player("last", json!({ "lastName": "Zorn" })),
        player("ten", json!({ "playerNumber": 10 })),
        player("nine", json!({ "playerNumber": 9, "lastName": "Zorn" })),
        player("nil", json!({ "playerNumber": 0 })),
        player("early", json!({ "lastName": "Abel" })),
    ];
    sort_roster(&mut roster);
    let names: Vec<&str> = roster.iter().map(|player| player.first_name.as_str()).collect();
    assert_eq!(names, ["nil", "nine", "ten", "early", "last", "none"]);
}
