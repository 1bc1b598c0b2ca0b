//! Searches for a difference between engine and oracle: many short runs of random steps, each from a
//! seed of its own, and the shortest run that shows the difference.

use std::cell::RefCell;
use std::fmt::Write;

use proptest::strategy::BoxedStrategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::compare::{Store, Tally, run};
use crate::generate::{create_tables, steps};
use crate::operation::Step;
use crate::readable::abbreviated;

/// How many steps a run has at most.
const STEPS_MAX: usize = 120;
/// How many shorter runs are tried once a difference is found.
const SHRINK_ITERATIONS_MAX: u32 = 4_000;

/// Runs about this many operations, in runs with the seeds `seed`, `seed + 1`, and so on. Each run
/// gets a new store.
///
/// # Errors
/// Returns the seed of the run, the shortest steps that show a difference, and the difference.
pub fn explore(seed: u64, operations: usize, store: impl Fn() -> Store) -> Result<Tally, String> {
    let mut tally = Tally::new();
    let runs = operations.div_ceil(STEPS_MAX / 2) as u64;
    let strategy = steps(STEPS_MAX);
    for seed in (0..runs).map(|run| seed.wrapping_add(run)) {
        one_run(seed, &strategy, &store, &mut tally)?;
    }
    Ok(tally)
}

fn one_run(
    seed: u64,
    strategy: &BoxedStrategy<Vec<Step>>,
    store: &impl Fn() -> Store,
    tally: &mut Tally,
) -> Result<(), String> {
    let tally = RefCell::new(tally);
    let config = Config {
        cases: 1,
        max_shrink_iters: SHRINK_ITERATIONS_MAX,
        failure_persistence: None,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let outcome = TestRunner::new_with_rng(config, random).run(strategy, |steps| {
        run(&store(), &steps, &mut tally.borrow_mut())
            .map_err(|mismatch| TestCaseError::fail(mismatch.to_string()))
    });
    let Err(TestError::Fail(reason, steps)) = outcome else {
        return outcome.map_err(|error| format!("seed {seed}: {error}"));
    };
    let mut text = format!(
        "MONOTABLE_ORACLE_SEED={seed} MONOTABLE_ORACLE_OPS=1 shows it again; the shortest run that \
         does, after creating the tables:\n"
    );
    let created = create_tables().len();
    for (position, step) in steps.iter().enumerate().skip(created) {
        writeln!(text, "  {position}: {step:?}").expect("text can be written");
    }
    write!(text, "{}", reason.message()).expect("text can be written");
    Err(abbreviated(&text))
}
