//! The members `ConsumedCapacity` and `ItemCollectionMetrics` of responses.

use std::collections::BTreeMap;

use monotable_engine::{Capacity, ConsumedCapacity, ItemCollectionMetrics};

use crate::json::Writer;
use crate::value::write_item;

/// The units into which a response splits its totals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// Only the total.
    Total,
    /// The total and its read units, as in TransactGetItems.
    Read,
    /// The total and its write units, as in TransactWriteItems.
    Write,
}

/// Writes the member `ConsumedCapacity` of a request to one table.
pub(crate) fn write_consumed_capacity(json: &mut Writer<'_>, used: Option<&ConsumedCapacity>) {
    let Some(used) = used else { return };
    note(json, std::slice::from_ref(used));
    if !json.hides_capacity {
        json.name("ConsumedCapacity");
        write_used(json, used, Split::Total);
    }
}

/// Writes the member `ConsumedCapacity` of a request to several tables.
pub(crate) fn write_consumed_capacities(
    json: &mut Writer<'_>,
    used: &[ConsumedCapacity],
    split: Split,
) {
    if used.is_empty() {
        return;
    }
    note(json, used);
    if json.hides_capacity {
        return;
    }
    json.name("ConsumedCapacity");
    json.begin_array();
    used.iter().for_each(|used| write_used(json, used, split));
    json.end_array();
}

/// Notes the units of a response.
fn note(json: &mut Writer<'_>, used: &[ConsumedCapacity]) {
    let total = json.used.get_or_insert_default();
    for used in used {
        total.read_units += used.read_units;
        total.write_units += used.write_units;
    }
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

/// Writes the member `ItemCollectionMetrics` of a write to one table.
pub(crate) fn write_collection_metrics(
    json: &mut Writer<'_>,
    metrics: Option<&ItemCollectionMetrics>,
) {
    if let Some(metrics) = metrics {
        json.name("ItemCollectionMetrics");
        write_metrics(json, metrics);
    }
}

/// Writes the member `ItemCollectionMetrics` of a write to several tables.
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
