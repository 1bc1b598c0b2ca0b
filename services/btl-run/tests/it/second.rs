//! Turns again, by a second program that shares nothing with the first but the rules on paper: it has
//! its own ChaCha20, plain numbers instead of types, and no events.

mod acts;
mod stream;
mod turn;

use monotable_btl_run::rules::events::{Cause, EventBody};
use monotable_btl_run::rules::resolve::resolve;
use monotable_btl_run::rules::rng::Seed;
use monotable_btl_run::rules::state::{Action, Mode, Rules, Stats};
use monotable_btl_run::table::TributeId;

use super::dry_run::{DryRun, KINDS, id, new_match, newcomer};
use stream::Stream;
use turn::{Fighter, Turn};

/// Six players: kinds of action and targets, as indexes.
type Choices = [(usize, Option<usize>); 6];

const STATS: [[u8; 5]; 6] = [
    [5, 5, 5, 5, 5],
    [8, 2, 9, 3, 3],
    [2, 10, 2, 8, 3],
    [4, 4, 4, 3, 10],
    [0, 6, 10, 9, 0],
    [10, 7, 2, 1, 5],
];

fn world(seed: u8, max_days: u32) -> DryRun {
    let seed = Seed::new([seed; 32]);
    let mut new = new_match(&seed, Mode::Quick, 0);
    new.max_days = Some(max_days);
    new.rules = Rules { crafting: true, max_crafting_slots: Some(4), ..Rules::default() };
    let mut world = DryRun::new(seed, new);
    for (number, [vitality, wits, combat, stealth, charm]) in STATS.into_iter().enumerate() {
        let stats = Stats { vitality, wits, combat, stealth, charm };
        world.join(monotable_btl_run::rules::decide::Newcomer { stats, ..newcomer(number) });
    }
    world.start();
    world
}

fn fighters(world: &DryRun) -> Vec<Fighter> {
    let state = world.state();
    let number = |id: &str| state.alliances.iter().position(|one| one.id.as_str() == id);
    let of = |one: &monotable_btl_run::rules::state::Tribute| Fighter {
        stats: one.stats,
        hp: one.hp as i64,
        items: one.inventory.iter().map(|item| (item.power, item.durability)).collect(),
        team: one.alliance_id.as_ref().and_then(|id| number(id.as_str())),
    };
    state.roster.iter().map(of).collect()
}

/// Plays with both programs until somebody has won, everybody choosing as `choices` says.
fn check(seed: u8, max_days: u32, choices: impl Fn(usize) -> Choices) {
    let mut world = world(seed, max_days);
    let mut graves = Vec::new();
    for round in 0.. {
        let (state, choices) = (world.state(), choices(round));
        let mut second = Turn::new([seed; 32], state.day, state.turn, max_days, fighters(&world));
        for (number, (kind, target)) in choices.into_iter().enumerate() {
            let target = target.filter(|at| *at != number && second.fighters[*at].hp > 0);
            if second.fighters[number].hp > 0 {
                let target_id = target.map(|at| id(&format!("p{at}")));
                let action = Action { action: KINDS[kind], target_id, free_text: None };
                world.submit(&id(&format!("p{number}")), action).unwrap();
            }
            second.choices[number] = (kind, target);
        }
        let order = second.play();
        graves.extend(second.fallen.iter().copied());
        let events = world.resolve();
        let resolved = events.iter().find_map(|event| match &event.body {
            EventBody::TurnResolved(resolved) => Some(resolved.clone()),
            _ => None,
        });
        let acted: Vec<_> =
            resolved.unwrap().actions.iter().map(|taken| taken.tribute_id.to_string()).collect();
        let expected: Vec<_> = order.iter().map(|number| format!("p{number}")).collect();
        assert_eq!(acted, expected, "seed {seed}, round {round}");
        let first: Vec<_> = fighters(&world).into_iter().map(|one| (one.hp, one.items)).collect();
        let second_now: Vec<_> =
            second.fighters.iter().map(|one| (one.hp, one.items.clone())).collect();
        assert_eq!(first, second_now, "seed {seed}, round {round}");
        let teams: Vec<Vec<bool>> =
            (0..6).map(|a| (0..6).map(|b| a != b && second.are_allies(a, b)).collect()).collect();
        let (state, name) = (world.state(), |at: usize| id(&format!("p{at}")));
        let allied: Vec<Vec<bool>> = (0..6)
            .map(|a| (0..6).map(|b| a != b && state.are_allies(&name(a), &name(b))).collect())
            .collect();
        assert_eq!(allied, teams, "seed {seed}, round {round}");
        if world.is_over() {
            let mut places = second.best.unwrap();
            graves.retain(|at| !places.contains(at));
            places.extend(graves.iter().rev());
            let mut ranked: Vec<usize> = (0..6).collect();
            ranked.sort_by_key(|at| state.roster[*at].rank);
            assert_eq!(ranked, places, "seed {seed}, round {round}");
            break;
        }
        assert_eq!(second.best, None, "seed {seed}, round {round}");
    }
}

