//! The expiry sweep: removes expired items in bounded batches.

use std::ops::Bound;
use std::sync::Arc;

use monotable_types::limits;

use crate::commit::Stage;
use crate::error::Result;
use crate::layout::row_key::{AREA_PREFIX_BYTES, BASE_AREA, RowRange, TableId, area_prefix};
use crate::op::streams::StreamOrigin;
use crate::store::Order;
use crate::stored::StoredItem;
use crate::table::{Table, Ttl};
use crate::write::{Change, ChangeRequest};

/// How many items one batch removes.
const SWEEP_ITEMS_MAX: usize = 100;

/// The result of one batch of a sweep.
pub(crate) struct Swept {
    pub(crate) items: u64,
    /// Whether there may be more.
    pub(crate) more: bool,
}

/// Removes up to a batch of expired items of one table.
pub(crate) fn sweep_table(stage: &mut Stage<'_>, table: TableId) -> Result<Swept> {
    let nothing = Swept { items: 0, more: false };
    let Some(table) = stage.catalog().by_id(table).cloned() else {
        return Ok(nothing);
    };
    let Some(ttl) = &table.ttl else {
        return Ok(nothing);
    };
    let range = expired_range(&table, ttl, stage.now_ms / 1000);
    let mut due = Vec::new();
    for row in stage.committed().range(&range, Order::Ascending).take(SWEEP_ITEMS_MAX) {
        due.push(row?.0.to_bytes());
    }
    let mut items = 0;
    for expiry_key in &due {
        items += u64::from(sweep_item(stage, &table, ttl, expiry_key)?);
    }
    // A batch that removed nothing would find the same rows again.
    Ok(Swept { items, more: due.len() == SWEEP_ITEMS_MAX && items > 0 })
}

/// Returns the expiry rows that are due: in the past, but not more than five years, as on AWS.
fn expired_range(table: &Table, ttl: &Ttl, now_seconds: u64) -> RowRange {
    let at = |seconds: u64| {
        let mut key = area_prefix(table.id, ttl.area).to_vec();
        key.extend_from_slice(&seconds.to_be_bytes());
        key
    };
    RowRange {
        lower: Bound::Included(at(now_seconds.saturating_sub(limits::TTL_PAST_SECONDS_MAX))),
        upper: Bound::Excluded(at(now_seconds)),
    }
}

/// Removes one item, unless a write of the same batch has given it another expiry.
fn sweep_item(
    stage: &mut Stage<'_>,
    table: &Arc<Table>,
    ttl: &Ttl,
    expiry_key: &[u8],
) -> Result<bool> {
    let mut row_key = area_prefix(table.id, BASE_AREA).to_vec();
    row_key.extend_from_slice(&expiry_key[AREA_PREFIX_BYTES + 8..]);
    let stored = stage.get(&row_key)?.map(StoredItem::new).transpose()?;
    let current = stored.as_ref().and_then(|stored| table.ttl_row(ttl, stored, &row_key));
    if current.as_deref() != Some(expiry_key) {
        return Ok(false);
    }
    let request = ChangeRequest {
        row_key: row_key.into(),
        before: stored.as_ref(),
        after: None,
        origin: StreamOrigin::TimeToLive,
        keys_may_change: true,
    };
    let (change, _) = Change::plan(stage, table, request)?;
    change.stage(table, stage);
    Ok(true)
}
