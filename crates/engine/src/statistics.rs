//! Statistics since the database was opened: units, failed conditions, batches, syncs and hot
//! partitions.
//!
//! Requests never wait for each other to be counted: every counter is atomic, or a sample is
//! skipped while another thread updates it.

mod histogram;
mod hot;
mod name;

use std::sync::Arc;
use std::time::Duration;

pub use histogram::Histogram;

use crate::clock::Clock;
use crate::layout::row_key::BASE_AREA;
use crate::op::capacity::Capacity;
use crate::read::ReadCost;
use crate::table::{Catalog, Index, ProvisionedThroughput, Table};
use crate::write::{Isolation, Planned};
use histogram::Buckets;
use hot::{HotPartitions, is_sampled};
use name::{KeyMask, partition_name};

/// Bounds of the number of jobs that share a commit.
const BATCH_JOBS_BOUNDS: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256, 512];
/// Bounds of the time that making a commit durable takes, for fast and for stalled drives.
const SYNC_MICROS_BOUNDS: &[u64] =
    &[50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000];

/// Statistics since a database was opened.
///
/// ```
/// use monotable_engine::{CreateTable, Database, PutItem, item};
///
/// let db = Database::memory();
/// db.create_table(CreateTable::new("league").partition_key("PK", "S")?)?;
/// db.put_item(PutItem::new("league", item! { "PK" => "TEAM#1" }))?;
/// let statistics = db.statistics();
/// assert_eq!(statistics.tables[0].used.write_units, 1.0);
/// # Ok::<(), monotable_engine::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Statistics {
    /// Every table, in order of their names.
    pub tables: Vec<TableStatistics>,
    /// How many jobs shared each commit.
    pub batch_jobs: Histogram,
    /// How long making a commit durable took, in microseconds; empty in memory.
    pub sync_micros: Histogram,
    /// The partitions of tables and indexes with the most reads recently, most first.
    pub hottest_read: Vec<HotPartition>,
    /// The partitions of tables and indexes with the most writes recently, most first.
    pub hottest_written: Vec<HotPartition>,
}

/// The statistics of one table.
#[derive(Clone, Debug, PartialEq)]
pub struct TableStatistics {
    /// The table.
    pub table_name: String,
    /// The number of its items.
    pub items: u64,
    /// Their size by AWS's rule.
    pub bytes: u64,
    /// Units used by the table itself.
    pub used: Capacity,
    /// The provisioned units per second; zero on demand.
    pub provisioned: ProvisionedThroughput,
    /// The number of failed conditions.
    pub condition_failures: u64,
    /// Each of its indexes.
    pub indexes: Vec<IndexStatistics>,
}

/// The statistics of one index.
#[derive(Clone, Debug, PartialEq)]
pub struct IndexStatistics {
    /// The index.
    pub index_name: String,
    /// The number of its entries.
    pub items: u64,
    /// Their size by AWS's rule.
    pub bytes: u64,
    /// Units used by it.
    pub used: Capacity,
    /// The provisioned units per second; zero on demand and for local indexes.
    pub provisioned: ProvisionedThroughput,
}

/// A partition that is used more than others.
#[derive(Clone, Debug, PartialEq)]
pub struct HotPartition {
    /// The table.
    pub table_name: String,
    /// The index, if the partition belongs to one.
    pub index_name: Option<String>,
    /// The partition key's value, of which only the leading word is shown (`USER#`), with a hash
    /// that is the same as long as the database is open.
    pub partition_key: String,
    /// Approximately the units that it used recently: those a minute ago count half, and so on.
    pub units: f64,
}

/// The counters of requests.
pub(crate) struct Meters {
    clock: Arc<dyn Clock>,
    batch_jobs: Buckets,
    sync_micros: Buckets,
    hot_reads: HotPartitions,
    hot_writes: HotPartitions,
    key_mask: KeyMask,
}

impl Meters {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            batch_jobs: Buckets::new(BATCH_JOBS_BOUNDS),
            sync_micros: Buckets::new(SYNC_MICROS_BOUNDS),
            hot_reads: HotPartitions::default(),
            hot_writes: HotPartitions::default(),
            key_mask: KeyMask::default(),
        }
    }

    /// Counts a successful read.
    pub(crate) fn count_read(&self, table: &Table, index: Option<&Index>, cost: ReadCost) {
        if cost.table_units > 0.0 {
            table.usage.items.add_read(cost.table_units);
        }
        if let Some(index) = index {
            index.usage.add_read(cost.index_units);
        }
    }

    /// Counts a successful read of the one partition that `row_key` belongs to.
    pub(crate) fn count_read_of_partition(
        &self,
        table: &Table,
        index: Option<&Index>,
        cost: ReadCost,
        row_key: &[u8],
    ) {
        self.count_read(table, index, cost);
        if is_sampled() {
            let units = if index.is_some() { cost.index_units } else { cost.table_units };
            self.hot_reads.add_sample(row_key, units, self.clock.now_ms());
        }
    }

    /// Counts a write that is about to be staged.
    pub(crate) fn count_write(&self, write: &Planned, isolation: Isolation, now_ms: u64) {
        let Planned { table, cost, row_key, .. } = write;
        let table_units = cost.table_units(isolation);
        table.usage.items.add_write(table_units);
        for &(position, units) in &cost.index_units {
            table.indexes[position].usage.add_write(units);
        }
        if !is_sampled() {
            return;
        }
        self.hot_writes.add_sample(row_key, table_units as f64, now_ms);
        let Some(item) = write.after.as_ref().or(write.before.as_ref()) else {
            return;
        };
        for &(position, units) in &cost.index_units {
            // A moved entry is counted at its new position.
            if let Some(row) = table.index_row(&table.indexes[position], item, row_key) {
                self.hot_writes.add_sample(&row.key, units as f64, now_ms);
            }
        }
    }

    /// Counts a commit.
    pub(crate) fn count_batch(&self, jobs: usize) {
        self.batch_jobs.record(jobs as u64);
    }

    /// Counts how long making something durable took.
    pub(crate) fn count_sync(&self, time: Duration) {
        self.sync_micros.record(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// Everything counted so far.
    pub(crate) fn statistics(&self, catalog: &Catalog) -> Statistics {
        let now_ms = self.clock.now_ms();
        let hottest = |hot: &HotPartitions| {
            let name = |(row_key, units): (Vec<u8>, f64)| {
                partition_name(&self.key_mask, catalog, &row_key, units)
            };
            hot.hottest(now_ms).into_iter().filter_map(name).collect()
        };
        Statistics {
            tables: catalog.tables().map(|table| of_table(table)).collect(),
            batch_jobs: self.batch_jobs.histogram(),
            sync_micros: self.sync_micros.histogram(),
            hottest_read: hottest(&self.hot_reads),
            hottest_written: hottest(&self.hot_writes),
        }
    }
}

fn of_table(table: &Table) -> TableStatistics {
    let counts = table.counts.snapshot();
    let of_area = |area| counts.areas.get(&area).copied().unwrap_or_default();
    let of_index = |index: &Index| {
        let counts = of_area(index.area);
        IndexStatistics {
            index_name: index.name.clone(),
            items: counts.items,
            bytes: counts.bytes,
            used: index.usage.capacity(),
            provisioned: index.throughput,
        }
    };
    let counts = of_area(BASE_AREA);
    TableStatistics {
        table_name: table.name.clone(),
        items: counts.items,
        bytes: counts.bytes,
        used: table.usage.items.capacity(),
        provisioned: table.throughput,
        condition_failures: table.usage.condition_failures(),
        indexes: table.indexes.iter().map(of_index).collect(),
    }
}
