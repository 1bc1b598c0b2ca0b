//! The metrics of the files of the database.

use monotable_engine::{Compaction, Database};
use monotable_metrics::{Kind, Page};

pub(super) fn write(page: &mut Page, database: &Database) {
    let help =
        "Whether writes are refused because the storage failed, until the server is restarted.";
    let is_stopped = database.accepts_writes().is_err();
    page.metric("monotable_writes_stopped", Kind::Gauge, help).value(&[], u8::from(is_stopped));
    if let Some(bytes) = database.disk_bytes() {
        let help = "Bytes that the database uses on disk.";
        page.metric("monotable_disk_used_bytes", Kind::Gauge, help).value(&[], bytes);
    }
    if let Some(Compaction { merges, unmerged_runs, unmerged_runs_max }) = database.compaction() {
        let help = "How often table files were merged.";
        page.metric("monotable_compactions_total", Kind::Counter, help).value(&[], merges);
        let help = "Runs of table files that wait to be merged.";
        page.metric("monotable_unmerged_runs", Kind::Gauge, help).value(&[], unmerged_runs);
        let help = "The number of unmerged runs at which writes wait.";
        page.metric("monotable_unmerged_runs_max", Kind::Gauge, help).value(&[], unmerged_runs_max);
    }
}
