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

/// The item in a row, as it is now.
///
/// Live rows may be younger than the catalog in which the table was found. That shows only where the
/// table is gone and its rows with it, and then the answer is that.
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

/// The item in a row at one moment.
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
