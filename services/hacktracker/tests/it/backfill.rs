//! Rows of older programs are updated once, conflicts are reported and left unchanged, and no
//! concurrent change is lost.

mod live;

use monotable::Item;
use monotable_hacktracker::legacy::backfill::{Conflict, Report, backfill};
use monotable_hacktracker::table::{GameStatus, HackTrackerReads, Period, TeamType};
use monotable_kit::backfill::Conflict as Left;

use crate::seed::{Raw, id, rows};

/// Returns a game of team `t`, in progress in the words of older programs.
fn game(name: &str, status: &str, updated: &str) -> String {
    format!(
        r#"{{ "PK": "GAME#{name}", "SK": "METADATA", "gameId": "{name}", "teamId": "t",
            "status": "{status}", "createdAt": "2024-04-01T10:00:00Z", "updatedAt": "{updated}",
            "GSI2PK": "ENTITY#GAME", "GSI2SK": "METADATA#{name}", "GSI3PK": "TEAM#t",
            "GSI3SK": "GAME#{name}" }}"#
    )
}

fn player(name: &str, said: &str) -> String {
    format!(
        r#"{{ "PK": "TEAM#t", "SK": "PLAYER#{name}", "playerId": "{name}", "teamId": "t",
            "firstName": "{name}", "createdAt": "2024-04-01T10:00:00Z",
            "updatedAt": "2024-04-01T10:00:00Z", {said} }}"#
    )
}

fn at_bat(number: usize, player: &str) -> String {
    format!(
        r#"{{ "PK": "GAME#g2", "SK": "ATBAT#{number}", "gameId": "g2", "atBatId": "{number}",
            "playerId": "{player}", "teamId": "t", "result": "1B", "inning": 1, "outs": 0,
            "battingOrder": 1, "createdAt": "2024-05-01T18:0{number}:00+00:00",
            "updatedAt": "2024-05-01T18:00:00Z", "GSI5PK": "PLAYER#{player}",
            "GSI5SK": "ATBAT#2024-05-01T18:0{number}:00+00:00" }}"#
    )
}

