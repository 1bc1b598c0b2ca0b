//! The capacity and collection metrics in responses.

use std::collections::BTreeMap;

use monotable_types::Item;

use super::request::ReturnConsumedCapacity;
use crate::table::Table;

/// Capacity units used by one request on one table, split as AWS splits them.
///
/// Units come in halves (an eventually consistent read of 4 KB is 0.5).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConsumedCapacity {
    /// The table.
    pub table_name: String,
    /// Read units of table and indexes together.
    pub read_units: f64,
    /// Write units of table and indexes together.
    pub write_units: f64,
    /// The table's own share; only with `ReturnConsumedCapacity::Indexes`.
    pub table: Option<Capacity>,
    /// Each global index's share; only with `ReturnConsumedCapacity::Indexes`.
    pub global_indexes: BTreeMap<String, Capacity>,
    /// Each local index's share; only with `ReturnConsumedCapacity::Indexes`.
    pub local_indexes: BTreeMap<String, Capacity>,
}

impl ConsumedCapacity {
    /// Read and write units together, the response's `CapacityUnits`.
    pub fn capacity_units(&self) -> f64 {
        self.read_units + self.write_units
    }

    /// Removes the shares unless they were requested.
    pub(crate) fn limited_to(self, asked: ReturnConsumedCapacity) -> Self {
        match asked {
            ReturnConsumedCapacity::Indexes => self,
            ReturnConsumedCapacity::Total | ReturnConsumedCapacity::None => Self {
                table: None,
                global_indexes: BTreeMap::new(),
                local_indexes: BTreeMap::new(),
                ..self
            },
        }
    }
}

/// The units that a request over several tables used, by table.
#[derive(Default)]
pub(crate) struct UsedByTable(BTreeMap<String, ConsumedCapacity>);

impl UsedByTable {
    /// Returns the units that the request used of this table so far.
    pub(crate) fn of(&mut self, table: &Table) -> &mut ConsumedCapacity {
        self.0.entry(table.name.clone()).or_insert_with(|| ConsumedCapacity {
            table_name: table.name.clone(),
            ..ConsumedCapacity::default()
        })
    }

    /// Returns one entry per table, in the requested detail.
    pub(crate) fn limited_to(self, asked: ReturnConsumedCapacity) -> Vec<ConsumedCapacity> {
        match asked {
            ReturnConsumedCapacity::None => Vec::new(),
            asked => self.0.into_values().map(|used| used.limited_to(asked)).collect(),
        }
    }
}

/// Read and write units of one table or index.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Capacity {
    /// Read units.
    pub read_units: f64,
    /// Write units.
    pub write_units: f64,
}

/// The size of an item collection, for tables with a local secondary index.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemCollectionMetrics {
    /// The partition key of the collection.
    pub item_collection_key: Item,
    /// Lower and upper estimate of the collection's size in GB.
    pub size_estimate_range_gb: [f64; 2],
}
