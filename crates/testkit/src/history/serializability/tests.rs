//! Tests of the checker: it accepts correct histories and finds errors.

use std::collections::BTreeMap;

use super::*;
use crate::crash::seed::{Random, announce};

fn append(client: u64, invoked: u64, answered: u64, appends: &[(Key, u64)]) -> Transaction {
    let end = End::Committed(answered);
    Transaction { client, invoked, end, appends: appends.to_vec(), reads: Vec::new() }
}

fn read(client: u64, invoked: u64, answered: u64, reads: &[(Key, &[u64])]) -> Transaction {
    let reads = reads.iter().map(|(key, list)| (*key, list.to_vec())).collect();
    let end = End::Committed(answered);
    Transaction { client, invoked, end, appends: Vec::new(), reads }
}

fn append_if(
    client: u64,
    (invoked, answered): (u64, u64),
    appends: &[(Key, u64)],
    reads: &[(Key, &[u64])],
) -> Transaction {
    let appends = appends.to_vec();
    Transaction { appends, ..read(client, invoked, answered, reads) }
}

fn ending(end: End, transaction: Transaction) -> Transaction {
    Transaction { end, ..transaction }
}

#[track_caller]
fn edges(history: &[Transaction]) -> Vec<Before> {
    match check(history) {
        Err(Violation::Cycle { edges, .. }) => edges,
        other => panic!("a cycle expected: {other:?}"),
    }
}

/// The cycle's edges, starting at any transaction.
#[track_caller]
fn has_cycle(history: &[Transaction], expected: &[Before]) {
    let mut edges = edges(history);
    for _ in 0..edges.len() {
        if edges == expected {
            return;
        }
        edges.rotate_left(1);
    }
    panic!("{edges:?}, not {expected:?}");
}

#[test]
fn right_histories_pass() {
    let concurrent = [
        append(0, 1, 10, &[(1, 1), (2, 1)]),
        append(1, 2, 9, &[(1, 2)]),
        read(2, 3, 4, &[(1, &[2]), (2, &[])]),
        read(2, 11, 12, &[(1, &[2, 1]), (2, &[1])]),
        append_if(3, (13, 14), &[(3, 1)], &[(1, &[2, 1])]),
    ];
    assert_eq!(check(&concurrent), Ok(()));
    assert_eq!(check(&[]), Ok(()));
}

#[test]
fn a_stale_read_is_found() {
    let history =
        [append(0, 1, 2, &[(1, 1)]), read(1, 3, 4, &[(1, &[])]), read(1, 5, 6, &[(1, &[1])])];
    has_cycle(&history, &[Before::Time, Before::Missed { key: 1 }]);
}

#[test]
fn an_acknowledged_append_that_vanished_is_found() {
    let history = [append(0, 1, 2, &[(1, 1)]), read(1, 3, 4, &[(1, &[])])];
    has_cycle(&history, &[Before::Time, Before::Missed { key: 1 }]);
}

#[test]
fn a_lost_update_is_found() {
    let history = [
        append_if(0, (1, 5), &[(1, 1)], &[(1, &[])]),
        append_if(1, (2, 6), &[(1, 2)], &[(1, &[])]),
        read(2, 7, 8, &[(1, &[1, 2])]),
    ];
    has_cycle(&history, &[Before::Append { key: 1 }, Before::Missed { key: 1 }]);
}

#[test]
fn a_dirty_read_is_found() {
    let history = [ending(End::Refused, append(0, 1, 5, &[(1, 1)])), read(1, 2, 6, &[(1, &[1])])];
    assert!(matches!(check(&history), Err(Violation::Dirty(_))));
}

#[test]
fn half_a_transaction_is_found() {
    let whole = [append(0, 1, 9, &[(1, 1), (2, 1)]), read(1, 2, 3, &[(1, &[1]), (2, &[])])];
    has_cycle(&whole, &[Before::Read { key: 1 }, Before::Missed { key: 2 }]);
    // Also for a transaction without a response, of which one half was seen.
    let [first, second] = whole;
    let lost = [ending(End::Unknown, first), second];
    has_cycle(&lost, &[Before::Read { key: 1 }, Before::Missed { key: 2 }]);
}

#[test]
fn reordered_time_is_found() {
    let history =
        [append(0, 1, 2, &[(1, 1)]), append(1, 3, 4, &[(1, 2)]), read(2, 5, 6, &[(1, &[2, 1])])];
    has_cycle(&history, &[Before::Time, Before::Append { key: 1 }]);
}

#[test]
fn write_skew_is_found() {
    let history = [
        append_if(0, (1, 5), &[(1, 1)], &[(2, &[])]),
        append_if(1, (2, 6), &[(2, 2)], &[(1, &[])]),
        read(2, 7, 8, &[(1, &[1]), (2, &[2])]),
    ];
    has_cycle(&history, &[Before::Missed { key: 1 }, Before::Missed { key: 2 }]);
}

#[test]
fn a_long_fork_is_found() {
    let history = [
        append(0, 1, 20, &[(1, 1)]),
        append(1, 2, 21, &[(2, 2)]),
        read(2, 3, 10, &[(1, &[1]), (2, &[])]),
        read(3, 4, 11, &[(1, &[]), (2, &[2])]),
    ];
    assert_eq!(edges(&history).len(), 4);
}

