//! The size of an item collection, for tables with a local index.

use monotable_types::Item;

use crate::commit::Stage;
use crate::error::Result;
use crate::layout::row_key::{AREA_PREFIX_BYTES, HASH_BYTES, RowRange};
use crate::op::capacity::ItemCollectionMetrics;
use crate::store::Order;
use crate::stored::StoredItem;
use crate::table::{IndexKind, Table};

/// Returns the collection that the item in `row_key` belongs to; none without a local index.
///
/// AWS estimates in whole gigabytes. So does this function, from the items committed before this
/// write.
pub(crate) fn collection_metrics(
    stage: &Stage<'_>,
    table: &Table,
    row_key: &[u8],
) -> Result<Option<ItemCollectionMetrics>> {
    let local: Vec<_> = table.indexes_of(IndexKind::Local).collect();
    if local.is_empty() {
        return Ok(None);
    }
    let mut rest = &row_key[AREA_PREFIX_BYTES + HASH_BYTES..];
    table.keys.skip_partition(&mut rest)?;
    let partition = RowRange::prefix(&row_key[..row_key.len() - rest.len()]);
    let mut bytes = 0u64;
    for row in stage.committed().range(&partition, Order::Ascending) {
        let item = StoredItem::new(row?.1)?.decode()?;
        bytes += monotable_types::item_size_bytes(&item) as u64;
        for index in &local {
            if table.index_row(index, &item, row_key).is_some() {
                bytes += table.index_entry_bytes(index, &item) as u64;
            }
        }
    }
    let gigabytes = (bytes >> 30) as f64;
    let mut item_collection_key: Item = table.key_of_row(row_key)?;
    item_collection_key.retain(|name, _| table.keys.partition.iter().any(|key| key.name == *name));
    Ok(Some(ItemCollectionMetrics {
        item_collection_key,
        size_estimate_range_gb: [gigabytes, gigabytes + 1.0],
    }))
}
