//! A table as it was at times of the past: the rows of a backup, and what was committed since.
//!
//! Changes are kept in memory in so many parts, one after the other, that each of them fits: memory does not grow with the
//! table, nor with the time.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use bytes::Bytes;
use monotable_engine::{History, LoggedChange, TableDefinition, TableRow};
use xxhash_rust::xxh3::xxh3_64;

use crate::backup::{Set, TableEntry};
use crate::error::{Error, Result};
use crate::jobs::Control;
use crate::lifecycle::Shared;

/// Bytes of changed items that are kept at a time.
const PART_BYTES: u64 = 64 << 20;

/// A table with what is known of its past.
pub(crate) struct PastTable {
    definition: TableDefinition,
    /// What the commits are applied to; none if that is the empty table.
    base: Option<BackupRows>,
    /// When the commits begin that are applied to it, in milliseconds since the epoch.
    from_ms: u64,
    history: History,
}

/// Where the rows of a table are in a backup.
pub(crate) struct BackupRows {
    /// The backup.
    pub(crate) set: Set,
    /// The position of the table in it.
    pub(crate) table: usize,
}

/// An item that was written in a time.
pub(crate) struct ChangedItem {
    /// When it was written last, in milliseconds since the epoch.
    pub(crate) time_ms: u64,
    /// What it was before; none if it did not exist.
    pub(crate) old: Option<TableRow>,
    /// What it was after; none if it did not exist.
    pub(crate) new: Option<TableRow>,
}

/// The last change of an item in a time.
struct LastChange {
    time_ms: u64,
    /// None if it was removed.
    stored: Option<Bytes>,
}

type LastChanges = BTreeMap<Vec<u8>, LastChange>;

/// The items that are kept at a time.
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
    /// Finds what is known of a table since a time; none if that is not in the window of its point-in-time recovery.
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

    /// Visits every item once that was written in a time, in milliseconds since the epoch, the end not included. An item that
    /// existed neither before nor after is left out.
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
