//! Matches of one turn a real day, over changes of the clock.

use std::collections::BTreeSet;

use jiff::Timestamp;
use jiff::tz::TimeZoneDatabase;
use monotable_btl_run::rules::decide;
use monotable_btl_run::rules::events::{EndReason, EventBody, fold};
use monotable_btl_run::rules::resolve::resolve;
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::state::{Action, ActionKind, Mode};

use super::dry_run::{DryRun, id, new_match, newcomer};

const DAY_MS: i64 = 86_400_000;

/// Returns a match that starts at this time and lasts long: five players who hide when they are asked.
fn long(zone: &str, now: &str, minute_of_day: u16, max_real_days: Option<u32>) -> DryRun {
    let seed = Seed::new([5; 32]);
    let mut new = new_match(&seed, Mode::Long, 0);
    new.timezone = Some(zone.to_owned());
    new.cutoff_minute_of_day = Some(minute_of_day);
    new.max_real_days = max_real_days;
    new.max_days = Some(30);
    let mut world = DryRun::new(seed, new);
    for number in 0..5 {
        world.join(newcomer(number));
    }
    world.now = now.parse::<Timestamp>().unwrap().as_millisecond();
    world.start();
    world
}

#[test]
fn every_local_day_is_resolved_once() {
    for (zone, now, minute) in [
        ("Europe/Berlin", "2026-03-25T12:00:00Z", 150),
        ("Europe/Berlin", "2026-10-20T12:00:00Z", 150),
        ("America/New_York", "2026-03-05T12:00:00Z", 150),
        ("America/New_York", "2026-10-28T12:00:00Z", 90),
        ("Australia/Lord_Howe", "2026-10-01T12:00:00Z", 135),
        ("Australia/Lord_Howe", "2026-04-01T12:00:00Z", 105),
    ] {
        let mut world = long(zone, now, minute, None);
        let local = TimeZoneDatabase::bundled().get(zone).unwrap();
        let mut days = BTreeSet::new();
        let start = world.now;
        // The scheduler looks every minute, but what counts is what it finds due.
        for minute in 0..10 * 24 * 60 {
            let now = start + minute * 60_000;
            while let Some(cutoff) = world.state().day_cutoff_at.filter(|cutoff| *cutoff <= now) {
                assert!(now - cutoff < 60_000, "{zone}: found late");
                world.now = now;
                world.resolve();
                let date = local.to_datetime(Timestamp::from_millisecond(now).unwrap()).date();
                assert!(days.insert(date), "{zone}: {date} was resolved twice");
            }
        }
        assert!(days.len() == 10 || world.is_over(), "{zone}: {} days", days.len());
        assert!(days.len() > 4, "{zone}: the match ended before the clock changed");
    }
}

#[test]
fn a_turn_that_is_resolved_early_leaves_the_clock_alone() {
    let mut world = long("UTC", "2026-05-01T12:00:00Z", 21 * 60, None);
    let cutoff = world.state().day_cutoff_at.unwrap();
    // However often it happens in a day, nobody is waited for longer than until tomorrow.
    for _ in 0..2 {
        world.resolve();
        assert_eq!(world.state().day_cutoff_at, Some(cutoff + DAY_MS));
    }
    // A service that slept for days resolves one turn, and waits for the next evening.
    world.now = cutoff + 3 * DAY_MS + 5;
    world.resolve();
    assert_eq!(world.state().day_cutoff_at, Some(cutoff + 4 * DAY_MS));
    assert_eq!(world.state().day, 4);
}

#[test]
fn real_days_end_a_match_with_a_finale() {
    let mut world = long("UTC", "2026-05-01T12:00:00Z", 21 * 60, Some(7));
    let start = world.state().started_at.unwrap();
    for number in 0..5 {
        let hide = Action::plain(ActionKind::Hide);
        world.submit(&id(&format!("p{number}")), hide).unwrap();
    }
    world.now = start + 7 * DAY_MS - 1;
    let mut early = world.clone();
    early.resolve();
    assert!(!early.is_over());
    world.now = start + 7 * DAY_MS;
    let events = world.resolve();
    let Some(EventBody::MatchEnded(placing)) = events.last().map(|event| &event.body) else {
        panic!("the match goes on")
    };
    assert_eq!(placing.reason, EndReason::Finale);
    let scores: Vec<_> = placing.ranking.iter().map(|place| place.score).collect();
    assert!(scores.is_sorted_by(|better, worse| better >= worse));
    assert!(decide::cancel(&world.state(), world.now).is_err());
}

/// On the thirtieth day of thirty, the arena strikes everybody for twelve.
#[test]
fn without_survivors_the_strongest_before_the_turn_wins() {
    let world = long("UTC", "2026-05-01T12:00:00Z", 21 * 60, None);
    let mut state = world.state();
    state.day = 30;
    for (tribute, hp) in state.roster.iter_mut().zip([5, 9, 12, 12, 1]) {
        tribute.hp = hp;
    }
    let mut winners = BTreeSet::new();
    for seed in 0..20 {
        let seed = Seed::new([seed; 32]);
        let events = resolve(&state, &seed, &world.turn_id(), world.now).unwrap();
        let after =
            events.iter().fold(state.clone(), |state, event| fold(Some(state), event).unwrap());
        assert_eq!(after.living().count(), 0);
        let ended = events.iter().find_map(|event| match &event.body {
            EventBody::MatchEnded(placing) => Some(placing.reason),
            _ => None,
        });
        assert_eq!(ended, Some(EndReason::LastStand));
        let winner = after.winner_id.clone().unwrap();
        assert_eq!(after.tribute(&winner).unwrap().rank, Some(1));
        // The others stand as they would have acted: who was to act last stands first.
        let order = events.iter().find_map(|event| match &event.body {
            EventBody::TurnResolved(turn) => Some(&turn.actions),
            _ => None,
        });
        let others = order.unwrap().iter().rev().map(|taken| &taken.tribute_id);
        let ranks =
            others.filter(|id| **id != winner).map(|id| after.tribute(id).unwrap().rank.unwrap());
        assert!(ranks.eq(2..=5));
        winners.insert(winner.to_string());
    }
    assert_eq!(winners.into_iter().collect::<Vec<_>>(), ["p2", "p3"]);
}
