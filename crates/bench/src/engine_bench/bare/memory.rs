//! The bare store in memory: an immutable map behind a lock, published after every write.

use std::ops::Bound;
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use fjall::Slice;
use imbl::OrdMap;
use monotable_bench::{Result, Subject, Workload};

use super::read::{Snapshot, read};
use super::rows::{incremented, request};
use super::{Layout, Request};

type Map = OrdMap<Slice, Slice>;

/// The store.
#[derive(Default)]
pub(crate) struct BareMemory {
    writer: Mutex<()>,
    newest: ArcSwap<Map>,
}

impl BareMemory {
    fn write(&self, change: impl FnOnce(&mut Map) -> Result<()>) -> Result<()> {
        let _writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let mut map = Map::clone(&self.newest.load());
        change(&mut map)?;
        self.newest.store(Arc::new(map));
        Ok(())
    }
}

impl Subject for BareMemory {
    type Request = Request;

    fn prepare(&self, workload: Workload, number: u64) -> Request {
        request(workload, number, Layout::Keys, 0)
    }

    fn perform(&self, workload: Workload, request: Request) -> Result<u64> {
        match request {
            Request::Write(rows) => self.write(|map| {
                for (key, value) in rows {
                    map.insert(key, value);
                }
                Ok(())
            })?,
            Request::Increment { key, .. } => self.write(|map| {
                let value = incremented(map.get(&key).ok_or("no such row")?);
                map.insert(key, value);
                Ok(())
            })?,
            reading => return read(&**self.newest.load(), &reading, Layout::Keys),
        }
        Ok(workload.items())
    }
}

impl Snapshot for Map {
    fn get(&self, key: &[u8]) -> Result<Option<Slice>> {
        Ok(self.get(key).cloned())
    }

    fn rows(&self, prefix: &[u8]) -> impl Iterator<Item = Result<(Slice, Slice)>> {
        self.range::<_, [u8]>((Bound::Included(prefix), Bound::Unbounded))
            .take_while(move |(key, _)| key.starts_with(prefix))
            .map(|(key, value)| Ok((key.clone(), value.clone())))
    }
}
