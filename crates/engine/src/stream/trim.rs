//! Retention: change records are removed 24 hours after they were written, streams 24 hours after
//! they were disabled.

use std::sync::Arc;

use monotable_types::limits::STREAM_RETENTION_SECONDS;

use super::{decode_record, row_range, sequence_of_row};
use crate::commit::Stage;
use crate::error::Result;
use crate::store::Order;
use crate::table::{Stream, Table};

/// How many records one batch removes.
const TRIM_RECORDS_MAX: usize = 500;
const RETENTION_MS: u64 = STREAM_RETENTION_SECONDS * 1000;

/// Removes a batch of records that are older than 24 hours, and streams that were disabled as long
/// ago and have none left. Returns how many records it removed; 0 means that there are no more.
pub(crate) fn trim(stage: &mut Stage<'_>) -> Result<u64> {
    let catalog = Arc::clone(stage.catalog());
    let mut left = TRIM_RECORDS_MAX;
    for table in catalog.tables() {
        let mut kept = Vec::with_capacity(table.streams.len());
        for stream in &table.streams {
            let old = old_rows(stage, table, stream, left)?;
            left -= old.rows.len();
            for key in old.rows {
                stage.remove(key);
            }
            // Nothing writes to a disabled stream, so once it is empty it stays empty.
            let ended = stream.disabled_ms.is_some_and(|at| is_old(at, stage.now_ms));
            if !(ended && old.were_all) {
                kept.push(Stream { first_sequence: old.first_kept, ..stream.clone() });
            }
        }
        if kept != table.streams {
            stage.save_table(Table { streams: kept, ..Table::clone(table) });
        }
        if left == 0 {
            break;
        }
    }
    Ok((TRIM_RECORDS_MAX - left) as u64)
}

/// The rows at the front of a stream that are old enough to remove.
struct OldRows {
    rows: Vec<bytes::Bytes>,
    /// The oldest sequence number that stays.
    first_kept: u64,
    /// Whether no row stays.
    were_all: bool,
}

fn old_rows(stage: &Stage<'_>, table: &Table, stream: &Stream, rows_max: usize) -> Result<OldRows> {
    let mut old = OldRows { rows: Vec::new(), first_kept: stream.first_sequence, were_all: true };
    let range = row_range(table.id, stream.area, stream.first_sequence);
    for row in stage.committed().range(&range, Order::Ascending) {
        let (key, value) = row?;
        let young = !is_old(decode_record(&value)?.creation_ms, stage.now_ms);
        if young || old.rows.len() == rows_max {
            old.were_all = false;
            break;
        }
        old.first_kept = sequence_of_row(&key)?.saturating_add(1);
        old.rows.push(key.to_bytes());
    }
    Ok(old)
}

fn is_old(moment_ms: u64, now_ms: u64) -> bool {
    now_ms.saturating_sub(moment_ms) > RETENTION_MS
}
