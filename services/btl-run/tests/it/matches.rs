//! Random matches: whatever is played, the log gives the snapshot, and the rules hold.

use std::collections::BTreeMap;

use monotable_btl_run::rules::decide::{self, Inject};
use monotable_btl_run::rules::events::{EndReason, Event, EventBody, replay};
use monotable_btl_run::rules::resolve::EVENTS_PER_TURN_MAX;
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::state::{Action, MatchState, Mode, Rules, Stats};
use monotable_btl_run::rules::story::verify;
use monotable_btl_run::table::TributeId;
use proptest::prelude::*;

use super::dry_run::{DryRun, KINDS, new_match, newcomer};

/// A match to be played. Its debug text is what a failure prints, seed and all.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: [u8; 32],
    pub(crate) mode: Mode,
    pub(crate) humans: usize,
    pub(crate) ai_count: u32,
    pub(crate) max_days: u32,
    pub(crate) rules: Rules,
    pub(crate) stats: Vec<[u8; 5]>,
    /// What players do, again and again: action, target, and whether they do anything at all.
    pub(crate) choices: Vec<(usize, usize, bool)>,
    pub(crate) injections: Vec<u8>,
}

fn rules() -> impl Strategy<Value = Rules> {
    let slots = proptest::option::of(1..=4_u8);
    (any::<bool>(), any::<bool>(), any::<bool>(), slots).prop_map(
        |(items, crafting, sponsors, slots)| {
            let max_crafting_slots = slots.filter(|_| crafting);
            Rules { items, crafting, sponsors, max_crafting_slots }
        },
    )
}

/// Five stats of 0 to 10 that add up to 25.
fn stats() -> impl Strategy<Value = [u8; 5]> {
    proptest::collection::vec(0..5_usize, 25).prop_map(|points| {
        let mut stats = [0_u8; 5];
        for point in points {
            let free = (0..5).map(|step| (point + step) % 5).find(|place| stats[*place] < 10);
            stats[free.unwrap()] += 1;
        }
        stats
    })
}

pub(crate) fn plan() -> impl Strategy<Value = Plan> {
    let mode = prop_oneof![Just(Mode::Quick), Just(Mode::Standard), Just(Mode::Long)];
    let size = (0..=12_usize, 4..=12_u32);
    let choices = proptest::collection::vec((0..7_usize, 0..30_usize, any::<bool>()), 1..60);
    let injections = proptest::collection::vec(any::<u8>(), 1..20);
    let stats = proptest::collection::vec(stats(), 12);
    (any::<[u8; 32]>(), mode, size, 1..=8_u32, rules(), stats, choices, injections).prop_map(
        |(seed, mode, (humans, ai_count), max_days, rules, stats, choices, injections)| Plan {
            seed,
            mode,
            humans,
            ai_count,
            max_days,
            rules,
            stats,
            choices,
            injections,
        },
    )
}

/// Returns the match in its first turn.
pub(crate) fn started(plan: &Plan) -> DryRun {
    let seed = Seed::new(plan.seed);
    let mut new = new_match(&seed, plan.mode, plan.ai_count);
    new.max_days = Some(plan.max_days);
    new.rules = plan.rules;
    let mut world = DryRun::new(seed, new);
    for number in 0..plan.humans {
        let [vitality, wits, combat, stealth, charm] = plan.stats[number];
        let stats = Stats { vitality, wits, combat, stealth, charm };
        world.join(decide::Newcomer { stats, ..newcomer(number) });
    }
    world.start();
    world
}

/// Lets the players choose for the open turn; `at` says which of the plan's choices come next.
pub(crate) fn choose(world: &mut DryRun, plan: &Plan, at: &mut usize) {
    let state = world.state();
    let living = state.living_ids();
    for number in 0..plan.humans {
        let own = super::dry_run::id(&format!("p{number}"));
        let (kind, target, does_choose) = plan.choices[*at % plan.choices.len()];
        *at += 1;
        if !does_choose || !living.contains(&own) {
            continue;
        }
        let target_id = living.get(target).filter(|target| **target != own).cloned();
        let free_text = Some(format!("plan-{}-{own}", world.turn_id()));
        world.submit(&own, Action { action: KINDS[kind], target_id, free_text }).unwrap();
    }
}

fn meddle(world: &mut DryRun, byte: u8) {
    let state = world.state();
    let living = state.living_ids();
    let inject = match byte % 4 {
        0 => Inject::Hazard {
            zone: u32::from(byte / 4 % 4) + 1,
            damage: u32::from(byte / 16 % 2) + 1,
        },
        1 => Inject::ItemDrop { tribute_id: living[usize::from(byte / 4) % living.len()].clone() },
        2 => Inject::Weather { text: "hail".to_owned() },
        _ => return,
    };
    if let Ok(events) = decide::inject(&state, inject, world.now) {
        world.commit(events);
    }
}

