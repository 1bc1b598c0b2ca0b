//! The one function that turns (before, after) into base row, index rows, expiry row and stream
//! record.

use std::borrow::Cow;

use bytes::Bytes;
use monotable_expression::Attributes;
use monotable_types::{AttributeValue, Item, item_size_bytes};

use super::cost::{WriteCost, write_units};
use crate::commit::{Shift, Stage};
use crate::error::Result;
use crate::layout;
use crate::layout::row_key::{AreaId, BASE_AREA, partition_of_row};
use crate::op::streams::{StreamEvent, StreamOrigin};
use crate::stored::StoredItem;
use crate::stream;
use crate::table::{Index, IndexState, StreamViewType, Table};

/// An item after a write, decoded and encoded.
pub(crate) struct Image {
    item: Item,
    encoded: Vec<u8>,
    size_bytes: usize,
}

impl Image {
    pub(crate) fn new(item: Item, encoded: Vec<u8>) -> Self {
        let size_bytes = item_size_bytes(&item);
        Self { item, encoded, size_bytes }
    }
}

/// Rows and counts that one write changes. Making it can fail; staging it can't.
#[derive(Default)]
pub(crate) struct Change {
    rows: Vec<(Vec<u8>, Option<Bytes>)>,
    shifts: Vec<Shift>,
    /// The stream area and the record; its sequence number is taken when it is staged.
    record: Option<(AreaId, Vec<u8>)>,
}

impl Change {
    /// Computes everything that changes when the item in `row_key` goes from `before` to `after`.
    pub(crate) fn plan(
        stage: &Stage<'_>,
        table: &Table,
        row_key: Vec<u8>,
        before: Option<&StoredItem>,
        after: Option<Image>,
        origin: StreamOrigin,
    ) -> Result<(Self, WriteCost)> {
        let before_bytes = before.map(StoredItem::size_bytes);
        let after_bytes = after.as_ref().map(|after| after.size_bytes);
        let mut cost = WriteCost {
            item_bytes: before_bytes.max(after_bytes).unwrap_or(0),
            index_units: Vec::new(),
            partition: partition_of_row(&row_key),
        };
        let mut change = Self::default();
        let unchanged = match (before, &after) {
            (None, None) => true,
            (Some(before), Some(after)) => before.bytes() == after.encoded.as_slice(),
            _ => false,
        };
        if unchanged {
            return Ok((change, cost));
        }
        let before_keys = before.map(|before| IndexedAttributes::new(table, before)).transpose()?;
        for (position, index) in table.indexes.iter().enumerate() {
            let entry = Entry { stage, table, index, row_key: &row_key };
            let units = entry.plan(
                &mut change,
                before.zip(before_keys.as_ref()),
                after.as_ref().map(|after| &after.item),
            )?;
            if units > 0 {
                cost.index_units.push((position, units));
            }
        }
        change.plan_expiry(table, &row_key, before_keys.as_ref(), after.as_ref());
        change.plan_record(stage, table, &row_key, before, after.as_ref(), origin)?;
        change.shifts.push(Shift { table: table.id, area: BASE_AREA, before_bytes, after_bytes });
        change.rows.push((row_key, after.map(|after| after.encoded.into())));
        Ok((change, cost))
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
        before: Option<&IndexedAttributes>,
        after: Option<&Image>,
    ) {
        let Some(ttl) = &table.ttl else { return };
        let old = before.and_then(|before| table.ttl_row(ttl, before, row_key));
        let new = after.and_then(|after| table.ttl_row(ttl, &after.item, row_key));
        // While the area is being filled the old row may be missing or not; removing is harmless,
        // and the new row is written even if it is the same one.
        if old != new || ttl.state == IndexState::Backfilling {
            self.rows.extend(old.map(|key| (key, None)));
            self.rows.extend(new.map(|key| (key, Some(Bytes::new()))));
        }
    }

