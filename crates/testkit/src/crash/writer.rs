//! The writer process: opens a database and writes until it is killed, or a number of operations.
//!
//! After a refused write it continues with requests, to check that nothing is acknowledged any
//! more, and reads its items, to check that reads continue and return what was acknowledged. It
//! prints errors on standard error, and exits with [`WRONG`].

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use monotable_engine::{
    CreateTable, Database, DescribeTable, Error, IndexDefinition, StreamViewType,
};
use monotable_types::Projection;

use super::journal::{Event, Journal, Refusal};
use super::model::{Items, apply};
use super::plan::{Reads, Work, WriterPlan};
use super::process::{OPENED, WRITTEN};
use super::verify::by_key;
use super::workload::{BY_GRADE, BY_GROUP, Operation, TABLE, keys_of};
use super::{Failure, Outcome, ensure, indexes, request};

/// The exit code of a writer that detected a broken guarantee.
pub const WRONG: u8 = 3;
/// The exit code of a writer that could not start: opening or creating was refused.
pub const NOT_BEGUN: u8 = 4;

/// The beginning of the line with the reason why the database did not open again after a failure.
pub const NOT_REOPENED: &str = "not reopened";

/// How many more writes a thread tries after one was refused.
const TRIES_AFTER_REFUSAL: u64 = 10;

/// Returns the program.
pub fn run(arguments: Vec<std::ffi::OsString>) -> ExitCode {
    let plan = match WriterPlan::from_arguments(arguments) {
        Ok(plan) => plan,
        Err(failure) => {
            eprintln!("{failure:?}");
            return ExitCode::FAILURE;
        }
    };
    let database = match begin(&plan) {
        Ok(database) => database,
        // No other error reports that a file could not be read or written.
        Err(error @ (Error::Open(_) | Error::Storage(_) | Error::Poisoned(_))) => {
            println!("not begun: {error}");
            return ExitCode::from(NOT_BEGUN);
        }
        Err(error) => {
            eprintln!("opening failed with {error:?}");
            return ExitCode::from(WRONG);
        }
    };
    println!("{OPENED}");
    match write(&plan, database) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure:?}");
            ExitCode::from(WRONG)
        }
    }
}

/// Opens the database and creates the table if it does not exist.
fn begin(plan: &WriterPlan) -> Result<Database, Error> {
    let database = Database::open(&plan.database, WriterPlan::options(plan.is_relaxed))?;
    match database.describe_table(DescribeTable::new(TABLE)) {
        Ok(_) => {}
        Err(Error::ResourceNotFound(_)) => drop(database.create_table(table()?)?),
        Err(error) => return Err(error),
    }
    Ok(database)
}

/// Returns the table: two indexes, one of which shows only keys, and a stream with both images.
fn table() -> Result<CreateTable, Error> {
    let by_grade =
        IndexDefinition::new(BY_GRADE, &["grade"], &["rank"]).projection(Projection::KeysOnly);
    Ok(CreateTable::new(TABLE)
        .partition_key("PK", "S")?
        .sort_key("SK", "S")?
        .attribute("group", "S")?
        .attribute("place", "S")?
        .attribute("grade", "S")?
        .attribute("rank", "N")?
        .global_index(IndexDefinition::new(BY_GROUP, &["group"], &["place"]))
        .global_index(by_grade)
        .stream(StreamViewType::NewAndOldImages))
}

fn write(plan: &WriterPlan, database: Database) -> Outcome {
    let count = match plan.work {
        Work::OnlyOpen => wait_for_death(),
        Work::UntilKilled => u64::MAX,
        Work::Operations(count) | Work::OperationsThenWait(count) => count,
    };
    let shared = Arc::new(Shared {
        database,
        journal: Journal::create(&plan.journal)?,
        is_poisoned: AtomicBool::new(false),
        reads: plan.reads,
    });
    let threads: Vec<_> = (0..plan.workload.threads)
        .map(|thread| {
            let operations = plan.workload.operations(thread);
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || Thread::run(thread, &shared, operations, count))
        })
        .collect();
    for thread in threads {
        thread.join().map_err(|_| Failure::new("a thread of the writer panicked"))??;
    }
    verify_reads(&shared.database, plan.reads)?;
    if shared.is_poisoned.load(Ordering::Acquire) {
        drop(shared);
        return reopen(plan);
    }
    if let Work::OperationsThenWait(_) = plan.work {
        println!("{WRITTEN}");
        wait_for_death();
    }
    Ok(())
}

