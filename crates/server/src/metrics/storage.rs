//! The metrics of the database.

use monotable_engine::{Capacity, HotPartition, ProvisionedThroughput, ScrubReport, Statistics};
use monotable_metrics::{Kind, Page, Samples, Unit};

use super::in_unit;

/// How many of the hottest partitions are shown.
const HOTTEST_SHOWN_MAX: usize = 10;

pub(super) fn write(page: &mut Page, statistics: &Statistics) {
    write_sizes(page, statistics);
    write_units(page, statistics);
    write_provisioned(page, statistics);
    let help = "Conditions that were false, by table.";
    let mut samples = page.metric("monotable_condition_failures_total", Kind::Counter, help);
    for table in &statistics.tables {
        samples.value(&[("table", &table.table_name)], table.condition_failures);
    }
    let help = "How many writes shared a commit.";
    page.metric("monotable_commit_batch_jobs", Kind::Histogram, help)
        .histogram(&[], in_unit(&statistics.batch_jobs, Unit::Count));
    let help = "How long making a commit durable took.";
    page.metric("monotable_commit_sync_seconds", Kind::Histogram, help)
        .histogram(&[], in_unit(&statistics.sync_micros, Unit::Micros));
    let help = "Units used recently by the hottest partitions; halved every minute.";
    let mut samples = page.metric("monotable_hot_partition_units", Kind::Gauge, help);
    write_hottest(&mut samples, "read", &statistics.hottest_read);
    write_hottest(&mut samples, "write", &statistics.hottest_written);
}

pub(super) fn write_scrubbed(page: &mut Page, scrubbed: &ScrubReport) {
    let help = "How often every table file was compared with its checksum.";
    page.metric("monotable_scrub_passes_total", Kind::Counter, help).value(&[], scrubbed.passes);
    let help = "Bytes of table files that were read for that.";
    page.metric("monotable_scrub_bytes_total", Kind::Counter, help).value(&[], scrubbed.bytes);
    let help = "Damaged table files.";
    let damaged = scrubbed.damage.len() as u64;
    page.metric("monotable_damaged_files", Kind::Gauge, help).value(&[], damaged);
}

fn write_sizes(page: &mut Page, statistics: &Statistics) {
    for table in &statistics.tables {
        let mut write = |index: &str, items: u64, bytes: u64| {
            let labels = [("table", &*table.table_name), ("index", index)];
            let help = "Items of a table, entries of an index.";
            page.metric("monotable_items", Kind::Gauge, help).value(&labels, items);
            let help = "Their size by AWS's rule.";
            page.metric("monotable_item_bytes", Kind::Gauge, help).value(&labels, bytes);
        };
        write("", table.items, table.bytes);
        for index in &table.indexes {
            write(&index.index_name, index.items, index.bytes);
        }
    }
}

fn write_units(page: &mut Page, statistics: &Statistics) {
    let help = "Capacity units used, as DynamoDB would charge them.";
    let mut samples = page.metric("monotable_consumed_units_total", Kind::Counter, help);
    let mut write = |table: &str, index: &str, used: Capacity| {
        for (kind, units) in [("read", used.read_units), ("write", used.write_units)] {
            samples.value(&[("table", table), ("index", index), ("kind", kind)], units);
        }
    };
    for table in &statistics.tables {
        write(&table.table_name, "", table.used);
        for index in &table.indexes {
            write(&table.table_name, &index.index_name, index.used);
        }
    }
}

/// Writes the units that tables and indexes are provisioned with.
fn write_provisioned(page: &mut Page, statistics: &Statistics) {
    let help = "Capacity units per second that tables and indexes are provisioned with.";
    let mut samples = page.metric("monotable_provisioned_units", Kind::Gauge, help);
    let mut write = |table: &str, index: &str, units: ProvisionedThroughput| {
        let ProvisionedThroughput { read_capacity_units, write_capacity_units } = units;
        for (kind, units) in [("read", read_capacity_units), ("write", write_capacity_units)] {
            if units > 0 {
                samples.value(&[("table", table), ("index", index), ("kind", kind)], units);
            }
        }
    };
    for table in &statistics.tables {
        write(&table.table_name, "", table.provisioned);
        for index in &table.indexes {
            write(&table.table_name, &index.index_name, index.provisioned);
        }
    }
}

fn write_hottest(samples: &mut Samples<'_>, kind: &str, hottest: &[HotPartition]) {
    for partition in hottest.iter().take(HOTTEST_SHOWN_MAX) {
        let labels = [
            ("kind", kind),
            ("table", &partition.table_name),
            ("index", partition.index_name.as_deref().unwrap_or_default()),
            ("partition", &partition.partition_key),
        ];
        samples.value(&labels, partition.units);
    }
}
