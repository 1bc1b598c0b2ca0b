//! The number of items of a table and its indexes, and the next stream sequence number.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::layout::row_key::AreaId;
use crate::layout::{Malformed, varint};

/// Items and bytes of one area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) items: u64,
    pub(crate) bytes: u64,
}

/// The counts of a table, by area, and its next stream sequence number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CountsByArea {
    pub(crate) areas: BTreeMap<AreaId, Counts>,
    pub(crate) next_sequence: u64,
}

/// The shared counts of a table. Only the committer changes them; descriptions read them.
#[derive(Debug, Default)]
pub(crate) struct TableCounts(Mutex<CountsByArea>);

impl TableCounts {
    pub(crate) fn new(counts: CountsByArea) -> Self {
        Self(Mutex::new(counts))
    }

    fn lock(&self) -> MutexGuard<'_, CountsByArea> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn area(&self, area: AreaId) -> Counts {
        self.lock().areas.get(&area).copied().unwrap_or_default()
    }

    pub(crate) fn next_sequence(&self) -> u64 {
        self.lock().next_sequence
    }

    pub(crate) fn snapshot(&self) -> CountsByArea {
        self.lock().clone()
    }

    pub(crate) fn replace(&self, counts: CountsByArea) {
        *self.lock() = counts;
    }
}

impl CountsByArea {
    /// Changes an area's counts from the values before to those after.
    pub(crate) fn shift(
        &mut self,
        area: AreaId,
        before_bytes: Option<usize>,
        after_bytes: Option<usize>,
    ) {
        let counts = self.areas.entry(area).or_default();
        if let Some(bytes) = before_bytes {
            counts.items = counts.items.saturating_sub(1);
            counts.bytes = counts.bytes.saturating_sub(bytes as u64);
        }
        if let Some(bytes) = after_bytes {
            counts.items += 1;
            counts.bytes += bytes as u64;
        }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(16 + 12 * self.areas.len());
        varint::write(&mut out, self.next_sequence);
        for (&area, counts) in &self.areas {
            varint::write(&mut out, u64::from(area));
            varint::write(&mut out, counts.items);
            varint::write(&mut out, counts.bytes);
        }
        out
    }

    pub(crate) fn decode(mut input: &[u8]) -> Result<Self, Malformed> {
        let mut counts =
            Self { next_sequence: varint::read(&mut input)?, areas: BTreeMap::default() };
        while !input.is_empty() {
            let area = u16::try_from(varint::read(&mut input)?)
                .map_err(|_| Malformed("area number too large"))?;
            let items = varint::read(&mut input)?;
            let bytes = varint::read(&mut input)?;
            counts.areas.insert(area, Counts { items, bytes });
        }
        Ok(counts)
    }
}
