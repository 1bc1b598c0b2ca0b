//! Tests of the checker: it accepts correct histories and finds errors.

use super::*;
use crate::crash::seed::{Random, announce};
use crate::history::item::{Answer, Attributes, Call, Item};

type Op = Operation<Item>;

fn op(client: u64, invoked: u64, answered: u64, call: Call, answer: Answer) -> Op {
    Op { client, call, invoked, answered: Some((answered, answer)) }
}

fn lost(client: u64, invoked: u64, call: Call) -> Op {
    Op { client, call, invoked, answered: None }
}

fn found(value: u64) -> Answer {
    Answer::Found(Some(Attributes { value: Some(value), count: None }))
}

const NOTHING: Answer = Answer::Found(None);

fn is_right(history: &[Op]) {
    assert_eq!(check(history), Ok(()));
}

#[track_caller]
fn is_wrong(history: &[Op], blamed: &str) {
    let text = check(history).expect_err("a violation").to_string();
    assert!(text.starts_with(&format!("no order explains {blamed}")), "{text}");
}

#[test]
fn overlapping_operations_come_in_any_order() {
    let put = || op(0, 1, 10, Call::Put(1), Answer::Done);
    is_right(&[put(), op(1, 2, 3, Call::Get, NOTHING), op(1, 4, 5, Call::Get, found(1))]);
    is_right(&[put(), op(1, 2, 3, Call::Get, found(1)), op(2, 4, 5, Call::Delete, found(1))]);
    is_right(&[put(), op(1, 2, 9, Call::Put(2), Answer::Done), op(0, 11, 12, Call::Get, found(1))]);
    is_right(&[put(), op(1, 2, 9, Call::Put(2), Answer::Done), op(0, 11, 12, Call::Get, found(2))]);
}

#[test]
fn a_stale_read_is_found() {
    is_wrong(
        &[op(0, 1, 2, Call::Put(1), Answer::Done), op(1, 3, 4, Call::Get, NOTHING)],
        "3..4 client 1: Get = Found(None)",
    );
}

#[test]
fn a_value_that_was_seen_does_not_go_away_again() {
    let history = [
        op(0, 1, 10, Call::Put(1), Answer::Done),
        op(1, 2, 3, Call::Get, found(1)),
        op(2, 4, 5, Call::Get, NOTHING),
    ];
    is_wrong(&history, "4..5 client 2: Get");
}

#[test]
fn a_lost_update_is_found() {
    let history =
        [op(0, 1, 5, Call::Add(1), Answer::Count(1)), op(1, 2, 6, Call::Add(1), Answer::Count(1))];
    is_wrong(&history, "2..6 client 1: Add(1) = Count(1)");
    let both_win = [
        op(0, 1, 5, Call::PutIf { expected: None, value: 1 }, Answer::Done),
        op(1, 2, 6, Call::PutIf { expected: None, value: 2 }, Answer::Done),
    ];
    is_wrong(&both_win, "2..6 client 1: PutIf");
}

#[test]
fn a_dirty_read_of_a_refused_put_is_found() {
    let history = [
        op(0, 1, 5, Call::PutIf { expected: Some(9), value: 1 }, Answer::Refused),
        op(1, 2, 6, Call::Get, found(1)),
    ];
    is_wrong(&history, "2..6 client 1: Get");
}

#[test]
fn what_was_refused_although_it_held_is_found() {
    let history = [
        op(0, 1, 2, Call::Put(1), Answer::Done),
        op(0, 3, 4, Call::PutIf { expected: Some(1), value: 2 }, Answer::Refused),
    ];
    is_wrong(&history, "3..4 client 0: PutIf");
}

#[test]
fn reordered_time_is_found() {
    let history = [
        op(0, 1, 2, Call::Put(1), Answer::Done),
        op(1, 3, 4, Call::Put(2), Answer::Done),
        op(2, 5, 6, Call::Get, found(1)),
    ];
    is_wrong(&history, "5..6 client 2: Get");
}

#[test]
fn a_lost_operation_may_happen_late_or_never_but_not_twice() {
    let base = || [op(0, 1, 2, Call::Add(1), Answer::Count(1)), lost(1, 3, Call::Add(1))];
    let count = |at, count| {
        let attributes = Attributes { value: None, count: Some(count) };
        op(2, at, at + 1, Call::Get, Answer::Found(Some(attributes)))
    };
    let with = |more: Vec<Op>| base().into_iter().chain(more).collect::<Vec<_>>();
    is_right(&with(vec![count(4, 1), count(6, 1)]));
    is_right(&with(vec![count(4, 1), count(6, 2)]));
    is_right(&with(vec![count(4, 2), count(6, 2)]));
    is_wrong(&with(vec![count(4, 2), count(6, 1)]), "6..7 client 2");
    is_wrong(&with(vec![count(4, 3)]), "4..5 client 2");
    is_wrong(&[count(4, 1), lost(1, 6, Call::Add(1))], "4..5 client 2");
}

