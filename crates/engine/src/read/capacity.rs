//! The capacity units of reads, by AWS's rules.

use crate::op::capacity::{Capacity, ConsumedCapacity};
use crate::op::request::{Consistency, ReturnConsumedCapacity};
use crate::table::{Index, IndexKind, Table};
use crate::write::read_units;

/// The units of one read: of the table, and of the index that was read.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ReadCost {
    pub(crate) table_units: f64,
    pub(crate) index_units: f64,
}

impl ReadCost {
    /// Units of reading this many bytes at once.
    pub(crate) fn units(bytes: usize, consistency: Consistency) -> f64 {
        let units = read_units(bytes) as f64;
        match consistency {
            Consistency::Eventual => units / 2.0,
            Consistency::Strong => units,
        }
    }

    /// Adds the units to what the request used of the table so far.
    pub(crate) fn add_to(self, used: &mut ConsumedCapacity, index: Option<&Index>) {
        used.read_units += self.table_units + self.index_units;
        used.table.get_or_insert_default().read_units += self.table_units;
        if let Some(index) = index {
            let shares = match index.kind {
                IndexKind::Global => &mut used.global_indexes,
                IndexKind::Local => &mut used.local_indexes,
            };
            shares.entry(index.name.clone()).or_insert_with(Capacity::default).read_units +=
                self.index_units;
        }
    }
}

/// Returns the capacity units of the response, in the requested detail.
pub(crate) fn consumed_by_read(
    table: &Table,
    index: Option<&Index>,
    cost: ReadCost,
    asked: ReturnConsumedCapacity,
) -> Option<ConsumedCapacity> {
    let mut used = ConsumedCapacity::default();
    match asked {
        ReturnConsumedCapacity::None => return None,
        ReturnConsumedCapacity::Total => used.read_units = cost.table_units + cost.index_units,
        ReturnConsumedCapacity::Indexes => cost.add_to(&mut used, index),
    }
    Some(ConsumedCapacity { table_name: table.name.clone(), ..used })
}
