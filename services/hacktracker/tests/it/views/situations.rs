//! The situation of a game follows from its log, after any correction and any deletion.

use expect_test::{Expect, expect};
use monotable::prelude::*;
use monotable_hacktracker::rules::count::replayed;
use monotable_hacktracker::rules::live::situation;
use monotable_hacktracker::rules::results::sort_by_time;
use monotable_hacktracker::table::{AtBat, Game, HackTracker, HackTrackerReads};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::oracle::replay;
use super::random::{any_game, play, written};
use super::{at_bat, game};

/// A change of a log: the plate appearance with a number is recorded, gets another result, or goes.
#[derive(Clone, Debug)]
enum Step {
    Record((usize, &'static str, Value)),
    Correct(usize, &'static str, Option<u8>),
    Delete(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let result = proptest::sample::select(&["K", "HR", "OUT", "BB", "??"]);
    let outs = proptest::option::of(0..4_u8);
    let step = prop_oneof![
        3 => play().prop_map(Step::Record),
        2 => (0..60_usize, result, outs).prop_map(|(at, result, outs)| Step::Correct(at, result, outs)),
        1 => (0..60_usize).prop_map(Step::Delete),
    ];
    proptest::collection::vec(step, 0..60)
}

async fn log(db: &Store<HackTracker>, game: &Game) -> Vec<AtBat> {
    let mut at_bats = db.at_bats(&game.game_id).page().await.unwrap().rows;
    sort_by_time(&mut at_bats);
    at_bats
}

/// Applies the steps to the table, and after each compares with a second calculation on a log that
/// was changed in memory.
async fn follow(game: Game, steps: Vec<Step>) {
    let db = HackTracker::open(Embedded::memory()).await.unwrap();
    let lineup: Vec<String> = game.lineup.iter().map(ToString::to_string).collect();
    let mut model: Vec<AtBat> = Vec::new();
    for (number, step) in steps.into_iter().enumerate() {
        let stored = log(&db, &game).await;
        match step {
            Step::Record(play) => {
                let mut row = written("g", vec![play]).remove(0);
                row.at_bat_id = format!("a{number:04}").parse().unwrap();
                model.push(row.clone());
                db.create(&row).await.unwrap();
            }
            Step::Correct(at, result, outs) if at < stored.len() => {
                (model[at].result, model[at].outs_on_play) = (result.to_owned(), outs);
                let change = |row: &mut AtBat| {
                    (row.result, row.outs_on_play) = (result.to_owned(), outs);
                };
                db.edit(stored[at].clone(), change).await.unwrap();
            }
            Step::Delete(at) if at < stored.len() => {
                model.remove(at);
                db.delete(&stored[at]).await.unwrap();
            }
            Step::Correct(..) | Step::Delete(_) => {}
        }
        let log = log(&db, &game).await;
        // Each plate appearance is where those before it lead to.
        for (at, shown) in replayed(&game, &log).iter().enumerate() {
            let (inning, outs, _) = replay(&game, &model[..at]);
            let is_there = (u32::from(shown.inning), u32::from(shown.outs)) == (inning, outs);
            assert_eq!(is_there, shown.situation_mismatch.is_none(), "{shown:?}");
            assert!(is_there || log[at].situation_mismatch == Some(true));
        }
        let found = situation(&game, &log);
        let (inning, outs, batter) = replay(&game, &model);
        assert_eq!((found.inning, found.outs), (inning, outs));
        for (place, behind) in
            [&found.batter, &found.on_deck, &found.in_the_hole].into_iter().zip(0..)
        {
            let expected = batter.map(|index| &lineup[(index + behind) % lineup.len()]);
            let told = place.as_ref().map(|place| place.player_id.to_string());
            assert_eq!(told.as_ref(), expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_situation_is_the_replay_after_any_edit_or_delete(game in any_game(), steps in steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(follow(game, steps));
    }
}

fn check(game: &Game, plays: &[(&str, &str, u8)], expected: Expect) {
    let plays: Vec<AtBat> = plays
        .iter()
        .enumerate()
        .map(|(number, (player, result, order))| {
            at_bat("g", number, player, result, json!({ "battingOrder": order }))
        })
        .collect();
    expected.assert_eq(&serde_json::to_string(&situation(game, &plays)).unwrap());
}

#[test]
fn a_game_starts_with_the_first_batter() {
    let game = game("g", json!({ "lineup": ["a", "b", "c"] }));
    check(
        &game,
        &[],
        expect![[
            r#"{"inning":1,"outs":0,"batter":{"playerId":"a","battingOrder":1},"onDeck":{"playerId":"b","battingOrder":2},"inTheHole":{"playerId":"c","battingOrder":3}}"#
        ]],
    );
    check(
        &game,
        &[("a", "K", 1), ("b", "1B", 2), ("c", "SF", 3), ("a", "FO", 1)],
        expect![[
            r#"{"inning":2,"outs":0,"batter":{"playerId":"b","battingOrder":2},"onDeck":{"playerId":"c","battingOrder":3},"inTheHole":{"playerId":"a","battingOrder":1}}"#
        ]],
    );
}

#[test]
fn without_a_lineup_there_are_innings_and_outs() {
    let game = game("g", json!({}));
    check(&game, &[("a", "K", 1), ("a", "OUT", 1)], expect![[r#"{"inning":1,"outs":2}"#]]);
}

#[test]
fn a_triple_play_ends_an_inning_and_an_unknown_result_makes_no_out() {
    let game = game("g", json!({ "lineup": ["a"] }));
    let triple = at_bat("g", 0, "a", "OUT", json!({ "outsOnPlay": 3 }));
    let unknown = at_bat("g", 1, "a", "INT", json!({}));
    let found = situation(&game, &[triple, unknown]);
    assert_eq!((found.inning, found.outs), (2, 0));
}

#[test]
fn the_next_batter_follows_the_last_one_after_a_change_of_the_lineup() {
    // Four have batted, then d came to the end: by the count it would be a's turn.
    let plays = [("a", "1B", 1), ("b", "1B", 2), ("c", "1B", 3), ("a", "1B", 1)];
    let longer = json!({ "lineup": ["a", "b", "c", "d"], "lineupChanged": true });
    check(
        &game("g", longer),
        &plays,
        expect![[
            r#"{"inning":1,"outs":0,"batter":{"playerId":"b","battingOrder":2},"onDeck":{"playerId":"c","battingOrder":3},"inTheHole":{"playerId":"d","battingOrder":4}}"#
        ]],
    );
    // The lineup was not marked as changed, but x is in the place where a batted.
    let other = json!({ "lineup": ["x", "b"] });
    check(
        &game("g", other),
        &plays[..3],
        expect![[
            r#"{"inning":1,"outs":0,"batter":{"playerId":"b","battingOrder":2},"onDeck":{"playerId":"x","battingOrder":1},"inTheHole":{"playerId":"b","battingOrder":2}}"#
        ]],
    );
}
