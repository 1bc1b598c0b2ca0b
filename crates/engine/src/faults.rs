//! Fault modes: failures of DynamoDB in production that emulators don't have. Off by default.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crate::error::{Error, Result};
use crate::layout::row_key::{
    BASE_AREA, PartitionId, area_of_row, partition_of_row, table_partition,
};
use crate::op::capacity::Capacity;
use crate::options::Options;
use crate::table::{Index, IndexKind};
use crate::write::{Isolation, WriteCost};

/// The fault modes to enable.
///
/// ```
/// use std::time::Duration;
/// use monotable_engine::{Database, Faults, Options};
///
/// let faults = Faults { index_lag: Some(Duration::from_millis(200)), ..Faults::default() };
/// let db = Database::memory_with(Options { faults, ..Options::default() });
/// # drop(db);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// Reads of global indexes see the state this long ago, by the database's clock. A new index is
    /// empty for that long; what existed when the database was opened appears at once.
    pub index_lag: Option<Duration>,
    /// The share of batch entries that are returned as unprocessed, 0 to 1.
    pub unprocessed_share: f64,
    /// A partition of a table or of a global index that uses more units in one second is throttled;
    /// a hot partition of an index throttles the writes to its table.
    pub hot_partition: Option<PartitionLimits>,
    /// The share of transactions and single writes that fail with a conflict, 0 to 1.
    pub conflict_share: f64,
    /// Expired items are never swept.
    pub never_sweep: bool,
}

/// The units that one partition key may use per second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionLimits {
    /// Read units; AWS allows 3,000.
    pub read_units: f64,
    /// Write units; AWS allows 1,000.
    pub write_units: f64,
}

impl Default for PartitionLimits {
    fn default() -> Self {
        Self { read_units: 3000.0, write_units: 1000.0 }
    }
}

/// The active fault modes: a seeded generator, and the units that partitions used this second.
pub(crate) struct FaultState {
    faults: Faults,
    /// One sequence of draws for the whole database, so that one seed gives one history.
    draws: AtomicU64,
    usage: Mutex<Usage>,
}

#[derive(Default)]
struct Usage {
    second: u64,
    partitions: HashMap<PartitionId, Capacity>,
}

impl FaultState {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            faults: options.faults.clone(),
            draws: AtomicU64::new(options.seed),
            usage: Mutex::default(),
        }
    }

    pub(crate) fn never_sweep(&self) -> bool {
        self.faults.never_sweep
    }

    /// Returns whether this batch entry is returned as unprocessed.
    pub(crate) fn leaves_unprocessed(&self) -> bool {
        self.happens(self.faults.unprocessed_share)
    }

    /// Returns whether this request conflicts with a transaction.
    pub(crate) fn conflicts(&self) -> bool {
        self.happens(self.faults.conflict_share)
    }

    fn happens(&self, share: f64) -> bool {
        if share <= 0.0 {
            return false;
        }
        let state = self.draws.fetch_add(SPLITMIX_STEP, Ordering::Relaxed);
        // The upper 53 bits make an even number in 0..1.
        ((mix(state) >> 11) as f64) < share * (1u64 << 53) as f64
    }

    /// Returns whether partitions are throttled.
    pub(crate) fn limits_partitions(&self) -> bool {
        self.faults.hot_partition.is_some()
    }

    /// Counts the units of a write, for the item's partition and those of its index entries, and
    /// refuses it if one of them is hot: an index that can't keep up throttles the table.
    pub(crate) fn charge_write(
        &self,
        cost: &WriteCost,
        isolation: Isolation,
        now_ms: u64,
    ) -> Result<()> {
        let charges = [(cost.partition, cost.table_units(isolation))];
        let charges = charges.iter().chain(&cost.index_partitions);
        let write = |&(partition, units): &(PartitionId, u64)| {
            (partition, Capacity { read_units: 0.0, write_units: units as f64 })
        };
        self.charge(now_ms, charges.map(write))
    }

    /// Counts the units of a read of one item, and refuses it if its partition is hot.
    pub(crate) fn charge_read(
        &self,
        row_key: &[u8],
        read_units: f64,
        now_ms: impl FnOnce() -> u64,
    ) -> Result<()> {
        self.charge_page(None, [(partition_of_row(row_key), read_units)], now_ms)
    }

    /// Counts the units of a page of a table or index, by partition, and refuses it if one of them
    /// is hot. Entries of a local index are in the partition of their items. The clock is read only
    /// if the fault mode is on.
    pub(crate) fn charge_page(
        &self,
        index: Option<&Index>,
        units: impl IntoIterator<Item = (PartitionId, f64)>,
        now_ms: impl FnOnce() -> u64,
    ) -> Result<()> {
        if !self.limits_partitions() {
            return Ok(());
        }
        let is_local = index.is_some_and(|index| index.kind == IndexKind::Local);
        let read = |(partition, read_units)| {
            let partition = if is_local { table_partition(partition) } else { partition };
            (partition, Capacity { read_units, write_units: 0.0 })
        };
        self.charge(now_ms(), units.into_iter().map(read))
    }

    /// Counts the units of partitions, or nothing if one of them is hot.
    fn charge(
        &self,
        now_ms: u64,
        charges: impl IntoIterator<Item = (PartitionId, Capacity)>,
    ) -> Result<()> {
        let Some(limits) = self.faults.hot_partition else {
            return Ok(());
        };
        let mut usage = self.usage.lock().unwrap_or_else(PoisonError::into_inner);
        if usage.second != now_ms / 1000 {
            usage.second = now_ms / 1000;
            usage.partitions.clear();
        }
        let mut sums: HashMap<PartitionId, Capacity> = HashMap::new();
        for (partition, used) in charges {
            let before = || usage.partitions.get(&partition).copied().unwrap_or_default();
            let sum = sums.entry(partition).or_insert_with(before);
            sum.read_units += used.read_units;
            sum.write_units += used.write_units;
            if sum.read_units > limits.read_units || sum.write_units > limits.write_units {
                return Err(match area_of_row(&partition) {
                    Some((_, BASE_AREA)) | None => Error::ProvisionedThroughputExceeded,
                    Some(_) => Error::IndexThroughputExceeded,
                });
            }
        }
        usage.partitions.extend(sums);
        Ok(())
    }
}

const SPLITMIX_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the output function of SplitMix64.
pub(crate) fn mix(state: u64) -> u64 {
    let mut word = state.wrapping_add(SPLITMIX_STEP);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}
