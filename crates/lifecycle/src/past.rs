//! A table at earlier times: the rows of a backup, and the later commits.
//!
//! Changes are read in parts that fit into memory: its use depends neither on the size of the table
//! nor on the length of the period.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use bytes::Bytes;
use monotable_engine::{History, LoggedChange, TableDefinition, TableRow};
use xxhash_rust::xxh3::xxh3_64;

use crate::backup::{Set, TableEntry};
use crate::error::{Error, Result};
use crate::jobs::Control;
use crate::lifecycle::Shared;

/// The bytes of changed items in memory at the same time.
const PART_BYTES: u64 = 64 << 20;

/// A table and the sources of its earlier states.
pub(crate) struct PastTable {
    definition: TableDefinition,
    /// The rows that the commits are applied to; `None` for the empty table.
    base: Option<BackupRows>,
    /// The time of the first commit to apply, in milliseconds since the epoch.
    from_ms: u64,
    history: History,
}

/// The location of a table's rows in a backup.
pub(crate) struct BackupRows {
    /// The backup.
    pub(crate) set: Set,
    /// The position of the table in it.
    pub(crate) table: usize,
}

/// An item that was written in a period.
pub(crate) struct ChangedItem {
    /// The time of its last change, in milliseconds since the epoch.
    pub(crate) time_ms: u64,
    /// The item before; `None` if it did not exist.
    pub(crate) old: Option<TableRow>,
    /// The item after; `None` if it did not exist.
    pub(crate) new: Option<TableRow>,
}

/// The last change of an item in a period.
struct LastChange {
    time_ms: u64,
    /// `None` if it was removed.
    stored: Option<Bytes>,
}

type LastChanges = BTreeMap<Vec<u8>, LastChange>;

/// The items that are in memory at the same time.
#[derive(Clone, Copy)]
struct Part {
    number: u64,
    of: u64,
}

impl Part {
    fn has(self, position: &[u8]) -> bool {
        self.of == 1 || xxh3_64(position) % self.of == self.number
    }
}

impl Shared {
    /// Returns a table with its states since a time, or `None` if the time is outside the period of
    /// its point-in-time recovery.
    pub(crate) fn past_table(
        &self,
        definition: TableDefinition,
        since_ms: u64,
    ) -> Result<Option<PastTable>> {
        let table = definition.description();
        let (Some(recovery), Some(history)) = (table.recovery, self.history()?) else {
            return Ok(None);
        };
        let Some(base) = self.base_at(&table, recovery, &history, since_ms)? else {
            return Ok(None);
        };
        let rows = match base.backup_id {
            None => None,
            Some(backup_id) => {
                let set = self.backups.open(&backup_id)?;
                let has_id = |entry: &TableEntry| entry.table_id == table.table_id;
                let at = set.manifest.tables.iter().position(has_id);
                let at = at.ok_or_else(|| Error::Damaged(format!("{backup_id} lacks a table")))?;
                Some(BackupRows { set, table: at })
            }
        };
        Ok(Some(PastTable::new(definition, rows, base.from_ms, history)))
    }
}

impl PastTable {
    pub(crate) fn new(
        definition: TableDefinition,
        base: Option<BackupRows>,
        from_ms: u64,
        history: History,
    ) -> Self {
        Self { definition, base, from_ms, history }
    }

    /// Returns its definition.
    pub(crate) fn definition(&self) -> &TableDefinition {
        &self.definition
    }

    /// Visits every item as it was at a time, in milliseconds since the epoch: with all commits up to it.
    pub(crate) fn items(
        &self,
        at_ms: u64,
        control: &Control,
        visit: &mut dyn FnMut(TableRow) -> Result<()>,
    ) -> Result<()> {
        let times = self.from_ms..=at_ms;
        for part in self.parts(times.clone(), control)? {
            let mut changes =
                self.changes(times.clone(), control, &|position| part.has(position))?;
            self.base_rows(control, &mut |row| match changes.remove(row.position()) {
                _ if !part.has(row.position()) => Ok(()),
                None => visit(row),
                Some(change) => self.row(change.stored)?.map_or(Ok(()), &mut *visit),
            })?;
            for change in changes.into_values() {
                if let Some(row) = self.row(change.stored)? {
                    visit(row)?;
                }
            }
        }
        Ok(())
    }