#[test]
fn lists_that_no_order_gives_are_found() {
    let appends = [append(0, 1, 2, &[(1, 1)]), append(1, 1, 2, &[(1, 2)])];
    let check_with = |reads: &[&[u64]]| {
        let readers = reads.iter().map(|list| read(2, 3, 4, &[(1, list)]));
        check(&appends.iter().cloned().chain(readers).collect::<Vec<_>>())
    };
    assert_eq!(check_with(&[&[1, 2]]), Ok(()));
    assert!(matches!(check_with(&[&[1, 2], &[2, 1]]), Err(Violation::Diverged(_))));
    assert_eq!(check_with(&[&[1, 2, 1]]), Err(Violation::Doubled { key: 1, value: 1 }));
    assert_eq!(check_with(&[&[1, 2, 9]]), Err(Violation::Invented { key: 1, value: 9 }));
}

#[test]
fn a_transaction_without_an_answer_may_have_happened_or_not() {
    let lost = || ending(End::Unknown, append(0, 1, 0, &[(1, 1)]));
    assert_eq!(check(&[lost(), read(1, 5, 6, &[(1, &[])])]), Ok(()));
    assert_eq!(check(&[lost(), read(1, 5, 6, &[(1, &[1])])]), Ok(()));
    assert_eq!(check(&[lost(), read(1, 5, 6, &[(1, &[])]), read(1, 7, 8, &[(1, &[1])])]), Ok(()));
    let undone = [lost(), read(1, 5, 6, &[(1, &[1])]), read(1, 7, 8, &[(1, &[])])];
    assert_eq!(edges(&undone).len(), 3);
}

#[test]
fn a_cycle_is_shown_in_words() {
    let history = [append(0, 1, 2, &[(1, 1)]), read(1, 3, 4, &[(1, &[])])];
    let expected = [
        "no order explains these transactions:",
        "  1..2 client 0: append 1 to list 1;",
        "    had ended when this was sent:",
        "  3..4 client 1: read list 1 = [];",
        "    has not read the result of this in list 1:",
        "  1..2 client 0: append 1 to list 1;",
    ];
    assert_eq!(check(&history).unwrap_err().to_string(), expected.join("\n"));
}

/// The history of a correct database: eight clients send requests, the database executes them,
/// clients get responses.
fn simulate(random: &mut Random, transactions: usize) -> Vec<Transaction> {
    let mut lists: BTreeMap<Key, Vec<u64>> = BTreeMap::new();
    let mut history = Vec::new();
    let mut under_way: [Option<Transaction>; 8] = Default::default();
    let mut now = 0;
    while history.len() < transactions {
        now += 1;
        let client = random.below(8) as usize;
        let epoch = now / 300;
        under_way[client] = match under_way[client].take() {
            None => {
                let mut keys: Vec<Key> =
                    (0..1 + random.below(4)).map(|_| epoch * 8 + random.below(8)).collect();
                keys.sort_unstable();
                keys.dedup();
                let (writes, reads) = keys.split_at(random.below(keys.len() as u64 + 1) as usize);
                let appends = writes.iter().map(|key| (*key, now)).collect();
                let reads = reads.iter().map(|key| (*key, Vec::new())).collect();
                let end = End::Unknown;
                Some(Transaction { client: client as u64, invoked: now, end, appends, reads })
            }
            Some(mut sent) if sent.end == End::Unknown => {
                for (key, list) in &mut sent.reads {
                    *list = lists.entry(*key).or_default().clone();
                }
                for (key, value) in &sent.appends {
                    lists.entry(*key).or_default().push(*value);
                }
                Some(Transaction { end: End::Committed(0), ..sent })
            }
            Some(effective) => {
                history.push(Transaction { end: End::Committed(now), ..effective });
                None
            }
        };
    }
    // The effect of pending transactions may be seen already.
    history.extend(
        under_way
            .into_iter()
            .flatten()
            .filter(|one| one.end != End::Unknown)
            .map(|effective| Transaction { end: End::Committed(now + 1), ..effective }),
    );
    let last = lists.into_iter().collect();
    let end = End::Committed(now + 3);
    history.push(Transaction {
        client: 8,
        invoked: now + 2,
        end,
        appends: Vec::new(),
        reads: last,
    });
    history
}

#[test]
fn histories_of_a_correct_database_are_right_and_changed_reads_are_found() {
    let mut random = Random::new(announce("histories_of_a_correct_database_are_right"));
    for _ in 0..100 {
        let mut history = simulate(&mut random, 300);
        assert_eq!(check(&history), Ok(()));
        let readers: Vec<usize> = (0..history.len() - 1)
            .filter(|index| history[*index].reads.iter().any(|(_, list)| list.len() > 1))
            .collect();
        let reader = &mut history[readers[random.below(readers.len() as u64) as usize]];
        let (_, list) = reader.reads.iter_mut().find(|(_, list)| list.len() > 1).unwrap();
        // A transaction that sees the second value also sees the first.
        list.remove(0);
        assert!(check(&history).is_err(), "{}", history[0]);
    }
}

#[test]
fn a_hundred_thousand_transactions_are_checked() {
    let mut random = Random::new(announce("a_hundred_thousand_transactions_are_checked"));
    assert_eq!(check(&simulate(&mut random, 100_000)), Ok(()));
}
