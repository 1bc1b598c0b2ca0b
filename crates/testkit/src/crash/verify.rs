//! The invariants of a database after its writer died: it is opened here, and compared with the
//! journal.

use std::collections::BTreeMap;
use std::path::Path;

use monotable_engine::{Database, DescribeTable, Error};

use super::journal::{Event, Record, Refusal};
use super::model::{self, Happened, Items, apply, counted, settle};
use super::plan::WriterPlan;
use super::stream::Replay;
use super::workload::{
    COUNTERS, Key, Operation, TABLE, THREADS_MAX, Workload, counter_key, key_item, key_of, keys_of,
};
use super::{Failure, Outcome, ensure, indexes, request};

/// A database as it was found after a crash; the next writer starts from it.
#[derive(Clone, Default)]
pub struct Baseline {
    /// Everything in the table.
    pub items: Items,
    /// How far the stream was read.
    pub replay: Replay,
}

/// Verifies the report of `monotable check` about a directory before it was recovered.
pub fn verify_files(database: &Path) -> Outcome {
    if Database::exists(database) {
        let report = Database::check_directory(database)?;
        ensure!(report.rows.is_clean(), "check_directory() found {report:?}");
        let commits = report.unfinished.map_or(0, |unfinished| unfinished.commits);
        ensure!(commits <= 1, "a process that died left {commits} unfinished commits");
    }
    Ok(())
}

impl Baseline {
    /// Opens the database and verifies that its contents are possible according to the journal of
    /// `workload`'s writer, if it started with this baseline. Returns the baseline of the next
    /// writer.
    pub fn verify(
        &self,
        database: &Path,
        journal: &Path,
        workload: &Workload,
        is_relaxed: bool,
    ) -> Outcome<Self> {
        let record = Record::read(journal)?;
        let database = Database::open(database, WriterPlan::options(is_relaxed))?;
        let report = database.check()?;
        ensure!(report.is_clean(), "check() found {report:?}");
        match database.describe_table(DescribeTable::new(TABLE)) {
            Ok(_) => {}
            Err(Error::ResourceNotFound(_)) => return self.verify_absent(&record),
            Err(error) => return Err(error.into()),
        }
        let items = by_key(request::scan(&database)?)?;
        self.verify_items(&record, workload, &items)?;
        indexes::verify(&database, &items)?;
        let replay = self.replay.follow(&database, &self.items, &items)?;
        verify_writable(&database)?;
        Ok(Self { items, replay })
    }

    /// Checks a writer that died before it created the table.
    fn verify_absent(&self, record: &Record) -> Outcome<Self> {
        ensure!(self.items.is_empty(), "the table is gone");
        let acknowledged = record.count(Event::Acknowledged);
        ensure!(
            acknowledged == 0,
            "{acknowledged} writes were acknowledged, and there is no table"
        );
        Ok(Self::default())
    }

    fn verify_items(&self, record: &Record, workload: &Workload, items: &Items) -> Outcome {
        let mut expected_keys = 0;
        let mut totals = Totals::new(&self.items);
        for thread in 0..THREADS_MAX {
            let (before, found) = (own(&self.items, thread), own(items, thread));
            expected_keys += found.len();
            let history = History::new(record.thread(thread), workload.operations(thread))
                .map_err(|failure| failure.at(format_args!("thread {thread}")))?;
            totals
                .thread(&history, before, &found)
                .map_err(|failure| failure.at(format_args!("thread {thread}")))?;
        }
        for counter in 0..COUNTERS {
            let key = counter_key(counter);
            expected_keys += usize::from(items.contains_key(&key));
            totals.check(counter, items.get(&key).map_or(0, |item| model::number(item, "n")))?;
        }
        ensure!(
            expected_keys == items.len(),
            "{} items belong to nobody",
            items.len() - expected_keys
        );
        Ok(())
    }
}

/// Checks that writes are accepted again after reopening. Leaves nothing but two records in the
/// stream.
fn verify_writable(database: &Database) -> Outcome {
    let probe = ("PROBE".to_owned(), "PROBE".to_owned());
    request::send(database, &Operation::Put(key_item(&probe)))?;
    Ok(request::send(database, &Operation::Delete(probe))?)
}

/// Returns the items by key; two with the same key are a failure.
pub(crate) fn by_key(items: Vec<monotable_types::Item>) -> Outcome<Items> {
    let count = items.len();
    let items: Items = items.into_iter().map(|item| (key_of(&item), item)).collect();
    ensure!(items.len() == count, "a scan gave {count} items with {} keys", items.len());
    Ok(items)
}

fn own(items: &Items, thread: u64) -> Items {
    let keys: Vec<Key> = keys_of(thread).collect();
    keys.into_iter()
        .filter_map(|key| items.get_key_value(&key))
        .map(|(k, i)| (k.clone(), i.clone()))
        .collect()
}

/// A thread's operations by result: those that took effect, in order, and the one with an unknown
/// result.
struct History {
    happened: Vec<Operation>,
    doubtful: Option<Operation>,
}

impl History {
    fn new(events: &[Event], operations: impl Iterator<Item = Operation>) -> Outcome<Self> {
        let mut history = Self { happened: Vec::new(), doubtful: None };
        let mut is_poisoned = false;
        for (event, operation) in events.iter().zip(operations) {
            match event {
                Event::Acknowledged => {
                    ensure!(!is_poisoned, "{operation:?} was acknowledged after a failed write");
                    history.happened.push(operation);
                }
                Event::Refused(Refusal::Unread) => {}
                // Requests after a failed write never reach the store.
                Event::Refused(Refusal::Poisoned) | Event::Intended if is_poisoned => {}
                Event::Refused(Refusal::Poisoned) => {
                    is_poisoned = true;
                    history.doubtful = Some(operation);
                }
                Event::Intended => history.doubtful = Some(operation),
            }
        }
        Ok(history)
    }
}

/// The shared counters: the minimum and the maximum of each.
struct Totals(BTreeMap<u64, (u64, u64)>);

impl Totals {
    fn new(items: &Items) -> Self {
        let total = |counter| {
            let item = items.get(&counter_key(counter));
            item.map_or(0, |item| model::number(item, "n"))
        };
        Self((0..COUNTERS).map(|counter| (counter, (total(counter), total(counter)))).collect())
    }

    /// Determines the final state of a thread's items and adds what it counted.
    fn thread(&mut self, history: &History, mut items: Items, found: &Items) -> Outcome {
        for operation in &history.happened {
            apply(operation, &mut items);
            self.add(operation, Happened::Yes);
        }
        let happened = settle(&items, history.doubtful.as_ref(), found)?;
        if let Some(operation) = &history.doubtful {
            self.add(operation, happened);
        }
        Ok(())
    }

    fn add(&mut self, operation: &Operation, happened: Happened) {
        if let Some((least, most)) = counted(operation).and_then(|counter| self.0.get_mut(&counter))
        {
            *least += u64::from(happened == Happened::Yes);
            *most += u64::from(happened != Happened::No);
        }
    }

    fn check(&self, counter: u64, found: u64) -> Outcome {
        let (least, most) = self.0.get(&counter).copied().unwrap_or_default();
        let fits = (least..=most).contains(&found);
        fits.then_some(()).ok_or_else(|| {
            Failure::new(format!("counter {counter} is {found}, and must be {least} to {most}"))
        })
    }
}
