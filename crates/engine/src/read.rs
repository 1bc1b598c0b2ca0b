//! Reading items: one item by key, and pages of a table or index, each page from one snapshot.

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

use crate::commit::{Newest, Shared, View};
use crate::error::{Error, Result};
use crate::layout::row_key::TableId;
use crate::stored::{ReadItem, StoredItem};

/// Returns the current item of a row.
///
/// Live rows may be newer than the catalog in which the table was found. That is visible only if
/// the table and its rows were deleted, and then there is no item.
pub(crate) fn read_newest_item(
    shared: &Shared,
    newest: &Newest,
    table: TableId,
    row_key: &[u8],
) -> Result<Option<StoredItem>> {
    match newest.rows.get(row_key)? {
        Some(bytes) => Ok(Some(StoredItem::new(bytes)?)),
        None if shared.newest().catalog.by_id(table).is_some() => Ok(None),
        None => Err(Error::table_not_found()),
    }
}

/// Returns the item in a row at one moment.
pub(crate) fn read_item(view: &View, row_key: &[u8]) -> Result<Option<StoredItem>> {
    Ok(view.snapshot.get(row_key)?.map(StoredItem::new).transpose()?)
}

/// Returns the item, or the attributes that a projection selects.
pub(crate) fn project(item: StoredItem, projection: Option<&Projection>) -> ReadItem {
    match projection {
        Some(projection) => ReadItem::made(projection.apply(&item)),
        None => ReadItem::stored(item),
    }
}
