//! One page of a table or index: rows in order, up to a limit, a megabyte, or the end.

use bytes::Bytes;
use monotable_expression::{Attributes, Condition};
use monotable_types::{Item, Projection as IndexProjection, item_size_bytes, limits};

use super::capacity::ReadCost;
use super::output::Output;
use crate::commit::View;
use crate::error::{Error, Result};
use crate::layout::row_key::{PartitionId, RowRange, partition_of_row};
use crate::op::query::QueryOutput;
use crate::op::request::{Consistency, ReturnConsumedCapacity};
use crate::read::consumed_by_read;
use crate::store::Order;
use crate::stored::{ReadItem, StoredItem};
use crate::table::{Index, Table};

/// The initial capacity of a page, in items.
const EXPECTED_ITEMS: u32 = 64;

/// The rows of a table or index.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) view: &'a View,
    pub(crate) table: &'a Table,
    pub(crate) index: Option<&'a Index>,
}

/// What to read, and what to return of it.
pub(crate) struct PageRequest<'a> {
    pub(crate) range: RowRange,
    pub(crate) order: Order,
    pub(crate) limit: Option<u32>,
    pub(crate) filter: Option<Condition>,
    pub(crate) output: Output,
    pub(crate) consistency: Consistency,
    pub(crate) return_consumed_capacity: ReturnConsumedCapacity,
    /// Collects the bytes that are read of each row, by partition.
    pub(crate) partition_bytes: Option<&'a mut Vec<(PartitionId, usize)>>,
}

/// One row of the table or the index.
struct Row {
    stored: StoredItem,
    /// The projected attributes, if the index does not project everything.
    entry: Option<Item>,
    /// The bytes that count towards the page's size.
    bytes: usize,
}

/// Reads one page. The cost is returned too, for the caller's own accounting.
pub(crate) fn read_page(
    source: Source<'_>,
    mut request: PageRequest<'_>,
) -> Result<(QueryOutput, ReadCost)> {
    let limit = request.limit.unwrap_or(u32::MAX);
    let fetches =
        source.index.is_some_and(|index| request.output.fetches_from_table(source.table, index));
    let mut output = QueryOutput {
        items: Vec::with_capacity(limit.min(EXPECTED_ITEMS) as usize),
        ..QueryOutput::default()
    };
    let mut page_bytes = 0;
    let mut fetched_bytes = 0;
    let mut fetched_units = 0.0;
    for row in source.view.snapshot.range(&request.range, request.order) {
        let (key, value) = row?;
        let row = source.row(&key, value)?;
        output.scanned_count += 1;
        page_bytes += row.bytes;
        if let Some(partition_bytes) = &mut request.partition_bytes {
            partition_bytes.push((partition_of_row(&key), row.bytes));
        }
        if fetches {
            fetched_bytes += row.stored.size_bytes();
            fetched_units += ReadCost::units(row.stored.size_bytes(), request.consistency);
        }
        // Fetched attributes are read and returned as well, so they count towards the page like the
        // entries.
        let full =
            output.scanned_count >= limit || page_bytes + fetched_bytes >= limits::PAGE_BYTES_MAX;
        if full {
            output.last_evaluated_key = Some(source.page_key(&row.stored)?);
        }
        if request.filter.as_ref().is_none_or(|filter| row.passes(filter)) {
            output.count += 1;
            let entry = row.entry.map(ReadItem::made);
            output.items.extend(request.output.make(row.stored, entry));
        }
        if full {
            break;
        }
    }
    let units = ReadCost::units(page_bytes, request.consistency);
    let cost = match source.index {
        Some(_) => ReadCost { table_units: fetched_units, index_units: units },
        None => ReadCost { table_units: units, index_units: 0.0 },
    };
    output.consumed_capacity =
        consumed_by_read(source.table, source.index, cost, request.return_consumed_capacity);
    Ok((output, cost))
}

impl Row {
    fn passes(&self, filter: &Condition) -> bool {
        match &self.entry {
            Some(entry) => filter.evaluate(entry),
            None => filter.evaluate(&self.stored),
        }
    }
}

impl Source<'_> {
    /// Returns the item of a row; an index row leads to the item's own row.
    fn row(&self, key: &[u8], value: Bytes) -> Result<Row> {
        let Some(index) = self.index else {
            let stored = StoredItem::new(value)?;
            return Ok(Row { bytes: stored.size_bytes(), stored, entry: None });
        };
        let row_key = self.table.row_key_of_index_row(key, &value)?;
        let stored = super::read_item(self.view, &row_key)?.ok_or_else(|| {
            Error::Corrupted(format!("index {} names an item that is not there", index.name))
        })?;
        if index.projection == IndexProjection::All {
            return Ok(Row { bytes: stored.size_bytes(), stored, entry: None });
        }
        let entry = stored.encoded()?.decode_where(|name| self.table.is_projected(index, name))?;
        Ok(Row { bytes: item_size_bytes(&entry), stored, entry: Some(entry) })
    }

    /// Returns the key after which the next page starts.
    fn page_key(&self, stored: &StoredItem) -> Result<Item> {
        let mut key = Item::new();
        let index_keys = self.index.into_iter().flat_map(|index| index.keys.attributes());
        for attribute in self.table.keys.attributes().chain(index_keys) {
            if let Some(value) = Attributes::attribute(stored, &attribute.name) {
                key.insert(attribute.name.clone(), value.into_owned());
            }
        }
        Ok(key)
    }
}

#[cfg(test)]
mod tests;
