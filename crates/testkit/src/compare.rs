//! Compares engine and oracle: the same steps must give the same results, and finally the same
//! tables.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use monotable_engine::{Database, Expression, ManualClock, Options, Query, UpdateItem};

use crate::execute::execute;
use crate::generate::value::START_SECONDS;
use crate::operation::{Answer, Failure, Operation, Outcome, Refusal, Spelling, Stage, Step};
use crate::oracle::Oracle;
use crate::readable::abbreviated;
use crate::spell::as_text;
use crate::verify::verify;

/// How far the clock moves with each step. It is even, because times of expiry are odd.
const STEP_SECONDS: u64 = 2;

/// Where the engine stores its data.
#[derive(Clone, Debug)]
pub enum Store {
    /// In memory.
    Memory,
    /// In this directory.
    Disk(PathBuf),
}

impl Store {
    fn open(&self, clock: &Arc<ManualClock>) -> Database {
        let clock = Arc::clone(clock);
        let options = Options { clock, cache_bytes: 1 << 20, ..Options::default() };
        match self {
            Self::Memory => Database::memory_with(options),
            Self::Disk(path) => Database::open(path, options).expect("the database opens"),
        }
    }
}

/// A difference between engine and oracle.
pub struct Mismatch {
    /// The step, or what was compared after the last one.
    pub at: String,
    /// The oracle's result.
    pub expected: String,
    /// The engine's result.
    pub actual: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { at, expected, actual } = self;
        let text = format!("{at}\n  oracle: {expected}\n  engine: {actual}");
        formatter.write_str(&abbreviated(&text))
    }
}

impl fmt::Debug for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Returns how two values differ, if they do.
pub(crate) fn same<T: fmt::Debug + PartialEq>(
    at: impl FnOnce() -> String,
    expected: &T,
    actual: &T,
) -> Result<(), Box<Mismatch>> {
    if expected == actual {
        return Ok(());
    }
    let (expected, actual) = (format!("{expected:?}"), format!("{actual:?}"));
    Err(Box::new(Mismatch { at: at(), expected, actual }))
}

/// How often each operation ended with each result.
pub type Tally = BTreeMap<String, u64>;

/// Runs the steps on both and compares all results.
///
/// # Errors
/// Returns the first difference.
pub fn run(store: &Store, steps: &[Step], tally: &mut Tally) -> Result<(), Box<Mismatch>> {
    let clock = Arc::new(ManualClock::new(START_SECONDS * 1000));
    let mut db = store.open(&clock);
    let mut oracle = Oracle::new(START_SECONDS * 1000);
    for (position, step) in steps.iter().enumerate() {
        clock.advance_ms(STEP_SECONDS * 1000);
        oracle.now_ms += STEP_SECONDS * 1000;
        match (&step.operation, store) {
            (Operation::AdvanceClock { seconds }, _) => clock.advance_ms(seconds * 1000),
            (Operation::Reopen, Store::Disk(_)) => {
                drop(db);
                db = store.open(&clock);
            }
            _ => {}
        }
        take(&db, &mut oracle, step, tally).map_err(|mut mismatch| {
            mismatch.at = format!("step {position}: {}", mismatch.at);
            mismatch
        })?;
    }
    verify(&db, &oracle)
}

/// Runs one step on both; a query is followed to its last page.
fn take(
    db: &Database,
    oracle: &mut Oracle,
    step: &Step,
    tally: &mut Tally,
) -> Result<(), Box<Mismatch>> {
    let mut step = step.clone();
    loop {
        let expected = match &step.refused {
            Some(refusal) => Err(refused(refusal, oracle)),
            None => oracle.apply(&step.operation, step.spelling),
        };
        let operation = match step.spelling {
            Spelling::Tree => step.operation.clone(),
            Spelling::Text => as_text(step.operation.clone()),
        };
        let actual = execute(db, operation);
        let (expected, actual) = comparable(&step.operation, expected, actual);
        same(|| format!("{step:?}"), &expected, &actual)?;
        *tally.entry(ending(&step.operation, &expected)).or_default() += 1;
        let last = expected.ok().and_then(|answer| answer.last_evaluated_key);
        match (&mut step.operation, last) {
            (Operation::Query(query), Some(last)) => {
                *query = Query { exclusive_start_key: Some(last), ..query.clone() };
            }
            _ => return Ok(()),
        }
    }
}

/// Returns the operation's name and how it ended, for the tally.
fn ending(operation: &Operation, outcome: &Outcome) -> String {
    let operation = format!("{operation:?}");
    let name = operation.split(['(', ' ']).next().unwrap_or_default();
    match outcome {
        Ok(answer) if answer.swept > 0 => format!("{name}: ok, with items"),
        Ok(answer) if answer.items.iter().all(|(_, item)| item.is_none()) => format!("{name}: ok"),
        Ok(_) => format!("{name}: ok, with items"),
        Err(failure) => format!("{name}: {}", failure.code),
    }
}

fn refused(refusal: &Refusal, oracle: &Oracle) -> Failure {
    match refusal.stage {
        Stage::Table(name) if !oracle.tables.contains_key(name) => {
            Failure::new("ResourceNotFoundException", "Requested resource not found")
        }
        _ => refusal.failure.clone(),
    }
}

/// Removes what DynamoDB does not guarantee: the order of scans and batches, the capacity of scans
/// of several pages, which of several errors of an update is reported, and the messages of errors
/// for which the oracle has none.
fn comparable(
    operation: &Operation,
    mut expected: Outcome,
    mut actual: Outcome,
) -> (Outcome, Outcome) {
    let unordered = matches!(operation, Operation::Scan(_) | Operation::BatchGetItem(_));
    if let (Ok(expected), Ok(actual), true) = (&mut expected, &mut actual, unordered) {
        let sort =
            |answer: &mut Answer| answer.items.sort_by_cached_key(|item| format!("{item:?}"));
        sort(expected);
        sort(actual);
        if let Operation::Scan(scan) = operation
            && actual.consumed_capacity.is_empty()
            && (scan.limit.is_some()
                || scan.segment.is_some()
                || actual.counts.is_some_and(|(_, scanned)| scanned > 1))
        {
            expected.consumed_capacity.clear();
        }
    }
    if let (Err(expected), Err(actual)) = (&mut expected, &mut actual) {
        if expected.message.is_empty() {
            actual.message.clear();
        }
        if let Operation::UpdateItem(UpdateItem { update: Some(Expression::Tree(update)), .. }) =
            operation
            && update.paths().count() > 1
        {
            without_order(expected);
            without_order(actual);
        }
        if let Operation::TransactWriteItems(_) = operation {
            expected
                .reasons
                .iter_mut()
                .chain(&mut actual.reasons)
                .flatten()
                .for_each(without_order);
        }
    }
    (expected, actual)
}

/// Returns one of the errors that the actions of an update can cause.
fn without_order(failure: &mut Failure) {
    let errors = [
        "The provided expression refers to an attribute that does not exist in the item",
        "An operand in the update expression has an incorrect data type",
        "The document path provided in the update expression is invalid for update",
        "Number overflow. Attempting to store a number with magnitude larger than supported range",
        "Number underflow. Attempting to store a number with magnitude smaller than supported range",
        "Attempting to store more than 38 significant digits in a Number",
    ];
    if errors.contains(&failure.message.as_str()) {
        failure.message = "an error of an update".to_owned();
    }
}
