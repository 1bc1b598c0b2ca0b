//! Careers and scopes: which plate appearances count for which user, and when.

use monotable_hacktracker::rules::career::{Filter, career};
use monotable_hacktracker::rules::{GameLog, Progress, Scope};
use monotable_hacktracker::table::{AtBat, Game, PlayerLink};
use serde_json::{Value, json};

use super::{at_bat, game, id, link};

/// Twelve singles of one player, a minute each, from 18:00 on; p2 scores on the odd ones.
fn twelve(name: &str, said: Value) -> GameLog {
    let plays = (0..12).map(|number| {
        let player = if number % 2 == 0 { "p" } else { "q" };
        at_bat(name, number, player, "1B", json!({ "runsScored": ["p"] }))
    });
    GameLog::new(game(name, said), plays.collect())
}

fn appearances(link: &PlayerLink, logs: &[GameLog]) -> (u64, u64) {
    let scope = Scope { progress: Progress::Any, ..Scope::default() };
    let filter = Filter { scope, ..Filter::default() };
    let career = career(std::slice::from_ref(link), logs, &filter);
    (career.totals.plate_appearances, career.totals.runs)
}

#[test]
fn a_claimed_ghost_s_history_counts_and_the_next_user_starts_where_the_first_left() {
    let logs = [twelve("g", json!({ "status": "IN_PROGRESS" }))];
    let first = link("p", json!({ "periods": [{}] }));
    assert_eq!(appearances(&first, &logs), (6, 12));

    // The user left at 18:06, in the instant in which an at-bat was recorded: it is the next one's.
    let left = link("p", json!({ "periods": [{ "to": "2026-05-01T18:06:00Z" }] }));
    let second = link("p", json!({ "periods": [{ "from": "2026-05-01T18:06:00Z" }] }));
    assert_eq!(appearances(&left, &logs), (3, 6));
    assert_eq!(appearances(&second, &logs), (3, 6));

    // And came back, when the second had left.
    let back = link(
        "p",
        json!({ "periods": [
        { "to": "2026-05-01T18:02:00Z" },
        { "from": "2026-05-01T18:10:00+00:00", "to": null },
    ] }),
    );
    assert_eq!(appearances(&back, &logs), (2, 4));
}

#[test]
fn a_career_is_looked_at_by_team_type_and_season() {
    let logs = [
        twelve("g1", json!({ "seasonId": "s1" })),
        twelve("g2", json!({ "seasonId": "s2" })),
        twelve("g3", json!({ "seasonId": "s1", "deleting": true })),
    ];
    let links = [
        link("p", json!({ "team_type": "MANAGED" })),
        link("q", json!({ "teamId": "own", "team_type": "PERSONAL" })),
    ];
    let count = |filter: &Filter| career(&links, &logs, filter).totals.plate_appearances;
    assert_eq!(count(&Filter::default()), 24);
    let season = Scope { season: Some(id("s1")), ..Scope::default() };
    assert_eq!(count(&Filter { scope: season, ..Filter::default() }), 12);
    assert_eq!(count(&Filter { team: Some(id("own")), ..Filter::default() }), 12);
    let managed = Some(monotable_hacktracker::table::TeamType::Managed);
    let found = career(&links, &logs, &Filter { team_type: managed, ..Filter::default() });
    assert_eq!((found.totals.plate_appearances, found.totals.runs, found.games), (12, 24, 2));
    assert_eq!(found.teams.len(), 1);
}

#[test]
fn a_scope_is_games_that_are_over_of_a_season_or_of_some_days() {
    let has = |scope: &Scope, said: Value| scope.has(&game("g", said));
    let all = Scope::default();
    assert!(has(&all, json!({})));
    assert!(!has(&all, json!({ "status": "IN_PROGRESS" })));
    assert!(!has(&all, json!({ "status": "POSTPONED" })));
    assert!(!has(&all, json!({ "deleting": true })));
    let live = Scope { progress: Progress::Live, ..Scope::default() };
    assert!(has(&live, json!({ "status": "IN_PROGRESS" })));
    assert!(!has(&live, json!({ "status": "SCHEDULED" })));
    let any = Scope { progress: Progress::Any, ..Scope::default() };
    assert!(has(&any, json!({ "status": "POSTPONED" })) && has(&any, json!({})));
    assert!(!has(&any, json!({ "status": "POSTPONED", "deleting": true })));

    let season = Scope { season: Some(id("s1")), ..Scope::default() };
    assert!(has(&season, json!({ "seasonId": "s1" })));
    assert!(!has(&season, json!({ "seasonId": "s2" })) && !has(&season, json!({})));

    // Days are whole, in UTC; without a start the game was when it was written down.
    let may =
        Scope { from: Some(id("2026-05-01")), to: Some(id("2026-05-31")), ..Scope::default() };
    assert!(has(&may, json!({ "scheduledStart": "2026-05-31T23:59:59.999Z" })));
    assert!(!has(&may, json!({ "scheduledStart": "2026-05-31T23:30:00-01:00" })));
    assert!(!has(&may, json!({ "scheduledStart": "2026-04-30T23:59:59Z" })));
    assert!(has(&may, json!({})));
}

#[test]
fn at_bats_of_older_programs_are_in_the_order_of_their_times_not_of_their_ids() {
    let plays: Vec<AtBat> = vec![
        at_bat("g", 2, "p", "K", json!({ "atBatId": "0aaa" })),
        at_bat(
            "g",
            1,
            "p",
            "HR",
            json!({ "atBatId": "ffff", "createdAt": "2026-05-01T13:01:00.5-05:00" }),
        ),
        at_bat(
            "g",
            1,
            "p",
            "BB",
            json!({ "atBatId": "cccc", "createdAt": "2026-05-01T18:01:00.500000+00:00" }),
        ),
    ];
    let log = GameLog::new(Game { ..game("g", json!({})) }, plays);
    let results: Vec<&str> = log.at_bats.iter().map(|at_bat| at_bat.result.as_str()).collect();
    assert_eq!(results, ["BB", "HR", "K"]);
}
