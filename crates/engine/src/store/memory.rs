//! The store in memory: an ordered map that changes in place, and is copied only where a snapshot
//! of it is being read.

use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};

use bytes::Bytes;
use imbl::OrdMap;

use super::{
    Compaction, Key, NewestRows, Order, Rows, Scrubbed, Snapshot, Store, StoreError, Writes,
};
use crate::layout::row_key::RowRange;

/// Keys are half as large in the map's nodes as they would be as `Bytes`, and nodes are half empty.
type Map = OrdMap<Arc<[u8]>, Bytes>;

/// The maximum number of rows that change while readers wait: a tenth of a millisecond. A larger
/// batch is applied to a copy, which then replaces the map.
const IN_PLACE_ROWS_MAX: usize = 128;

/// A store that lives as long as the process.
#[derive(Default)]
pub(crate) struct MemoryStore {
    rows: Arc<LiveRows>,
}

/// The current rows of a store in memory.
#[derive(Default)]
pub(crate) struct LiveRows(RwLock<Map>);

struct MemorySnapshot(Map);

impl LiveRows {
    fn read(&self) -> RwLockReadGuard<'_, Map> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the value of one key. It keeps no reference to the map, so the next write finds it
    /// unshared.
    pub(crate) fn get(&self, key: &[u8]) -> Option<Bytes> {
        self.read().get(key).cloned()
    }

    /// Returns a snapshot, and the result of `with` from the same moment: no commit can happen in
    /// between. Writes while a snapshot exists copy the nodes that they change.
    pub(crate) fn snapshot_with<T>(&self, with: impl FnOnce() -> T) -> (Arc<dyn Snapshot>, T) {
        let rows = self.read();
        let with = with();
        (Arc::new(MemorySnapshot(rows.clone())), with)
    }

    fn commit(&self, writes: Writes, publish: impl FnOnce()) {
        let write = || self.0.write().unwrap_or_else(PoisonError::into_inner);
        if writes.len() <= IN_PLACE_ROWS_MAX {
            let mut rows = write();
            apply(&mut rows, writes);
            publish();
        } else {
            let mut changed = self.read().clone();
            apply(&mut changed, writes);
            let mut rows = write();
            std::mem::swap(&mut *rows, &mut changed);
            publish();
            // The rest of the old map is freed when nobody waits for it.
            drop(rows);
        }
    }
}

fn apply(rows: &mut Map, writes: Writes) {
    for (key, value) in writes {
        match value {
            Some(value) => drop(rows.insert(Arc::from(&*key), exact(value))),
            None => drop(rows.remove(&*key)),
        }
    }
}

/// Returns the same bytes without spare capacity: rows live long, and a third of the memory of a
/// small one would be spare.
fn exact(bytes: Bytes) -> Bytes {
    match *bytes {
        // The value of an index row: there are few different ones, so equal ones are shared.
        [low, 0] => Bytes::from_static(&SHORT_VALUES[usize::from(low)]),
        _ => Bytes::from(Vec::from(bytes).into_boxed_slice()),
    }
}

/// Every value of two bytes whose second is zero.
static SHORT_VALUES: [[u8; 2]; 256] = {
    let mut values = [[0; 2]; 256];
    let mut low = 0;
    while low < values.len() {
        values[low][0] = low as u8;
        low += 1;
    }
    values
};

impl Store for MemoryStore {
    fn newest(&self) -> NewestRows {
        NewestRows::Live(Arc::clone(&self.rows))
    }

    fn commit(
        &self,
        writes: Writes,
        publish: &mut dyn FnMut(NewestRows),
    ) -> Result<(), StoreError> {
        self.rows.commit(writes, || publish(self.newest()));
        Ok(())
    }

    fn sync(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn is_durable(&self) -> bool {
        false
    }

    fn disk_bytes(&self) -> Option<u64> {
        None
    }

    fn compaction(&self) -> Option<Compaction> {
        None
    }

    fn reclaim(&self) -> Result<bool, StoreError> {
        Ok(false)
    }

    fn remove_unread(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn scrub(&self, _bytes_max: usize) {}

    fn scrubbed(&self) -> Scrubbed {
        Scrubbed::default()
    }
}

impl Snapshot for MemorySnapshot {
    fn get(&self, key: &[u8]) -> Result<Option<Bytes>, StoreError> {
        Ok(self.0.get(key).cloned())
    }

    fn range(&self, range: &RowRange, order: Order) -> Rows<'_> {
        if range.is_empty() {
            return Box::new(std::iter::empty());
        }
        let bounds: (Bound<&[u8]>, Bound<&[u8]>) =
            (range.lower.as_ref().map(Vec::as_slice), range.upper.as_ref().map(Vec::as_slice));
        let rows = self.0.range::<_, [u8]>(bounds);
        match order {
            Order::Ascending => Box::new(rows.map(lend)),
            Order::Descending => Box::new(rows.rev().map(lend)),
        }
    }
}

fn lend<'a>((key, value): (&'a Arc<[u8]>, &'a Bytes)) -> Result<(Key<'a>, Bytes), StoreError> {
    Ok((Key::Lent(key), value.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(numbers: std::ops::Range<usize>, value: Option<&'static str>) -> Writes {
        let key = |number: usize| Bytes::from(format!("{number:04}"));
        numbers.map(|number| (key(number), value.map(Bytes::from))).collect()
    }

    fn all(snapshot: &dyn Snapshot) -> Vec<(Bytes, Bytes)> {
        let rows = snapshot.range(&RowRange::prefix(&[]), Order::Ascending);
        rows.map(|row| row.map(|(key, value)| (key.to_bytes(), value)).unwrap()).collect()
    }

    #[test]
    fn a_snapshot_stays_as_it_is_while_small_and_large_batches_are_made() {
        let rows = LiveRows::default();
        rows.commit(batch(0..1000, Some("a")), || {});
        let (before, ()) = rows.snapshot_with(|| ());
        let expected = all(&*before);
        assert_eq!(expected.len(), 1000);
        for size in [1, IN_PLACE_ROWS_MAX, IN_PLACE_ROWS_MAX + 1] {
            rows.commit(batch(0..size, Some("b")), || {});
            assert_eq!(rows.get(format!("{:04}", size - 1).as_bytes()), Some("b".into()));
            rows.commit(batch(0..size, None), || {});
            assert_eq!(rows.get(b"0000"), None);
            rows.commit(batch(1000..1000 + size, Some("c")), || {});
            assert_eq!(all(&*before), expected, "{size}");
        }
        let (after, ()) = rows.snapshot_with(|| ());
        assert_eq!(all(&*after).len(), 1000);
        assert_eq!(after.get(b"1000"), Ok(Some("c".into())));
    }
}