#[test]
fn both_programs_agree_on_matches_of_every_action() {
    for seed in 0..60 {
        check(seed, 5, |round| {
            std::array::from_fn(|at| {
                let mix = usize::from(seed) * 31 + round * 7 + at * 13;
                let target = Some(mix / 3 % 8).filter(|target| *target < 6);
                (mix % 7, target)
            })
        });
    }
}

#[test]
fn both_programs_agree_when_everybody_hides_until_the_last_day() {
    for seed in 0..10 {
        check(seed, 8, |_| [(1, None); 6]);
    }
}

#[test]
fn both_programs_agree_on_friends_and_makers() {
    for seed in 0..20 {
        check(seed, 6, |round| {
            std::array::from_fn(|at| match (round + at) % 3 {
                0 => (2, Some((at + 1) % 6)),
                1 => (0, None),
                _ => (4, None),
            })
        });
    }
}

/// Whom dysentery takes from 24 who hide, by the order of acting and one draw each after it.
fn taken_by_dysentery(seed: [u8; 32], day: u32, ids: &[TributeId]) -> Vec<TributeId> {
    let mut stream = Stream::new(seed, "match-1", day, 1);
    let mut order = ids.to_vec();
    for last in (1..order.len()).rev() {
        order.swap(last, stream.below(last as u64 + 1));
    }
    order.into_iter().filter(|_| stream.below(10_000) < 5).collect()
}

#[test]
fn both_programs_agree_on_dysentery() {
    let seed = Seed::new([0; 32]);
    let mut world = DryRun::new(seed.clone(), new_match(&seed, Mode::Long, 0));
    (0..24).for_each(|number| world.join(newcomer(number)));
    world.start();
    let mut state = world.state();
    let ids = state.living_ids();
    let hide = Action::plain(KINDS[1]);
    state.pending_actions = ids.iter().map(|id| (id.clone(), hide.clone())).collect();
    let mut deaths = 0;
    for number in 0..1500_u32 {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&number.to_be_bytes());
        for day in [1, 2] {
            state.day = day;
            let turn_id = world.turn_id();
            let events = resolve(&state, &Seed::new(bytes), &turn_id, world.now).unwrap();
            let died: Vec<_> = events
                .into_iter()
                .filter_map(|event| match event.body {
                    EventBody::TributeDied { tribute_id, cause: Cause::Dysentery, .. } => {
                        Some(tribute_id)
                    }
                    _ => None,
                })
                .collect();
            let expected = match day {
                1 => Vec::new(),
                _ => taken_by_dysentery(bytes, day, &ids),
            };
            assert_eq!(died, expected, "seed {number}, day {day}");
            deaths += died.len();
        }
    }
    assert!((5..40).contains(&deaths), "{deaths} of 36,000");
}
