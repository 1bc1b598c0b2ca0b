//! The engine beside the oracle: random operations on both, compared answer by answer.
//!
//! `MONOTABLE_ORACLE_OPS` says how many operations to make in memory (a tenth of it on disk), and
//! `MONOTABLE_ORACLE_SEED` where to start; a failure prints the seed that shows it.

use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::{env, fs};

use monotable_testkit::compare::{Store, Tally, run};
use monotable_testkit::explore::explore;
use monotable_testkit::generate::{create_tables, malformed};

const OPERATIONS: usize = 20_000;

fn number(name: &str) -> Option<u64> {
    let text = env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a number, not {text:?}")))
}

fn agree(share: usize, store: impl Fn() -> Store) {
    let operations = number("MONOTABLE_ORACLE_OPS").map_or(OPERATIONS, |count| count as usize);
    let seed =
        number("MONOTABLE_ORACLE_SEED").unwrap_or_else(|| RandomState::new().hash_one(0) >> 16);
    println!("MONOTABLE_ORACLE_SEED={seed}");
    let tally = explore(seed, operations / share, store).unwrap_or_else(|text| panic!("{text}"));
    println!("{tally:#?}");
    println!("{} operations agree", tally.values().sum::<u64>());
}

#[test]
fn the_engine_in_memory_does_what_the_oracle_does() {
    agree(1, || Store::Memory);
}

#[test]
fn the_engine_on_disk_does_what_the_oracle_does() {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle");
    agree(10, || {
        if directory.exists() {
            fs::remove_dir_all(&directory).unwrap();
        }
        Store::Disk(directory.clone())
    });
    fs::remove_dir_all(&directory).unwrap();
}

#[test]
fn malformed_requests_are_refused_in_dynamodbs_words() {
    let mut differences = Vec::new();
    for step in malformed::all() {
        let mut steps = create_tables();
        steps.push(step.clone());
        differences.extend(run(&Store::Memory, &steps, &mut Tally::new()).err());
        // Without the tables, what is wrong with the request itself is still said first.
        differences.extend(run(&Store::Memory, &[step], &mut Tally::new()).err());
    }
    assert!(differences.is_empty(), "{differences:#?}");
}
