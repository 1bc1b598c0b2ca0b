//! Random games. What fails is printed as the smallest one that does.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{at_bat, game, id};
use monotable_hacktracker::rules::GameLog;
use monotable_hacktracker::table::{AtBat, Game};

/// Possible results: ours, those of other programs, and unknown ones.
const RESULTS: [&str; 18] = [
    "K", "BB", "HBP", "1B", "2B", "3B", "HR", "OUT", "SAC", "FC", "E", "FO", "ROE", "SF", "hr",
    "4B", "", "INT",
];
const HIT_TYPES: [&str; 7] =
    ["fly_ball", "ground_ball", "line_drive", "pop_up", "bunt", "ground_out", "moonshot"];
const STATUSES: [&str; 4] = ["SCHEDULED", "IN_PROGRESS", "FINAL", "POSTPONED"];

/// Returns the name of the player with a number.
pub(super) fn name(player: usize) -> String {
    format!("p{player}")
}

/// Returns the result of a plate appearance of any of nine players.
pub(super) fn play() -> impl Strategy<Value = (usize, &'static str, Value)> {
    let hit_type = proptest::option::of(proptest::sample::select(&HIT_TYPES));
    let rbis = proptest::option::of(0..5_u8);
    let outs = proptest::option::of(0..4_u8);
    let runs = proptest::option::of(proptest::collection::btree_set(0..9_usize, 0..4));
    let ends = prop_oneof![8 => Just(None), 1 => any::<bool>().prop_map(Some)];
    let said = (1..8_u8, ends);
    (0..9_usize, proptest::sample::select(&RESULTS), hit_type, rbis, outs, runs, said).prop_map(
        |(player, result, hit_type, rbis, outs, runs, (inning, ends))| {
            let runs: Option<Vec<String>> = runs.map(|runs| runs.into_iter().map(name).collect());
            let said = json!({
                "hitType": hit_type, "rbis": rbis, "outsOnPlay": outs, "runsScored": runs,
                "battingOrder": player + 1, "inning": inning, "endsInning": ends,
            });
            (player, result, said)
        },
    )
}

/// Returns a game in any state, with a lineup of up to nine.
pub(super) fn any_game() -> impl Strategy<Value = Game> {
    let changed = proptest::option::of(any::<bool>());
    let deleting = prop_oneof![4 => Just(false), 1 => Just(true)];
    let scores = (0..4_u16, 0..4_u16, proptest::option::of(1..6_u8));
    (0..10_usize, proptest::sample::select(&STATUSES), changed, deleting, scores, 1..28_u8)
        .prop_map(|(batters, status, changed, deleting, (ours, theirs, limit), day)| {
            let lineup: Vec<String> = (0..batters).map(name).collect();
            game(
                "g",
                json!({
                    "lineup": lineup, "status": status, "lineupChanged": changed,
                    "deleting": deleting, "teamScore": ours, "opponentScore": theirs,
                    "inningRunLimit": limit,
                    "scheduledStart": format!("2026-05-{day:02}T18:00:00Z"),
                }),
            )
        })
}

/// Games of a team, with up to forty plate appearances each.
pub(super) fn any_logs() -> impl Strategy<Value = Vec<GameLog>> {
    let one = (any_game(), proptest::collection::vec(play(), 0..40));
    proptest::collection::vec(one, 0..5).prop_map(|games| {
        let numbered = games.into_iter().enumerate();
        let logs = numbered.map(|(number, (game, plays))| {
            let name = format!("g{number}");
            let at_bats = written(&name, plays);
            GameLog::new(Game { game_id: id(&name), ..game }, at_bats)
        });
        logs.collect()
    })
}

/// Plays as rows, in their order.
pub(super) fn written(game: &str, plays: Vec<(usize, &str, Value)>) -> Vec<AtBat> {
    let numbered = plays.into_iter().enumerate();
    let rows = numbered
        .map(|(number, (player, result, said))| at_bat(game, number, &name(player), result, said));
    rows.collect()
}
