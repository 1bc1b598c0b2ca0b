//! The state that a batch is building: the newest rows under those staged so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;

use super::chore::Chore;
use super::view::Shared;
use crate::error::Result;
use crate::layout::row_key::{AreaId, TableId};
use crate::store::{NewestRows, Snapshot, Writes};
use crate::system;
use crate::table::{Catalog, CountsByArea, Table, encode_table};

/// What jobs read from and stage into.
pub(crate) struct Stage<'a> {
    pub(crate) shared: &'a Shared,
    /// The time of everything in the batch.
    pub(crate) now_ms: u64,
    committed: NewestRows,
    catalog: Arc<Catalog>,
    writes: Writes,
    shifts: Vec<Shift>,
    sequences: BTreeMap<TableId, u64>,
    chores: Vec<Chore>,
}

/// A change of an area's counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shift {
    pub(crate) table: TableId,
    pub(crate) area: AreaId,
    pub(crate) before_bytes: Option<usize>,
    pub(crate) after_bytes: Option<usize>,
}

/// A finished stage: everything that the committer has to make durable and then visible.
pub(crate) struct Staged {
    pub(crate) writes: Writes,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) counts: Vec<(Arc<Table>, CountsByArea)>,
    pub(crate) chores: Vec<Chore>,
}

impl<'a> Stage<'a> {
    pub(crate) fn new(shared: &'a Shared) -> Self {
        let newest = shared.newest();
        Self {
            shared,
            now_ms: shared.now_ms(),
            committed: newest.rows.clone(),
            catalog: Arc::clone(&newest.catalog),
            writes: Writes::new(),
            shifts: Vec::new(),
            sequences: BTreeMap::new(),
            chores: Vec::new(),
        }
    }

    pub(crate) fn catalog(&self) -> &Arc<Catalog> {
        &self.catalog
    }

    /// Returns the value of a row in the current state of the batch.
    pub(crate) fn get(&self, key: &[u8]) -> Result<Option<Bytes>> {
        match self.writes.get(key) {
            Some(staged) => Ok(staged.clone()),
            None => Ok(self.committed.get(key)?),
        }
    }

    /// Returns the rows committed before this batch, without the staged ones.
    pub(crate) fn committed(&self) -> Arc<dyn Snapshot> {
        self.committed.snapshot()
    }

    pub(crate) fn put(&mut self, key: impl Into<Bytes>, value: impl Into<Bytes>) {
        self.writes.insert(key.into(), Some(value.into()));
    }

    pub(crate) fn remove(&mut self, key: impl Into<Bytes>) {
        self.writes.insert(key.into(), None);
    }

    pub(crate) fn shift_counts(&mut self, shift: Shift) {
        self.shifts.push(shift);
    }

    /// Takes the next stream sequence number of a table.
    pub(crate) fn take_sequence(&mut self, table: &Table) -> u64 {
        let next = self.sequences.entry(table.id).or_insert_with(|| table.counts.next_sequence());
        let sequence = *next;
        *next += 1;
        sequence
    }

    /// Returns the next stream sequence number of a table, without taking it.
    pub(crate) fn next_sequence(&self, table: &Table) -> u64 {
        self.sequences.get(&table.id).copied().unwrap_or_else(|| table.counts.next_sequence())
    }

    /// Adds a table or replaces it by a changed version.
    pub(crate) fn save_table(&mut self, table: Table) {
        let definition = crate::layout::item::encode(&encode_table(&table));
        self.put(system::table_key(table.id), definition);
        Arc::make_mut(&mut self.catalog).insert(Arc::new(table));
        let next_table_id = self.catalog.next_table_id().to_be_bytes();
        self.put(system::next_table_key(), next_table_id.to_vec());
    }

    /// Changes nothing, but makes the committer commit and publish the batch.
    pub(crate) fn publish_again(&mut self) {
        let next_table_id = self.catalog.next_table_id().to_be_bytes();
        self.put(system::next_table_key(), next_table_id.to_vec());
    }

    /// Removes a table's definition; a chore removes its rows.
    pub(crate) fn forget_table(&mut self, table: &Table) {
        self.remove(system::table_key(table.id));
        self.remove(system::counts_key(table.id));
        Arc::make_mut(&mut self.catalog).remove(table);
        self.add_chore(Chore::Reclaim { table: table.id, area: None });
    }

    /// Queues work that is too long for one batch. It survives a crash.
    pub(crate) fn add_chore(&mut self, chore: Chore) {
        self.put(chore.key(), Bytes::new());
        self.chores.push(chore);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.writes.is_empty()
    }

    pub(crate) fn finish(mut self) -> Staged {
        let mut counts: Vec<(Arc<Table>, CountsByArea)> = Vec::new();
        let tables = self.shifts.iter().map(|shift| shift.table);
        let mut touched: Vec<TableId> = tables.chain(self.sequences.keys().copied()).collect();
        touched.sort_unstable();
        touched.dedup();
        for id in touched {
            let Some(table) = self.catalog.by_id(id) else {
                continue;
            };
            let mut changed = table.counts.snapshot();
            for shift in self.shifts.iter().filter(|shift| shift.table == id) {
                changed.shift(shift.area, shift.before_bytes, shift.after_bytes);
            }
            if let Some(&next) = self.sequences.get(&id) {
                changed.next_sequence = next;
            }
            counts.push((Arc::clone(table), changed));
        }
        // A database in memory is never reopened, so it keeps no row of its counts.
        if self.shared.store.is_durable() {
            for (table, changed) in &counts {
                let row = changed.encode();
                self.writes.insert(system::counts_key(table.id).into(), Some(row.into()));
            }
        }
        Staged { writes: self.writes, catalog: self.catalog, counts, chores: self.chores }
    }
}
