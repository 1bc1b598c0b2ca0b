//! Reading items: one item by key, and pages of a table or index, always from one snapshot.

mod capacity;
mod key_range;
mod output;
mod page;
mod start_key;

pub(crate) use capacity::{ReadCost, consumed_by_read};
pub(crate) use key_range::key_range;
pub(crate) use output::Output;
pub(crate) use page::{PageRequest, Source, read_page};
pub(crate) use start_key::StartKey;

use monotable_expression::Projection;

use crate::commit::View;
use crate::error::Result;
use crate::stored::{ReadItem, StoredItem};

/// The item in a row.
pub(crate) fn read_item(view: &View, row_key: &[u8]) -> Result<Option<StoredItem>> {
    Ok(view.snapshot.get(row_key)?.map(StoredItem::new).transpose()?)
}

/// The item, or what a projection leaves of it.
pub(crate) fn project(item: StoredItem, projection: Option<&Projection>) -> ReadItem {
    match projection {
        Some(projection) => ReadItem::made(projection.apply(&item)),
        None => ReadItem::stored(item),
    }
}
