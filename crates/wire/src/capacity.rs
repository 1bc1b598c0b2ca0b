//! `ConsumedCapacity` and `ItemCollectionMetrics` of a response.

use std::collections::BTreeMap;

use monotable_engine::{Capacity, ConsumedCapacity, ItemCollectionMetrics};

use crate::json::Writer;
use crate::value::write_item;

/// Which units a response splits its totals into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// Only the total.
    Total,
    /// The total and its read units, as a TransactGetItems says them.
    Read,
    /// The total and its write units, as a TransactWriteItems says them.
    Write,
}

/// The member `ConsumedCapacity` of a request to one table.
pub(crate) fn write_consumed_capacity(json: &mut Writer<'_>, used: Option<&ConsumedCapacity>) {
    if let Some(used) = used {
        json.name("ConsumedCapacity");
        write_used(json, used, Split::Total);
    }
}

/// The member `ConsumedCapacity` of a request to several tables.
pub(crate) fn write_consumed_capacities(
    json: &mut Writer<'_>,
    used: &[ConsumedCapacity],
    split: Split,
) {
    if used.is_empty() {
        return;
    }
    json.name("ConsumedCapacity");
    json.begin_array();
    used.iter().for_each(|used| write_used(json, used, split));
    json.end_array();
}

fn write_used(json: &mut Writer<'_>, used: &ConsumedCapacity, split: Split) {
    json.begin_object();
    json.name("TableName");
    json.string(&used.table_name);
    let total = Capacity { read_units: used.read_units, write_units: used.write_units };
    write_units(json, total, split);
    if let Some(table) = used.table {
        json.name("Table");
        json.begin_object();
        write_units(json, table, split);
        json.end_object();
    }
    write_shares(json, "GlobalSecondaryIndexes", &used.global_indexes, split);
    write_shares(json, "LocalSecondaryIndexes", &used.local_indexes, split);
    json.end_object();
}

fn write_shares(
    json: &mut Writer<'_>,
    name: &str,
    shares: &BTreeMap<String, Capacity>,
    split: Split,
) {
    if shares.is_empty() {
        return;
    }
    json.name(name);
    json.begin_object();
    for (index, share) in shares {
        json.name(index);
        json.begin_object();
        write_units(json, *share, split);
        json.end_object();
    }
    json.end_object();
}

fn write_units(json: &mut Writer<'_>, units: Capacity, split: Split) {
    json.name("CapacityUnits");
    json.decimal(units.read_units + units.write_units);
    match split {
        Split::Total => {}
        Split::Read => {
            json.name("ReadCapacityUnits");
            json.decimal(units.read_units);
        }
        Split::Write => {
            json.name("WriteCapacityUnits");
            json.decimal(units.write_units);
        }
    }
}

/// The member `ItemCollectionMetrics` of a write to one table.
pub(crate) fn write_collection_metrics(
    json: &mut Writer<'_>,
    metrics: Option<&ItemCollectionMetrics>,
) {
    if let Some(metrics) = metrics {
        json.name("ItemCollectionMetrics");
        write_metrics(json, metrics);
    }
}

/// The member `ItemCollectionMetrics` of a write to several tables.
pub(crate) fn write_collection_metrics_by_table(
    json: &mut Writer<'_>,
    by_table: &BTreeMap<String, Vec<ItemCollectionMetrics>>,
) {
    if by_table.is_empty() {
        return;
    }
    json.name("ItemCollectionMetrics");
    json.begin_object();
    for (table, metrics) in by_table {
        json.name(table);
        json.begin_array();
        metrics.iter().for_each(|metrics| write_metrics(json, metrics));
        json.end_array();
    }
    json.end_object();
}

fn write_metrics(json: &mut Writer<'_>, metrics: &ItemCollectionMetrics) {
    json.begin_object();
    json.name("ItemCollectionKey");
    write_item(json, &metrics.item_collection_key);
    json.name("SizeEstimateRangeGB");
    json.begin_array();
    for bound in metrics.size_estimate_range_gb {
        json.decimal(bound);
    }
    json.end_array();
    json.end_object();
}
