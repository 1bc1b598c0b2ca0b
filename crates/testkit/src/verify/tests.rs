//! Tests of the checker: it notices what the engine loses, or has too much of.

use std::sync::Arc;

use monotable_engine::{
    Database, DeleteItem, ManualClock, Options, PutItem, StreamUpdate, UpdateItem, UpdateTable,
};
use monotable_expression::Update;
use monotable_types::item;

use super::verify;
use crate::execute::execute;
use crate::generate::create_tables;
use crate::operation::{Operation, Spelling};
use crate::oracle::Oracle;

fn put(number: i32) -> Operation {
    let item = item! { "PK" => "a", "SK" => "1", "gs" => "p", "n" => number };
    PutItem::new("league", item).into()
}

fn without_stream() -> Operation {
    let stream = Some(StreamUpdate::Disable);
    UpdateTable { stream, ..UpdateTable::new("league") }.into()
}

/// Runs some operations on both, then others on one only; returns the first difference.
fn check(both: &[Operation], engine: &[Operation], oracle: &[Operation]) -> String {
    let now_ms = 1_000_000;
    let clock = Arc::new(ManualClock::new(now_ms));
    let db = Database::memory_with(Options { clock, ..Options::default() });
    let mut model = Oracle::new(now_ms);
    let both = create_tables().into_iter().map(|step| step.operation).chain(both.iter().cloned());
    for operation in both {
        execute(&db, operation.clone()).unwrap();
        model.apply(&operation, Spelling::Tree).unwrap();
    }
    for operation in engine {
        execute(&db, operation.clone()).unwrap();
    }
    for operation in oracle {
        model.apply(operation, Spelling::Tree).unwrap();
    }
    verify(&db, &model).map_or_else(|mismatch| mismatch.at, |()| "nothing".to_owned())
}

#[test]
fn equal_states_are_equal() {
    let delete = DeleteItem::new("league", item! { "PK" => "b", "SK" => "1" });
    assert_eq!(check(&[put(1), put(2), delete.into()], &[], &[]), "nothing");
}

#[test]
fn a_lost_write_is_noticed() {
    assert_eq!(check(&[], &[], &[put(1)]), "items and bytes of league");
}

#[test]
fn a_write_too_many_is_noticed() {
    assert_eq!(check(&[], &[put(1)], &[]), "items and bytes of league");
}

#[test]
fn another_value_of_the_same_size_is_noticed() {
    let key = item! { "PK" => "a", "SK" => "1" };
    let update = UpdateItem::new("league", key).update(Update::new().set("n", 2));
    assert_eq!(check(&[put(1)], &[], &[update.into()]), "a scan of league None");
}

#[test]
fn a_lost_change_record_is_noticed() {
    let noticed = check(&[], &[without_stream(), put(1)], &[put(1)]);
    assert!(noticed.starts_with("change records of league"), "{noticed}");
}
