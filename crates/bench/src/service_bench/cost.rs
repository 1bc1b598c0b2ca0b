//! The cost of an operation on DynamoDB: requests and units, which hardly differ between runs.

mod scavenger_hunt;

use std::sync::atomic::Ordering;
use std::time::Duration;

use monotable::Database;
use monotable_bench::{Mode, Result};
use serde::Serialize;

use crate::arguments::{Arguments, Service};
use crate::btl_run::BtlRun;
use crate::clients::Limit;
use crate::codekurukshetra::CodeKurukshetra;
use crate::hacktracker::HackTracker;
use crate::subject::{DatabaseLocation, Databases, Subject};
use crate::three_fc::ThreeFc;

/// Calls of an operation, which have its mean cost.
const CALLS: u64 = 50;
/// Far longer than they take.
const DURATION: Duration = Duration::from_secs(600);
/// The highest accepted ratio of the units of a service to those of requests that were written by hand.
const TIMES_MAX: f64 = 1.2;

/// The mean cost of a call.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Cost {
    requests: f64,
    read_units: f64,
    write_units: f64,
}

/// An operation of a service, and the cost of the same by hand.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    pub(crate) service: &'static str,
    pub(crate) act: &'static str,
    pub(crate) cost: Cost,
    pub(crate) by_hand: Option<Cost>,
}

/// The counts of a database at the beginning of some calls.
pub(crate) struct Meter<'a> {
    databases: &'a Databases,
    database: &'a Database,
    requests: u64,
    used: Units,
}

impl<'a> Meter<'a> {
    /// Begins to count in one of the databases.
    pub(crate) fn begin(databases: &'a Databases, database: &'a Database) -> Self {
        let requests = databases.requests.load(Ordering::Relaxed);
        Self { databases, database, requests, used: used(database) }
    }

    /// Returns the mean cost of the calls since then.
    pub(crate) fn mean(&self, calls: u64) -> Cost {
        let calls = calls as f64;
        let now = used(self.database);
        let requests = self.databases.requests.load(Ordering::Relaxed) - self.requests;
        Cost {
            requests: requests as f64 / calls,
            read_units: (now.read - self.used.read) / calls,
            write_units: (now.write - self.used.write) / calls,
        }
    }
}

struct Units {
    read: f64,
    write: f64,
}

/// Returns the units that the tables and indexes of a database have used.
fn used(database: &Database) -> Units {
    let mut sum = Units { read: 0.0, write: 0.0 };
    for table in database.statistics().tables {
        let indexes = table.indexes.iter().map(|index| index.used);
        for used in indexes.chain([table.used]) {
            sum.read += used.read_units;
            sum.write += used.write_units;
        }
    }
    sum
}

/// Measures and prints the costs of the services.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let mut rows = Vec::new();
    for service in &arguments.services {
        let location = DatabaseLocation { mode: Mode::Memory, directory: &arguments.directory };
        rows.extend(runtime.block_on(async {
            match service {
                Service::HackTracker => of::<HackTracker>(location).await,
                Service::BtlRun => of::<BtlRun>(location).await,
                Service::ThreeFc => of::<ThreeFc>(location).await,
                Service::CodeKurukshetra => of::<CodeKurukshetra>(location).await,
                Service::ScavengerHunt => scavenger_hunt::costs(location).await,
            }
        })?);
    }
    if arguments.json {
        println!("{:#}", serde_json::json!(rows));
        return Ok(());
    }
    print(&rows);
    Ok(())
}

async fn of<S: Subject>(location: DatabaseLocation<'_>) -> Result<Vec<Row>> {
    let subject = S::prepare(location, 1, 1).await?;
    let limit = Limit { duration: DURATION, calls_max: CALLS };
    let databases = subject.databases();
    let mut rows = Vec::new();
    for &act in S::ACTS {
        let meter = Meter::begin(databases, &databases.service);
        let slice = subject.service_slice(act, 0, limit).await?;
        let cost = meter.mean(slice.operations);
        let meter = Meter::begin(databases, &databases.engine);
        let slice = subject.engine_slice(act, 0, limit).await?;
        let by_hand = S::IS_BY_HAND.then(|| meter.mean(slice.operations));
        rows.push(Row { service: S::NAME, act: S::act_name(act), cost, by_hand });
    }
    Ok(rows)
}

fn print(rows: &[Row]) {
    println!(
        "{:<16} {:<16} {:>8} {:>6} {:>6} | by hand: {:>6} {:>6} | {:>5} {:>5}",
        "service", "operation", "requests", "read", "write", "read", "write", "read", "write"
    );
    for Row { service, act, cost, by_hand } in rows {
        let Cost { requests, read_units, write_units } = cost;
        print!("{service:<16} {act:<16} {requests:>8.1} {read_units:>6.1} {write_units:>6.1} |");
        if let Some(by_hand) = by_hand {
            let times =
                [ratio(*read_units, by_hand.read_units), ratio(*write_units, by_hand.write_units)];
            let verdict = if times.iter().any(|it| *it > TIMES_MAX) { "  above it" } else { "" };
            let (read, write) = (by_hand.read_units, by_hand.write_units);
            print!(
                "          {read:>6.1} {write:>6.1} | {:>5.2} {:>5.2}{verdict}",
                times[0], times[1]
            );
        }
        println!();
    }
    println!(
        "\nThe target is at most {TIMES_MAX} times the units of requests that were written by hand."
    );
}

/// Returns how many times one number is the other; two zeros are equal.
fn ratio(one: f64, other: f64) -> f64 {
    if one == other { 1.0 } else { one / other }
}