    /// Visits every item that was written in a period, in milliseconds since the epoch, without its
    /// end. An item that existed neither before nor after is left out.
    pub(crate) fn changed_items(
        &self,
        from_ms: u64,
        to_ms: u64,
        control: &Control,
        visit: &mut dyn FnMut(ChangedItem) -> Result<()>,
    ) -> Result<()> {
        let times = from_ms..=to_ms.saturating_sub(1);
        let earlier = self.from_ms..=from_ms.saturating_sub(1);
        for part in self.parts(times.clone(), control)? {
            let changes = self.changes(times.clone(), control, &|position| part.has(position))?;
            let is_changed = |position: &[u8]| changes.contains_key(position);
            let mut before = self.changes(earlier.clone(), control, &is_changed)?;
            self.base_rows(control, &mut |row| {
                if is_changed(row.position()) {
                    let stored = Some(row.stored().clone());
                    let change = LastChange { time_ms: 0, stored };
                    before.entry(row.position().to_vec()).or_insert(change);
                }
                Ok(())
            })?;
            for (position, change) in changes {
                let old = before.remove(&position).and_then(|change| change.stored);
                if old.is_some() || change.stored.is_some() {
                    let (old, new) = (self.row(old)?, self.row(change.stored)?);
                    visit(ChangedItem { time_ms: change.time_ms, old, new })?;
                }
            }
        }
        Ok(())
    }

    fn row(&self, stored: Option<Bytes>) -> Result<Option<TableRow>> {
        Ok(stored.map(|stored| self.definition.row(stored)).transpose()?)
    }

    /// Returns parts that are small enough for the changes of a time to fit into memory.
    fn parts(
        &self,
        times: RangeInclusive<u64>,
        control: &Control,
    ) -> Result<impl Iterator<Item = Part> + use<>> {
        let mut bytes = 0;
        self.replay(times, control, &mut |_, position, stored| {
            bytes += (position.len() + stored.map_or(0, |stored| stored.len())) as u64;
        })?;
        let of = bytes / PART_BYTES + 1;
        Ok((0..of).map(move |number| Part { number, of }))
    }

    /// Returns the last change of each item in a time, for those items that are wanted.
    fn changes(
        &self,
        times: RangeInclusive<u64>,
        control: &Control,
        is_wanted: &dyn Fn(&[u8]) -> bool,
    ) -> Result<LastChanges> {
        let mut changes = LastChanges::new();
        self.replay(times, control, &mut |time_ms, position, stored| {
            if is_wanted(&position) {
                changes.insert(position, LastChange { time_ms, stored });
            }
        })?;
        Ok(changes)
    }

    fn replay(
        &self,
        times: RangeInclusive<u64>,
        control: &Control,
        visit: &mut dyn FnMut(u64, Vec<u8>, Option<Bytes>),
    ) -> Result<()> {
        let number = self.definition.number();
        self.history.replay(times, "", "", |commit| {
            control.check()?;
            for change in commit.changes {
                if let LoggedChange::Item { table, position, stored } = change
                    && table == number
                {
                    visit(commit.time_ms, position, stored);
                }
            }
            Ok(())
        })
    }

    fn base_rows(
        &self,
        control: &Control,
        visit: &mut dyn FnMut(TableRow) -> Result<()>,
    ) -> Result<()> {
        let Some(BackupRows { set, table }) = &self.base else { return Ok(()) };
        let mut rows = set.rows(*table);
        while let Some(stored) = rows.next()? {
            control.check()?;
            visit(self.definition.row(stored)?)?;
        }
        Ok(())
    }
}
