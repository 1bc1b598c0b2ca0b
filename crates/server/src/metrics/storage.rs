//! The figures of the database.

use monotable_engine::{Capacity, HotPartition, Statistics};

use super::text::{Page, Unit};

/// How many of the hottest partitions are shown.
const HOTTEST_SHOWN_MAX: usize = 10;

pub(super) fn write(page: &mut Page, statistics: &Statistics) {
    write_sizes(page, statistics);
    write_units(page, statistics);
    let name = "monotable_condition_failures_total";
    page.describe(name, "counter", "Conditions that were false, by table.");
    for table in &statistics.tables {
        page.sample(name, &[("table", &table.table_name)], table.condition_failures);
    }
    let name = "monotable_commit_batch_jobs";
    page.describe(name, "histogram", "How many writes shared a commit.");
    page.histogram(name, &[], &statistics.batch_jobs, Unit::Count);
    let name = "monotable_commit_sync_seconds";
    page.describe(name, "histogram", "How long making a commit durable took.");
    page.histogram(name, &[], &statistics.sync_micros, Unit::Micros);
    let name = "monotable_hot_partition_units";
    page.describe(
        name,
        "gauge",
        "Units used of late by the hottest partitions; halved every minute.",
    );
    write_hottest(page, name, "read", &statistics.hottest_read);
    write_hottest(page, name, "write", &statistics.hottest_written);
}

fn write_sizes(page: &mut Page, statistics: &Statistics) {
    let name = "monotable_items";
    page.describe(name, "gauge", "Items of a table, entries of an index.");
    for table in &statistics.tables {
        page.sample(name, &[("table", &table.table_name), ("index", "")], table.items);
        for index in &table.indexes {
            let labels = [("table", &*table.table_name), ("index", &index.index_name)];
            page.sample(name, &labels, index.items);
        }
    }
    let name = "monotable_item_bytes";
    page.describe(name, "gauge", "Their size by AWS's rule.");
    for table in &statistics.tables {
        page.sample(name, &[("table", &table.table_name), ("index", "")], table.bytes);
        for index in &table.indexes {
            let labels = [("table", &*table.table_name), ("index", &index.index_name)];
            page.sample(name, &labels, index.bytes);
        }
    }
}

fn write_units(page: &mut Page, statistics: &Statistics) {
    let name = "monotable_consumed_units_total";
    page.describe(name, "counter", "Capacity units used, as DynamoDB would charge them.");
    let mut write = |table: &str, index: &str, used: Capacity| {
        for (kind, units) in [("read", used.read_units), ("write", used.write_units)] {
            page.sample(name, &[("table", table), ("index", index), ("kind", kind)], units);
        }
    };
    for table in &statistics.tables {
        write(&table.table_name, "", table.used);
        for index in &table.indexes {
            write(&table.table_name, &index.index_name, index.used);
        }
    }
}

fn write_hottest(page: &mut Page, name: &str, kind: &str, hottest: &[HotPartition]) {
    for partition in hottest.iter().take(HOTTEST_SHOWN_MAX) {
        let labels = [
            ("kind", kind),
            ("table", &partition.table_name),
            ("index", partition.index_name.as_deref().unwrap_or_default()),
            ("partition", &partition.partition_key),
        ];
        page.sample(name, &labels, partition.units);
    }
}