    fn plan_record(
        &mut self,
        stage: &Stage<'_>,
        table: &Table,
        row_key: &[u8],
        before: Option<&StoredItem>,
        after: Option<&Image>,
        origin: StreamOrigin,
    ) -> Result<()> {
        let Some(stream) = table.enabled_stream() else {
            return Ok(());
        };
        let event = match (before, after) {
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
        let keys = layout::item::encode(&table.key_of_row(row_key)?);
        let record = stream::encode_record(
            event,
            origin,
            stage.now_ms,
            &keys,
            before.filter(|_| with_old).map(StoredItem::bytes),
            after.filter(|_| with_new).map(|after| after.encoded.as_slice()),
        );
        self.record = Some((stream.area, record));
        Ok(())
    }
}

/// The attributes of the item before that indexes and expiry look at, decoded once.
struct IndexedAttributes(Item);

impl IndexedAttributes {
    fn new(table: &Table, before: &StoredItem) -> Result<Self> {
        if table.indexes.is_empty() && table.ttl.is_none() {
            return Ok(Self(Item::new()));
        }
        let wanted = |name: &str| {
            table.indexes.iter().any(|index| index.keys.contains(name))
                || table.ttl.as_ref().is_some_and(|ttl| ttl.attribute == name)
        };
        Ok(Self(before.encoded()?.decode_where(wanted)?))
    }
}

impl Attributes for IndexedAttributes {
    fn attribute(&self, name: &str) -> Option<Cow<'_, AttributeValue>> {
        self.0.get(name).map(Cow::Borrowed)
    }
}

/// One index's part in a write.
struct Entry<'a> {
    stage: &'a Stage<'a>,
    table: &'a Table,
    index: &'a Index,
    row_key: &'a [u8],
}

impl Entry<'_> {
    /// Adds the index rows that change, and returns the units they cost.
    fn plan(
        &self,
        change: &mut Change,
        before: Option<(&StoredItem, &IndexedAttributes)>,
        after: Option<&Item>,
    ) -> Result<u64> {
        let (table, index) = (self.table, self.index);
        let mut old = before.and_then(|(_, keys)| table.index_row(index, keys, self.row_key));
        let new = after.and_then(|after| table.index_row(index, after, self.row_key));
        if let (IndexState::Backfilling, Some(row)) = (index.state, &old)
            && self.stage.get(&row.key)?.is_none()
        {
            // The backfill has not come to this item yet.
            old = None;
        }
        let old_entry = match (&old, before) {
            (Some(_), Some((stored, _))) => Some(self.entry_of_stored(stored)?),
            _ => None,
        };
        let new_entry = new.as_ref().and(after).map(|after| self.entry_of_item(after));
        let old_bytes = old_entry.as_ref().map(|entry| entry.bytes);
        let new_bytes = new_entry.as_ref().map(|entry| entry.bytes);
        let units = match (&old_entry, &new_entry) {
            (None, None) => return Ok(0),
            (Some(old), None) => write_units(old.bytes),
            (None, Some(new)) => write_units(new.bytes),
            (Some(old_entry), Some(new_entry)) if old == new => {
                match old_entry.same_projection(new_entry) {
                    true => 0,
                    false => write_units(old_entry.bytes).max(write_units(new_entry.bytes)),
                }
            }
            (Some(old), Some(new)) => write_units(old.bytes) + write_units(new.bytes),
        };
        change.shifts.push(Shift {
            table: table.id,
            area: index.area,
            before_bytes: old_bytes,
            after_bytes: new_bytes,
        });
        if old != new {
            change.rows.extend(old.map(|row| (row.key, None)));
            change.rows.extend(new.map(|row| (row.key, Some(Bytes::copy_from_slice(&row.value)))));
        }
        Ok(units)
    }

    /// An index that projects everything needs no decoding: its entry is the item.
    fn entry_of_stored(&self, stored: &StoredItem) -> Result<Projected> {
        if self.index.projection == monotable_types::Projection::All {
            return Ok(Projected { bytes: stored.size_bytes(), attributes: None });
        }
        let attributes =
            stored.encoded()?.decode_where(|name| self.table.is_projected(self.index, name))?;
        Ok(Projected { bytes: item_size_bytes(&attributes), attributes: Some(attributes) })
    }

    fn entry_of_item(&self, item: &Item) -> Projected {
        if self.index.projection == monotable_types::Projection::All {
            return Projected { bytes: item_size_bytes(item), attributes: None };
        }
        let attributes: Item = item
            .iter()
            .filter(|(name, _)| self.table.is_projected(self.index, name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        Projected { bytes: item_size_bytes(&attributes), attributes: Some(attributes) }
    }
}

/// An index entry as AWS sizes it. Nothing in `attributes` means the whole item.
struct Projected {
    bytes: usize,
    attributes: Option<Item>,
}

impl Projected {
    /// Whether two entries under one key are the same. Whole items are not: the write would not
    /// have come this far if the item had stayed as it is.
    fn same_projection(&self, other: &Self) -> bool {
        self.attributes.is_some() && self.attributes == other.attributes
    }
}
