//! How a turn is divided into events.

use super::*;
use crate::rules::decide::{self, NewMatch};
use crate::rules::events::replay;
use crate::rules::state::{Rules, Theme};
use crate::table::MatchId;

/// Returns a match of 24 in which much happens, played up to `turns` turns.
fn crowded(turns: u32) -> (Vec<Event>, Seed) {
    let seed = Seed::new([7; 32]);
    let new = NewMatch {
        match_id: MatchId::new("crowd").unwrap(),
        host_user_id: None,
        mode: Mode::Standard,
        rules: Rules { crafting: true, max_crafting_slots: Some(4), ..Rules::default() },
        theme: Theme::default(),
        max_days: None,
        timezone: None,
        cutoff_minute_of_day: None,
        max_real_days: None,
        ai_count: 24,
        seed_commit: seed.commit(),
        shard_count: 0,
    };
    let mut events = vec![decide::create(new, 1000).unwrap()];
    let state = replay(&events, 0).unwrap();
    events.extend(decide::start(&state, 2000).unwrap());
    for _ in 0..turns {
        let state = replay(&events, 0).unwrap();
        let Some(turn_id) = &state.turn_id else { break };
        events.extend(resolve(&state, &seed, turn_id, 3000).unwrap());
    }
    (events, seed)
}

#[test]
fn effects_beyond_the_limit_are_merged_without_a_change() {
    for turns in 0..8 {
        let (events, seed) = crowded(turns);
        let state = replay(&events, 0).unwrap();
        let Some(turn_id) = &state.turn_id else { return };
        let all = play(&state, &seed, turn_id, 3000).unwrap().into_bodies(EVENTS_PER_TURN_MAX);
        for max in [2, 3, 7] {
            let few = play(&state, &seed, turn_id, 3000).unwrap().into_bodies(max);
            assert!(few.len() <= max);
            let after = |bodies: Vec<EventBody>| {
                let events = numbered(&state, bodies, 3000);
                let folded = events.iter().try_fold(state.clone(), |state, event| {
                    crate::rules::events::fold(Some(state), event)
                });
                MatchState { log_seq: 0, ..folded.unwrap() }
            };
            assert_eq!(after(few), after(all.clone()), "turn {turn_id}, {max} events");
        }
    }
}

#[test]
fn another_turn_is_refused() {
    let (events, seed) = crowded(1);
    let state = replay(&events, 0).unwrap();
    let stale = TurnId::of(1, 1);
    assert_eq!(resolve(&state, &seed, &stale, 0), Err(Unresolvable::OtherTurn(stale)));
}

#[test]
fn a_full_log_ends_the_match() {
    let (events, seed) = crowded(0);
    let state = MatchState { log_seq: SEQ_LAST_TURN, ..replay(&events, 0).unwrap() };
    let events = resolve(&state, &seed, &TurnId::of(1, 1), 0).unwrap();
    assert!(matches!(events.last().map(|event| &event.body), Some(EventBody::MatchEnded(_))));
    assert!(events.last().is_some_and(|event| event.seq <= SEQ_MAX));
}

#[test]
fn hazards_begin_after_three_fifths_of_the_days() {
    let (events, _) = crowded(0);
    let state = replay(&events, 0).unwrap();
    let level = |day, max_days| hazard_level(&MatchState { day, max_days, ..state.clone() });
    assert_eq!([level(3, 5), level(4, 5), level(5, 5)], [0, 1, 2]);
    assert_eq!([level(5, 7), level(6, 7), level(1, 1)], [0, 1, 0]);
    assert_eq!([level(12, 20), level(20, 20), level(30, 30)], [0, 8, 12]);
}