#[test]
fn a_violation_says_what_could_have_been() {
    let history = [
        op(0, 1, 2, Call::Put(1), Answer::Done),
        lost(3, 3, Call::Delete),
        op(1, 4, 6, Call::Get, found(7)),
    ];
    let get = "4..6 client 1: Get = Found(Some(Attributes { value: Some(7), count: None }))";
    let expected = [
        &format!("no order explains {get}"),
        "before this answer the item could be",
        "  Some(Attributes { value: Some(1), count: None })",
        "under way were",
        "  3.. client 3: Delete, never answered",
        &format!("  {get}"),
        "the answers before were, the last first",
        "  1..2 client 0: Put(1) = Done",
    ];
    assert_eq!(check(&history).unwrap_err().to_string(), expected.join("\n"));
}

/// The state of one client of a simulated item.
enum Client {
    Idle,
    Sent(u64, Call),
    Effective(u64, Call, Answer),
}

fn any_call(random: &mut Random, unique: u64, state: Option<Attributes>) -> Call {
    let seen = state.and_then(|attributes| attributes.value);
    match random.below(10) {
        0..3 => Call::Get,
        3 => Call::Put(unique),
        4..6 => Call::PutIf { expected: seen, value: unique },
        6..9 => Call::Add(1 + random.below(3) as i64),
        _ => Call::Delete,
    }
}

/// The history of a correct item: clients send requests, the item executes them, clients get
/// responses, in an order that the seed determines. `lost_percent` of the responses are lost; half
/// of those operations take effect.
fn simulate(random: &mut Random, clients: usize, operations: usize, lost_percent: u64) -> Vec<Op> {
    let mut now = 0;
    let mut state = None;
    let mut history: Vec<Op> = Vec::new();
    let mut at: Vec<Client> = (0..clients).map(|_| Client::Idle).collect();
    while history.len() < operations {
        now += 1;
        let client = random.below(clients as u64);
        let place = &mut at[client as usize];
        *place = match std::mem::replace(place, Client::Idle) {
            Client::Idle => Client::Sent(now, any_call(random, now, state)),
            Client::Sent(invoked, call) if random.percent(lost_percent) => {
                if random.percent(50) {
                    state = Item::apply(&state, &call).1;
                }
                history.push(lost(client, invoked, call));
                Client::Idle
            }
            Client::Sent(invoked, call) => {
                let (answer, after) = Item::apply(&state, &call);
                state = after;
                Client::Effective(invoked, call, answer)
            }
            Client::Effective(invoked, call, answer) => {
                history.push(op(client, invoked, now, call, answer));
                Client::Idle
            }
        };
    }
    // Others may have seen the effect before its response.
    for (client, place) in at.into_iter().enumerate() {
        if let Client::Effective(invoked, call, answer) = place {
            history.push(op(client as u64, invoked, now + 1, call, answer));
        }
    }
    history
}

/// Returns a response that differs from the right one.
fn spoil(random: &mut Random, answer: Answer) -> Answer {
    match answer {
        Answer::Done => Answer::Refused,
        Answer::Refused => Answer::Done,
        Answer::Count(count) => Answer::Count(count + if random.percent(50) { 1 } else { -1 }),
        Answer::Found(None) => found(0),
        Answer::Found(Some(_)) if random.percent(50) => NOTHING,
        Answer::Found(Some(attributes)) => {
            let value = Some(attributes.value.map_or(0, |value| value + 1_000_000));
            Answer::Found(Some(Attributes { value, ..attributes }))
        }
    }
}

#[test]
fn one_changed_answer_of_a_sequential_history_is_found() {
    let mut random = Random::new(announce("one_changed_answer_of_a_sequential_history_is_found"));
    for _ in 0..300 {
        let mut history = simulate(&mut random, 1, 60, 0);
        is_right(&history);
        let changed = random.below(60) as usize;
        let (at, answer) = history[changed].answered.unwrap();
        history[changed].answered = Some((at, spoil(&mut random, answer)));
        assert!(check(&history).is_err(), "{}", Shown(&history[changed]));
    }
}

#[test]
fn concurrent_histories_of_a_correct_item_are_right() {
    let mut random = Random::new(announce("concurrent_histories_of_a_correct_item_are_right"));
    for clients in 1..=8 {
        is_right(&simulate(&mut random, clients, 500, 0));
        is_right(&simulate(&mut random, clients, 200, 3));
    }
}

#[test]
fn a_hundred_thousand_operations_are_checked() {
    let mut random = Random::new(announce("a_hundred_thousand_operations_are_checked"));
    for _ in 0..4 {
        is_right(&simulate(&mut random, 8, 25_000, 0));
    }
}
