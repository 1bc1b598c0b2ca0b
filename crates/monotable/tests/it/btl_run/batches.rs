//! `batchGetStates`: 150 matches at once, some twice, some missing.

use std::collections::BTreeSet;

use monotable::dynamodb::{BatchGetItem, Result};
use monotable::{Database, Faults, Item};

use super::{TABLE, create, update_match_state};
use crate::support::literal::Literal;
use crate::support::stores::{on_both_stores, on_both_stores_with};

/// "Batch Get (Multiple Items)", as printed: one request for all ids.
fn batch_get_states_as_printed(match_ids: &[String]) -> BatchGetItem {
    match_ids.iter().fold(BatchGetItem::new(), |batch, id| {
        let printed = "{
          pk: `match#${id}`,
          sk: 'state',
        }";
        batch.key(TABLE, Literal::new(printed).bind("id", id.clone()).item())
    })
}

/// Returns the states of all ids in their order, with `None` for missing ones: each id is requested
/// once, a hundred at a time, until no key is unprocessed. Also returns the number of requests.
fn batch_get_states(db: &Database, match_ids: &[String]) -> Result<(Vec<Option<Item>>, usize)> {
    let distinct: BTreeSet<&String> = match_ids.iter().collect();
    let distinct: Vec<String> = distinct.into_iter().cloned().collect();
    let mut found: Vec<Item> = Vec::new();
    let mut requests = 0;
    for chunk in distinct.chunks(100) {
        let mut batch = batch_get_states_as_printed(chunk);
        while !batch.request_items.is_empty() {
            requests += 1;
            let mut output = db.batch_get_item(batch)?;
            found.extend(output.responses.remove(TABLE).unwrap().into_iter().map(Item::from));
            batch = BatchGetItem { request_items: output.unprocessed_keys, ..Default::default() };
        }
    }
    let state_of = |id: &String| {
        let partition = format!("match#{id}");
        found.iter().find(|row| row["pk"].as_s() == Some(&partition)).cloned()
    };
    Ok((match_ids.iter().map(state_of).collect(), requests))
}

/// 150 ids of 120 matches, 30 of them twice; every fifth match does not exist.
fn ids() -> Vec<String> {
    (0..150).map(|number| format!("m{}", number % 120)).collect()
}

fn load(db: &Database) {
    create(db);
    for number in (0..120).filter(|number| number % 5 != 0) {
        update_match_state(db, &format!("m{number}"), &format!("state {number}"), None).unwrap();
    }
}

fn check_aligned(states: &[Option<Item>]) {
    assert_eq!(states.len(), 150);
    for (position, state) in states.iter().enumerate() {
        let number = position % 120;
        let text = state.as_ref().map(|row| row["v"].as_s().unwrap().to_owned());
        let expected = (number % 5 != 0).then(|| format!("state {number}"));
        assert_eq!(text, expected, "m{number}");
    }
}

#[test]
fn the_request_as_printed_is_too_long_for_150_ids() {
    on_both_stores(|db| {
        load(db);
        let refused = db.batch_get_item(batch_get_states_as_printed(&ids())).unwrap_err();
        assert_eq!(refused.code(), "ValidationException");
    });
}

#[test]
fn the_request_as_printed_may_not_name_a_match_twice() {
    on_both_stores(|db| {
        load(db);
        let twice = ["m1".to_owned(), "m1".to_owned()];
        let refused = db.batch_get_item(batch_get_states_as_printed(&twice)).unwrap_err();
        assert_eq!(refused.to_string(), "Provided list of item keys contains duplicates");
    });
}

#[test]
fn states_of_150_ids_are_returned_in_order() {
    on_both_stores(|db| {
        load(db);
        let (states, requests) = batch_get_states(db, &ids()).unwrap();
        check_aligned(&states);
        assert_eq!(requests, 2);
    });
}

#[test]
fn unprocessed_keys_are_requested_again() {
    let faults = Faults { unprocessed_share: 0.4, ..Faults::default() };
    on_both_stores_with(&faults, |db| {
        load(db);
        let (states, requests) = batch_get_states(db, &ids()).unwrap();
        check_aligned(&states);
        assert!(requests > 2, "{requests} requests");
    });
}
