//! Reads of the bare store, the same on disk and in memory.

use fjall::Slice;
use monotable_bench::Result;
use monotable_bench::sample::PARTITION_ITEMS;

use super::rows::base_of_index;
use super::{Layout, Request};

/// A snapshot of a store.
pub(super) trait Snapshot {
    fn get(&self, key: &[u8]) -> Result<Option<Slice>>;

    /// Returns the rows whose keys start with `prefix`, in order.
    fn rows(&self, prefix: &[u8]) -> impl Iterator<Item = Result<(Slice, Slice)>>;
}

/// Answers a reading request with the number of rows that a caller would get.
pub(super) fn read(snapshot: &impl Snapshot, request: &Request, layout: Layout) -> Result<u64> {
    match request {
        Request::Get(key) => {
            Ok(snapshot.get(key)?.iter().filter(|value| is_item(value)).count() as u64)
        }
        Request::Partition(prefix) => {
            let values: Vec<Slice> =
                snapshot.rows(prefix).map(|row| Ok(row?.1)).collect::<Result<_>>()?;
            Ok(values.iter().filter(|value| is_item(value)).count() as u64)
        }
        Request::Group(prefix) => {
            let rows = snapshot.rows(prefix).take(PARTITION_ITEMS as usize);
            let values: Vec<Slice> = rows
                .map(|row| {
                    let (key, value) = row?;
                    match layout {
                        Layout::Full => Ok(value),
                        Layout::Keys => {
                            let key = base_of_index(&key, &value).ok_or("no index row")?;
                            Ok(snapshot.get(&key)?.ok_or("an index row has no item")?)
                        }
                    }
                })
                .collect::<Result<_>>()?;
            Ok(values.iter().filter(|value| is_item(value)).count() as u64)
        }
        Request::Write(_) | Request::Increment { .. } => Err("this is not a read".into()),
    }
}

/// Looks at the version, the first byte of every item.
fn is_item(value: &Slice) -> bool {
    value.first() == Some(&1)
}
