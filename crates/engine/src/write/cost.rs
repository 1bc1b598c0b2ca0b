//! The capacity units of writes, by AWS's rules.

use monotable_types::limits;

use crate::layout::Malformed;
use crate::layout::row_key::{PartitionId, partition_of_row};
use crate::op::capacity::{Capacity, ConsumedCapacity};
use crate::op::request::ReturnConsumedCapacity;
use crate::stored::StoredItem;
use crate::table::{IndexKind, Table};

/// The units of one write, and of each index that it changes (by position in the table's list).
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WriteCost {
    /// The larger of the sizes before and after.
    pub(crate) item_bytes: usize,
    pub(crate) index_units: Vec<(usize, u64)>,
    /// The item's partition, for the hot-partition fault mode.
    pub(crate) partition: PartitionId,
    /// The units of each partition of an index; counted in the hot-partition fault mode only.
    pub(crate) index_partitions: Vec<(PartitionId, u64)>,
}

/// Whether the table's own units count twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Isolation {
    Single,
    Transaction,
}

/// Returns the write units of an item of this size: one per started kilobyte, at least one.
pub(crate) fn write_units(bytes: usize) -> u64 {
    bytes.div_ceil(limits::WRITE_UNIT_BYTES).max(1) as u64
}

/// Returns the read units of this many bytes: one per started 4 KB, at least one.
pub(crate) fn read_units(bytes: usize) -> u64 {
    bytes.div_ceil(limits::READ_UNIT_BYTES).max(1) as u64
}

impl WriteCost {
    /// Creates the cost of a condition check and of a write whose condition fails, charged like a
    /// write of the item it read.
    pub(crate) fn check(row_key: &[u8], before: Option<&StoredItem>) -> Self {
        Self {
            item_bytes: before.map_or(0, StoredItem::size_bytes),
            partition: partition_of_row(row_key),
            ..Self::default()
        }
    }

    /// Adds the cost of index entries that keep their keys and show the whole item, of the same
    /// size as before.
    pub(crate) fn add_unmoved_entries(
        &mut self,
        table: &Table,
        item: &StoredItem,
    ) -> Result<(), Malformed> {
        let units = write_units(item.size_bytes());
        for (position, index) in table.indexes.iter().enumerate() {
            if index.keys.has_entry(&item.encoded()?)? {
                self.index_units.push((position, units));
            }
        }
        Ok(())
    }

    pub(crate) fn table_units(&self, isolation: Isolation) -> u64 {
        match isolation {
            Isolation::Single => write_units(self.item_bytes),
            Isolation::Transaction => 2 * write_units(self.item_bytes),
        }
    }

    /// Adds the units to what the request used of the table so far.
    pub(crate) fn add_to(&self, used: &mut ConsumedCapacity, table: &Table, isolation: Isolation) {
        let units = self.table_units(isolation) as f64;
        used.write_units += units;
        used.table.get_or_insert_default().write_units += units;
        for &(position, units) in &self.index_units {
            let units = units as f64;
            let index = &table.indexes[position];
            let shares = match index.kind {
                IndexKind::Global => &mut used.global_indexes,
                IndexKind::Local => &mut used.local_indexes,
            };
            shares.entry(index.name.clone()).or_insert_with(Capacity::default).write_units += units;
            used.write_units += units;
        }
    }

    /// Returns the capacity units of the response, in the requested detail.
    pub(crate) fn consumed(
        &self,
        table: &Table,
        asked: ReturnConsumedCapacity,
    ) -> Option<ConsumedCapacity> {
        let mut used = ConsumedCapacity::default();
        match asked {
            ReturnConsumedCapacity::None => return None,
            ReturnConsumedCapacity::Total => {
                let indexes: u64 = self.index_units.iter().map(|&(_, units)| units).sum();
                used.write_units = (self.table_units(Isolation::Single) + indexes) as f64;
            }
            ReturnConsumedCapacity::Indexes => self.add_to(&mut used, table, Isolation::Single),
        }
        Some(ConsumedCapacity { table_name: table.name.clone(), ..used })
    }
}