fn wait_for_death() -> ! {
    loop {
        std::thread::park();
    }
}

/// The state that the threads share.
struct Shared {
    database: Database,
    journal: Journal,
    /// Set when a refusal has been returned: all later requests must be refused.
    is_poisoned: AtomicBool,
    reads: Reads,
}

/// One thread, and the expected state of its items: what was acknowledged.
struct Thread<'a> {
    number: u64,
    shared: &'a Shared,
    acknowledged: Items,
}

impl<'a> Thread<'a> {
    fn run(
        number: u64,
        shared: &'a Shared,
        operations: impl Iterator<Item = Operation>,
        count: u64,
    ) -> Outcome {
        let Some(acknowledged) = read_own(number, shared)? else { return Ok(()) };
        let mut thread = Self { number, shared, acknowledged };
        let mut tries = TRIES_AFTER_REFUSAL;
        for (sequence, operation) in (0..count).zip(operations) {
            let was_poisoned = shared.is_poisoned.load(Ordering::Acquire);
            if was_poisoned {
                let Some(fewer) = tries.checked_sub(1) else { break };
                tries = fewer;
            }
            let event = thread.ask(sequence, &operation)?;
            ensure!(
                !was_poisoned || event == Event::Refused(Refusal::Poisoned),
                "after a refusal, {operation:?} was {event:?}"
            );
        }
        thread.read_back()
    }

    fn ask(&mut self, sequence: u64, operation: &Operation) -> Outcome<Event> {
        let journal = &self.shared.journal;
        journal.note(self.number, sequence, Event::Intended)?;
        let event = match request::send(&self.shared.database, operation) {
            Ok(()) => Event::Acknowledged,
            Err(Error::Poisoned(_)) => {
                self.shared.is_poisoned.store(true, Ordering::Release);
                Event::Refused(Refusal::Poisoned)
            }
            Err(Error::Storage(_)) if self.shared.reads == Reads::MayFail => {
                Event::Refused(Refusal::Unread)
            }
            Err(error) => {
                return Err(Failure::new(format!("{operation:?} failed with {error:?}")));
            }
        };
        journal.note(self.number, sequence, event)?;
        if event == Event::Acknowledged {
            apply(operation, &mut self.acknowledged);
        }
        Ok(event)
    }

    /// Checks that reads continue after a failure, and return what was acknowledged and nothing
    /// else.
    fn read_back(&self) -> Outcome {
        let Some(found) = read_own(self.number, self.shared)? else { return Ok(()) };
        let difference = super::model::difference(&self.acknowledged, &found);
        ensure!(found == self.acknowledged, "reading back gave something else: {difference}");
        Ok(())
    }
}

/// Checks that scans and queries work and agree with each other, also after a failure.
fn verify_reads(database: &Database, reads: Reads) -> Outcome {
    let agree = || indexes::verify(database, &by_key(request::scan(database)?)?);
    agree().or_else(|failure| if reads == Reads::MayFail { Ok(()) } else { Err(failure) })
}

/// Checks that a database that was closed after a failure opens again in the same process, unless
/// the fault persists, which the test knows.
fn reopen(plan: &WriterPlan) -> Outcome {
    match Database::open(&plan.database, WriterPlan::options(plan.is_relaxed)) {
        Ok(database) => verify_reads(&database, plan.reads),
        Err(error) => {
            println!("{NOT_REOPENED}: {error}");
            Ok(())
        }
    }
}

/// Returns the thread's items, or nothing if reading failed and that is expected.
fn read_own(thread: u64, shared: &Shared) -> Outcome<Option<Items>> {
    let mut items = Items::new();
    for key in keys_of(thread) {
        match request::get(&shared.database, &key) {
            Ok(Some(item)) => drop(items.insert(key, item)),
            Ok(None) => {}
            Err(Error::Storage(_)) if shared.reads == Reads::MayFail => return Ok(None),
            Err(error) => return Err(Failure::new(format!("reading {key:?}: {error:?}"))),
        }
    }
    Ok(Some(items))
}
