//! The function that converts (before, after) to base row, index rows, expiry row and stream
//! record.

use std::borrow::Cow;

use bytes::Bytes;
use monotable_types::{Item, Projection, item_size_bytes};

use super::cost::{WriteCost, write_units};
use crate::commit::{Shift, Stage};
use crate::error::Result;
use crate::layout;
use crate::layout::row_key::{AreaId, BASE_AREA, PartitionId, partition_of_row};
use crate::op::streams::{StreamEvent, StreamOrigin};
use crate::stored::StoredItem;
use crate::stream;
use crate::table::{Index, IndexKind, IndexState, StreamViewType, Table};

/// An item after a write: stored, and decoded if the request contained it.
#[derive(Clone, Copy)]
pub(crate) struct After<'a> {
    pub(crate) stored: &'a StoredItem,
    pub(crate) item: Option<&'a Item>,
}

/// An item before and after a write.
pub(crate) struct ChangeRequest<'a> {
    pub(crate) row_key: Bytes,
    pub(crate) before: Option<&'a StoredItem>,
    pub(crate) after: Option<After<'a>>,
    pub(crate) origin: StreamOrigin,
    /// False if the request can't change a key of an index or the expiry.
    pub(crate) keys_may_change: bool,
}

impl ChangeRequest<'_> {
    /// Returns the new item, if its index rows, its expiry row and their counts do not change.
    fn unmoved(&self, table: &Table) -> Option<&StoredItem> {
        let (before, after) = (self.before?, self.after?.stored);
        let is_unmoved = !self.keys_may_change
            && before.size_bytes() == after.size_bytes()
            && table.indexes.iter().all(|index| index.projection == Projection::All);
        is_unmoved.then_some(after)
    }
}

/// Rows and counts that one write changes. Creating it can fail; staging it can't.
#[derive(Default)]
pub(crate) struct Change {
    rows: Vec<(Bytes, Option<Bytes>)>,
    shifts: Vec<Shift>,
    /// The stream area and the record; its sequence number is taken when it is staged.
    record: Option<(AreaId, Vec<u8>)>,
}

impl Change {
    /// Computes everything that changes when the item in `row_key` goes from `before` to `after`.
    pub(crate) fn plan(
        stage: &Stage<'_>,
        table: &Table,
        request: ChangeRequest<'_>,
    ) -> Result<(Self, WriteCost)> {
        let before_bytes = request.before.map(StoredItem::size_bytes);
        let after_bytes = request.after.map(|after| after.stored.size_bytes());
        let mut cost = WriteCost {
            item_bytes: before_bytes.max(after_bytes).unwrap_or(0),
            partition: partition_of_row(&request.row_key),
            ..WriteCost::default()
        };
        let mut change = Self::default();
        let bytes_before = request.before.map(StoredItem::bytes);
        let bytes_after = request.after.map(|after| after.stored.bytes());
        if bytes_before == bytes_after {
            return Ok((change, cost));
        }
        // The partitions of indexes are computed only when they can be throttled.
        let limits_partitions = stage.shared.faults.limits_partitions();
        match request.unmoved(table).filter(|_| !limits_partitions) {
            Some(stored) => cost.add_unmoved_entries(table, stored)?,
            None if table.is_plain() => {}
            None => change.plan_indexes(stage, table, &request, &mut cost)?,
        }
        change.plan_record(stage, table, &request)?;
        change.shifts.push(Shift { table: table.id, area: BASE_AREA, before_bytes, after_bytes });
        let after = bytes_after.cloned();
        change.rows.push((request.row_key, after));
        Ok((change, cost))
    }

    /// The rows of indexes and of the order of expiry.
    fn plan_indexes(
        &mut self,
        stage: &Stage<'_>,
        table: &Table,
        request: &ChangeRequest<'_>,
        cost: &mut WriteCost,
    ) -> Result<()> {
        let before = request
            .before
            .map(|stored| Image::new(table, After { stored, item: None }))
            .transpose()?;
        let after = request.after.map(|after| Image::new(table, after)).transpose()?;
        for (position, index) in table.indexes.iter().enumerate() {
            let entry = Entry { stage, table, index, position, row_key: &request.row_key };
            entry.plan(self, cost, before.as_ref(), after.as_ref())?;
        }
        self.plan_expiry(table, &request.row_key, before.as_ref(), after.as_ref());
        Ok(())
    }

    /// Stages the rows, counts and the stream record.
    pub(crate) fn stage(self, table: &Table, stage: &mut Stage<'_>) {
        for (key, value) in self.rows {
            match value {
                Some(value) => stage.put(key, value),
                None => stage.remove(key),
            }
        }
        self.shifts.into_iter().for_each(|shift| stage.shift_counts(shift));
        if let Some((area, record)) = self.record {
            let sequence = stage.take_sequence(table);
            stage.put(stream::row_key(table.id, area, sequence), record);
        }
    }

    fn plan_expiry(
        &mut self,
        table: &Table,
        row_key: &[u8],
        before: Option<&Image<'_>>,
        after: Option<&Image<'_>>,
    ) {
        let Some(ttl) = &table.ttl else {
            return;
        };
        let row = |image: &Image<'_>| table.ttl_row(ttl, &*image.keys, row_key);
        let (old, new) = (before.and_then(row), after.and_then(row));
        // While the area is being filled the old row may or may not exist; removing it is harmless,
        // and the new row is written even if it is equal.
        if old != new || ttl.state == IndexState::Backfilling {
            self.rows.extend(old.map(|key| (key.into(), None)));
            self.rows.extend(new.map(|key| (key.into(), Some(Bytes::new()))));
        }
    }