/// Returns a team with everything that an older program did not keep.
async fn table() -> Raw {
    let raw = Raw::new().await;
    raw.put_all(rows::ALL);
    raw.put(
        r#"{ "PK": "TEAM#t", "SK": "METADATA", "teamId": "t", "name": "Old Timers",
            "ownerId": "u1", "isPersonal": false, "createdAt": "2024-04-01T10:00:00Z",
            "updatedAt": "2024-04-01T10:00:00Z", "GSI2PK": "ENTITY#TEAM",
            "GSI2SK": "METADATA#t" }"#,
    );
    raw.put(
        r#"{ "PK": "USER#u1", "SK": "TEAM#t", "userId": "u1", "teamId": "t",
            "role": "team-owner", "status": "active", "joinedAt": "2024-04-01T10:00:00Z" }"#,
    );
    raw.put(&game("g1", "IN_PROGRESS", "2024-05-01T17:00:00+00:00"));
    raw.put(&game("g2", "in_progress", "2024-05-01T14:30:00-04:00"));
    raw.put(&game("g3", "IN_PROGRESS", "2024-05-01T18:00:00Z"));
    raw.put(&game("g4", "final", "2024-06-01T18:00:00Z"));
    raw.put(&player("p1", r#""isGhost": false, "userId": "u1", "playerNumber": 7"#));
    raw.put(&player("p2", r#""isGhost": true, "userId": null, "playerNumber": 8"#));
    raw.put(&player("p3", r#""isGhost": true, "playerNumber": 8, "status": "sub""#));
    raw.put(&player("p4", r#""isGhost": true, "playerNumber": 7, "status": "inactive""#));
    for (number, player) in ["p1", "p1", "p2", "p1"].into_iter().enumerate() {
        raw.put(&at_bat(number, player));
    }
    raw
}

fn conflicts() -> Vec<Left<Conflict>> {
    let second = |game| Conflict::SecondGameInProgress {
        team_id: id("t"),
        game_id: id(game),
        active: id("g2"),
    };
    let players = vec![id("p2"), id("p3")];
    let twice = Conflict::NumberTwice { team_id: id("t"), number: 8, players };
    [second("g1"), second("g3"), twice].map(Left::Decision).into()
}

#[tokio::test]
async fn missing_rows_are_created_and_conflicts_are_reported() {
    let raw = table().await;
    let db = &raw.db;
    let report = backfill(db).await.unwrap();
    let repaired = [
        // Two memberships, two linked players, four at-bats.
        ("indexKeys", 8),
        ("words", 3),
        ("activeGames", 1),
        ("numbers", 2),
        ("countedPlayers", 5),
        ("countedTeams", 2),
        ("playerLinks", 2),
    ];
    assert_eq!(report, Report { rows: 19, repaired: repaired.into(), conflicts: conflicts() });

    assert_eq!(db.active_game(&id("t")).await.unwrap().unwrap().game_id, id("g2"));
    assert_eq!(db.game(&id("g4")).await.unwrap().unwrap().status, GameStatus::Final);
    assert_eq!(db.number(&id("t"), 7).await.unwrap().unwrap().player_id, id("p1"));
    assert_eq!(db.number(&id("t"), 8).await.unwrap(), None);
    assert_eq!(db.members(&id("t")).count().await.unwrap(), 1);
    let counts = db.team_counts(&id("t")).await.unwrap().unwrap();
    assert_eq!((counts.members, counts.members_counted), (1, Some(true)));
    assert_eq!(db.players_of(&id("u1")).count().await.unwrap(), 1);
    let roster = db.roster(&id("t")).page().await.unwrap().rows;
    let counts: Vec<Option<u64>> = roster.iter().map(|player| player.pa_count).collect();
    assert_eq!(counts, [Some(3), Some(1), Some(0), Some(0)]);
    let link = db.player_link(&id("u1"), &id("p1")).await.unwrap().unwrap();
    assert_eq!(link.periods, [Period { from: None, to: None }]);
    assert_eq!((link.team_name.as_str(), link.team_type), ("Old Timers", Some(TeamType::Managed)));
    assert_eq!(raw.row("USER#u1", "TEAM#t").unwrap()["role"], "owner".into());
    assert_eq!(raw.row("GAME#g2", "METADATA").unwrap()["status"], "IN_PROGRESS".into());
    assert_eq!(raw.row("GAME#g2", "ATBAT#0").unwrap()["GSI5SK"], "ATBAT#0".into());
}

#[tokio::test]
async fn a_second_run_changes_nothing_and_reports_the_same_conflicts() {
    let raw = table().await;
    backfill(&raw.db).await.unwrap();
    let before: Vec<Item> = raw.rows();
    let report = backfill(&raw.db).await.unwrap();
    assert_eq!((report.rows, &report.conflicts), (19, &conflicts()));
    assert!(report.repaired.values().all(|count| *count == 0), "{report:?}");
    assert_eq!(raw.rows(), before);
}

#[tokio::test]
async fn rows_of_today_are_right_already() {
    let raw = Raw::new().await;
    raw.put_all(rows::ALL);
    backfill(&raw.db).await.unwrap();
    let before = raw.rows();
    let report = backfill(&raw.db).await.unwrap();
    assert_eq!((report.rows, &report.conflicts[..]), (5, &[][..]));
    assert!(report.repaired.values().all(|count| *count == 0), "{report:?}");
    assert_eq!(raw.rows(), before);
}

#[tokio::test]
async fn a_released_number_is_guarded_for_the_remaining_player() {
    let raw = table().await;
    let db = &raw.db;
    backfill(db).await.unwrap();
    let player = db.player(&id("t"), &id("p2")).await.unwrap().unwrap();
    db.edit(player, |player| player.player_number = None).await.unwrap();
    let report = backfill(db).await.unwrap();
    assert_eq!((report.repaired["numbers"], report.conflicts.len()), (1, 2));
    assert_eq!(db.number(&id("t"), 8).await.unwrap().unwrap().player_id, id("p3"));
}

#[tokio::test]
async fn contradictory_rows_are_reported_and_left_unchanged() {
    let raw = table().await;
    raw.put(r#"{ "PK": "TEAM#t", "SK": "ACTIVE_GAME", "teamId": "t", "gameId": "g4" }"#);
    raw.put(
        r#"{ "PK": "TEAM#t", "SK": "NUMBER#07", "teamId": "t", "number": 7, "playerId": "p4" }"#,
    );
    raw.put(
        r#"{ "PK": "USER#u1", "SK": "PLAYERLINK#p1", "userId": "u1", "playerId": "p1",
        "teamId": "t", "teamName": "Old Timers", "periods": [{ "to": "2024-05-01T18:00:00Z" }] }"#,
    );
    raw.put(&player("p5", r#""isGhost": true, "userId": "u2", "playerNumber": "nine""#));
    raw.put(&player("p6", r#""isGhost": true, "userId": "u2""#));
    let guards = [("TEAM#t", "ACTIVE_GAME"), ("TEAM#t", "NUMBER#07"), ("USER#u1", "PLAYERLINK#p1")];
    let before = guards.map(|(partition, sort)| raw.row(partition, sort));
    let report = backfill(&raw.db).await.unwrap();
    assert_eq!(guards.map(|(partition, sort)| raw.row(partition, sort)), before);

    let is_told =
        |conflict: &Conflict| report.conflicts.contains(&Left::Decision(conflict.clone()));
    assert!(is_told(&Conflict::IdleGuard { team_id: id("t"), game_id: id("g4") }));
    let players = vec![id("p4"), id("p1")];
    assert!(is_told(&Conflict::NumberTwice { team_id: id("t"), number: 7, players }));
    assert!(is_told(&Conflict::LinkClosed { user_id: id("u1"), player_id: id("p1") }));
    assert!(is_told(&Conflict::GhostMismatch { team_id: id("t"), player_id: id("p6") }));
    let unreadable = |conflict: &&Left<Conflict>| matches!(conflict, Left::Unreadable { .. });
    assert_eq!(report.conflicts.iter().filter(unreadable).count(), 1, "{:?}", report.conflicts);
}