fn check_state(before: &MatchState, state: &MatchState) {
    for tribute in &state.roster {
        assert!(tribute.hp <= tribute.max_hp, "{} has {} hp", tribute.id, tribute.hp);
        assert_eq!(tribute.alive, tribute.hp > 0, "{}", tribute.id);
        assert!(tribute.inventory.len() <= state.rules.inventory_slots());
        assert!(tribute.inventory.iter().all(|item| (1..=3).contains(&item.durability)));
        let was = before.tribute(&tribute.id).unwrap();
        assert!(was.alive || !tribute.alive, "{} rose from the dead", tribute.id);
        assert!(tribute.alive || tribute.alliance_id.is_none());
        assert!(tribute.alive || (tribute.rank.is_some() && tribute.died_turn.is_some()));
    }
    let mut allied: BTreeMap<&TributeId, _> = BTreeMap::new();
    for alliance in &state.alliances {
        assert!((2..=state.alliance_members_max()).contains(&alliance.members.len()));
        for member in &alliance.members {
            assert!(allied.insert(member, &alliance.id).is_none(), "{member} is in two alliances");
        }
    }
    for tribute in &state.roster {
        assert_eq!(tribute.alliance_id.as_ref(), allied.get(&tribute.id).copied());
    }
}

fn check_end(state: &MatchState, events: &[Event]) {
    let Some(EventBody::MatchEnded(placing)) = events.last().map(|event| &event.body) else {
        panic!("the last event does not end the match")
    };
    let mut ranks: Vec<u32> = state.roster.iter().map(|tribute| tribute.rank.unwrap()).collect();
    ranks.sort_unstable();
    let all: Vec<u32> = (1..=state.roster.len() as u32).collect();
    assert_eq!(ranks, all);
    let winner = state.tribute(state.winner_id.as_ref().unwrap()).unwrap();
    assert_eq!(winner.rank, Some(1));
    match placing.reason {
        EndReason::Victory => assert!(winner.alive && state.living().count() == 1),
        EndReason::LastStand => assert_eq!(state.living().count(), 0),
        EndReason::Finale => assert!(winner.alive && state.living().count() > 1),
        EndReason::Cancelled => panic!("nobody cancelled"),
    }
    // Nobody who died is placed before anybody who lives, or who died in a later turn.
    let days = |turn: &str| {
        let (day, turn) = turn[1..].split_once('t').unwrap();
        (day.parse::<u32>().unwrap(), turn.parse::<u32>().unwrap())
    };
    let death = |at: usize| {
        let tribute = &state.roster[at];
        tribute.died_turn.as_ref().map_or((u32::MAX, 0), |turn| days(turn.as_str()))
    };
    let mut order: Vec<usize> = (0..state.roster.len()).collect();
    order.sort_by_key(|at| state.roster[*at].rank);
    assert!(order.windows(2).all(|pair| death(pair[0]) >= death(pair[1])));
}

/// Plays a match to its end and checks it after every turn.
fn play(plan: &Plan) -> DryRun {
    let mut world = started(plan);
    let mut at = 0;
    for turn in 0.. {
        choose(&mut world, plan, &mut at);
        meddle(&mut world, plan.injections[turn % plan.injections.len()]);
        let before = world.state();
        let events = world.resolve();
        assert!(events.len() <= EVENTS_PER_TURN_MAX);
        check_state(&before, &world.state());
        if world.is_over() {
            check_end(&world.state(), &events);
            break;
        }
        assert!((turn as u32) < plan.max_days * plan.mode.turns_per_day(), "no end");
    }
    world
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_log_gives_the_snapshot_and_the_rules_hold(plan in plan()) {
        let world = play(&plan);
        let events = world.events();
        prop_assert!((1..).zip(&events).all(|(seq, event)| event.seq == seq));
        let state = world.state();
        let replayed = replay(&events, state.version).unwrap();
        prop_assert_eq!(serde_json::to_string(&replayed).unwrap(), world.snapshot());
        let verified = verify(&world.seed, &events).unwrap();
        prop_assert_eq!(MatchState { version: state.version, ..verified.state }, state);
    }

    #[test]
    fn the_same_seed_and_actions_give_the_same_events(plan in plan()) {
        let (one, other) = (play(&plan), play(&plan));
        prop_assert_eq!(one.log(), other.log());
    }
}