    fn plan_record(
        &mut self,
        stage: &Stage<'_>,
        table: &Table,
        request: &ChangeRequest<'_>,
    ) -> Result<()> {
        let Some(stream) = table.enabled_stream() else {
            return Ok(());
        };
        let event = match (request.before, request.after) {
            (None, _) => StreamEvent::Insert,
            (Some(_), Some(_)) => StreamEvent::Modify,
            (Some(_), None) => StreamEvent::Remove,
        };
        let (with_old, with_new) = match stream.view_type {
            StreamViewType::KeysOnly => (false, false),
            StreamViewType::NewImage => (false, true),
            StreamViewType::OldImage => (true, false),
            StreamViewType::NewAndOldImages => (true, true),
        };
        let keys = layout::item::encode(&table.key_of_row(&request.row_key)?);
        let record = stream::encode_record(
            event,
            request.origin,
            stage.now_ms,
            &keys,
            request.before.filter(|_| with_old).map(|before| before.bytes().as_ref()),
            request.after.filter(|_| with_new).map(|after| after.stored.bytes().as_ref()),
        );
        self.record = Some((stream.area, record));
        Ok(())
    }
}

/// An item as indexes see it: its stored form, and the attributes of their keys.
struct Image<'a> {
    stored: &'a StoredItem,
    keys: Cow<'a, Item>,
}

impl<'a> Image<'a> {
    fn new(table: &Table, source: After<'a>) -> Result<Self> {
        let keys = match source.item {
            Some(item) => Cow::Borrowed(item),
            None => {
                let encoded = source.stored.encoded()?;
                Cow::Owned(encoded.decode_where(|name| table.is_indexed(name))?)
            }
        };
        Ok(Self { stored: source.stored, keys })
    }
}

/// One index's part in a write.
struct Entry<'a> {
    stage: &'a Stage<'a>,
    table: &'a Table,
    index: &'a Index,
    /// The position of the index in the table's list.
    position: usize,
    row_key: &'a [u8],
}

impl Entry<'_> {
    /// Adds the index rows that change, and the units they cost.
    fn plan(
        &self,
        change: &mut Change,
        cost: &mut WriteCost,
        before: Option<&Image<'_>>,
        after: Option<&Image<'_>>,
    ) -> Result<()> {
        let row = |image: &Image<'_>| self.table.index_row(self.index, &*image.keys, self.row_key);
        let mut old = before.and_then(row);
        let new = after.and_then(row);
        if let (IndexState::Backfilling, Some(row)) = (self.index.state, &old)
            && self.stage.get(&row.key)?.is_none()
        {
            // The backfill has not reached this item yet.
            old = None;
        }
        let old_entry = old.as_ref().and(before).map(|image| self.entry(image)).transpose()?;
        let new_entry = new.as_ref().and(after).map(|image| self.entry(image)).transpose()?;
        // The units of removing the old entry and of writing the new one.
        let (old_units, new_units) = match (&old_entry, &new_entry) {
            (None, None) => return Ok(()),
            (Some(entry), None) => (write_units(entry.bytes), 0),
            (None, Some(entry)) => (0, write_units(entry.bytes)),
            (Some(from), Some(to)) if old == new && from.shows_the_same(to) => (0, 0),
            (Some(from), Some(to)) if old == new => {
                (0, write_units(from.bytes).max(write_units(to.bytes)))
            }
            (Some(from), Some(to)) => (write_units(from.bytes), write_units(to.bytes)),
        };
        if old_units + new_units > 0 {
            cost.index_units.push((self.position, old_units + new_units));
        }
        if self.stage.shared.faults.limits_partitions() {
            for (row, units) in [(&old, old_units), (&new, new_units)] {
                let partition = row.as_ref().map(|row| self.partition(&row.key));
                cost.index_partitions.extend(partition.map(|partition| (partition, units)));
            }
        }
        change.shifts.push(Shift {
            table: self.table.id,
            area: self.index.area,
            before_bytes: old_entry.map(|entry| entry.bytes),
            after_bytes: new_entry.map(|entry| entry.bytes),
        });
        if old != new {
            change.rows.extend(old.map(|row| (row.key.into(), None)));
            let value = |value: [u8; 2]| Some(Bytes::copy_from_slice(&value));
            change.rows.extend(new.map(|row| (row.key.into(), value(row.value))));
        }
        Ok(())
    }

    /// Entries of a local index are in the partition of their items.
    fn partition(&self, index_row_key: &[u8]) -> PartitionId {
        match self.index.kind {
            IndexKind::Global => partition_of_row(index_row_key),
            IndexKind::Local => partition_of_row(self.row_key),
        }
    }

    /// Returns the entry of an index. One that projects everything needs no decoding: its entry is
    /// the item.
    fn entry(&self, image: &Image<'_>) -> Result<IndexEntry> {
        if self.index.projection == Projection::All {
            return Ok(IndexEntry { bytes: image.stored.size_bytes(), attributes: None });
        }
        let encoded = image.stored.encoded()?;
        let attributes = encoded.decode_where(|name| self.table.is_projected(self.index, name))?;
        Ok(IndexEntry { bytes: item_size_bytes(&attributes), attributes: Some(attributes) })
    }
}

/// The projection of an item, with its size by AWS's rule; no attributes mean the whole item.
struct IndexEntry {
    bytes: usize,
    attributes: Option<Item>,
}

impl IndexEntry {
    /// Returns whether a read through the index returns the same. For whole items it is false: an
    /// unchanged item does not get here.
    fn shows_the_same(&self, other: &Self) -> bool {
        self.attributes.is_some() && self.attributes == other.attributes
    }
}
