//! The store in memory: an immutable ordered map, so that a snapshot is one pointer.

use std::ops::Bound;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use imbl::OrdMap;

use super::{Key, Order, Rows, Snapshot, Store, StoreError, Writes};
use crate::layout::row_key::RowRange;

type Map = OrdMap<Bytes, Bytes>;

/// A store that lives as long as the process.
#[derive(Default)]
pub(crate) struct MemoryStore {
    rows: Mutex<Arc<MemorySnapshot>>,
}

#[derive(Default)]
struct MemorySnapshot(Map);

impl Store for MemoryStore {
    fn snapshot(&self) -> Arc<dyn Snapshot> {
        Arc::clone(&*self.rows.lock().unwrap_or_else(PoisonError::into_inner)) as Arc<dyn Snapshot>
    }

    fn commit(&self, writes: Writes) -> Result<Arc<dyn Snapshot>, StoreError> {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let mut map = rows.0.clone();
        for (key, value) in writes {
            match value {
                Some(value) => drop(map.insert(key, value)),
                None => drop(map.remove(&key)),
            }
        }
        *rows = Arc::new(MemorySnapshot(map));
        Ok(Arc::clone(&*rows) as Arc<dyn Snapshot>)
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

fn lend<'a>((key, value): (&'a Bytes, &'a Bytes)) -> Result<(Key<'a>, Bytes), StoreError> {
    Ok((Key::Lent(key), value.clone()))
}
