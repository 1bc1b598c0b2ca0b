//! The only function that changes an item: the capacity, the change record, the item.

use monotable_engine::{ConsumedCapacity, StreamEvent, StreamOrigin, StreamRecord, StreamViewType};
use monotable_types::Item;

use super::Oracle;
use super::capacity::{charge_write, size_bytes};
use super::table::{Part, Table};

impl Oracle {
    /// Charges the write, adds the record, stores the item.
    pub(super) fn commit(
        &mut self,
        table_name: &str,
        key: Vec<Part>,
        after: Option<Item>,
        origin: StreamOrigin,
        factor: f64,
        total: &mut ConsumedCapacity,
    ) {
        let table = self.tables.get_mut(table_name).expect("the table was looked up");
        let before = table.items.remove(&key);
        charge_write(total, table, before.as_ref(), after.as_ref(), factor);
        table.records.extend(record(table, self.now_ms, origin, before.as_ref(), after.as_ref()));
        table.items.extend(after.map(|item| (key, item)));
    }
}

/// Returns the change record that the stream keeps of a write.
fn record(
    table: &Table,
    creation_ms: u64,
    origin: StreamOrigin,
    before: Option<&Item>,
    after: Option<&Item>,
) -> Option<StreamRecord> {
    let view_type = table.stream.filter(|_| before != after)?;
    let keys = Table::only(table.key.names(), before.or(after)?);
    let event = match (before, after) {
        (None, _) => StreamEvent::Insert,
        (_, Some(_)) => StreamEvent::Modify,
        (_, None) => StreamEvent::Remove,
    };
    let (old, new) = match view_type {
        StreamViewType::KeysOnly => (None, None),
        StreamViewType::NewImage => (None, after),
        StreamViewType::OldImage => (before, None),
        StreamViewType::NewAndOldImages => (before, after),
    };
    let size = [Some(&keys), old, new].into_iter().flatten().map(size_bytes).sum::<usize>();
    let (old_image, new_image) = (old.cloned(), new.cloned());
    let (sequence_number, size_bytes) = (String::new(), size as u64);
    Some(StreamRecord {
        event,
        origin,
        creation_ms,
        sequence_number,
        keys,
        old_image,
        new_image,
        size_bytes,
        view_type,
    })
}
