//! The backfill next to a service in use: every step of it may conflict with another change.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use monotable::model::{Error, Store, create, edit};
use monotable_hacktracker::legacy::backfill::{Conflict, backfill};
use monotable_hacktracker::table::{
    ActiveGame, AtBat, Game, GameStatus, HackTracker, HackTrackerReads, Player,
};

use super::{Left, at_bat, game, id, player, table};
use crate::seed::Raw;

/// Records a plate appearance as the service does: the row, and the player's count.
async fn record(db: &Store<HackTracker>, row: &AtBat) {
    loop {
        let batter: Player = db.player(&row.team_id, &row.player_id).await.unwrap().unwrap();
        let done =
            db.transact().with(create(row.clone())).with(batter.count_plate_appearances(1)).await;
        match done {
            Ok(_) => return,
            Err(Error::Transaction { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn plate_appearances_that_are_recorded_meanwhile_are_counted_once() {
    for round in 0..5 {
        let raw = table().await;
        let is_over = Arc::new(AtomicBool::new(false));
        let writer = {
            let (db, is_over) = (raw.db.clone(), Arc::clone(&is_over));
            let first = db.at_bat(&id("g2"), &id("0")).await.unwrap().unwrap();
            tokio::spawn(async move {
                let mut written = 0;
                while written < 3 || !is_over.load(Ordering::Acquire) && written < 200 {
                    let name = format!("n{written:04}");
                    record(&db, &AtBat { at_bat_id: id(&name), ..first.clone() }).await;
                    written += 1;
                    tokio::task::yield_now().await;
                }
                written
            })
        };
        let mut runs = 0;
        // A count that others always outrun is left to a later run.
        while backfill(&raw.db).await.unwrap().conflicts.iter().any(is_busy) && runs < 50 {
            runs += 1;
        }
        is_over.store(true, Ordering::Release);
        let written = writer.await.unwrap();
        backfill(&raw.db).await.unwrap();
        let player = raw.db.player(&id("t"), &id("p1")).await.unwrap().unwrap();
        let stored = raw.db.at_bats_of(&id("p1")).count().await.unwrap() as u64;
        assert_eq!((player.pa_count, stored), (Some(3 + written), 3 + written), "round {round}");
    }
}

fn is_busy(conflict: &Left<Conflict>) -> bool {
    matches!(conflict, Left::Busy { .. })
}

/// Starts a game as the service does.
async fn start(db: &Store<HackTracker>, name: &str) -> bool {
    let game: Game = db.game(&id(name)).await.unwrap().unwrap();
    let guard = ActiveGame { team_id: id("t"), game_id: id(name) };
    let started = db
        .transact()
        .with(create(guard.clone()))
        .with(edit(&game, |game| game.status = GameStatus::InProgress));
    started.await.is_ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_game_is_guarded_in_any_order() {
    for round in 0..20 {
        let raw = Raw::new().await;
        raw.put(&game("g1", "IN_PROGRESS", "2024-05-01T17:00:00Z"));
        raw.put(&game("g2", "SCHEDULED", "2024-05-01T18:00:00Z"));
        let starter = {
            let db = raw.db.clone();
            tokio::spawn(async move { start(&db, "g2").await })
        };
        let report = backfill(&raw.db).await.unwrap();
        let is_started = starter.await.unwrap();
        let guard = raw.db.active_game(&id("t")).await.unwrap().unwrap();
        let expected = if is_started { "g2" } else { "g1" };
        assert_eq!(guard.game_id, id(expected), "round {round}");
        assert_eq!(report.repaired["activeGames"], u64::from(!is_started));
    }
}

#[tokio::test]
async fn a_player_whose_team_is_gone_waits_for_a_decision() {
    let raw = Raw::new().await;
    raw.put(&player("p1", r#""isGhost": false, "userId": "u1", "playerNumber": 7"#));
    raw.put(&at_bat(0, "p1"));
    let report = backfill(&raw.db).await.unwrap();
    // The number is still guarded.
    let missing = Conflict::TeamMissing { team_id: id("t"), player_id: id("p1") };
    assert_eq!(report.repaired["numbers"], 1);
    assert_eq!(report.conflicts, [Left::Decision(missing)]);
    assert!(raw.row("USER#u1", "PLAYERLINK#p1").is_none());
}
